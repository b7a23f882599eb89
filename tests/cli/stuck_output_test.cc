// Outputs whose reader does not read, or is not there, and records that come slowly.
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

namespace leafscore::internal {
namespace {

constexpr std::chrono::seconds kEndsWithin{2};
constexpr std::chrono::milliseconds kUntilStuck{300};

std::string Record(int id) {
  return "{\"id\": " + std::to_string(id) + ", \"expected\": \"abcdef\", \"actual\": \"abcxyz\"}\n";
}

class StuckOutputTest : public ::testing::Test {
 protected:
  StuckOutputTest() {
    std::string text;
    for (int i = 0; i < 20000; ++i) text += Record(i);
    std::string leaves = "[1";
    for (int i = 0; i < 20000; ++i) leaves += ", 1";
    WriteFile(pairs_, text);
    WriteFile(folder_ / "long.json", "[{\"expected\": " + leaves + "], \"actual\": []}]");
  }

  TempDir folder_;
  const std::string pairs_ = folder_ / "pairs.jsonl";
  const std::string fifo_ = folder_ / "fifo";
};

TEST_F(StuckOutputTest, ASignalEndsARunWhoseReaderIsStuck) {
  const std::vector<std::string> score = {"score", pairs_, "-q", "-s", "levenshtein"};
  const std::vector<std::string> generate = {"generate", "--pairs", "1000"};
  const std::vector<std::string> explain = {"explain", "1", folder_ / "long.json", "-s", "json_similarity"};
  for (const std::vector<std::string>& arguments : {score, generate, explain}) {
    const std::string whole = RunCommand(arguments).out;
    for (const int signal : {SIGINT, SIGTERM}) {
      Subprocess command(arguments);
      std::string out = command.ReadOutput(1);
      std::this_thread::sleep_for(kUntilStuck);
      command.Signal(signal);
      EXPECT_TRUE(command.EndsWithin(kEndsWithin)) << arguments[0];
      const SubprocessResult run = command.Wait();
      out += run.out;
      EXPECT_EQ(run.exit_code, 128 + signal) << run.err;
      EXPECT_LT(out.size(), whole.size());
      EXPECT_EQ(out, whole.substr(0, out.size()));
      EXPECT_TRUE(out.ends_with('\n'));
    }
  }
}

TEST_F(StuckOutputTest, ASignalEndsTheWaitForAReader) {
  ASSERT_EQ(mkfifo(fifo_.c_str(), 0600), 0);
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"score", pairs_, "-q", "-s", "levenshtein", "-o", fifo_},
           {"score", pairs_, "-q", "-s", "levenshtein", "-o", folder_ / "out", "--summary", fifo_},
           {"generate", "--pairs", "1", "-o", fifo_}}) {
    Subprocess command(arguments);
    command.AwaitHandler(SIGTERM);
    std::this_thread::sleep_for(kUntilStuck);
    command.Signal(SIGTERM);
    EXPECT_TRUE(command.EndsWithin(kEndsWithin)) << arguments[0];
    const SubprocessResult run = command.Wait();
    EXPECT_EQ(run.exit_code, 143);
    EXPECT_EQ(run.err, "leafscore: stopped while waiting for the reader of " + fifo_ + "\n");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out.partial"));
  }
}

TEST_F(StuckOutputTest, ASignalEndsTheWaitForAConfiguration) {
  ASSERT_EQ(mkfifo(fifo_.c_str(), 0600), 0);
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"score", pairs_, "-c", fifo_}, {"explain", "1", pairs_, "-c", fifo_}}) {
    Subprocess command(arguments);
    std::this_thread::sleep_for(kUntilStuck);
    command.Signal(SIGTERM);
    EXPECT_TRUE(command.EndsWithin(kEndsWithin)) << arguments[0];
  }
}

TEST_F(StuckOutputTest, AReaderThatComesLateGetsAll) {
  ASSERT_EQ(mkfifo(fifo_.c_str(), 0600), 0);
  const std::string whole = RunCommand({"score", pairs_, "-q", "-s", "levenshtein"}).out;
  Subprocess command({"score", pairs_, "-q", "-s", "levenshtein", "-o", fifo_});
  std::this_thread::sleep_for(kUntilStuck);
  EXPECT_EQ(ReadFile(fifo_), whole);
  EXPECT_EQ(command.Wait().exit_code, 0);
}

TEST_F(StuckOutputTest, DiagnosticsThatNobodyReadsDoNotHoldUpASignal) {
  ASSERT_EQ(mkfifo(fifo_.c_str(), 0600), 0);
  const int full = open(fifo_.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  const std::string page(4096, 'x');
  while (write(full, page.data(), page.size()) > 0) continue;
  const std::string summary = folder_ / "summary.json";
  Subprocess command({"score", pairs_, "-s", "levenshtein", "-o", folder_ / "out", "--summary", summary},
                     {.error_path = fifo_});
  while (!std::filesystem::exists(folder_ / "out") && !command.EndsWithin(std::chrono::milliseconds(1)))
    continue;
  command.Signal(SIGTERM);
  EXPECT_TRUE(command.EndsWithin(kEndsWithin));
  EXPECT_EQ(command.Wait().signal, 0);
  EXPECT_NE(ReadFile(summary).find("\"records_read\": 20000"), std::string::npos);
  close(full);
}

// Records were held back until a batch was full or the input ended.
TEST_F(StuckOutputTest, ASlowPipesRecordsComeOutOneByOne) {
  for (const std::string threads : {"1", "2", "4"}) {
    Subprocess command({"score", "-", "-q", "-s", "levenshtein", "--threads", threads});
    for (int i = 0; i < 3; ++i) {
      const std::string line = RunCommand({"score", "-", "-q", "-s", "levenshtein"}, Record(i)).out;
      command.WriteInput(Record(i) + "{\"id\": 4, ");
      EXPECT_EQ(command.ReadOutput(line.size()), line);
      command.WriteInput("\"expected\": 1");
      command.WriteInput("}\n");
      command.ReadOutput(1);
      while (!command.ReadOutput(1).ends_with('\n')) continue;
    }
    EXPECT_EQ(command.Wait().exit_code, 0);
  }
}

}  // namespace
}  // namespace leafscore::internal
