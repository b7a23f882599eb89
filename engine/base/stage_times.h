// engine/base/stage_times.h: where the processor time of a run goes, stage by stage, and how much of it in
// stages of which only one thread at a time may be in one: that part caps how many cores a run can use.
// THREADS: times may be added by any; a scope belongs to its thread.
#ifndef LEAFSCORE_ENGINE_BASE_STAGE_TIMES_H_
#define LEAFSCORE_ENGINE_BASE_STAGE_TIMES_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "leafscore/report.h"

namespace leafscore::internal {

enum class Stage : std::uint8_t {
  kSource,
  kUnpack,
  kRead,
  kInputChecksum,
  kFlatten,
  kMatch,
  kDistances,
  kReduce,
  kFormat,
  kStatistics,
  kJournal,
  kOutputChecksum,
  kSink,
  kAppend,
};

class StageTimes {
 public:
  void Add(Stage stage, bool is_serial, std::int64_t nanoseconds) {
    times_[2 * static_cast<std::size_t>(stage) + (is_serial ? 1 : 0)].fetch_add(nanoseconds,
                                                                                std::memory_order_relaxed);
  }

  // Returns the times of all stages. What the process has taken beside them since this was made, of its
  // `seconds` of processor time, is the last one, "other".
  std::vector<StageTime> Report(double seconds) const;

 private:
  static constexpr std::size_t kStages = static_cast<std::size_t>(Stage::kAppend) + 1;

  std::array<std::atomic<std::int64_t>, 2 * kStages> times_{};  // in nanoseconds
};

// A stage that its thread is in as long as this lives, less the stages within it. COST: two readings of the
// clock where times are wanted, which count as "other"; else none.
class StageScope {
 public:
  // Begins a stage of a run that wants no times where `times` is null.
  StageScope(StageTimes* times, Stage stage, bool is_serial);
  // Begins a stage within another one, if that is timed.
  explicit StageScope(Stage stage);
  ~StageScope();
  StageScope(const StageScope&) = delete;
  StageScope& operator=(const StageScope&) = delete;

  // Returns where this thread's stages are counted now, for threads that work for it; null: nowhere.
  static StageTimes* Times();

 private:
  void Begin();

  StageTimes* times_;
  Stage stage_;
  bool is_serial_;
  StageScope* outer_ = nullptr;
  std::int64_t begin_ = 0;  // of what was not added yet, in the thread's processor time
};

// Returns the processor time that this process has taken, in seconds.
double ProcessSeconds();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_STAGE_TIMES_H_
