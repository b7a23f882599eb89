// --batch: questions that batch services answer, against one that loses, doubles, forges and forgets them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cli/subprocess.h"
#include "http/fake_service.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

class BatchCommandTest : public RunTest {
 protected:
  static void SetUpTestSuite() { service_ = std::make_unique<FakeService>(); }
  static void TearDownTestSuite() { service_.reset(); }

  void SetUp() override {
    service_->Tell("reset");
    Records(kRecords);
  }

  void Records(int count) {
    std::string lines;
    for (int i = 0; i < count; ++i)
      lines += fmt::format("{{\"id\": {0}, \"expected\": \"answer {0}\", \"actual\": \"SCORE={0}\"}}\n", i);
    Input("in.jsonl", lines);
  }
  void Configure(const std::string& steps, const std::string& more = "") {
    WriteFile(folder_ / "judge.yaml",
              "evaluators:\n- {name: j, type: llm_judge, model: gpt-4o, max_retries: 2, base_url: '" +
                  service_->Base(steps) + "'" + more + "}\n- {name: e, type: exact_match}\n");
  }
  std::vector<std::string> Command(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> command = {
        "score", folder_ / "in.jsonl", "-c", folder_ / "judge.yaml", "-q", "--batch-bytes", "1024",
        "-o",    folder_ / "out.jsonl"};
    command.insert(command.end(), more.begin(), more.end());
    return command;
  }
  SubprocessResult Run(const std::vector<std::string>& more = {"--batch"},
                       const SubprocessOptions& options = {}) const {
    return RunCommand(Command(more), "", options);
  }
  // Checks that all records have the scores that the service gives, each asked and paid once.
  void ExpectScored(const SubprocessResult& run, int paid = kRecords) const {
    EXPECT_EQ(run.exit_code, 0) << run.err;
    int scored = 0;
    for (const std::string& line : SplitLines(ReadFile(folder_ / "out.jsonl"))) {
      const rapidjson::Document score = ParseLine(line);
      if (std::string(score["scorer"].GetString()) != "j") continue;
      ASSERT_STREQ(score["outcome"].GetString(), "scored") << line;
      EXPECT_NEAR(score["score"].GetDouble(), score["id"].GetDouble() / 100, 1e-12) << line;
      ++scored;
    }
    EXPECT_EQ(scored, kRecords);
    EXPECT_EQ(service_->Stat("paid"), paid);
  }
  void KillWhileItWaits() const {
    Subprocess run(Command({"--batch"}));
    while (service_->Stat("looks") == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    run.Signal(SIGKILL);
    run.Wait();
  }
  std::uint64_t NotedBatches() const {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open((folder_ / "out.jsonl.judges.db").c_str(), &database), SQLITE_OK);
    sqlite3_stmt* count = nullptr;
    sqlite3_prepare_v2(database, "SELECT count(*) FROM batches", -1, &count, nullptr);
    EXPECT_EQ(sqlite3_step(count), SQLITE_ROW);
    const auto batches = static_cast<std::uint64_t>(sqlite3_column_int64(count, 0));
    sqlite3_finalize(count);
    sqlite3_close(database);
    return batches;
  }

  static constexpr int kRecords = 20;
  static std::unique_ptr<FakeService> service_;
};

std::unique_ptr<FakeService> BatchCommandTest::service_;

