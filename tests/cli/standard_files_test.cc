// Standard files that are closed, full or without a reader: no other file gets what was meant for them, and
// lost diagnostics lose no results. Every command.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "cli/subprocess.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

constexpr char kStandardPairs[] =
    "{\"id\": 1, \"expected\": \"abcd\", \"actual\": \"abcd\"}\n"
    "{\"id\": 2, \"expected\": \"abcd\", \"actual\": \"abxx\"}\n";

class StandardFilesTest : public ::testing::Test {
 protected:
  StandardFilesTest() {
    WriteFile(pairs_, kStandardPairs);
    fs::create_directories(folder_ / "runs");
    fs::create_directories(folder_ / "data/scenario_11");
    WriteFile(folder_ / "data/scenario_11/groundtruth.txt", "eleven\n");
    WriteFile(folder_ / "runs/a.json",
              R"({"run_id": "a", "scenario_id": 11, "runner": "r", "model": "m", "answer": "eleven"})");
    // A file without a manifest is a warning.
    WriteFile(folder_ / "scores.jsonl", RunCommand({"score", pairs_, "-q", "-s", "levenshtein"}).out);
  }

  // Runs a command whose files go to a new folder, and returns these with their bytes. What tells times is
  // left out.
  std::vector<std::string> FilesOf(const Arguments& arguments, const SubprocessOptions& options = {}) {
    fs::remove_all(folder_ / "new");
    fs::create_directories(folder_ / "new");
    SubprocessOptions with_time = options;
    with_time.environment.emplace_back("SOURCE_DATE_EPOCH=0");
    run_ = RunCommand(arguments, kStandardPairs, with_time);
    run_.out = std::regex_replace(run_.out, std::regex(" in [0-9.]+ s: .*"), "");
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "new")) {
      if (!entry.is_regular_file()) continue;
      std::string bytes = ReadFile(entry.path());
      bytes.resize(std::min(bytes.size(), bytes.find("\"timing\"")));  // which comes last
      files.push_back(entry.path().string() + ": " + bytes);
    }
    std::ranges::sort(files);
    return files;
  }

  TempDir folder_;
  const std::string pairs_ = folder_ / "pairs.jsonl";
  const std::string out_ = folder_ / "new/out.jsonl";
  // Commands that write their results to standard output, with something to say on standard error or not.
  const std::vector<Arguments> printing_ = {
      {"score", pairs_, "-s", "levenshtein"},
      {"score", "-", "-s", "levenshtein", "--summary", folder_ / "new/s.json"},
      {"evaluate", "--trajectories", folder_ / "runs", "--scenarios", folder_ / "data", "--reports-dir",
       folder_ / "new/reports", "--scenario-ids", "11,12"},
      {"leaderboard", "--unverified", folder_ / "scores.jsonl"},
      {"explain", "2", pairs_, "-s", "levenshtein"},
      {"lint", pairs_, pairs_, "-s", "levenshtein"},
      {"generate", "--pairs", "3"},
      {"scorers"},
      {"--help"},
      {"--version"}};
  // Commands that write nothing to standard output.
  const std::vector<Arguments> silent_ = {
      {"score", pairs_, "-s", "levenshtein", "-o", out_, "--summary", folder_ / "new/s.json"},
      {"score", pairs_, "-s", "levenshtein", "-o", out_, "--fail-under", "0.9"},
      {"score", "-", "-s", "levenshtein", "-o", out_, "--actual-field", "actul"},
      {"score", "--no-such-option"},
      {"evaluate", "-q", "--trajectories", folder_ / "runs", "--scenarios", folder_ / "data", "--reports-dir",
       folder_ / "new/reports", "--scenario-ids", "11,12"},
      {"lint", pairs_, "-s", "levenshtein", "-o", folder_ / "new/lint.json"},
      {"generate", "--pairs", "3", "-o", out_}};
  SubprocessResult run_;
};

