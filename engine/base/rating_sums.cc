#include "engine/base/rating_sums.h"

#include <cmath>

namespace leafscore::internal {

void RatingSums::Add(std::span<const double> scores) {
  Wide sum = 0;
  Wide squares = 0;
  for (const double score : scores) {
    const auto millionths = static_cast<std::uint64_t>(std::llround(score * 1e6));
    sum += millionths;
    squares += Wide{millionths} * millionths;
  }
  ++items_;
  raters_ = scores.size();
  sum_ += sum;
  squares_ += squares;
  within_ += raters_ * squares - sum * sum;
}

RatingSums& RatingSums::operator+=(const RatingSums& other) {
  items_ += other.items_;
  if (other.raters_ != 0) raters_ = other.raters_;
  sum_ += other.sum_;
  squares_ += other.squares_;
  within_ += other.within_;
  return *this;
}

// Every item has the same number of pairs, so the mean over pairs needs no sum of quotients.
std::optional<double> RatingSums::Alpha() const {
  const Wide ratings = Wide{items_} * raters_;
  const Wide between = ratings * squares_ - sum_ * sum_;
  if (between == 0) return std::nullopt;
  const auto pairs_within = static_cast<double>(raters_ - 1);
  const auto pairs_between = static_cast<double>(ratings - 1);
  return 1 - static_cast<double>(within_) / pairs_within / (static_cast<double>(between) / pairs_between);
}

void RatingSums::Pack(PackedWriter& out) const {
  out.Value(items_);
  out.Value(raters_);
  for (const Wide sum : {sum_, squares_, within_}) {
    out.Value(static_cast<std::uint64_t>(sum));
    out.Value(static_cast<std::uint64_t>(sum >> 64));
  }
}

RatingSums RatingSums::Unpack(PackedReader& in) {
  RatingSums sums;
  sums.items_ = in.Value<std::uint64_t>();
  sums.raters_ = in.Value<std::uint64_t>();
  for (Wide* const sum : {&sums.sum_, &sums.squares_, &sums.within_}) {
    *sum = in.Value<std::uint64_t>();
    *sum |= Wide{in.Value<std::uint64_t>()} << 64;
  }
  return sums;
}

}  // namespace leafscore::internal
