// No file of the user's is touched but the outputs that were named, and these only by whole results.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "cli/subprocess.h"
#include "run/run_testing.h"
#include "sanitized.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;

constexpr char kTwoPairs[] =
    "{\"id\": 1, \"expected\": \"abcd\", \"actual\": \"abcd\"}\n"
    "{\"id\": 2, \"expected\": \"abcd\", \"actual\": \"abxx\"}\n";
constexpr char kConfig[] = "scorers: [{type: levenshtein}]\n";

class OutputNamesTest : public ::testing::Test {
 protected:
  OutputNamesTest() { WriteFile(pairs_, kTwoPairs); }

  // Runs `leafscore score -q -o out.jsonl` with more arguments.
  SubprocessResult Score(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"score", "-q", "-o", out_});
    return RunCommand(arguments, kTwoPairs);
  }

  // Starts a run that has its partial output and waits for more.
  void StartWaiting(Subprocess& command, const std::string& partial) {
    command.WriteInput(kTwoPairs);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (ReadFile(partial).empty()) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  TempDir folder_;
  const std::string pairs_ = folder_ / "pairs.jsonl";
  const std::string out_ = folder_ / "out.jsonl";
  const std::string summary_ = folder_ / "summary.json";
  const std::vector<std::string> waiting_ = {"score", "-",  "-q",        "-s",    "levenshtein",
                                             "-o",    out_, "--summary", summary_};
  const std::string scores_ = RunCommand({"score", "-", "-q", "-s", "levenshtein"}, kTwoPairs).out;
};

TEST_F(OutputNamesTest, InputsNamedLikePartialOutputsAreSpared) {
  for (const std::string& name : {out_, out_ + ".manifest.json", summary_}) {
    const std::string input = name + ".partial";
    WriteFile(input, kTwoPairs);
    EXPECT_EQ(Score({"-s", "levenshtein", "--summary", summary_, input}).exit_code, 0);
    EXPECT_EQ(ReadFile(out_), scores_);
    EXPECT_EQ(ReadFile(input), kTwoPairs);
    EXPECT_EQ(Score({"-s", "levenshtein", "--summary", summary_, pairs_, "--gold", input}).exit_code, 0);
    EXPECT_EQ(ReadFile(input), kTwoPairs);
    WriteFile(input, kConfig);
    EXPECT_EQ(Score({"-c", input, "--summary", summary_, pairs_}).exit_code, 0);
    EXPECT_EQ(ReadFile(out_), scores_);
    EXPECT_EQ(ReadFile(input), kConfig);
    fs::remove(input);
  }
}

TEST_F(OutputNamesTest, AnOutputNamedLikeAnotherPartialOneIsRefused) {
  const std::string partial = summary_ + ".partial";
  ExpectRefused(RunCommand({"score", pairs_, "-s", "levenshtein", "-o", partial, "--summary", summary_}),
                partial + " is the name of " + summary_ + " until that is complete");
  ExpectRefused(Score({pairs_, "-s", "levenshtein", "--summary", out_ + ".partial"}),
                "until that is complete");
  EXPECT_FALSE(fs::exists(partial));
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(OutputNamesTest, LinksAndSpellingsAreSeenThrough) {
  fs::create_directory(folder_ / "real");
  fs::create_directory_symlink(folder_ / "real", folder_ / "linked");
  fs::create_hard_link(pairs_, folder_ / "hard.json");
  fs::create_symlink(pairs_, folder_ / "soft.json");
  fs::create_symlink(folder_ / "real/new", folder_ / "dangling");
  for (const std::string output : {"hard.json", "soft.json", "real/../pairs.jsonl"}) {
    ExpectRefused(RunCommand({"score", pairs_, "-s", "levenshtein", "--summary", folder_ / output}),
                  " would change " + pairs_);
  }
  ExpectRefused(RunCommand({"score", pairs_, "-s", "levenshtein", "-o", folder_ / "hard.json"}),
                "would change");
  ExpectRefused(RunCommand({"score", pairs_, "-s", "levenshtein", "-o", folder_ / "real/new.json",
                            "--summary", folder_ / "linked/./new.json"}),
                " would change ");
  EXPECT_EQ(ReadFile(pairs_), kTwoPairs);
  EXPECT_TRUE(fs::is_empty(folder_ / "real"));
}

// It has written nothing, and its files say so.
TEST_F(OutputNamesTest, WhatAKilledRunMadeAndNeverWroteToIsRemoved) {
  {
    Subprocess killed(waiting_);
    StartWaiting(killed, out_ + ".partial");
    killed.Signal(SIGKILL);
    killed.Wait();
  }
  const SubprocessResult run = Score({pairs_, "-s", "levenshtein", "--summary", summary_});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(ReadFile(out_), scores_);
  for (const std::string& name : {out_, out_ + ".manifest.json", summary_}) {
    EXPECT_FALSE(fs::exists(name + ".partial")) << name;
  }
}

TEST_F(OutputNamesTest, WhatIsNotKnownToBeOursIsNamedAndKept) {
  for (const std::string& name : {out_, out_ + ".manifest.json", summary_}) WriteFile(name + ".partial", "");
  const SubprocessResult run = Score({pairs_, "-s", "levenshtein", "--summary", summary_});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "leafscore: left as it is, perhaps of a run that did not end: " + out_ + ".partial, " +
                         out_ + ".manifest.json.partial, " + summary_ + ".partial\n");
  EXPECT_EQ(ReadFile(out_), scores_);
  EXPECT_TRUE(fs::exists(out_ + ".partial"));
  EXPECT_FALSE(fs::exists(out_ + ".partial-2"));
}

