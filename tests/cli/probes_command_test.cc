// judge-check --probes: what sways a judge, against a service that one probe sways.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/subprocess.h"
#include "engine/calibrate/judge_probes.h"
#include "http/fake_service.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

class ProbesCommandTest : public RunTest {
 protected:
  static void SetUpTestSuite() { service_ = std::make_unique<FakeService>(); }
  static void TearDownTestSuite() { service_.reset(); }

  void SetUp() override {
    service_->Tell("reset");
    Answers(kRecords, [](int i) { return fmt::format("\"SCORE={}\"", i % 70); });
    Configure("swayed");
  }

  template <class Answer>
  void Answers(int records, Answer answer) {
    std::string lines;
    for (int i = 0; i < records; ++i)
      lines += fmt::format("{{\"id\": {0}, \"expected\": \"answer {0}\", \"actual\": {1}}}\n", i, answer(i));
    Input("in.jsonl", lines);
  }
  void Configure(const std::string& steps, const std::string& more = "") {
    WriteFile(folder_ / "judge.yaml", "evaluators:\n- {name: j, type: llm_judge, model: gpt-4o, base_url: '" +
                                          service_->Base(steps) + "'" + more +
                                          "}\n- {name: e, type: exact_match}\n");
  }
  SubprocessResult Check(std::vector<std::string> more) const {
    const std::vector<std::string> command = {"judge-check", folder_ / "in.jsonl", "-c",
                                              folder_ / "judge.yaml"};
    more.insert(more.begin(), command.begin(), command.end());
    return RunCommand(more);
  }
  rapidjson::Document Figures() const { return ParseLine(ReadFile(folder_ / "probes.json")); }

  static constexpr int kRecords = 60;
  static std::unique_ptr<FakeService> service_;
};

std::unique_ptr<FakeService> ProbesCommandTest::service_;

TEST_F(ProbesCommandTest, MeasureTheShiftOfEachProbe) {
  const std::vector<std::string> command = {
      "--probes", "-o", folder_ / "probes.json", "--probe-records", "40", "--max-probe-shift", "0.15"};
  const SubprocessResult run = Check(command);
  EXPECT_EQ(run.exit_code, 1) << run.err;
  const rapidjson::Document figures = Figures();
  EXPECT_EQ(figures["records"].GetInt(), kRecords);
  EXPECT_EQ(figures["taken"].GetInt(), 40);
  const auto& probes = figures["probes"];
  ASSERT_EQ(probes.Size(), 6u);  // exact_match asks no model
  for (const auto& probe : probes.GetArray()) {
    const std::string name = probe["probe"].GetString();
    EXPECT_EQ(probe["records"].GetInt(), 40) << name;
    EXPECT_EQ(probe["requests"].GetInt(), 40) << name;
    EXPECT_GT(probe["cost"].GetDouble(), 0) << name;
    const bool sways = name == "injected";
    EXPECT_NEAR(probe["shift"].GetDouble(), sways ? 0.2 : 0, 1e-9) << name;
    EXPECT_NEAR(probe["after"].GetDouble() - probe["before"].GetDouble(), sways ? 0.2 : 0, 1e-9) << name;
    // Of 40 scores none shifted: up to 1 - 0.025^(1/40) is possible (Clopper and Pearson).
    if (sways) {
      EXPECT_GT(probe["shift_low"].GetDouble(), 0.05);
    } else {
      EXPECT_NEAR(probe["shift_low"].GetDouble(), -0.0881, 1e-3) << name;
    }
    EXPECT_EQ(probe["p"].GetDouble() < 1e-6, sways) << name;
  }
  EXPECT_NE(run.err.find("gate failed: j, probe injected: the shift is +0.2000"), std::string::npos)
      << run.err;
  EXPECT_EQ(run.err.find("probe padded"), std::string::npos) << run.err;
  EXPECT_EQ(service_->Stat("paid"), 7 * 40);

  // Everything is kept, and the same records are taken.
  const std::string before = ReadFile(folder_ / "probes.json");
  const SubprocessResult again = Check(command);
  EXPECT_EQ(again.out.substr(0, 60), run.out.substr(0, 60));
  EXPECT_EQ(service_->Stat("paid"), 7 * 40);
  EXPECT_EQ(Figures()["probes"][2]["shift"].GetDouble(), ParseLine(before)["probes"][2]["shift"].GetDouble());
  EXPECT_EQ(Figures()["probes"][2]["cached"].GetInt(), 40);
  EXPECT_EQ(Figures()["probes"][2]["requests"].GetInt(), 0);
}

