// engine/judge/latencies.h: a histogram of how long replies took. It has a fixed number of steps, each about
// 3% wide, so its memory does not grow with the number of replies. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_JUDGE_LATENCIES_H_
#define LEAFSCORE_ENGINE_JUDGE_LATENCIES_H_

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace leafscore::internal {

class Latencies {
 public:
  void Add(std::chrono::microseconds latency) {
    ++count_;
    ++counts_[StepOf(static_cast<std::uint64_t>(std::max<std::int64_t>(latency.count(), 0)))];
  }

  // Returns a percentile of the latencies by nearest rank, in seconds: the shortest time within which this
  // share of the replies arrived, rounded down to the resolution of the counts; nullopt if there are no
  // replies.
  std::optional<double> Percentile(double share) const {
    if (count_ == 0) return std::nullopt;
    const auto rank = std::max<std::uint64_t>(
        static_cast<std::uint64_t>(share * static_cast<double>(count_) + 0.999999), 1);
    std::uint64_t seen = 0;
    std::size_t step = 0;
    while ((seen += counts_[step]) < rank) ++step;
    return static_cast<double>(LeastOf(step)) * 1e-6;
  }

 private:
  // 32 steps for each power of two of microseconds.
  static constexpr unsigned kBits = 5;
  static constexpr std::size_t kSteps = (64 - kBits + 1) << kBits;

  static std::size_t StepOf(std::uint64_t value) {
    if (value < (1u << kBits)) return value;
    const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - 1 - kBits;
    return ((std::size_t{shift} + 1) << kBits) + ((value >> shift) & ((1u << kBits) - 1));
  }
  static std::uint64_t LeastOf(std::size_t step) {
    if (step < (1u << kBits)) return step;
    const std::size_t shift = (step >> kBits) - 1;
    return ((std::uint64_t{1} << kBits) + (step & ((1u << kBits) - 1))) << shift;
  }

  std::uint64_t count_ = 0;
  std::array<std::uint64_t, kSteps> counts_{};
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_LATENCIES_H_
