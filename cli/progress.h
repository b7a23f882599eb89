// cli/progress.h: the progress bar on standard error. A thread of its own reads the counters that the run
// updates, redraws one line ten times a second and clears it at the end. Without a terminal nothing happens.
#ifndef LEAFSCORE_CLI_PROGRESS_H_
#define LEAFSCORE_CLI_PROGRESS_H_

#include <unistd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "leafscore/options.h"
#include "leafscore/report.h"

namespace leafscore::internal {

struct ProgressState {
  std::uint64_t bytes = 0;
  std::uint64_t total_bytes = 0;  // 0: unknown
  std::uint64_t records = 0;
  double seconds = 0;  // since the start
  std::optional<JudgeReport> judges = {};
};

// Returns "[#####.....]  45%  1.2 GB/2.7 GB  812,000 records/s  ETA 0:12", cut to `columns`; only bytes and
// rate if the total is unknown. With judges, the rate of records is replaced by figures about replies, which
// decide how long the run takes: "412 replies  30/s  3 retries  2 without a score  0.0312 dollars".
std::string RenderProgress(const ProgressState& state, int columns, bool colour);

class ProgressBar {
 public:
  // If fd is a terminal, draws as soon as there is progress. `judges` may be null. REQUIRES: `progress`
  // outlives the bar.
  ProgressBar(int fd, const Progress& progress, std::shared_ptr<const Judges> judges = nullptr);

  // Clears the line, so that other text can be written.
  ~ProgressBar() = default;

 private:
  std::jthread thread_;
};

// Calls run(options) with counters in the options, shows its progress on standard error, and returns its
// result.
template <class Options, class Run>
auto WithProgress(Options options, Run run) {
  Progress progress;
  options.progress = &progress;
  std::shared_ptr<const Judges> judges;
  if constexpr (requires { options.judges; }) judges = options.judges;
  const ProgressBar bar(STDERR_FILENO, progress, std::move(judges));
  return run(options);
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_PROGRESS_H_
