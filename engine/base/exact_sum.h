// engine/base/exact_sum.h: sums of scores or shares that do not depend on the order of addition. Each value
// is rounded down to a multiple of 2^-62. A sum has room for 2^63 values. THREADS: one writer, as for an int.
#ifndef LEAFSCORE_ENGINE_BASE_EXACT_SUM_H_
#define LEAFSCORE_ENGINE_BASE_EXACT_SUM_H_

#include <cstdint>
#include <optional>

namespace leafscore::internal {

class ExactSum {
 public:
  // Adds a score. REQUIRES: 0 <= score <= 1.
  void Add(double score) {
    sum_ += InUnits(score);
    ++count_;
  }
  ExactSum& operator+=(const ExactSum& other) {
    sum_ += other.sum_;
    count_ += other.count_;
    return *this;
  }
  // REQUIRES: `other` was added.
  ExactSum& operator-=(const ExactSum& other) {
    sum_ -= other.sum_;
    count_ -= other.count_;
    return *this;
  }

  std::uint64_t count() const { return count_; }

  // Returns the sum, rounded once.
  double Total() const { return static_cast<double>(sum_) / kUnits; }

  // Returns this sum minus the other one, rounded once.
  double Above(const ExactSum& other) const {
    __extension__ using Wide = __int128;
    return static_cast<double>(static_cast<Wide>(sum_ - other.sum_)) / kUnits;
  }

  // Returns the mean of the scores and of `zeros` zeros, rounded once, so that the mean of equal scores is
  // exactly that score.
  // RETURNS: nullopt if there are no scores and no zeros.
  std::optional<double> Mean(std::uint64_t zeros = 0) const {
    if (count_ + zeros == 0) return std::nullopt;
    return static_cast<double>(static_cast<std::uint64_t>(sum_ / (count_ + zeros))) / kUnits;
  }

 private:
  friend class ExactMoments;
  static constexpr double kUnits = 0x1p62;
  // Converts through a signed integer, for which there is an instruction.
  static std::uint64_t InUnits(double score) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(score * kUnits));
  }

  unsigned __int128 sum_ = 0;
  std::uint64_t count_ = 0;
};

// An ExactSum that also sums the squares.
class ExactMoments {
 public:
  // REQUIRES: 0 <= score <= 1.
  void Add(double score) {
    sum_.Add(score);
    const unsigned __int128 units = ExactSum::InUnits(score);
    squares_ += units * units;
    squares_carry_ += squares_ < units * units;
  }

  ExactMoments& operator+=(const ExactMoments& other) {
    sum_ += other.sum_;
    squares_ += other.squares_;
    squares_carry_ += other.squares_carry_ + (squares_ < other.squares_);
    return *this;
  }

  const ExactSum& sum() const { return sum_; }

  // Returns the sample variance of the scores and of `zeros` zeros, exact except for the rounding of its last
  // steps. RETURNS: nullopt for fewer than two values.
  std::optional<double> Variance(std::uint64_t zeros) const;

 private:
  ExactSum sum_;
  unsigned __int128 squares_ = 0;    // in units of 2^-124: the lowest 128 bits
  std::uint64_t squares_carry_ = 0;  // the bits above them
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_EXACT_SUM_H_