TEST_F(BatchCommandTest, AsksInOneBatchAtHalfThePrice) {
  Configure("ok");
  EXPECT_EQ(Run({"--summary", folder_ / "live.json"}).exit_code, 0);
  const double live = ParseLine(ReadFile(folder_ / "live.json"))["judges"]["cost"].GetDouble();
  const std::string scores = ReadFile(folder_ / "out.jsonl");
  std::filesystem::remove(folder_ / "out.jsonl.judges.db");
  service_->Tell("reset");

  const SubprocessResult dry = Run({"--batch", "--dry-run"});
  const SubprocessResult dry_live = Run({"--dry-run"});
  const auto dollars = [](const std::string& text) {
    return std::stod(text.substr(text.find("out, without retries: about ") + 28));
  };
  EXPECT_NEAR(dollars(dry.err), dollars(dry_live.err) / 2, 1e-4) << dry.err;
  EXPECT_EQ(service_->Stat("requests"), 0);

  ExpectScored(Run({"--batch", "--summary", folder_ / "batch.json"}));
  EXPECT_EQ(ReadFile(folder_ / "out.jsonl"), scores);  // the very same bytes
  const rapidjson::Document summary = ParseLine(ReadFile(folder_ / "batch.json"));
  EXPECT_NEAR(summary["judges"]["cost"].GetDouble(), live / 2, 1e-9);
  EXPECT_EQ(summary["judges"]["requests"].GetInt(), kRecords);
  EXPECT_EQ(summary["judges"]["read_as"]["json_schema"].GetInt(), kRecords);
  EXPECT_EQ(service_->Tell("stats")["batch_questions"][0].GetInt(), kRecords);
  EXPECT_EQ(service_->Stat("batches"), 1);
  EXPECT_EQ(NotedBatches(), 0u);

  ExpectScored(Run());  // nothing is asked again
  EXPECT_EQ(service_->Stat("batches"), 1);
}

TEST_F(BatchCommandTest, AsksAnthropic) {
  Configure("ok", ", api: anthropic");
  ExpectScored(Run());
  EXPECT_EQ(service_->Stat("batches"), 1);
  Configure("bexpires", ", api: anthropic");
  service_->Tell("reset");
  ExpectScored(Run());
  EXPECT_EQ(service_->Stat("batches"), 2);
}

TEST_F(BatchCommandTest, AsksAgainWhatEndedWithoutAReply) {
  for (const char* const api : {"openai", "gemini"}) {
    for (const char* const steps : {"bexpires", "bcancels", "bhalf", "bmissing", "bbusy", "bgone"}) {
      SCOPED_TRACE(fmt::format("{}: {}", api, steps));
      service_->Tell("reset");
      Configure(steps, fmt::format(", api: {}", api));
      std::filesystem::remove(folder_ / "out.jsonl.judges.db");
      ExpectScored(Run(), std::string(steps) == "bmissing" ? kRecords + 1 : kRecords);
      EXPECT_EQ(service_->Stat("batches"), std::string(steps) == "bbusy" ? 1 : 2);
    }
  }
}

TEST_F(BatchCommandTest, AsksGemini) {
  Configure("ok", ", api: gemini");
  EXPECT_EQ(Run({}).exit_code, 0);
  const std::string scores = ReadFile(folder_ / "out.jsonl");
  std::filesystem::remove(folder_ / "out.jsonl.judges.db");
  service_->Tell("reset");
  ExpectScored(Run());
  EXPECT_EQ(ReadFile(folder_ / "out.jsonl"), scores);  // the very same bytes
  EXPECT_EQ(service_->Stat("batches"), 1);
  EXPECT_EQ(NotedBatches(), 0u);

  service_->Tell("reset");
  std::filesystem::remove(folder_ / "out.jsonl.judges.db");
  Configure("bunknown", ", api: gemini");
  const SubprocessResult run = Run();
  ExpectScored(run);
  EXPECT_NE(run.err.find("refused 1 replies to questions that it does not have, and 1 second replies"),
            std::string::npos)
      << run.err;

  service_->Tell("reset");
  std::filesystem::remove(folder_ / "out.jsonl.judges.db");
  Configure("noschema", ", api: gemini");
  ExpectScored(Run());
  EXPECT_EQ(service_->Stat("batches"), 2);

  std::filesystem::remove(folder_ / "out.jsonl.judges.db");
  Configure("bfails", ", api: gemini");
  service_->Tell("reset");
  EXPECT_EQ(Run({"--batch", "--max-errors", "0"}).exit_code, 1);
  EXPECT_NE(ReadFile(folder_ / "out.jsonl").find("failed: the file is too large"), std::string::npos);
}

