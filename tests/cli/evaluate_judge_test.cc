// Models that judge in `leafscore evaluate`: the cache, replays, budgets, dry runs, and judges that would
// judge themselves.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/subprocess.h"
#include "http/fake_service.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;

class EvaluateJudgeTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { service_ = std::make_unique<FakeService>(); }
  static void TearDownTestSuite() { service_.reset(); }

  void SetUp() override {
    service_->Tell("reset");
    std::string scenarios;
    fs::create_directories(folder_ / "runs");
    for (int i = 0; i < kRuns; ++i) {
      const std::string id = std::to_string(i);
      scenarios += R"({"id": )" + id + R"(, "scoring_method": "llm_judge", "expected_answer": "answer )" +
                   id + "\"}\n";
      WriteFile(folder_ / ("runs/" + id + ".json"),
                R"({"run_id": "r)" + id +
                    R"(", "runner": "a", "model": "gpt-4.1", "question": "?", "answer": "SCORE=)" +
                    std::to_string(i) + "\"}");
    }
    WriteFile(folder_ / "scenarios.jsonl", scenarios);
  }

  SubprocessResult Evaluate(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"evaluate", "--trajectories", folder_ / "runs", "--scenarios",
                                         folder_ / "scenarios.jsonl", "--reports-dir", folder_ / "reports"});
    return RunCommand(arguments, {},
                      {.environment = {"SOURCE_DATE_EPOCH=0", "OPENAI_BASE_URL=" + service_->Base("ok"),
                                       "OPENAI_API_KEY=sk-0123456789"},
                       .output_path = {},
                       .error_terminal = {},
                       .max_file_size = {}});
  }
  std::string Aggregate() const { return ReadFile(folder_ / "reports/_aggregate.json"); }

  static constexpr int kRuns = 100;
  static std::unique_ptr<FakeService> service_;
  TempDir folder_;
};

std::unique_ptr<FakeService> EvaluateJudgeTest::service_;

TEST_F(EvaluateJudgeTest, AsksTheModelThatIsNamedAndReplaysItsReplies) {
  const std::vector<std::string> judge = {"--judge-model", "gpt-4o", "--judge-cache", folder_ / "replies.db"};
  SubprocessResult run = Evaluate(judge);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(service_->Stat("requests"), kRuns);
  EXPECT_NE(run.out.find("judges: 100 requests (0 retries), 0 answers from the cache"), std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("passed 30 of 100 (30.0%)"), std::string::npos) << run.out;  // from 0.70 on
  const std::string aggregate = Aggregate();
  std::vector<std::string> replay = judge;
  replay.emplace_back("--judge-replay");
  run = Evaluate(replay);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(service_->Stat("requests"), kRuns);
  EXPECT_EQ(Aggregate(), aggregate);
  EXPECT_NE(ReadFile(folder_ / "reports/_summary.json").find("\"cached\": 100"), std::string::npos);
}

