// engine/run/progress_counters.h: how far a run is, for whoever shows it. The run adds once a batch, any
// thread may read; the two counts are not read together atomically.
#ifndef LEAFSCORE_ENGINE_RUN_PROGRESS_COUNTERS_H_
#define LEAFSCORE_ENGINE_RUN_PROGRESS_COUNTERS_H_

#include <atomic>
#include <cstdint>

namespace leafscore::internal {

struct ProgressCounters {
  std::atomic<std::uint64_t> bytes{
      0};  // of the input files as they lie on disk (compressed ones: compressed)
  std::atomic<std::uint64_t> records{0};
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_PROGRESS_COUNTERS_H_
