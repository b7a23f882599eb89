// Runs of the command that do not come to their own end: signals, closed pipes, full disks.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "cli/subprocess.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

std::string Records(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += "{\"id\": " + std::to_string(i) + ", \"expected\": \"abcdef\", \"actual\": \"abcxyz\"}\n";
  }
  return text;
}

class InterruptedCommandTest : public ::testing::Test {
 protected:
  // Starts a run that reads a pipe, lets it score most of 50 records, and ends it by a signal.
  void EndBySignal(int signal, int exit_code) {
    Subprocess command({"score", "-", "-s", "levenshtein", "-o", out_, "--batch-bytes", "1"});
    command.WriteInput(Records(50) + "{\"id\": 50, \"expec");
    AwaitPartial(40);  // the reader may hold the last ones until more bytes come
    EXPECT_FALSE(std::filesystem::exists(out_));
    command.Signal(signal);
    // The input stays open until the output has ended, so that is due to the signal alone.
    EXPECT_EQ(command.ReadOutput(1), "");
    const SubprocessResult run = command.Wait();
    EXPECT_EQ(run.exit_code, exit_code);
    EXPECT_EQ(run.signal, 0);
    EXPECT_FALSE(std::filesystem::exists(out_));

    const std::string whole = RunCommand({"score", "-", "-q", "-s", "levenshtein"}, Records(50)).out;
    const std::string finished = ReadFile(out_ + ".partial");
    EXPECT_EQ(finished, whole.substr(0, finished.size()));
    EXPECT_TRUE(finished.ends_with('\n'));
    const std::string count = std::to_string(SplitLines(finished).size());
    EXPECT_NE(run.err.find("asked " + count + " = scored " + count +
                           " + unreadable 0 + unanswered 0 + errors 0: counts"),
              std::string::npos)
        << run.err;
    EXPECT_NE(run.err.find("the scores before that are in " + out_ + ".partial"), std::string::npos)
        << run.err;
  }

  // Waits until the partial output is there and holds that many lines.
  void AwaitPartial(std::ptrdiff_t lines) {
    const std::string partial = out_ + ".partial";
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!std::filesystem::exists(partial) || std::ranges::count(ReadFile(partial), '\n') < lines) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }

  TempDir folder_;
  const std::string out_ = folder_ / "out.jsonl";
};

TEST_F(InterruptedCommandTest, ControlC) { EndBySignal(SIGINT, 130); }
TEST_F(InterruptedCommandTest, Terminated) { EndBySignal(SIGTERM, 143); }
TEST_F(InterruptedCommandTest, TheTerminalCloses) { EndBySignal(SIGHUP, 129); }

// Once the search went on to its limit, for minutes where the text was long.
TEST_F(InterruptedCommandTest, TerminatedWhileAPatternSearches) {
  const auto record = [](const std::string& id, const std::string& pattern, const std::string& actual) {
    return "{\"id\": \"" + id + R"(", "expected": {"asserts": [{"type": "regex", "value": ")" + pattern +
           R"("}]}, "actual": ")" + actual + "\"}\n";
  };
  WriteFile(folder_ / "in.jsonl",
            record("quick", "a", "a") + record("endless", "(a+)+$", std::string(2 << 20, 'a') + "b"));
  std::vector<std::string> arguments = {
      "score", folder_ / "in.jsonl", "-q", "-s", "asserts", "--batch-bytes", "100", "-o", out_};
  Subprocess command(arguments);
  AwaitPartial(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // until the other record is read
  command.Signal(SIGTERM);
  const SubprocessResult run = command.Wait();
  EXPECT_EQ(run.exit_code, 143) << run.err;
  EXPECT_EQ(SplitLines(ReadFile(out_ + ".partial")).size(), 1u) << run.err;

  arguments.emplace_back("--resume");
  RunCommand(arguments);
  const std::vector<std::string> lines = SplitLines(ReadFile(out_));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[0].find("\"quick\""), std::string::npos);
  EXPECT_NE(lines[1].find("work_limit"), std::string::npos);
}

TEST_F(InterruptedCommandTest, InterruptedBeforeTheFirstRecord) {
  Subprocess command({"score", "-", "-q", "-s", "levenshtein", "-o", out_});
  AwaitPartial(0);
  command.Signal(SIGINT);
  EXPECT_EQ(command.ReadOutput(1), "");
  EXPECT_EQ(command.Wait().exit_code, 130);
  EXPECT_FALSE(std::filesystem::exists(out_ + ".partial"));  // it would be empty
}

TEST_F(InterruptedCommandTest, TheReaderGoesAway) {
  WriteFile(folder_ / "in.jsonl", Records(20000));
  const std::vector<std::string> arguments = {"score", folder_ / "in.jsonl", "-q", "-s", "levenshtein"};
  const std::string whole = RunCommand(arguments).out;
  for (const std::size_t bytes_read : {0, 1, 100, 70000}) {
    Subprocess command(arguments);
    EXPECT_EQ(command.ReadOutput(bytes_read), whole.substr(0, bytes_read));
    command.CloseOutput();
    const SubprocessResult run = command.Wait();
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find("cannot write standard output after "), std::string::npos) << run.err;
    EXPECT_NE(run.err.find(" bytes: Broken pipe"), std::string::npos) << run.err;
  }
}

TEST_F(InterruptedCommandTest, TheDiskIsFull) {
  WriteFile(folder_ / "in.jsonl", Records(2000));
  const std::vector<std::string> arguments = {"score",       folder_ / "in.jsonl", "-q", "-s",
                                              "levenshtein", "--batch-bytes",      "500"};
  const std::string whole = RunCommand(arguments).out;
  for (const std::uint64_t size : {0, 1, 1000, 54321}) {
    SubprocessOptions options;
    options.max_file_size = size;
    std::vector<std::string> with_output = arguments;
    with_output.insert(with_output.end(), {"-o", out_});
    const SubprocessResult run = RunCommand(with_output, {}, options);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.signal, 0);
    EXPECT_NE(run.err.find("cannot write " + out_ + " after "), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("File too large"), std::string::npos) << run.err;
    EXPECT_FALSE(std::filesystem::exists(out_));

    // Standard output cannot be renamed, but it ends on a whole record.
    std::filesystem::remove(folder_ / "stdout");
    options.output_path = folder_ / "stdout";
    EXPECT_EQ(RunCommand(arguments, {}, options).exit_code, 2);
    const std::string written = ReadFile(options.output_path);
    EXPECT_EQ(written, whole.substr(0, written.size()));
    EXPECT_TRUE(written.empty() || written.back() == '\n');
    EXPECT_LE(written.size(), size);
    EXPECT_GE(written.size() + 2000, size);
  }
}

TEST(InterruptedGenerate, ASignalLeavesNoFile) {
  const TempDir folder;
  const std::string out = folder / "pairs.jsonl";
  Subprocess command({"generate", "--pairs", "1000000000", "-o", out});
  while (!std::filesystem::exists(out + ".partial"))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  command.Signal(SIGINT);
  const SubprocessResult run = command.Wait();
  EXPECT_EQ(run.exit_code, 130);
  EXPECT_FALSE(std::filesystem::exists(out + ".partial"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(InterruptedGenerate, AClosedPipeIsAnError) {
  Subprocess command({"generate", "--pairs", "1000000000"});
  command.ReadOutput(100);
  command.CloseOutput();
  const SubprocessResult run = command.Wait();
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("standard output"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace leafscore::internal