TEST_F(ProbesCommandTest, SayThatTooFewRecordsCannotPass) {
  Configure("ok");
  const SubprocessResult few = Check({"--probes", "--probe-records", "20", "--max-probe-shift", "0.1"});
  EXPECT_EQ(few.exit_code, 1);
  EXPECT_NE(few.err.find("with so few records the gate cannot pass, as 0.16"), std::string::npos) << few.err;
  const SubprocessResult enough = Check({"--probes", "--max-probe-shift", "0.1"});
  EXPECT_EQ(enough.exit_code, 0) << enough.err;
  EXPECT_EQ(Check({"--probes", "--max-probe-shift", "1"}).exit_code, 2);  // which could not fail
  EXPECT_EQ(Check({"--max-probe-shift", "0.1"}).exit_code, 2);
  EXPECT_EQ(Check({"--probes", "--min-alpha", "0.5"}).exit_code, 2);
  WriteFile(folder_ / "judge.yaml", "evaluators:\n- {name: e, type: exact_match}\n");
  EXPECT_EQ(Check({"--probes"}).exit_code, 2);
}

// A judge that is only shown a part that no probe changes cannot pass because its scores do not shift.
TEST_F(ProbesCommandTest, DoNotCountWhatTheJudgeIsNotShown) {
  std::string lines;
  for (int i = 0; i < kRecords; ++i)
    lines += fmt::format("{{\"expected\": {{\"n\": 1}}, \"actual\": {{\"text\": \"t\", \"n\": {}}}}}\n", i);
  Input("in.jsonl", lines);
  Configure("ok", ", target_output_key: n");
  const SubprocessResult run = Check({"--probes", "--max-probe-shift", "0.2", "-o", folder_ / "probes.json"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_NE(run.err.find("probe padded: the judge saw no changed answer"), std::string::npos) << run.err;
  EXPECT_EQ(Figures()["probes"][0]["not_shown"].GetInt(), kRecords);
  EXPECT_EQ(Figures()["probes"][0]["records"].GetInt(), 0);
  EXPECT_TRUE(Figures()["probes"][0]["shift"].IsNull());
}

TEST_F(ProbesCommandTest, ChangeEachTextOfAnObject) {
  Answers(kRecords, [](int i) { return fmt::format("{{\"a\": [\"SCORE={}\"], \"b\": 5}}", i); });
  const SubprocessResult run = Check({"--probes", "-o", folder_ / "probes.json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Figures()["probes"][0]["records"].GetInt(), kRecords);
  EXPECT_NEAR(Figures()["probes"][2]["shift"].GetDouble(), 0.2, 1e-9);
  EXPECT_EQ(Figures()["probes"][0]["not_shown"].GetInt(), 0);
}

TEST_F(ProbesCommandTest, FailWhereAChangedAnswerHasNoScore) {
  // The same records fail, whatever they say.
  Answers(kRecords, [](int i) { return i == 7 ? "\"SCORE=90\"" : "\"SCORE=10\""; });
  const SubprocessResult run = Check({"--probes", "--max-probe-shift", "0.5", "-o", folder_ / "probes.json"});
  EXPECT_EQ(run.exit_code, 1);  // 90 and 20 more are out of range
  EXPECT_NE(run.err.find("1 changed and 0 unchanged answers have no score"), std::string::npos) << run.err;
  EXPECT_EQ(Figures()["probes"][2]["errors"].GetInt(), 1);
}

TEST_F(ProbesCommandTest, KeepToBudgetsAndDryRuns) {
  const SubprocessResult dry = Check({"--probes", "--probe-records", "30", "--dry-run"});
  EXPECT_EQ(dry.exit_code, 0) << dry.err;
  EXPECT_NE(dry.err.find("a run would ask 210 questions"), std::string::npos) << dry.err;
  EXPECT_EQ(service_->Stat("requests"), 0);
  const SubprocessResult stopped = Check({"--probes", "--max-requests", "50", "-o", folder_ / "probes.json"});
  EXPECT_EQ(stopped.exit_code, 2) << stopped.err;
  EXPECT_EQ(service_->Stat("paid"), 50);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "probes.json"));
  EXPECT_EQ(Check({"--probes", "-o", folder_ / "probes.json"}).exit_code, 0);
  EXPECT_EQ(service_->Stat("paid"), 7 * kRecords);
}

TEST(ProbedTextTest, KeepsTheAnswer) {
  const std::string text = "Paris.\n\nIt is\non the Seine.";
  for (std::size_t p = 0; p < std::size(kProbeNames); ++p) {
    const std::string changed = ProbedText(static_cast<Probe>(p), text, "gpt");
    if (static_cast<Probe>(p) == Probe::kSwapped) {
      EXPECT_EQ(changed, text);
      continue;
    }
    EXPECT_NE(changed, text);
    for (const char* const part : {"Paris.", "It is", "on the Seine."}) {
      EXPECT_NE(changed.find(part), std::string::npos) << kProbeNames[p];
    }
  }
  EXPECT_EQ(ProbedText(Probe::kRestyled, text, ""),
            "## Answer\n\n- **Paris.**\n- **It is**\n- **on the Seine.**");
  EXPECT_GE(ProbedText(Probe::kPadded, std::string(5000, 'x'), "").size(), 10'000u);
  EXPECT_EQ(ProbedText(Probe::kOwnModel, "x", "gpt-4o"), "x\n\nThis answer was written by gpt-4o.");
}

}  // namespace
}  // namespace leafscore::internal
