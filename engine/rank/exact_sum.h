// engine/rank/exact_sum.h: a sum of scores that depends on no order, as that of ScoreDistribution, from which
// some may be taken away again. THREADS: one.
#ifndef LEAFSCORE_ENGINE_RANK_EXACT_SUM_H_
#define LEAFSCORE_ENGINE_RANK_EXACT_SUM_H_

#include <cstdint>
#include <optional>

namespace leafscore::internal {

class ExactSum {
 public:
  // Adds a score. REQUIRES: 0 <= score <= 1; what it has below 2^-62 is lost.
  void Add(double score) {
    sum_ += static_cast<std::uint64_t>(score * kUnits);
    ++count_;
  }
  ExactSum& operator+=(const ExactSum& other) {
    sum_ += other.sum_;
    count_ += other.count_;
    return *this;
  }
  // REQUIRES: it was added.
  ExactSum& operator-=(const ExactSum& other) {
    sum_ -= other.sum_;
    count_ -= other.count_;
    return *this;
  }

  std::uint64_t count() const { return count_; }
  // RETURNS: nothing when there are no scores.
  std::optional<double> Mean() const {
    if (count_ == 0) return std::nullopt;
    return static_cast<double>(static_cast<std::uint64_t>(sum_ / count_)) / kUnits;
  }

 private:
  static constexpr double kUnits = 0x1p62;

  unsigned __int128 sum_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_EXACT_SUM_H_