// A file that took the number of a closed standard file got the table that was meant for it.
TEST_F(StandardFilesTest, AFileTakesThePlaceOfNone) {
  for (const Arguments& arguments : silent_) {
    const std::vector<std::string> files = FilesOf(arguments);
    const int exit_code = run_.exit_code;
    for (const std::vector<int>& closed : std::vector<std::vector<int>>{{2}, {1}, {1, 2}, {0}, {0, 1, 2}}) {
      const bool closes_input = closed[0] == 0 && std::ranges::find(arguments, "-") != arguments.end();
      if (closes_input) continue;
      EXPECT_EQ(FilesOf(arguments, {.closed = closed}), files) << arguments[0];
      EXPECT_EQ(run_.exit_code, exit_code) << arguments[0] << run_.err;
      EXPECT_EQ(run_.out, "");
    }
  }
}

TEST_F(StandardFilesTest, AClosedOutputIsAnErrorOfWhatIsWrittenToIt) {
  for (const Arguments& arguments : printing_) {
    for (const std::vector<int>& closed : std::vector<std::vector<int>>{{1}, {0, 1}, {1, 2}}) {
      if (closed[0] == 0 && arguments[0] == "score" && arguments[1] == "-") continue;
      FilesOf(arguments, {.closed = closed});
      EXPECT_EQ(run_.exit_code, 2) << arguments[0];
      if (closed.back() == 1) {
        EXPECT_NE(run_.err.find("cannot write standard output"), std::string::npos) << run_.err;
        EXPECT_NE(run_.err.find(": Bad file descriptor"), std::string::npos) << run_.err;
      }
    }
  }
}

TEST_F(StandardFilesTest, AClosedInputIsAnErrorOfWhatIsReadFromIt) {
  EXPECT_EQ(FilesOf({"score", "-", "-s", "levenshtein", "-o", out_}, {.closed = {0}}),
            std::vector<std::string>());
  ExpectRefused(run_, "cannot read standard input after 0 bytes: Bad file descriptor");
}

TEST_F(StandardFilesTest, LostDiagnosticsLoseNoResults) {
  for (const std::vector<Arguments>& commands : {printing_, silent_}) {
    for (const Arguments& arguments : commands) {
      const std::vector<std::string> files = FilesOf(arguments);
      const SubprocessResult whole = run_;
      for (const SubprocessOptions& options : std::initializer_list<SubprocessOptions>{
               {.error_path = "/dev/full"}, {.error_unread = true}, {.closed = {2}}}) {
        EXPECT_EQ(FilesOf(arguments, options), files) << arguments[0];
        EXPECT_EQ(run_.exit_code, whole.exit_code) << arguments[0];
        EXPECT_EQ(run_.signal, 0) << arguments[0];
        EXPECT_EQ(run_.out, whole.out) << arguments[0];
      }
    }
  }
}

TEST_F(StandardFilesTest, AFullOutputIsAnErrorWhoeverHearsOfIt) {
  for (const Arguments& arguments : printing_) {
    FilesOf(arguments, {.output_path = "/dev/full", .error_path = "/dev/full"});
    EXPECT_EQ(run_.exit_code, 2) << arguments[0];
    EXPECT_EQ(run_.signal, 0) << arguments[0];
  }
}

// Appending to the file that is read would never end, and replacing it would lose it.
TEST_F(StandardFilesTest, OutputsAreNotTheStandardFiles) {
  const std::string copy = folder_ / "copy.json";
  WriteFile(copy, kStandardPairs);
  const SubprocessOptions appending = {.output_path = copy};
  for (const Arguments& arguments :
       std::vector<Arguments>{{"score", copy, "-s", "levenshtein"},
                              {"score", pairs_, "--gold", copy, "-s", "levenshtein"},
                              {"score", pairs_, "-s", "levenshtein", "--summary", copy}}) {
    const SubprocessResult run = RunCommand(arguments, {}, appending);
    ExpectRefused(run, " would change ");
    EXPECT_EQ(ReadFile(copy), kStandardPairs);
  }
}

}  // namespace
}  // namespace leafscore::internal