TEST_F(OutputNamesTest, TwoRunsAtOnceAreToldApartWhateverLiesThere) {
  WriteFile(out_ + ".partial", "the user's");
  Subprocess first(waiting_);
  StartWaiting(first, out_ + ".partial-2");
  const std::string refusal =
      "another run is writing " + out_ + ": wait until it ends, or name another output";
  ExpectRefused(Score({pairs_, "-s", "levenshtein"}), refusal);
  fs::remove(out_ + ".partial");
  ExpectRefused(Score({pairs_, "-s", "levenshtein"}), refusal);
  EXPECT_EQ(first.Wait().exit_code, 0);
  EXPECT_EQ(ReadFile(out_), scores_);
  EXPECT_EQ(Score({pairs_, "-s", "levenshtein"}).exit_code, 0);
}

TEST_F(OutputNamesTest, OddThingsUnderPartialNamesAreLeftAlone) {
  WriteFile(folder_ / "outside", "kept");
  fs::create_symlink(folder_ / "outside", out_ + ".partial");
  ASSERT_EQ(mkfifo((out_ + ".partial-2").c_str(), 0600), 0);
  fs::create_directory(out_ + ".partial-3");
  fs::create_symlink(folder_ / "nowhere", out_ + ".partial-4");
  const SubprocessResult run = Score({pairs_, "-s", "levenshtein"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(ReadFile(out_), scores_);
  EXPECT_EQ(ReadFile(folder_ / "outside"), "kept");
  EXPECT_TRUE(fs::is_symlink(out_ + ".partial"));
  EXPECT_TRUE(fs::is_fifo(out_ + ".partial-2"));
  EXPECT_TRUE(fs::is_directory(out_ + ".partial-3"));
  EXPECT_FALSE(fs::exists(folder_ / "nowhere"));
}

// Somebody may have put a file of their own in its place.
TEST_F(OutputNamesTest, ANameThatIsTakenAwayIsNotRenamed) {
  Subprocess command(waiting_);
  StartWaiting(command, out_ + ".partial");
  fs::rename(out_ + ".partial", folder_ / "moved");
  WriteFile(out_ + ".partial", "the user's");
  const SubprocessResult run = command.Wait();
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("cannot rename " + out_ + ".partial to " + out_), std::string::npos) << run.err;
  EXPECT_EQ(ReadFile(out_ + ".partial"), "the user's");
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(OutputNamesTest, FilesObeyTheUmaskAndPrivateOnesStayPrivate) {
  using fs::perms;
  const auto mode = [](const std::string& path) { return fs::status(path).permissions(); };
  const mode_t mask = umask(027);
  EXPECT_EQ(Score({pairs_, "-s", "levenshtein", "--summary", summary_}).exit_code, 0);
  umask(mask);
  for (const std::string& file : {out_, out_ + ".manifest.json", summary_}) {
    EXPECT_EQ(mode(file), perms::owner_read | perms::owner_write | perms::group_read) << file;
  }
  chmod(out_.c_str(), 0600);
  Subprocess command(waiting_);
  StartWaiting(command, out_ + ".partial");
  EXPECT_EQ(mode(out_ + ".partial"), perms::owner_read | perms::owner_write);
  EXPECT_EQ(command.Wait().exit_code, 0);
  EXPECT_EQ(mode(out_), perms::owner_read | perms::owner_write);
}

// A good output was replaced by an empty one, and the run failed after that.
TEST_F(OutputNamesTest, NothingScoredReplacesNoEarlierOutput) {
  const std::vector<std::string> outputs = {out_, out_ + ".manifest.json", summary_};
  const std::string good = "{\n  \"manifest_kind\": 1}\n";
  for (const std::string& output : outputs) WriteFile(output, good);
  const std::string unscored = "{\"actual\": 1}\n{\"expected\": 1}\n[]\n";
  for (const std::string& input : {std::string(), std::string("\n"), std::string("[]"), unscored}) {
    const std::string file = folder_ / "in.json";
    WriteFile(file, input);
    const SubprocessResult run = Score({file, "-s", "json_similarity", "--summary", summary_});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find(input == unscored ? "not one record was scored" : "the input holds no records"),
              std::string::npos)
        << run.err;
    for (const std::string& output : outputs) EXPECT_EQ(ReadFile(output), good) << output;
    EXPECT_EQ(SplitLines(ReadFile(out_ + ".partial")).size(), input == unscored ? 3u : 0u);
    EXPECT_EQ(fs::exists(out_ + ".partial"), input == unscored);
    fs::remove(summary_ + ".partial");
  }
}

TEST_F(OutputNamesTest, FilesThatAConfigurationLeadsToAreSpared) {
  const fs::path data = std::string(LEAFSCORE_TEST_DATA) + "/origins";
  for (const char* const origin : {"uipath", "agentv"}) {
    fs::copy(data / origin, folder_ / origin, fs::copy_options::recursive);
  }
  WriteFile(folder_ / "agentv/outputs.jsonl", "{\"id\": \"one\", \"output\": \"alpha\"}\n");
  fs::copy(data / "agentv/graders", folder_ / "graders");
  WriteFile(folder_ / "ours.yaml", "scorers: [{type: code_judge, script: graders/reply.py}]\n");
  struct Case {
    std::string config;
    std::string read;  // by it
    std::string records;
  };
  const Case cases[] = {
      {"uipath/evaluations/eval-sets/weights.json", "uipath/evaluations/evaluators/em-key.json",
       "uipath/outputs/weights.jsonl"},
      {"agentv/include.eval.yaml", "agentv/.agentv/templates/basics.yaml", "agentv/outputs.jsonl"},
      {"agentv/scripts.eval.yaml", "agentv/graders/reply.py", "agentv/outputs.jsonl"},
      {"ours.yaml", "graders/reply.py", "agentv/outputs.jsonl"},
  };
  for (const Case& each : cases) {
    const std::string config = folder_ / each.config;
    const std::string read = folder_ / each.read;
    const std::string text = ReadFile(read);
    ASSERT_NE(text, "") << read;
    // A name that any output may have, for the same file.
    const std::string output = folder_ / "o.json";
    fs::remove(output);
    fs::create_symlink(read, output);
    ExpectRefused(RunCommand({"import", config, "-o", read}), "which this run uses too");
    ExpectRefused(RunCommand({"import", config, "-o", folder_ / "new.yaml", "--gold", output}),
                  "which this run uses too");
    ExpectRefused(RunCommand({"score", folder_ / each.records, "-c", config, "--actual-field", "output",
                              "--summary", output}),
                  "which this run uses too");
    ExpectRefused(RunCommand({"evaluate", "--trajectories", folder_ / "uipath", "--scenarios", pairs_,
                              "--reports-dir", folder_ / "reports", "-c", config, "--judge-cache", read}),
                  "which this run uses too");
    EXPECT_EQ(ReadFile(read), text);
  }
  EXPECT_FALSE(fs::exists(folder_ / "reports"));
  EXPECT_FALSE(fs::exists(folder_ / "new.yaml"));
}

TEST_F(OutputNamesTest, ReportsReplaceNoFileThatTheEvaluationReads) {
  fs::create_directories(folder_ / "reports");
  fs::create_directories(folder_ / "data/scenario_11");
  WriteFile(folder_ / "data/scenario_11/groundtruth.txt", "eleven\n");
  const std::string run =
      R"({"run_id": "c", "scenario_id": 11, "runner": "r", "model": "m", "answer": "eleven"})";
  const std::string config = R"({"scorers": [{"type": "exact_match"}]})";
  const std::string runs = folder_ / "reports/run.json";
  WriteFile(runs, run);
  WriteFile(folder_ / "reports/c.json", config);
  WriteFile(folder_ / "run.json", run);
  const auto evaluate = [&](const std::string& trajectories, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"evaluate",         "--trajectories", trajectories,
                                          "--scenarios",      folder_ / "data", "--reports-dir",
                                          folder_ / "reports"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunCommand(arguments);
  };
  ExpectRefused(evaluate(runs, {}), "a report could replace " + runs);
  ExpectRefused(evaluate(folder_ / "run.json", {"-c", folder_ / "reports/../reports/c.json"}),
                "could replace");
  EXPECT_EQ(ReadFile(runs), run);
  EXPECT_EQ(ReadFile(folder_ / "reports/c.json"), config);
}

// They were removed where their names begin so, the input of the run among them.
TEST_F(OutputNamesTest, ALongAnswerForAScriptRemovesNoFileFromTheTemporaryFolder) {
  const std::string input = folder_ / "leafscore-output-in.jsonl";
  WriteFile(input, R"({"id": 1, "expected": {"asserts": [{"type": "script", "script": "s"}]}, "actual": ")" +
                       std::string(60'000, 'a') + "\"}\n");
  WriteFile(folder_ / "leafscore-output-scores.jsonl", kTwoPairs);
  WriteFile(
      folder_ / "length.sh",
      R"sh(path=$(sed -n 's/.*"output_path": "\(.*\)".*/\1/p') && test "$(wc -c <"$path")" -eq 60000)sh");
  WriteFile(folder_ / "c.yaml", "scorers: [{type: asserts, scripts: {s: {command: [sh, length.sh]}}}]\n");
  const SubprocessResult run =
      RunCommand({"score", input, "-c", folder_ / "c.yaml", "-q", "-o", out_, "--fail-under", "1"}, {},
                 {.environment = {"TMPDIR=" + (folder_ / "")}});
  EXPECT_EQ(run.exit_code, 0) << run.err << ReadFile(out_);
  EXPECT_TRUE(fs::exists(input));
  EXPECT_EQ(ReadFile(folder_ / "leafscore-output-scores.jsonl"), kTwoPairs);
}

TEST_F(OutputNamesTest, AManifestReplacesNothingButAManifest) {
  const std::string manifest = out_ + ".manifest.json";
  for (const std::string content : {"", "{\"of\": \"another tool\"}\n", kTwoPairs}) {
    WriteFile(manifest, content);
    const SubprocessResult run = Score({"-s", "levenshtein", pairs_});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.err, "leafscore: " + manifest + " is not a manifest of scores, and the manifest of " +
                           out_ + " would replace it: move it away, or name another output\n");
    EXPECT_EQ(ReadFile(manifest), content);
    EXPECT_FALSE(fs::exists(out_));
    EXPECT_FALSE(fs::exists(out_ + ".partial"));
  }
  fs::remove(manifest);
  EXPECT_EQ(Score({"-s", "levenshtein", pairs_}).exit_code, 0);
  EXPECT_EQ(Score({"-s", "exact_match", pairs_}).exit_code, 0);
}

TEST_F(OutputNamesTest, ABaselineWithoutAManifestRemovesNoOtherFile) {
  ASSERT_EQ(Score({"-s", "levenshtein", pairs_}).exit_code, 0);
  fs::remove(out_ + ".manifest.json");
  const std::string baseline = folder_ / "baseline.jsonl";
  const std::string manifest = baseline + ".manifest.json";
  WriteFile(manifest, "the user's");
  const SubprocessResult run =
      RunCommand({"compare", out_, "--baseline", baseline, "--update-baseline", "--unverified"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(ReadFile(manifest), "the user's");
  EXPECT_FALSE(fs::exists(baseline));
}

// SQLite removes or writes over whatever lies there.
TEST_F(OutputNamesTest, ACacheReplacesNoFileBesideIt) {
  const std::string cache = folder_ / "cache";
  WriteFile(folder_ / "replies.jsonl", "");
  for (const char* const end : {"-journal", "-wal", "-shm"}) {
    for (const std::string content : {"", "the user's"}) {
      WriteFile(cache + end, content);
      const SubprocessResult run = RunCommand({"judge-cache", "import", cache, folder_ / "replies.jsonl"});
      EXPECT_EQ(run.exit_code, 2);
      EXPECT_NE(run.err.find("does not belong to the cache"), std::string::npos) << run.err;
      EXPECT_EQ(ReadFile(cache + end), content);
      EXPECT_FALSE(fs::exists(cache));
    }
    fs::remove(cache + end);
  }
}

}  // namespace
}  // namespace leafscore::internal