// A proxy may answer anything with status 200; nothing may wait for it in silence.
TEST_F(BatchCommandTest, TellsThatAServiceDoesNotSayHowFarABatchIs) {
  for (const char* const api : {"openai", "anthropic", "gemini"}) {
    SCOPED_TRACE(api);
    service_->Tell("reset");
    std::filesystem::remove(folder_ / "out.jsonl.judges.db");
    Configure("bsilent1", fmt::format(", api: {}", api));
    const SubprocessResult run = Run();
    ExpectScored(run);
    EXPECT_NE(run.err.find("does not say how far batch batch_0 is; looking again"), std::string::npos)
        << run.err;
  }
  service_->Tell("reset");
  std::filesystem::remove(folder_ / "out.jsonl.judges.db");
  Configure("bsilent99");
  const SubprocessResult never = Run();
  EXPECT_EQ(never.exit_code, 2);
  EXPECT_NE(never.err.find("does not say how far batch batch_0 is; the same command goes on with it"),
            std::string::npos)
      << never.err;
  EXPECT_EQ(NotedBatches(), 1u);
  EXPECT_EQ(service_->Stat("looks"), 4);
}

TEST_F(BatchCommandTest, RefusesInputsThatCannotBeReadTwice) {
  Configure("ok");
  const SubprocessResult run =
      RunCommand({"score", "-", "-c", folder_ / "judge.yaml", "-q", "-o", folder_ / "out.jsonl", "--batch"},
                 ReadFile(folder_ / "in.jsonl"));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("--batch reads its inputs twice, but standard input (-) can be read once"),
            std::string::npos)
      << run.err;
  EXPECT_EQ(service_->Stat("requests"), 0);
}

TEST_F(BatchCommandTest, RefusesRepliesThatNobodyAskedForOrTwice) {
  Configure("bunknown");
  const SubprocessResult run = Run();
  ExpectScored(run);
  EXPECT_NE(run.err.find("refused 1 replies to questions that it does not have, and 1 second replies"),
            std::string::npos)
      << run.err;
  EXPECT_EQ(ReadFile(folder_ / "out.jsonl").find("forged"), std::string::npos);
}

// The second batch comes with the replies of the first, so its questions are asked in a third.
TEST_F(BatchCommandTest, RefusesRepliesOfAnotherBatch) {
  Configure("bhalf+bother");
  const SubprocessResult run = Run();
  ExpectScored(run);
  EXPECT_NE(run.err.find("refused 10 replies to questions that it does not have"), std::string::npos)
      << run.err;
  EXPECT_EQ(service_->Stat("batches"), 3);
}

TEST_F(BatchCommandTest, ReportsWhatNoBatchAnswers) {
  Configure("bfails");
  const SubprocessResult failed = Run({"--batch", "--max-errors", "0"});
  EXPECT_EQ(failed.exit_code, 1) << failed.err;
  EXPECT_NE((failed.err + ReadFile(folder_ / "out.jsonl")).find("failed: the file is too large"),
            std::string::npos)
      << failed.err;
  EXPECT_EQ(service_->Stat("batches"), 1);

  service_->Tell("reset");
  Configure("500");
  const SubprocessResult broken = Run({"--batch", "--summary", folder_ / "broken.json"});
  const rapidjson::Document summary = ParseLine(ReadFile(folder_ / "broken.json"));
  EXPECT_EQ(summary["judges"]["faults"][0]["count"].GetInt(), kRecords);
  EXPECT_NE(ReadFile(folder_ / "out.jsonl").find("status 500 as asked"), std::string::npos) << broken.err;
  EXPECT_EQ(service_->Stat("batches"), 3);  // max_retries: 2
}

TEST_F(BatchCommandTest, AsksAsTheServiceUnderstands) {
  Configure("notemperature");
  ExpectScored(Run());
  EXPECT_EQ(service_->Stat("batches"), 2);
  service_->Tell("reset");
  std::filesystem::remove(folder_ / "out.jsonl.judges.db");
  Configure("noschema");
  ExpectScored(Run());
  EXPECT_NE(ReadFile(folder_ / "out.jsonl").find("\"read_as\": \"json_object\""), std::string::npos);
}

// Replies without a score are asked for again, in a batch of their own.
TEST_F(BatchCommandTest, AsksAgainForScores) {
  Configure("badscore,ok");
  // The next attempt is the same request, so the service's next step comes.
  ExpectScored(Run(), 2 * kRecords);
  EXPECT_EQ(service_->Stat("batches"), 2);
}

