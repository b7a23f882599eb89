// Scorers that ask models, through the command: the cache, replays, budgets, kills, and keys that nobody
// sees.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/mount.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cli/subprocess.h"
#include "engine/process/child_process.h"
#include "engine/statistics/krippendorff_alpha.h"
#include "http/fake_service.h"
#include "run/run_testing.h"
#include "sanitized.h"

namespace leafscore::internal {
namespace {

using std::chrono::milliseconds;

// A small disk that can be made larger, where the tests may mount one.
class SmallDisk {
 public:
  explicit SmallDisk(const std::string& folder) : folder_(folder) {
    std::filesystem::create_directory(folder_);
    is_there_ = mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=700k") == 0;
  }
  ~SmallDisk() {
    if (is_there_) umount2(folder_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool is_there() const { return is_there_; }
  void Grow() const { ASSERT_EQ(mount("tmpfs", folder_.c_str(), "tmpfs", MS_REMOUNT, "size=20m"), 0); }

 private:
  std::string folder_;
  bool is_there_ = false;
};

class JudgeCommandTest : public RunTest {
 protected:
  static void SetUpTestSuite() { service_ = std::make_unique<FakeService>(); }
  static void TearDownTestSuite() { service_.reset(); }

  void SetUp() override {
    service_->Tell("reset");
    std::string records;
    for (int i = 0; i < kRecords; ++i) {
      records += R"({"id": )" + std::to_string(i) + R"(, "expected": "answer )" + std::to_string(i) +
                 R"(", "actual": "SCORE=)" + std::to_string(i % 101) + "\"}\n";
    }
    Input("in.jsonl", records);
    Configure("ok");
  }

  void Configure(const std::string& steps, const std::string& more = "", const std::string& replaces = "") {
    std::string judge = "{name: j, type: llm_judge, model: gpt-4o, max_retries: 3, base_url: '" +
                        service_->Base(steps) + "'" + (more.empty() ? "" : ", " + more) + "}";
    if (!replaces.empty()) judge.erase(judge.find(replaces), replaces.size() + 2);
    WriteFile(folder_ / "judge.yaml", "evaluators:\n- " + judge + "\n- {name: e, type: exact_match}\n");
  }

  std::vector<std::string> Command(const std::vector<std::string>& more) const {
    std::vector<std::string> command = {"score", folder_ / "in.jsonl", "--config", folder_ / "judge.yaml",
                                        "-q",    "--batch-bytes",      "4096"};
    command.insert(command.end(), more.begin(), more.end());
    return command;
  }
  SubprocessResult Run(const std::vector<std::string>& more, const SubprocessOptions& options = {}) const {
    return RunCommand(Command(more), "", options);
  }
  std::string Cache() const { return folder_ / "replies.db"; }
  SubprocessResult JudgeCache(const std::string& what) const {
    return RunCommand({"judge-cache", what, Cache()});
  }
  // Does what SQL says to the cache.
  void Execute(const std::string& sql) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(Cache().c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
    sqlite3_close(database);
  }

  static constexpr int kRecords = 400;
  static std::unique_ptr<FakeService> service_;
};

std::unique_ptr<FakeService> JudgeCommandTest::service_;

TEST_F(JudgeCommandTest, AsksEachRecordOnceAndReplaysTheSameBytes) {
  ASSERT_EQ(Run({"-o", folder_ / "a.jsonl", "--judge-cache", Cache()}).exit_code, 0);
  EXPECT_EQ(service_->Stat("requests"), kRecords);
  const std::string output = ReadFile(folder_ / "a.jsonl");
  EXPECT_NE(output.find(R"("scorer": "j", "outcome": "scored", "score": 0.07, )"), std::string::npos);
  ASSERT_EQ(Run({"-o", folder_ / "b.jsonl", "--judge-cache", Cache(), "--threads", "7"}).exit_code, 0);
  ASSERT_EQ(Run({"-o", folder_ / "c.jsonl", "--judge-cache", Cache(), "--judge-replay"}).exit_code, 0);
  EXPECT_EQ(service_->Stat("requests"), kRecords);
  EXPECT_EQ(ReadFile(folder_ / "b.jsonl"), output);
  EXPECT_EQ(ReadFile(folder_ / "c.jsonl"), output);
}

TEST_F(JudgeCommandTest, FailsInAReplayWhatTheCacheLacks) {
  ASSERT_EQ(Run({"-o", folder_ / "a.jsonl", "--judge-cache", Cache()}).exit_code, 0);
  WriteFile(folder_ / "in.jsonl", R"({"expected": "new", "actual": "SCORE=5"})");
  const SubprocessResult run = Run({"--judge-cache", Cache(), "--judge-replay", "--max-errors", "0"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_NE(run.out.find("\"judge_unavailable\""), std::string::npos) << run.out;
  EXPECT_EQ(service_->Stat("requests"), kRecords);
}

TEST_F(JudgeCommandTest, GivesEachRecordAnOutcomeThoughRequestsFail) {
  Configure("faults10", "max_concurrency: 50");
  ASSERT_EQ(Run({"-o", folder_ / "a.jsonl", "--min-coverage", "1"}).exit_code, 0);
  const rapidjson::Document stats = service_->Tell("stats");
  EXPECT_EQ(stats["bodies"].GetInt(), kRecords);
  EXPECT_LE(stats["most_of_a_body"].GetInt(), 2);
  EXPECT_GT(stats["requests"].GetInt(), kRecords);
  EXPECT_EQ(std::ranges::count(ReadFile(folder_ / "a.jsonl"), '\n'), 2 * kRecords);
}

// One question is asked, one message says why, and what was paid for before is kept.
TEST_F(JudgeCommandTest, EndsAtOnceWhereEveryQuestionWouldFail) {
  ASSERT_EQ(Run({"-o", folder_ / "a.jsonl", "--judge-cache", Cache(), "--max-requests", "40"}).exit_code, 2);
  service_->Tell("reset");
  Configure("401");
  const SubprocessResult run = Run({"-o", folder_ / "b.jsonl", "--judge-cache", Cache()});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(service_->Stat("requests"), 1);
  EXPECT_NE(run.err.find("the first question to the judge \"gpt-4o\" failed as all others would"),
            run.err.npos)
      << run.err;
  EXPECT_NE(run.err.find("status 401"), run.err.npos) << run.err;
  EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b.jsonl"));
  EXPECT_EQ(JudgeCache("verify").exit_code, 0);
}

// The reply to the first question is the one of its record, and nothing else is asked before it is there.
TEST_F(JudgeCommandTest, AsksOneQuestionBeforeTheOthers) {
  Configure("300ms");
  const SubprocessResult run = Run({"-o", folder_ / "a.jsonl", "--max-requests", "1"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(service_->Stat("requests"), 1);
  Configure("ok");
  const SubprocessResult rest = Run({"-o", folder_ / "b.jsonl"});
  EXPECT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_EQ(service_->Stat("requests"), 1 + kRecords);
  EXPECT_EQ(service_->Stat("most_paid_of_a_body"), 1);
  EXPECT_NE(rest.err.find("leafscore: the judge \"gpt-4o\" replied in 0."), rest.err.npos) << rest.err;
  EXPECT_NE(rest.err.find("as json_schema for 0.001"), rest.err.npos) << rest.err;
  EXPECT_NE(rest.err.find("at 32 at a time and cost about"), rest.err.npos) << rest.err;
  EXPECT_EQ(Run({"-o", folder_ / "b.jsonl", "--judge-replay"}).err.find("replied in"), run.err.npos);
}

// A trial run asks about its records only, and the whole run after it about the others. It never looks like
// one.
TEST_F(JudgeCommandTest, TriesTheFirstRecords) {
  const std::string trial = folder_ / "trial.jsonl";
  const std::string all = folder_ / "all.jsonl";
  const std::string summary = folder_ / "summary.json";
  const SubprocessResult run = Run(
      {"-o", trial, "--judge-cache", Cache(), "--limit", "20", "--fail-under", "j=0", "--summary", summary});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(service_->Stat("requests"), 20);
  EXPECT_EQ(std::ranges::count(ReadFile(trial), '\n'), 2 * 20);
  EXPECT_NE(run.err.find("warning: the gates judge a part of the input: scored only the first 20 records"),
            run.err.npos)
      << run.err;
  EXPECT_NE(ReadFile(summary).find("\"limit\": 20,\n"), std::string::npos);
  const SubprocessResult whole = Run({"-o", all, "--judge-cache", Cache(), "--fail-under", "j=0"});
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_EQ(whole.err.find("only the first"), whole.err.npos) << whole.err;
  EXPECT_EQ(service_->Stat("requests"), kRecords);
  EXPECT_TRUE(ReadFile(all).starts_with(ReadFile(trial)));
  const SubprocessResult refused = RunCommand({"compare", all, trial});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("cannot be compared: the ids that were asked differ"), refused.err.npos)
      << refused.err;
  const SubprocessResult told = RunCommand({"compare", all, trial, "--common-only"});
  EXPECT_NE((told.out + told.err).find("has only the first 20 records of each input"), std::string::npos)
      << told.out << told.err;
}

TEST_F(JudgeCommandTest, KeepsRepliesBesideTheOutput) {
  ASSERT_EQ(Run({"-o", folder_ / "a.jsonl"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "a.jsonl.judges.db"));
  const std::string output = ReadFile(folder_ / "a.jsonl");
  ASSERT_EQ(Run({"-o", folder_ / "a.jsonl", "--judge-replay"}).exit_code, 0);
  EXPECT_EQ(ReadFile(folder_ / "a.jsonl"), output);
  EXPECT_EQ(service_->Stat("requests"), kRecords);
  EXPECT_EQ(Run({"-o", folder_ / "b.jsonl", "--judge-cache", "none"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b.jsonl.judges.db"));
  const SubprocessResult shown = Run({});
  EXPECT_NE(shown.err.find("replies of judges are not kept"), std::string::npos) << shown.err;
  EXPECT_NE(Run({"--judge-replay"}).err.find("name it with --judge-cache"), std::string::npos);
  // A file of somebody else stays.
  WriteFile(folder_ / "c.jsonl.judges.db", "notes");
  EXPECT_EQ(Run({"-o", folder_ / "c.jsonl"}).exit_code, 2);
  EXPECT_EQ(ReadFile(folder_ / "c.jsonl.judges.db"), "notes");
}

TEST_F(JudgeCommandTest, AsksAgainForAScoreAndReplaysIt) {
  Configure("noscore,ok", "max_failures: 1000");
  const std::vector<std::string> run = {
      "-o", folder_ / "a.jsonl", "--summary", folder_ / "s.json", "--min-coverage", "1"};
  ASSERT_EQ(Run(run).exit_code, 0);
  EXPECT_EQ(service_->Stat("requests"), 2 * kRecords);
  const rapidjson::Document summary = ParseLine(ReadFile(folder_ / "s.json"));
  EXPECT_EQ(summary["judges"]["asked_again"].GetInt(), kRecords);
  EXPECT_STREQ(summary["judges"]["faults"][0]["reason"].GetString(), "judge_schema");
  const std::string output = ReadFile(folder_ / "a.jsonl");
  ASSERT_EQ(Run({"-o", folder_ / "a.jsonl", "--judge-replay"}).exit_code, 0);
  EXPECT_EQ(ReadFile(folder_ / "a.jsonl"), output);
  ASSERT_EQ(Run({"-o", folder_ / "a.jsonl"}).exit_code, 0);
  EXPECT_EQ(ReadFile(folder_ / "a.jsonl"), output);
  EXPECT_EQ(service_->Stat("requests"), 2 * kRecords);
}

TEST_F(JudgeCommandTest, AsksBeyondItsRetriesWhenItIsTold) {
  Input("in.jsonl", R"({"expected": "x", "actual": "SCORE=7"})"
                    "\n");
  Configure("noscore,noscore,noscore,noscore,ok");
  const std::vector<std::string> run = {"-o", folder_ / "a.jsonl", "--max-errors", "0"};
  EXPECT_EQ(Run(run).exit_code, 1);
  EXPECT_EQ(service_->Stat("requests"), 4);  // with 3 retries
  EXPECT_EQ(Run(run).exit_code, 1);
  EXPECT_EQ(service_->Stat("requests"), 4);
  std::vector<std::string> again = run;
  again.push_back("--judge-retry-errors");
  EXPECT_EQ(Run(again).exit_code, 0);
  EXPECT_EQ(service_->Stat("requests"), 5);
  EXPECT_EQ(Run(again).exit_code, 0);
  EXPECT_EQ(service_->Stat("requests"), 5);
}

TEST_F(JudgeCommandTest, DropsRepliesFromTheCache) {
  Input("in.jsonl", R"({"expected": "x", "actual": "SCORE=7"})"
                    "\n"
                    R"({"expected": "x", "actual": "SCORE=8"})"
                    "\n");
  Configure("noscore,noscore,noscore,noscore,ok");
  EXPECT_EQ(Run({"-o", folder_ / "a.jsonl", "--judge-cache", Cache(), "--max-errors", "0"}).exit_code, 1);
  EXPECT_EQ(service_->Stat("requests"), 8);
  EXPECT_EQ(JudgeCache("drop").exit_code, 2);
  const auto drop = [&](const std::string& filter, const std::string& value) {
    return RunCommand({"judge-cache", "drop", Cache(), filter, value}).err;
  };
  EXPECT_NE(drop("--model", "other").find("0 of 8 replies were removed"), std::string::npos);
  EXPECT_NE(drop("--key", "zz").find("0 of 8 replies were removed"), std::string::npos);
  EXPECT_NE(drop("--without-score", "--model=gpt-4o").find("8 of 8 replies were removed"), std::string::npos);
  EXPECT_EQ(Run({"-o", folder_ / "a.jsonl", "--judge-cache", Cache(), "--min-coverage", "1"}).exit_code, 0);
  EXPECT_EQ(service_->Stat("requests"), 10);
  EXPECT_NE(drop("--without-score", "--model=gpt-4o").find("0 of 2 replies were removed"), std::string::npos);
  EXPECT_NE(RunCommand({"judge-cache", "drop", folder_ / "none.db", "--without-score"})
                .err.find("there is no judge cache"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none.db"));
}

TEST_F(JudgeCommandTest, StopsAskingAgainWhereNoReplyHasAScore) {
  Configure("noscore", "max_failures: 20, max_concurrency: 4");
  EXPECT_EQ(Run({"-o", folder_ / "a.jsonl", "--judge-cache", "none"}).exit_code, 0);
  EXPECT_LT(service_->Stat("requests"), kRecords + 3 * 20);
}

TEST_F(JudgeCommandTest, LeavesOutTheParametersThatAModelRefuses) {
  Configure("notemperature+nomaxtokens", "max_tokens: 90");
  const SubprocessResult run =
      Run({"-o", folder_ / "a.jsonl", "--summary", folder_ / "s.json", "--min-coverage", "1"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const rapidjson::Document summary = ParseLine(ReadFile(folder_ / "s.json"));
  EXPECT_EQ(summary["judges"]["left_out"]["temperature"].GetInt(), kRecords);
  EXPECT_EQ(summary["judges"]["left_out"]["max_tokens"].GetInt(), kRecords);
  EXPECT_EQ(summary["judges"]["left_out"]["seed"].GetInt(), 0);
  EXPECT_NE(run.err.find("the service refuses temperature"), std::string::npos) << run.err;
  EXPECT_LE(service_->Stat("requests"), kRecords + 2 * 64);  // those under way at first
}

TEST_F(JudgeCommandTest, ShowsFieldsOfTheRecord) {
  Input("in.jsonl",
        R"({"expected": "x", "actual": "SCORE=7", "input": {"question": "Why?"}, "rules": "Be strict."})"
        "\n"
        R"({"expected": "x", "actual": "SCORE=8"})"
        "\n");
  Configure("ok", "context: input.question, rubric_field: rules");
  ASSERT_EQ(Run({"-o", folder_ / "a.jsonl"}).exit_code, 0);
  rapidjson::Document bodies = service_->Tell("bodies");
  ASSERT_EQ(bodies.Size(), 1u);
  EXPECT_NE(std::string(bodies[0].GetString()).find("---\\nWhy?\\n---"), std::string::npos)
      << bodies[0].GetString();
  EXPECT_NE(std::string(bodies[0].GetString()).find("---\\nBe strict.\\n---"), std::string::npos);
  EXPECT_NE(ReadFile(folder_ / "a.jsonl").find(R"(the record has no field \"input.question\" for the judge)"),
            std::string::npos)
      << ReadFile(folder_ / "a.jsonl");
  Configure("ok", "prompt: '{{ActualOutput}} {{ExpectedOutput}} [{{field:input.question}}]'");
  ASSERT_EQ(Run({"-o", folder_ / "b.jsonl"}).exit_code, 0);
  bodies = service_->Tell("bodies");
  EXPECT_NE(std::string(bodies[1].GetString()).find("SCORE=7 x [Why?]"), std::string::npos);
}

TEST_F(JudgeCommandTest, TakesExamplesFromAFileThatTheManifestNames) {
  WriteFile(folder_ / "examples.yaml", "- {expected: 5 kg, actual: 5 g, score: 0}\n");
  Configure("ok", "examples: '" + folder_ / "examples.yaml" + "'");
  ASSERT_EQ(Run({"-o", folder_ / "a.jsonl"}).exit_code, 0);
  const rapidjson::Document bodies = service_->Tell("bodies");
  EXPECT_NE(std::string(bodies[0].GetString()).find(R"(\"expected\":\"5 kg\")"), std::string::npos);
  EXPECT_NE(ReadFile(folder_ / "a.jsonl.manifest.json").find("examples.yaml"), std::string::npos);
  WriteFile(folder_ / "examples.yaml", "expected: 5 kg\n");
  EXPECT_NE(Run({}).err.find("write a list of maps, or the path of a file with one"), std::string::npos);
}

TEST_F(JudgeCommandTest, WarnsOfAJudgeOfItsOwnAnswers) {
  Input("in.jsonl", R"({"expected": "x", "actual": "SCORE=7", "model": "openai/GPT-4o-2024-08-06"})"
                    "\n"
                    R"({"expected": "x", "actual": "SCORE=8", "model": "other"})"
                    "\n");
  const SubprocessResult run = Run({"-o", folder_ / "a.jsonl", "--group-by", "model"});
  EXPECT_NE(run.err.find(R"("gpt-4o" judged answers of its own (model = openai/GPT-4o-2024-08-06))"),
            std::string::npos)
      << run.err;
  EXPECT_EQ(run.err.find("model = other"), std::string::npos);
}

TEST_F(JudgeCommandTest, RankingTellsOfAJudgeOfItsOwnAnswers) {
  Input("in.jsonl", R"({"id": 1, "expected": "x", "actual": "SCORE=7"})"
                    "\n");
  const auto rank = [&] {
    for (const char* const model : {"openai-GPT-4o", "gpt-4o-2024-08-06", "other"})
      EXPECT_EQ(Run({"-o", folder_ / (std::string(model) + ".jsonl")}).exit_code, 0);
    return RunCommand({"leaderboard", folder_ / "openai-GPT-4o.jsonl", folder_ / "gpt-4o-2024-08-06.jsonl",
                       folder_ / "other.jsonl"});
  };
  constexpr std::string_view kOwn = R"(under the scorer "j", models judged their own answers)";
  const SubprocessResult ranked = rank();
  EXPECT_NE(ranked.err.find(kOwn), std::string::npos) << ranked.err;
  EXPECT_NE(ranked.err.find(R"(--by`: "gpt-4o-2024-08-06")"
                            "\n"),
            std::string::npos)
      << ranked.err;
  const std::string panel = "panel: [{model: Other, base_url: '" + service_->Base("ok") +
                            "'}, {model: b, base_url: '" + service_->Base("ok") + "'}]";
  WriteFile(folder_ / "judge.yaml", "evaluators: [{name: j, type: llm_judge, " + panel + "}]");
  const SubprocessResult panelled = rank();
  EXPECT_NE(panelled.err.find(R"(--by`: "other")"
                              "\n"),
            std::string::npos)
      << panelled.err;
}

TEST_F(JudgeCommandTest, StopsAtABudgetAndGoesOn) {
  const std::vector<std::string> base = {"-o", folder_ / "a.jsonl", "--judge-cache", Cache(), "--resume"};
  std::vector<std::string> limited = base;
  limited.insert(limited.end(), {"--max-requests", "150"});
  const SubprocessResult first = Run(limited);
  EXPECT_EQ(first.exit_code, 2) << first.err;
  EXPECT_NE(first.err.find("the maximum (--max-requests)"), std::string::npos) << first.err;
  EXPECT_EQ(service_->Stat("requests"), 150);
  EXPECT_EQ(Run(limited).exit_code, 2);
  EXPECT_EQ(service_->Stat("requests"), 300);
  EXPECT_EQ(Run(base).exit_code, 0);
  EXPECT_EQ(service_->Stat("requests"), kRecords);
  ASSERT_EQ(Run({"-o", folder_ / "b.jsonl", "--judge-cache", Cache(), "--judge-replay"}).exit_code, 0);
  EXPECT_EQ(ReadFile(folder_ / "a.jsonl"), ReadFile(folder_ / "b.jsonl"));
}

TEST_F(JudgeCommandTest, StopsBeforeItCostsMore) {
  WriteFile(folder_ / "prices.yaml", "gpt-4o: {input: 1000, output: 1000}\n");
  const SubprocessResult run =
      Run({"-o", folder_ / "a.jsonl", "--judge-prices", folder_ / "prices.yaml", "--max-cost", "20"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("may exceed --max-cost"), std::string::npos) << run.err;
  EXPECT_GT(service_->Stat("requests"), 5);
  EXPECT_LT(service_->Stat("requests"), kRecords);
  Configure("ok", "model: gpt-none", /*replaces=*/"model: gpt-4o");
  const SubprocessResult unknown = Run({"--max-cost", "20"});
  EXPECT_EQ(unknown.exit_code, 2);
  const std::string copied = "--judge-prices 'gpt-none: {input: 2.5, output: 10}'";
  EXPECT_NE(unknown.err.find(copied), std::string::npos) << unknown.err;
  EXPECT_EQ(Run({"--judge-prices", "gpt-none: {input: 2.5, output: 10}", "--max-cost", "20"}).exit_code, 0);
  Configure("ok", "model: gpt-none, prices: {gpt-none: {input: 1, output: 1}}", "model: gpt-4o");
  EXPECT_EQ(Run({"--max-cost", "20"}).exit_code, 0);
}

// The dates of prices are compared with SOURCE_DATE_EPOCH.
TEST_F(JudgeCommandTest, WarnsOfOldPrices) {
  setenv("SOURCE_DATE_EPOCH", "4000000000", 1);
  EXPECT_NE(Run({"--dry-run"}).err.find("more than 90 days ago; give today's with --judge-prices"),
            std::string::npos);
  setenv("SOURCE_DATE_EPOCH", "1796000000", 1);
  EXPECT_EQ(Run({"--dry-run"}).err.find("days ago"), std::string::npos);
  unsetenv("SOURCE_DATE_EPOCH");
}

// A reply costs four dollars instead of the 15 cents of an estimate.
TEST_F(JudgeCommandTest, LearnsWhatRepliesCost) {
  WriteFile(folder_ / "prices.yaml", "gpt-4o: {input: 1000, output: 1000}\n");
  Configure("20ms+verbose", "max_concurrency: 50");
  const std::vector<std::string> arguments = {"-o", folder_ / "a.jsonl", "--judge-prices",
                                              folder_ / "prices.yaml", "--max-cost"};
  std::vector<std::string> limited = arguments;
  limited.emplace_back("30");
  EXPECT_EQ(Run(limited).exit_code, 2);
  EXPECT_GE(service_->Stat("requests"), 4);
  EXPECT_LE(service_->Stat("requests"), 8);
  std::vector<std::string> odd = arguments;
  odd.emplace_back("nan");
  const SubprocessResult run = Run(odd);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("number of dollars"), std::string::npos) << run.err;
}

// About 1,400 bytes of question and 20 of reply, four a token, at 1,000 dollars a million.
TEST_F(JudgeCommandTest, EstimatesTheCostWhereAServiceDoesNotCount) {
  WriteFile(folder_ / "prices.yaml", "gpt-4o: {input: 1000, output: 1000}\n");
  for (const char* const steps : {"nousage", "badusage"}) {
    Configure(steps, "max_concurrency: 1");
    service_->Tell("reset");
    const SubprocessResult run =
        Run({"-o", folder_ / "a.jsonl", "--judge-prices", folder_ / "prices.yaml", "--max-cost", "20"});
    EXPECT_EQ(run.exit_code, 2) << steps;
    EXPECT_NE(run.err.find("may exceed --max-cost"), std::string::npos) << run.err;
    EXPECT_GT(service_->Stat("requests"), 20) << steps;
    EXPECT_LT(service_->Stat("requests"), 80) << steps;
  }
}

TEST_F(JudgeCommandTest, CountsWithoutAsking) {
  const SubprocessResult run = Run({"-o", folder_ / "a.jsonl", "--judge-cache", Cache(), "--dry-run"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("would ask 400 questions; the cache answers 0 more"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("dollars, by the prices of leafscore, 20"), std::string::npos) << run.err;
  EXPECT_EQ(service_->Stat("requests"), 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.jsonl"));
  EXPECT_FALSE(std::filesystem::exists(Cache()));
}

TEST_F(JudgeCommandTest, CountsThoughNothingElseIsScored) {
  WriteFile(folder_ / "judge.yaml",
            "evaluators:\n- {type: llm_judge, model: m, base_url: '" + service_->Base("ok") + "'}\n");
  const SubprocessResult run = Run({"--dry-run"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("would ask 400 questions"), std::string::npos) << run.err;
}

TEST_F(JudgeCommandTest, TellsWhatItAsked) {
  ASSERT_EQ(
      Run({"-o", folder_ / "a.jsonl", "--judge-cache", Cache(), "--summary", folder_ / "s.json"}).exit_code,
      0);
  const rapidjson::Document summary = ParseLine(ReadFile(folder_ / "s.json"));
  const auto& judges = summary["judges"];
  EXPECT_EQ(judges["requests"].GetInt(), kRecords);
  EXPECT_EQ(judges["retries"].GetInt(), 0);
  EXPECT_EQ(judges["cached"].GetInt(), 0);
  EXPECT_EQ(judges["completion_tokens"].GetInt(), 20 * kRecords);
  EXPECT_NEAR(
      judges["cost"].GetDouble(),
      (judges["prompt_tokens"].GetDouble() * 2.5 + judges["completion_tokens"].GetDouble() * 10) / 1e6, 1e-3);
  EXPECT_GT(judges["latency_p50"].GetDouble(), 0);
  EXPECT_GE(judges["latency_p95"].GetDouble(), judges["latency_p50"].GetDouble());
}

// As the second model gives half of what the first one does, each record has the scores s and s / 2.
TEST_F(JudgeCommandTest, TellsHowFarPanelsAndSamplesAgree) {
  WriteFile(folder_ / "judge.yaml",
            "evaluators:\n- {name: j, type: llm_judge, panel: [{model: a, base_url: '" +
                service_->Base("ok") + "'}, {model: b, base_url: '" + service_->Base("half") +
                "'}]}\n- {name: s, type: llm_judge, model: c," + " samples: 2, base_url: '" +
                service_->Base("ok,half") + "'}\n");
  std::vector<double> ratings;
  for (int i = 0; i < kRecords; ++i) {
    ratings.push_back(i % 101 / 100.0);
    ratings.push_back(i % 101 / 200.0);
  }
  const double alpha = *KrippendorffAlpha(ratings, 2);
  std::string first;
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--threads", "5"}, {"--max-requests", "900"}, {"--resume"}}) {
    std::vector<std::string> options = {"-o",    folder_ / "a.jsonl", "--judge-cache",
                                        Cache(), "--summary",         folder_ / "s.json"};
    options.insert(options.end(), more.begin(), more.end());
    if (more == std::vector<std::string>{"--max-requests", "900"}) {
      std::filesystem::remove(Cache());
      service_->Tell("reset");  // or it has given all that differs
    }
    const SubprocessResult run = Run(options);
    if (run.exit_code == 2) continue;  // it goes on in the next one
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const rapidjson::Document summary = ParseLine(ReadFile(folder_ / "s.json"));
    const auto& of_panel = summary["scorers"][0]["panel_agreement"];
    const auto& of_samples = summary["scorers"][1]["sample_agreement"];
    EXPECT_EQ(of_panel["items"].GetInt(), kRecords);
    EXPECT_NEAR(of_panel["krippendorff_alpha"].GetDouble(), alpha, 1e-12);
    EXPECT_EQ(of_samples["items"].GetInt(), kRecords);
    EXPECT_EQ(of_samples["krippendorff_alpha"].GetDouble(), of_panel["krippendorff_alpha"].GetDouble());
    EXPECT_FALSE(summary["scorers"][0].HasMember("sample_agreement"));
  }
}

// What a killed run had been answered is not asked again; what was under way may be.
TEST_F(JudgeCommandTest, AsksNothingTwiceThoughItIsKilledAgainAndAgain) {
  Configure("5ms", "max_concurrency: 4");
  const std::vector<std::string> command =
      Command({"-o", folder_ / "a.jsonl", "--judge-cache", Cache(), "--resume"});
  int kills = 0;
  for (int i = 0; i < 20; ++i) {
    Subprocess run(command);
    if (run.EndsWithin(milliseconds(30 + 7 * i))) break;
    run.Signal(i % 2 == 0 ? SIGTERM : SIGKILL);
    ++kills;
    run.Wait();
  }
  EXPECT_GT(kills, 3);
  ASSERT_EQ(RunCommand(command).exit_code, 0);
  const rapidjson::Document stats = service_->Tell("stats");
  EXPECT_EQ(stats["bodies"].GetInt(), kRecords);
  EXPECT_LE(stats["requests"].GetInt(), kRecords + 4 * kills);
  ASSERT_EQ(Run({"-o", folder_ / "b.jsonl", "--judge-cache", Cache(), "--judge-replay"}).exit_code, 0);
  EXPECT_EQ(ReadFile(folder_ / "a.jsonl"), ReadFile(folder_ / "b.jsonl"));
}

TEST_F(JudgeCommandTest, AsksExactlyOnceThoughItIsInterrupted) {
  Configure("5ms", "max_concurrency: 4");
  const std::vector<std::string> command =
      Command({"-o", folder_ / "a.jsonl", "--judge-cache", Cache(), "--resume"});
  for (int i = 0; i < 10; ++i) {
    Subprocess run(command);
    if (run.EndsWithin(milliseconds(150))) break;
    run.Signal(SIGTERM);
    const SubprocessResult result = run.Wait();
    EXPECT_TRUE(result.exit_code == 143 || result.exit_code == 0 || result.signal == SIGTERM) << result.err;
  }
  ASSERT_EQ(RunCommand(command).exit_code, 0);
  EXPECT_EQ(service_->Stat("requests"), kRecords);
  EXPECT_EQ(service_->Stat("most_of_a_body"), 1);
}

TEST_F(JudgeCommandTest, EndsSoonAfterASignalThoughNobodyAnswers) {
  Configure("hang");
  Subprocess run(Command({"-o", folder_ / "a.jsonl"}));
  std::this_thread::sleep_for(milliseconds(500));
  run.Signal(SIGTERM);
  EXPECT_TRUE(run.EndsWithin(milliseconds(2000)));
  EXPECT_EQ(run.Wait().exit_code, 143);
}

TEST_F(JudgeCommandTest, ToldAKeyItTellsNobody) {
  constexpr char kKey[] = "sk-very/secret+1234567890";
  Configure("echo,ok", "api_key_env: JUDGE_TEST_KEY");
  const SubprocessOptions options{.environment = {std::string("JUDGE_TEST_KEY=") + kKey}};
  std::string told;
  Subprocess run(
      Command({"-o", folder_ / "a.jsonl", "--judge-cache", Cache(), "--summary", folder_ / "s.json"}),
      options);
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    told += ReadFile(process.path() / "cmdline");
  }
  const SubprocessResult result = run.Wait();
  told += result.out + result.err + JudgeCache("ls").out + JudgeCache("export").out;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder_ / "")) {
    if (file.is_regular_file()) told += ReadFile(file.path());
  }
  EXPECT_NE(told.find("bad key Bearer [key]"), std::string::npos);
  EXPECT_EQ(told.find(kKey), std::string::npos);
}

TEST_F(JudgeCommandTest, KeepsNoReplyThatHidesTheKey) {
  Configure("betray", "api_key_env: JUDGE_TEST_KEY");
  const SubprocessOptions options{.environment = {"JUDGE_TEST_KEY=sk-very+secret+1234567890"}};
  const SubprocessResult run =
      Run({"-o", folder_ / "a.jsonl", "--judge-cache", Cache(), "--max-errors", "100%"}, options);
  const std::string scores = ReadFile(folder_ / "a.jsonl");
  EXPECT_NE(scores.find("a reply that contained the key"), std::string::npos) << run.err << scores;
  EXPECT_EQ(scores.find("very+secret"), std::string::npos);
  EXPECT_EQ(JudgeCache("export").out, "{\"replies\": 0}\n");
}

TEST_F(JudgeCommandTest, TellsThatTheCacheIsGone) {
  Configure("50ms", "max_concurrency: 2");
  Subprocess run(Command({"-o", folder_ / "a.jsonl", "--judge-cache", Cache()}));
  while (!std::filesystem::exists(Cache()) || service_->Stat("requests") < 4) {
    std::this_thread::sleep_for(milliseconds(5));
  }
  std::filesystem::remove(Cache());
  const SubprocessResult result = run.Wait();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("was removed or replaced while it was in use"), std::string::npos) << result.err;
}

// Questions under way are thought to cost more than they do: the next ones wait for what they come to.
TEST_F(JudgeCommandTest, SpendsABudgetThatIsEnough) {
  WriteFile(folder_ / "prices.yaml", "gpt-4o: {input: 1000, output: 1000}\n");
  Configure("ok", "max_concurrency: 16");
  std::vector<std::string> run = {"-o",        folder_ / "a.jsonl", "--judge-prices", folder_ / "prices.yaml",
                                  "--summary", folder_ / "s.json"};
  ASSERT_EQ(Run(run).exit_code, 0);
  const double cost = ParseLine(ReadFile(folder_ / "s.json"))["judges"]["cost"].GetDouble();
  run.insert(run.end(), {"--max-cost", std::to_string(cost + 1)});
  EXPECT_EQ(Run(run).exit_code, 0) << Run(run).err;
}

// The questions under way outlive the scorer that put them.
TEST_F(JudgeCommandTest, EndsAtABudgetWhileQuestionsAreUnderWay) {
  WriteFile(folder_ / "prices.yaml", "gpt-4o: {input: 1000, output: 1000}\n");
  Configure("30ms", "max_concurrency: 16");
  for (int i = 0; i < 5; ++i) {
    const SubprocessResult run = Run({"-o", folder_ / ("a" + std::to_string(i) + ".jsonl"), "--judge-prices",
                                      folder_ / "prices.yaml", "--max-cost", "1"});
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_NE(run.err.find("may exceed --max-cost"), std::string::npos) << run.err;
  }
}

TEST_F(JudgeCommandTest, TakesNoExportThatWasChangedOrCutOff) {
  ASSERT_EQ(Run({"-o", folder_ / "a.jsonl", "--judge-cache", Cache()}).exit_code, 0);
  const std::string replies = JudgeCache("export").out;
  const auto import = [&](const std::string& lines) {
    WriteFile(folder_ / "replies.jsonl", lines);
    return RunCommand({"judge-cache", "import", folder_ / "copy.db", folder_ / "replies.jsonl"});
  };
  std::string changed = replies;
  changed.replace(changed.rfind("because"), 7, "BECAUSE");
  const SubprocessResult refused = import(changed);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("is no reply as `leafscore judge-cache export` writes it"), std::string::npos)
      << refused.err;
  const std::size_t last_line = replies.rfind("{\"replies\": ");
  for (const std::string& cut :
       {std::string(), replies.substr(0, last_line), replies.substr(replies.find('\n') + 1),
        replies + replies.substr(0, last_line)}) {
    EXPECT_EQ(import(cut).exit_code, 2) << cut;
  }
  EXPECT_NE(import(replies.substr(0, last_line)).err.find("is cut off"), std::string::npos);
  for (const std::string& whole : {replies, replies + replies}) {
    const SubprocessResult taken = import(whole);
    EXPECT_EQ(taken.exit_code, 0) << taken.err;
  }
  EXPECT_EQ(RunCommand({"judge-cache", "export", folder_ / "copy.db"}).out, replies);
}

// As many lines as are counted, of which two are of one request; the service gives half the score when asked
// again.
TEST_F(JudgeCommandTest, TakesNoExportWithTwoRepliesToARequest) {
  Configure("ok,half");
  std::vector<std::string> replies[2];
  for (std::vector<std::string>& lines : replies) {
    ASSERT_EQ(Run({"-o", folder_ / "a.jsonl", "--judge-cache", Cache()}).exit_code, 0);
    lines = SplitLines(JudgeCache("export").out);
    ASSERT_EQ(lines.size(), kRecords + 1);
    std::filesystem::remove(Cache());
  }
  const std::size_t at = replies[0][8] != replies[1][8] ? 8 : 9;  // half of 0 is 0
  ASSERT_NE(replies[0][at], replies[1][at]);
  for (const std::string& again : {replies[0][at], replies[1][at]}) {  // the same reply, and another
    std::vector<std::string> lines = replies[0];
    lines[42] = again;
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    WriteFile(folder_ / "replies.jsonl", text);
    const SubprocessResult run =
        RunCommand({"judge-cache", "import", folder_ / "copy.db", folder_ / "replies.jsonl"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find("line 43 of "), std::string::npos) << run.err;
    EXPECT_NE(run.err.find(fmt::format("replies to what line {} replies to", at + 1)), std::string::npos)
        << run.err;
    EXPECT_NE(run.err.find("the 42 replies before it were taken"), std::string::npos) << run.err;
  }
}

TEST_F(JudgeCommandTest, EndsWithACacheThatIsDamagedOrNone) {
  WriteFile(Cache(), "not a database, but long enough to be taken for one" + std::string(2000, '.'));
  const SubprocessResult none = Run({"-o", folder_ / "a.jsonl", "--judge-cache", Cache()});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("is not a judge cache"), std::string::npos) << none.err;
  std::filesystem::remove(Cache());
  ASSERT_EQ(Run({"-o", folder_ / "a.jsonl", "--judge-cache", Cache()}).exit_code, 0);
  std::string bytes = ReadFile(Cache());
  for (std::size_t at = 0; (at = bytes.find("because", at)) != std::string::npos;)
    bytes.replace(at, 7, "BECAUSE");
  WriteFile(Cache(), bytes);
  const SubprocessResult damaged =
      Run({"-o", folder_ / "b.jsonl", "--judge-cache", Cache(), "--judge-replay"});
  EXPECT_EQ(damaged.exit_code, 2);
  EXPECT_NE(damaged.err.find("is damaged"), std::string::npos) << damaged.err;
}

// A lookup finds nothing under a key that is damaged, as if nobody had asked.
TEST_F(JudgeCommandTest, TellsInAReplayThatAKeyIsDamaged) {
  ASSERT_EQ(Run({"-o", folder_ / "a.jsonl", "--judge-cache", Cache()}).exit_code, 0);
  Execute("UPDATE replies SET key = zeroblob(32) WHERE key = (SELECT max(key) FROM replies)");
  const SubprocessResult run = Run({"-o", folder_ / "b.jsonl", "--judge-cache", Cache(), "--judge-replay"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("is damaged"), std::string::npos) << run.err;
}

TEST_F(JudgeCommandTest, AsksNoMoreWhenRepliesCannotBeKept) {
  ASSERT_EQ(Run({"-o", folder_ / "a.jsonl", "--judge-cache", Cache(), "--max-requests", "1"}).exit_code, 2);
  Execute("CREATE TRIGGER full BEFORE INSERT ON replies BEGIN SELECT RAISE(ABORT, 'no'); END");
  service_->Tell("reset");
  Configure("5ms", "max_concurrency: 4");
  const SubprocessResult run = Run({"-o", folder_ / "b.jsonl", "--judge-cache", Cache()});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("cannot be used"), std::string::npos) << run.err;
  EXPECT_LE(service_->Stat("requests"), 8);  // twice as many as at a time are handed over
}

// Twice as many replies as may be asked for at a time were paid for and lost.
TEST_F(JudgeCommandTest, LosesNoReplyWhenTheDiskIsFull) {
  for (const char* const concurrency : {"8", "32"}) {
    for (const bool all_there : {false, true}) {
      service_->Tell("reset");
      const SmallDisk disk(folder_ / "disk");
      if (!disk.is_there()) GTEST_SKIP() << "no disk can be mounted here";
      Configure("20ms", std::string("max_concurrency: ") + concurrency);
      const std::string cache = folder_ / "disk/replies.db";
      const std::string output = folder_ / (all_there ? "disk/a.jsonl" : std::string("a.jsonl"));
      const SubprocessResult full = Run({"-o", output, "--judge-cache", cache});
      EXPECT_EQ(full.exit_code, 2) << full.err;
      EXPECT_NE(full.err.find("disk"), std::string::npos) << full.err;
      const int asked = service_->Stat("requests");
      EXPECT_GT(asked, 10);
      EXPECT_LT(asked, kRecords);
      const std::string replies = RunCommand({"judge-cache", "export", cache}).out;
      EXPECT_EQ(std::ranges::count(replies, '\n') - 1, asked) << full.err;
      disk.Grow();
      const SubprocessResult rest = Run({"-o", output, "--judge-cache", cache});
      EXPECT_EQ(rest.exit_code, 0) << rest.err;
      EXPECT_EQ(service_->Stat("requests"), kRecords);
      EXPECT_EQ(service_->Stat("most_of_a_body"), 1);
    }
  }
}

TEST_F(JudgeCommandTest, AsksNothingWhenTheDiskIsFullBefore) {
  const SmallDisk disk(folder_ / "disk");
  if (!disk.is_there()) GTEST_SKIP() << "no disk can be mounted here";
  const std::string cache = folder_ / "disk/replies.db";
  ASSERT_EQ(Run({"-o", folder_ / "a.jsonl", "--judge-cache", cache, "--max-requests", "1"}).exit_code, 2);
  std::ofstream rest(folder_ / "disk/rest");
  while (rest << std::string(4096, 'x') << std::flush) {
  }
  service_->Tell("reset");
  EXPECT_EQ(Run({"-o", folder_ / "b.jsonl", "--judge-cache", cache}).exit_code, 2);
  EXPECT_EQ(service_->Stat("requests"), 0);
}

// The limit is that of one file: what the cache cannot take has room beside the output.
TEST_F(JudgeCommandTest, KeepsBesideTheOutputWhatTheCacheCannotTake) {
  constexpr int kCacheBytes = 600'000;
  const std::string output = folder_ / "a.jsonl";
  const std::string spare = output + ".judge-replies";
  const std::vector<std::string> arguments = {"-o", output, "--judge-cache", Cache()};
  for (const char* const concurrency : {"8", "32"}) {
    service_->Tell("reset");
    std::filesystem::remove(Cache());
    Configure("20ms", std::string("max_concurrency: ") + concurrency);
    const SubprocessResult full = Run(arguments, {.max_file_size = kCacheBytes});
    EXPECT_EQ(full.exit_code, 2) << full.err;
    EXPECT_NE(full.err.find("the next run with this cache and output adds them"), std::string::npos)
        << full.err;
    const int asked = service_->Stat("requests");
    EXPECT_LT(asked, kRecords);
    EXPECT_EQ(full.err.find("could not be kept anywhere"), std::string::npos) << full.err;
    const auto count = [](const std::string& file) {
      return std::ranges::count(RunCommand({"judge-cache", "export", file}).out, '\n') - 1;
    };
    EXPECT_EQ(count(Cache()) + count(spare), asked);
    EXPECT_EQ(Run(arguments).exit_code, 0);
    EXPECT_EQ(service_->Stat("requests"), kRecords);
    EXPECT_EQ(service_->Stat("most_of_a_body"), 1);
    EXPECT_FALSE(std::filesystem::exists(spare));
  }
}

// Neither a file of the user nor another cache is a spare file.
TEST_F(JudgeCommandTest, TakesNoFileOfOthersForRepliesThatAnEarlierRunLeft) {
  const std::string spare = folder_ / "a.jsonl.judge-replies";
  const std::vector<std::string> arguments = {"-o", folder_ / "a.jsonl", "--judge-cache", Cache()};
  ASSERT_EQ(Run({"-o", folder_ / "b.jsonl", "--judge-cache", spare}).exit_code, 0);
  for (const std::string& bytes : {ReadFile(spare), std::string("mine\n"), std::string()}) {
    WriteFile(spare, bytes);
    EXPECT_EQ(Run(arguments).exit_code, 0);
    EXPECT_EQ(ReadFile(spare), bytes);
  }
}

// That of a compressed output has its lines, and so is the longer file.
TEST_F(JudgeCommandTest, AsksNoMoreWhenTheJournalCannotBeWritten) {
  constexpr int kJournalBytes = 30'000;
  Configure("50ms", "max_concurrency: 4");
  std::vector<std::string> command =
      Command({"-o", folder_ / "a.jsonl.gz", "--resume", "--judge-cache", "none"});
  *std::ranges::find(command, "4096") = "256";  // about 20 batches of 4 records are asked about ahead
  Subprocess run(command, {.max_file_size = kJournalBytes});
  const std::filesystem::path journal = folder_ / "a.jsonl.gz.journal";
  std::error_code error;
  bool is_full = false;
  while (!is_full && !run.EndsWithin(milliseconds(5))) {
    const std::uintmax_t size = std::filesystem::file_size(journal, error);
    is_full = !error && size == kJournalBytes;
  }
  const int asked = service_->Stat("requests");
  const SubprocessResult result = run.Wait();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("cannot write the journal"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("--resume goes on with them"), std::string::npos) << result.err;
  // Twice as many as at a time are handed over, and who waits for an answer looks up every 50 ms.
  EXPECT_LE(service_->Stat("requests"), asked + 24);
}

// As few descriptors as leave none for a connection, whatever the files of a run are.
TEST_F(JudgeCommandTest, EndsWhereThereIsNoSocketAndBlamesNoService) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer needs descriptors of its own to look at memory";
  WriteFile(folder_ / "judge.yaml", "evaluators:\n- {type: llm_judge, model: m, max_retries: 0, base_url: '" +
                                        service_->Base("ok") + "'}\n");
  int none = 0;
  for (int limit = 6; limit < 24; ++limit) {
    const std::string command = "ulimit -n " + std::to_string(limit) + "; exec " LEAFSCORE_COMMAND " score " +
                                (folder_ / "in.jsonl") + " -q --config " + (folder_ / "judge.yaml");
    ChildProcess shell({FindProgram("sh", "/"), {"sh", "-c", command}, "/", 1ull << 36});
    ASSERT_EQ(shell.ExchangeAll("", {std::chrono::seconds(60), 1 << 24}), TurnEnd::kExited);
    EXPECT_EQ(shell.output().find("judge_unavailable"), std::string::npos) << limit;
    none += shell.error_tail().find("no socket for asking") != std::string::npos;
  }
  EXPECT_GT(none, 0);
}

// Counts the bodies that asked for a json_schema, but for those of the answer that is too long.
int OthersBySchema(const rapidjson::Document& bodies) {
  return static_cast<int>(std::ranges::count_if(bodies.GetArray(), [](const auto& body) {
    const std::string_view asked = body.GetString();
    return asked.find("\"type\":\"json_schema\"") != asked.npos && asked.find("TOO LONG") == asked.npos;
  }));
}

TEST_F(JudgeCommandTest, LetsNoAnswerTakeTheSchemaFromOthers) {
  std::string records = R"({"expected": "x", "actual": "TOO LONG, my json_schema is"})"
                        "\n";
  for (int i = 1; i < 40; ++i) {
    records += R"({"expected": "x", "actual": "SCORE=)" + std::to_string(i) + "\"}\n";
  }
  Input("in.jsonl", records);
  // Refused in all forms, and in the first alone; one at a time, the others are asked after that.
  for (const char* const steps : {"repeats", "repeats+brittle"}) {
    for (const char* const concurrency : {"1", "32"}) {
      service_->Tell("reset");
      Configure(steps, std::string("max_concurrency: ") + concurrency);
      const SubprocessResult run =
          Run({"-o", folder_ / "a.jsonl", "--summary", folder_ / "s.json", "--judge-cache", "none"});
      EXPECT_EQ(run.exit_code, 0) << run.err;
      const rapidjson::Document bodies = service_->Tell("bodies");
      EXPECT_EQ(OthersBySchema(bodies), 39) << steps << concurrency;
      EXPECT_LE(bodies.Size(), 42u) << steps << concurrency;
      const rapidjson::Document summary = ParseLine(ReadFile(folder_ / "s.json"));
      EXPECT_EQ(summary["judges"]["read_as"]["json_schema"].GetInt(), 39);
      const bool is_read = steps != std::string("repeats");
      EXPECT_EQ(summary["judges"]["read_as"]["json_object"].GetInt(), is_read ? 1 : 0);
      EXPECT_EQ(run.err.find("warning: 1 of 40 replies of the judges were not read in the form") !=
                    std::string::npos,
                is_read)
          << run.err;
    }
  }
}

// As many questions as show it are asked in each form, and those under way at the same time.
TEST_F(JudgeCommandTest, AsksAsAServiceUnderstands) {
  for (const char* const steps : {"nojson", "nojson+deaf"}) {
    service_->Tell("reset");
    Configure(steps, "max_concurrency: 1");
    const SubprocessResult run =
        Run({"-o", folder_ / "a.jsonl", "--min-coverage", "1", "--summary", folder_ / "s.json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_LE(service_->Stat("requests"), kRecords + 2 * 4);
    EXPECT_EQ(ParseLine(ReadFile(folder_ / "s.json"))["judges"]["read_as"]["json"].GetInt(), kRecords);
    EXPECT_NE(run.err.find("400 of 400 replies"), std::string::npos) << run.err;
  }
}

// The bounds of the score, which the schema has no more, are a part of the keys in such a cache.
TEST_F(JudgeCommandTest, TakesRepliesThatWereAskedForWithBounds) {
  WriteFile(folder_ / "judge.yaml",
            "evaluators:\n- {name: j, type: llm_judge, model: m, base_url: 'http://127.0.0.1:9/v1', "
            "max_retries: 0}\n"
            "- {name: k, type: llm_judge_strict_json, model: m, base_url: 'http://127.0.0.1:9/v1', "
            "max_retries: 0}\n");
  WriteFile(folder_ / "in.jsonl", R"({"expected": {"a": 1}, "actual": {"a": 2}})"
                                  "\n");
  const std::string export_file = std::string(LEAFSCORE_TEST_DATA) + "/judge/replies_with_bounds.jsonl";
  ASSERT_EQ(RunCommand({"judge-cache", "import", Cache(), export_file}).exit_code, 0);
  const SubprocessResult run = Run({"--judge-cache", Cache(), "--judge-replay", "--min-coverage", "1"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_NE(run.out.find("\"score\": 0.42"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\"score\": 0.5"), std::string::npos) << run.out;
}

TEST_F(JudgeCommandTest, SaysWhatARedirectIs) {
  Configure("redirect");
  EXPECT_NE(Run({}).err.find("status 307 (redirects are not followed)"), std::string::npos);
}

TEST_F(JudgeCommandTest, TakesNoNameOfACacheForSomethingElse) {
  for (const std::string name : {":memory:", "file:replies.db?mode=memory"}) {
    // The command runs in the folder of the tests.
    ASSERT_EQ(Run({"-o", folder_ / "a.jsonl", "--judge-cache", name}).exit_code, 0);
    EXPECT_TRUE(std::filesystem::remove(name)) << name;
  }
}

TEST_F(JudgeCommandTest, RefusesOptionsThatAreForNobody) {
  WriteFile(folder_ / "judge.yaml", "evaluators:\n- {name: e, type: exact_match}\n");
  const SubprocessResult run = Run({"--judge-cache", Cache()});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("--judge-cache is for scorers that ask a model"), std::string::npos) << run.err;
  EXPECT_FALSE(std::filesystem::exists(Cache()));
}

}  // namespace
}  // namespace leafscore::internal
