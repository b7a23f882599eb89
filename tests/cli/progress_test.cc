#include "cli/progress.h"

#include <gtest/gtest.h>
#include <termios.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/cli/pseudo_terminal.h"

namespace leafscore::internal {
namespace {

TEST(RenderProgress, WithATotal) {
  EXPECT_EQ(RenderProgress({1'200'000'000, 2'700'000'000, 8'120'000, 10}, 100, false),
            "[########............]  44%  1.2 GB/2.7 GB  812,000 records/s  ETA 0:13");
  EXPECT_EQ(RenderProgress({0, 1'000, 0, 0}, 100, false),
            "[....................]   0%  0 B/1.0 kB  0 records/s");
  EXPECT_EQ(RenderProgress({999, 1'000, 5, 1}, 100, false),
            "[###################.]  99%  999 B/1.0 kB  5 records/s  ETA 0:00");
  EXPECT_EQ(RenderProgress({1'000, 1'000, 5, 1}, 100, false),
            "[####################] 100%  1.0 kB/1.0 kB  5 records/s  ETA 0:00");
  // The file grew after its size was taken.
  EXPECT_EQ(RenderProgress({1'001, 1'000, 5, 1}, 100, false),
            "[####################] 100%  1.0 kB/1.0 kB  5 records/s  ETA 0:00");
}

TEST(RenderProgress, WithoutATotal) {
  EXPECT_EQ(RenderProgress({1'200'000'000, 0, 8'120'000, 10}, 100, false), "1.2 GB  812,000 records/s");
  EXPECT_EQ(RenderProgress({0, 0, 0, 0}, 100, false), "0 B  0 records/s");
}

// The replies of judges decide how long a run takes, not the bytes.
TEST(RenderProgress, WithJudges) {
  JudgeReport judges;
  EXPECT_EQ(RenderProgress({0, 1'000, 0, 2, judges}, 200, false),
            "[....................]   0%  0 B/1.0 kB  0 replies  0/s");
  judges.requests = 1'000;
  judges.retries = 3;
  judges.cached = 3;
  judges.cost = 0.03124;
  judges.faults = {{RejectReason::kJudgeSchema, 2, "no"}, {RejectReason::kJudgeTimeout, 1, "late"}};
  EXPECT_EQ(RenderProgress({0, 0, 0, 10, judges}, 200, false),
            "0 B  1,000 replies  100/s  3 retries  3 without a score  0.0312 dollars");
}

TEST(RenderProgress, Times) {
  const auto eta = [](double seconds) {
    const std::string line = RenderProgress({1, 2, 0, seconds}, 100, false);
    return line.substr(line.find("ETA "));
  };
  EXPECT_EQ(eta(59), "ETA 0:59");
  EXPECT_EQ(eta(60), "ETA 1:00");
  EXPECT_EQ(eta(3599), "ETA 59:59");
  EXPECT_EQ(eta(3600), "ETA 1:00:00");
  EXPECT_EQ(eta(1e30), "ETA 99:00:00");
}

TEST(RenderProgress, StaysWithinTheColumns) {
  const ProgressState state{500, 1'000, 0, 1};
  const std::string whole = RenderProgress(state, 1'000, false);
  const int length = static_cast<int>(whole.size());
  EXPECT_EQ(RenderProgress(state, length + 1, false), whole);
  EXPECT_EQ(RenderProgress(state, length, false), whole.substr(0, whole.size() - 1));
  EXPECT_EQ(RenderProgress(state, 1, false), "");
  EXPECT_EQ(RenderProgress(state, 0, false), "");
  EXPECT_EQ(RenderProgress(state, 4, true), "\x1b[36m[##\x1b[0m");
}

TEST(ProgressBar, DrawsAtOnceAndClearsAtTheEnd) {
  setenv("TERM", "xterm", 1);
  setenv("NO_COLOR", "1", 1);
  PseudoTerminal terminal(100);
  Progress counters;
  counters.total_bytes = 1'000;
  counters.bytes = 500;
  { const ProgressBar bar(terminal.terminal(), counters); }
  const std::string text = terminal.Read();
  EXPECT_EQ(text.rfind("\r[##########..........]  50%  500 B/1.0 kB  0 records/s", 0), 0u) << text;
  const std::string clear = "\r\x1b[K";
  ASSERT_GE(text.size(), clear.size());
  EXPECT_EQ(text.substr(text.size() - clear.size()), clear);
}

TEST(ProgressBar, FollowsTheCounters) {
  setenv("TERM", "xterm", 1);
  setenv("NO_COLOR", "1", 1);
  PseudoTerminal terminal(100);
  Progress counters;
  counters.total_bytes = 1'000;
  const ProgressBar bar(terminal.terminal(), counters);
  counters.bytes = 1'000;
  std::string text;
  while (text.find("100%") == text.npos) text += terminal.Read();
}

TEST(ProgressBar, DoesNotWaitForATerminalThatWasHalted) {
  setenv("TERM", "xterm", 1);
  PseudoTerminal terminal(100);
  ASSERT_EQ(tcflow(terminal.terminal(), TCOOFF), 0);
  Progress counters;
  counters.bytes = 1;
  { const ProgressBar bar(terminal.terminal(), counters); }
  EXPECT_EQ(terminal.Read(), "");
}

TEST(ProgressBar, SilentWithoutATerminal) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  Progress counters;
  counters.total_bytes = 1'000;
  { const ProgressBar bar(ends[1], counters); }
  close(ends[1]);
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

}  // namespace
}  // namespace leafscore::internal
