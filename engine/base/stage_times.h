// engine/base/stage_times.h: measures how long a run takes, and how it spends its processor time, stage by
// stage. Time in serial stages is counted separately: only one thread at a time may run such a stage, so
// these stages limit how many cores a run can use. THREADS: any thread may add times; a scope belongs to its
// thread.
#ifndef LEAFSCORE_ENGINE_BASE_STAGE_TIMES_H_
#define LEAFSCORE_ENGINE_BASE_STAGE_TIMES_H_

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
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

  // Returns the times of all stages. The last one, "other", is the rest of the `seconds` of processor time
  // that the process has used since this object was made.
  std::vector<StageTime> Report(double seconds) const;

 private:
  static constexpr std::size_t kStages = static_cast<std::size_t>(Stage::kAppend) + 1;

  std::array<std::atomic<std::int64_t>, 2 * kStages> times_{};  // in nanoseconds
};

// Times a stage of this thread during the lifetime of this object, without the stages that are nested in it.
// COST: two readings of the clock, which count as "other"; nothing if times are not wanted.
class StageScope {
 public:
  // Begins a stage. If `times` is null, the run wants no times.
  StageScope(StageTimes* times, Stage stage, bool is_serial);
  // Begins a stage within another one, if the outer one is timed.
  explicit StageScope(Stage stage);
  ~StageScope();
  StageScope(const StageScope&) = delete;
  StageScope& operator=(const StageScope&) = delete;

  // Returns the object to which this thread's stages now add their times, or null if they are not timed. The
  // caller passes it to threads that work on its behalf.
  static StageTimes* Times();

 private:
  void Begin();

  StageTimes* times_;
  Stage stage_;
  bool is_serial_;
  StageScope* outer_ = nullptr;
  std::int64_t begin_ = 0;  // the processor time of the thread when time was last added
};

// Returns the processor time that this process has used, in seconds.
double ProcessSeconds();

// Measures how long a run takes.
class RunClock {
 public:
  explicit RunClock(bool has_stages) {
    if (has_stages) stages_.emplace();
  }

  StageTimes* stages() { return stages_ ? &*stages_ : nullptr; }  // null if not wanted

  double WallSeconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  std::vector<StageTime> Stages() const {
    return stages_ ? stages_->Report(ProcessSeconds() - start_seconds_) : std::vector<StageTime>();
  }

 private:
  std::optional<StageTimes> stages_;
  const double start_seconds_ = ProcessSeconds();
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_STAGE_TIMES_H_