TEST_F(BatchCommandTest, GoesOnWithABatchAfterAKill) {
  Configure("polls3");
  KillWhileItWaits();
  ASSERT_EQ(service_->Stat("batches"), 1);
  EXPECT_EQ(NotedBatches(), 1u);
  const SubprocessResult run = Run();
  ExpectScored(run);
  EXPECT_NE(run.err.find("going on with batch batch_0: 20 questions"), std::string::npos) << run.err;
  EXPECT_EQ(service_->Stat("batches"), 1);
  EXPECT_EQ(NotedBatches(), 0u);
}

TEST_F(BatchCommandTest, FindsABatchWhoseIdWasLost) {
  for (const char* const api : {"openai", "anthropic", "gemini"}) {
    SCOPED_TRACE(api);
    service_->Tell("reset");
    std::filesystem::remove(folder_ / "out.jsonl.judges.db");
    Configure("blost", std::string(", api: ") + api);
    ExpectScored(Run());
    EXPECT_EQ(service_->Stat("batches"), 1);
  }
}

// Whenever it is killed, no question is in two batches.
TEST_F(BatchCommandTest, AsksOnceThoughItIsKilledAtAnyMoment) {
  for (const char* const api : {"openai", "anthropic", "gemini"}) {
    SCOPED_TRACE(api);
    service_->Tell("reset");
    std::filesystem::remove(folder_ / "out.jsonl.judges.db");
    Configure("polls4", std::string(", api: ") + api);
    for (int wait_ms = 5; wait_ms < 200; wait_ms += 13) {
      Subprocess run(Command({"--batch"}));
      run.EndsWithin(std::chrono::milliseconds(wait_ms));
      run.Signal(SIGKILL);
      run.Wait();
    }
    ExpectScored(Run());
    EXPECT_EQ(service_->Stat("batches"), 1);
    EXPECT_EQ(NotedBatches(), 0u);
  }
}

// A budget does not keep a run from the replies that an earlier one has asked for.
TEST_F(BatchCommandTest, GoesOnWithABatchBeyondABudget) {
  Configure("polls3");
  KillWhileItWaits();
  ExpectScored(Run({"--batch", "--max-requests", "0", "--max-cost", "0"}));
  EXPECT_EQ(service_->Stat("batches"), 1);
}

// A run with fewer records takes its replies, and leaves the others to a run that asks them.
TEST_F(BatchCommandTest, LeavesRepliesForARunThatAsksThem) {
  Configure("polls3");
  KillWhileItWaits();
  ASSERT_EQ(service_->Stat("batches"), 1);
  Records(5);
  EXPECT_EQ(Run().exit_code, 0);
  EXPECT_EQ(NotedBatches(), 1u);
  Records(kRecords);
  ExpectScored(Run());
  EXPECT_EQ(service_->Stat("batches"), 1);
  EXPECT_EQ(NotedBatches(), 0u);
}

TEST_F(BatchCommandTest, AsksAnewWhatTheServiceHasForgotten) {
  Configure("polls3");
  KillWhileItWaits();
  ASSERT_EQ(NotedBatches(), 1u);
  service_->Tell("reset");  // batches are kept for some weeks
  ExpectScored(Run());
  EXPECT_EQ(service_->Stat("batches"), 1);
}

TEST_F(BatchCommandTest, KeepsToBudgets) {
  Configure("ok");
  const SubprocessResult stopped = Run({"--batch", "--max-requests", "7"});
  EXPECT_EQ(stopped.exit_code, 2);
  EXPECT_NE(stopped.err.find("the maximum (--max-requests)"), std::string::npos) << stopped.err;
  EXPECT_EQ(service_->Stat("paid"), 7);
  ExpectScored(Run());
  service_->Tell("reset");
  std::filesystem::remove(folder_ / "out.jsonl.judges.db");
  EXPECT_EQ(Run({"--batch", "--max-cost", "0.0000001"}).exit_code, 2);
  EXPECT_EQ(service_->Stat("batches"), 0);
}

