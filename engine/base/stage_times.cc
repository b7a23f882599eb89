#include "engine/base/stage_times.h"

#include <algorithm>
#include <ctime>

namespace leafscore::internal {
namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;  // in a second
constexpr std::array kStageNames = {"source",  "unpack",          "read",   "input checksum", "flatten",
                                    "match",   "distances",       "reduce", "format",         "statistics",
                                    "journal", "output checksum", "sink",   "append"};

thread_local StageScope* innermost_scope = nullptr;

std::int64_t TimeOf(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return time.tv_sec * kNanoseconds + time.tv_nsec;
}

std::int64_t ThreadTime() { return TimeOf(CLOCK_THREAD_CPUTIME_ID); }

// Returns the time between two readings of the clock, minus the time that a reading takes. A reading is a
// system call, which takes longer than some stages.
std::int64_t Between(std::int64_t begin, std::int64_t end) {
  static const std::int64_t reading = [] {
    std::int64_t least = kNanoseconds;
    for (int i = 0; i < 100; ++i) {
      const std::int64_t first = ThreadTime();
      least = std::min(least, ThreadTime() - first);
    }
    return least;
  }();
  return std::max<std::int64_t>(end - begin - reading, 0);
}

double InSeconds(std::int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / static_cast<double>(kNanoseconds);
}

}  // namespace

double ProcessSeconds() { return InSeconds(TimeOf(CLOCK_PROCESS_CPUTIME_ID)); }

std::vector<StageTime> StageTimes::Report(double seconds) const {
  static_assert(kStageNames.size() == kStages);
  std::vector<StageTime> stages;
  for (std::size_t s = 0; s < kStages; ++s) {
    stages.push_back({kStageNames[s], InSeconds(times_[2 * s]), InSeconds(times_[2 * s + 1])});
    seconds -= stages.back().parallel_seconds + stages.back().serial_seconds;
  }
  stages.push_back({"other", seconds, 0});
  return stages;
}

StageScope::StageScope(StageTimes* times, Stage stage, bool is_serial)
    : times_(times), stage_(stage), is_serial_(is_serial) {
  Begin();
}

StageScope::StageScope(Stage stage)
    : times_(Times()), stage_(stage), is_serial_(innermost_scope != nullptr && innermost_scope->is_serial_) {
  Begin();
}

StageTimes* StageScope::Times() { return innermost_scope == nullptr ? nullptr : innermost_scope->times_; }

void StageScope::Begin() {
  if (times_ == nullptr) return;
  begin_ = ThreadTime();
  outer_ = innermost_scope;
  if (outer_ != nullptr)
    outer_->times_->Add(outer_->stage_, outer_->is_serial_, Between(outer_->begin_, begin_));
  innermost_scope = this;
}

StageScope::~StageScope() {
  if (times_ == nullptr) return;
  const std::int64_t end = ThreadTime();
  times_->Add(stage_, is_serial_, Between(begin_, end));
  if (outer_ != nullptr) outer_->begin_ = end;
  innermost_scope = outer_;
}

}  // namespace leafscore::internal