TEST_F(EvaluateJudgeTest, TheModelIsThatOfTheConfiguredJudge) {
  WriteFile(folder_ / "c.yaml",
            "evaluators:\n- {name: llm_judge, type: llm_judge, model: other, threshold: 0.9, base_url: '" +
                service_->Base("ok") + "'}\n- {name: more, type: exact_match}\n");
  const SubprocessResult run = Evaluate({"--config", folder_ / "c.yaml", "--judge-model", "gpt-4o", "-q"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(Aggregate().find("\"passed\": 10,"), std::string::npos);
  const rapidjson::Document bodies = service_->Tell("bodies");
  ASSERT_GT(bodies.Size(), 0u);
  EXPECT_NE(std::string(bodies[0].GetString()).find("gpt-4o"), std::string::npos) << bodies[0].GetString();
}

TEST_F(EvaluateJudgeTest, TellsThatTheModelIsNotAsked) {
  WriteFile(folder_ / "scenarios.jsonl", R"({"id": "0", "expected_answer": "a"})");
  const SubprocessResult run = Evaluate({"--judge-model", "gpt-4o", "-q"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("--judge-model: no scenario was judged"), std::string::npos) << run.err;
  EXPECT_EQ(service_->Stat("requests"), 0);
}

TEST_F(EvaluateJudgeTest, CountsWithoutAsking) {
  const SubprocessResult run =
      Evaluate({"--judge-model", "gpt-4o", "--judge-cache", folder_ / "replies.db", "--dry-run"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("would ask 100 questions"), std::string::npos) << run.err;
  EXPECT_EQ(service_->Stat("requests"), 0);
  EXPECT_FALSE(fs::exists(folder_ / "reports"));
  EXPECT_FALSE(fs::exists(folder_ / "replies.db"));
}

TEST_F(EvaluateJudgeTest, AsksInBatches) {
  ASSERT_EQ(Evaluate({"--judge-model", "gpt-4o", "-q"}).exit_code, 0);
  const std::string aggregate = Aggregate();
  fs::remove_all(folder_ / "reports");
  fs::remove(folder_ / "reports.judges.db");
  service_->Tell("reset");
  const SubprocessResult run = Evaluate({"--judge-model", "gpt-4o", "--batch", "-q"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Aggregate(), aggregate);
  EXPECT_EQ(service_->Stat("batches"), 1);
  EXPECT_EQ(service_->Stat("paid"), kRuns);
  EXPECT_EQ(Evaluate({"--judge-model", "gpt-4o", "--batch", "-q"}).exit_code, 0);
  EXPECT_EQ(service_->Stat("batches"), 1);
}

TEST_F(EvaluateJudgeTest, TheCacheLiesOutsideTheReports) {
  const auto refuses = [&](const std::string& cache, bool replays) {
    std::vector<std::string> arguments = {"--judge-model", "gpt-4o", "--judge-cache", cache};
    if (replays) arguments.emplace_back("--judge-replay");
    ExpectRefused(Evaluate(arguments), "keep it outside");
  };
  refuses(folder_ / "reports/_aggregate.json", false);  // of a folder that is not there yet
  EXPECT_FALSE(fs::exists(folder_ / "reports"));
  fs::create_directories(folder_ / "reports/inner");
  fs::create_symlink("reports/inner", folder_ / "link");
  refuses(folder_ / "reports/run.json", false);
  refuses(folder_ / "link/replies.db", false);
  WriteFile(folder_ / "replies.db", "");
  fs::create_symlink("../replies.db", folder_ / "reports/run.json");  // which a report would replace
  refuses(folder_ / "reports/run.json", true);
  fs::remove(folder_ / "reports/run.json");
  fs::create_symlink("reports/run.json", folder_ / "replies-link.db");
  WriteFile(folder_ / "reports/run.json", "");
  refuses(folder_ / "replies-link.db", false);
  EXPECT_EQ(service_->Stat("requests"), 0);
  EXPECT_EQ(Evaluate({"--judge-model", "gpt-4o", "--judge-cache", folder_ / "reports-replies.db"}).exit_code,
            0);
}

TEST_F(EvaluateJudgeTest, StopsAtABudgetAndGoesOnWithTheCache) {
  const std::vector<std::string> judge = {"--judge-model", "gpt-4o", "--judge-cache", folder_ / "replies.db"};
  std::vector<std::string> limited = judge;
  limited.insert(limited.end(), {"--max-requests", "60"});
  const SubprocessResult run = Evaluate(limited);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("the maximum (--max-requests)"), std::string::npos) << run.err;
  EXPECT_EQ(service_->Stat("requests"), 60);
  EXPECT_FALSE(fs::exists(folder_ / "reports/_aggregate.json"));
  EXPECT_EQ(Evaluate(judge).exit_code, 0);
  EXPECT_EQ(service_->Stat("requests"), kRuns);
}

TEST_F(EvaluateJudgeTest, RefusesToLetAModelJudgeItself) {
  const SubprocessResult run = Evaluate({"--judge-model", "litellm_proxy/gpt-4.1", "--max-errors", "0"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find(
                "runs that were not judged, as the judge wrote them; --allow-self-judge lets it: 100\n  \"" +
                (folder_ / "runs/0.json")),
            std::string::npos)
      << run.err;
  EXPECT_EQ(service_->Stat("requests"), 0);
  EXPECT_EQ(Evaluate({"--judge-model", "gpt-4.1", "--allow-self-judge"}).exit_code, 0);
  EXPECT_EQ(service_->Stat("requests"), kRuns);
}

TEST_F(EvaluateJudgeTest, WarnsOfAJudgeThatMayJudgeItselfUnderAnotherName) {
  const char* const warning =
      "warning: runs that were judged, though the judge may have written them under another name; "
      "--allow-self-judge says that it may: 100\n";
  for (const std::string model :
       {"openai/gpt-4.1", "azure/eu/GPT-4.1", "gpt-4.1-2025-04-14", "litellm_proxy/gpt-4.1-20250414"}) {
    const SubprocessResult run = Evaluate({"--judge-model", model, "--max-errors", "0"});
    EXPECT_EQ(run.exit_code, 0) << model << run.err;
    EXPECT_NE(run.err.find(warning), std::string::npos) << model << run.err;
    EXPECT_EQ(Evaluate({"--judge-model", model, "--allow-self-judge"}).err.find("warning"), std::string::npos)
        << model;
  }
  for (const std::string model :
       {"gpt-4.1-mini", "gpt-4", "gpt-4.1-2025-04", "gpt-4.1/other", "2025-04-14"}) {
    const SubprocessResult run = Evaluate({"--judge-model", model});
    EXPECT_EQ(run.exit_code, 0) << model << run.err;
    EXPECT_EQ(run.err.find("warning"), std::string::npos) << model << run.err;
  }
}

TEST_F(EvaluateJudgeTest, NobodyIsAskedWithoutAModel) {
  SubprocessResult run = Evaluate({});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(
      run.err.find(
          "100 scenarios, the first of them \"0\", have a scoring_method that asks a model (llm_judge)"),
      std::string::npos)
      << run.err;
  run = Evaluate({"--judge-cache", folder_ / "replies.db"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("--judge-cache is for scorers that ask a model"), std::string::npos) << run.err;
  EXPECT_FALSE(fs::exists(folder_ / "replies.db"));
  run = Evaluate({"--judge-model", "m", "--judge-cache", folder_ / "scenarios.jsonl"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("scenarios.jsonl"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace leafscore::internal
