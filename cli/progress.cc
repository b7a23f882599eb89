#include "cli/progress.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/terminal.h"
#include "engine/render/cells.h"
#include "leafscore/judges.h"

namespace leafscore::internal {
namespace {

constexpr std::chrono::milliseconds kRedrawInterval{100};
constexpr std::size_t kBarColumns = 20;
constexpr double kMaxSecondsLeft = 99 * 3600;  // a longer time is shown as this one

std::string Clock(std::uint64_t seconds) {
  const std::uint64_t minutes = seconds / 60;
  if (minutes < 60) return fmt::format("{}:{:02}", minutes, seconds % 60);
  return fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, seconds % 60);
}

// Returns false if the terminal is gone. If the terminal is halted, writes nothing, because progress is not
// worth waiting for.
bool Write(int fd, std::string_view text) {
  pollfd writable{fd, POLLOUT, 0};
  if (poll(&writable, 1, 0) == 0) return true;
  return ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

void DrawUntilStopped(const std::stop_token& stop, int fd, const Progress& progress, const Judges* judges) {
  const bool colour = UseColour(fd);
  const auto start = std::chrono::steady_clock::now();
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any never_notified;
  bool drawn = false;
  for (bool last = false; !last;) {
    last = stop.stop_requested();  // so that even a short run is drawn once
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    const ProgressState state{progress.bytes.load(std::memory_order_relaxed),
                              progress.total_bytes.load(std::memory_order_relaxed),
                              progress.records.load(std::memory_order_relaxed), elapsed.count(),
                              judges == nullptr ? std::nullopt : std::optional(ReportOf(*judges))};
    if (state.total_bytes + state.bytes + state.records != 0) {
      drawn = true;
      if (!Write(fd, fmt::format("\r{}\x1b[K", RenderProgress(state, TerminalColumns(fd), colour)))) break;
    }
    never_notified.wait_for(lock, stop, kRedrawInterval, [] { return false; });
  }
  if (drawn) Write(fd, "\r\x1b[K");
}

// Returns for example "412 replies  30/s  3 retries  2 without a score  0.0312 dollars".
std::string JudgesProgress(const JudgeReport& judges, double seconds) {
  const std::uint64_t replies = judges.requests - judges.retries + judges.cached;
  std::string text = fmt::format("{} replies  {:.0f}/s", WithThousands(replies),
                                 seconds > 0 ? static_cast<double>(replies) / seconds : 0);
  if (judges.retries != 0) text += fmt::format("  {} retries", WithThousands(judges.retries));
  std::uint64_t faults = 0;
  for (const JudgeFault& fault : judges.faults) faults += fault.count;
  if (faults != 0) text += fmt::format("  {} without a score", WithThousands(faults));
  if (judges.cost) text += fmt::format("  {:.4f} dollars", *judges.cost);
  return text;
}

}  // namespace

std::string RenderProgress(const ProgressState& state, int columns, bool colour) {
  const double done = static_cast<double>(state.bytes);
  const double total = static_cast<double>(std::max(state.total_bytes, state.bytes));
  const auto records_per_second =
      static_cast<std::uint64_t>(state.seconds > 0 ? static_cast<double>(state.records) / state.seconds : 0);

  std::string line;
  if (state.total_bytes > 0) {
    const double fraction = done / total;
    const auto filled = static_cast<std::size_t>(fraction * kBarColumns);
    line =
        fmt::format("[{}{}] {:3}%  {}/{}", std::string(filled, '#'), std::string(kBarColumns - filled, '.'),
                    static_cast<int>(fraction * 100), HumanBytes(state.bytes), HumanBytes(state.total_bytes));
  } else {
    line = HumanBytes(state.bytes);
  }
  line += "  " + (state.judges ? JudgesProgress(*state.judges, state.seconds)
                               : WithThousands(records_per_second) + " records/s");
  if (state.total_bytes > 0 && state.bytes > 0) {
    const double seconds_left = std::min(state.seconds * (total - done) / done, kMaxSecondsLeft);
    line += "  ETA " + Clock(static_cast<std::uint64_t>(std::llround(seconds_left)));
  }

  // One column stays free: some terminals wrap when the last one is written.
  line.resize(std::min(line.size(), static_cast<std::size_t>(std::max(columns - 1, 0))));
  return colour ? "\x1b[36m" + line + "\x1b[0m" : line;
}

ProgressBar::ProgressBar(int fd, const Progress& progress, std::shared_ptr<const Judges> judges) {
  if (!IsInteractive(fd)) return;
  try {
    thread_ = std::jthread([fd, &progress, judges = std::move(judges)](const std::stop_token& stop) {
      DrawUntilStopped(stop, fd, progress, judges.get());
    });
  } catch (const std::system_error&) {
    // A run without a progress bar is better than none.
  }
}

}  // namespace leafscore::internal