// The first batch has the questions that certainly fit into a budget. When its replies show what they cost,
// others follow.
TEST_F(BatchCommandTest, SpendsNoMoreThanABudget) {
  Configure("ok");
  Run({"--batch", "--summary", folder_ / "all.json"});
  const double all = ParseLine(ReadFile(folder_ / "all.json"))["judges"]["cost"].GetDouble();
  std::filesystem::remove(folder_ / "out.jsonl.judges.db");
  service_->Tell("reset");
  const SubprocessResult stopped = Run({"--batch", "--max-cost", fmt::format("{:.8f}", 0.6 * all)});
  EXPECT_EQ(stopped.exit_code, 2);
  EXPECT_NE(stopped.err.find("--max-cost"), std::string::npos) << stopped.err;
  const int paid = service_->Stat("paid");
  EXPECT_GT(paid, kRecords / 2);
  EXPECT_LE(paid, 0.6 * kRecords + 1e-9);
  EXPECT_EQ(service_->Stat("batches"), 2);  // each may take a day
  ExpectScored(Run());
}

TEST_F(BatchCommandTest, TellsNobodyTheKey) {
  const std::string key = "sk-very-secret-0123456789";
  for (const std::string& steps : {std::string("echo"), "wants" + key, "bpath+wants" + key}) {
    SCOPED_TRACE(steps);
    service_->Tell("reset");
    Configure(steps, ", api_key_env: BATCH_TEST_KEY");
    const SubprocessResult run = Run({"--batch"}, {.environment = {"BATCH_TEST_KEY=" + key}});
    EXPECT_EQ(run.exit_code, steps.starts_with("wants") ? 0 : 2) << run.err;
    EXPECT_EQ((run.err + run.out).find(key), std::string::npos) << run.err;
    for (const auto& file : std::filesystem::recursive_directory_iterator(std::string(folder_ / ""))) {
      if (file.path().filename() == "judge.yaml") continue;  // the test's own path has it
      if (file.is_regular_file() && steps == "echo") {
        EXPECT_EQ(ReadFile(file.path()).find(key), std::string::npos) << file.path();
      }
    }
  }
}

TEST_F(BatchCommandTest, RefusesWhatItCannotDo) {
  Configure("ok");
  EXPECT_NE(Run({"--batch", "--judge-cache", "none"}).err.find("in a cache"), std::string::npos);
  EXPECT_EQ(Run({"--batch", "--judge-replay"}).exit_code, 2);
  EXPECT_EQ(Run({"--batch", "--shard", "1/2"}).exit_code, 2);
  WriteFile(folder_ / "judge.yaml", "evaluators:\n- {name: e, type: exact_match}\n");
  EXPECT_NE(Run().err.find("--batch is for scorers that ask a model"), std::string::npos);
  EXPECT_EQ(service_->Stat("batches"), 0);
}

TEST_F(BatchCommandTest, ProbesInBatches) {
  Configure("swayed");
  const SubprocessResult run = RunCommand({"judge-check", folder_ / "in.jsonl", "-c", folder_ / "judge.yaml",
                                           "--probes", "--batch", "-o", folder_ / "probes.json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(service_->Stat("batches"), 1);
  EXPECT_EQ(service_->Stat("paid"), 7 * kRecords);
  EXPECT_NE(run.err.find("asked 140 questions in batches for 0.0"), std::string::npos) << run.err;
  EXPECT_NEAR(ParseLine(ReadFile(folder_ / "probes.json"))["probes"][2]["shift"].GetDouble(), 0.2, 1e-9);
  // Questions that are asked again for a score come in a batch of their own.
  service_->Tell("reset");
  Configure("badscore,ok");
  const SubprocessResult again =
      RunCommand({"judge-check", folder_ / "in.jsonl", "-c", folder_ / "judge.yaml", "--probes",
                  "--probe-records", "10", "--batch", "-o", folder_ / "again.json"});
  EXPECT_EQ(service_->Stat("batches"), 2) << again.err;
  EXPECT_EQ(ParseLine(ReadFile(folder_ / "again.json"))["probes"][0]["records"].GetInt(), 10);
}

}  // namespace
}  // namespace leafscore::internal
