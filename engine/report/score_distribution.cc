#include "engine/report/score_distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr double kSumUnits = 0x1p62;

}  // namespace

void ScoreDistribution::Add(double score) {
  if (!(score >= 0 && score <= 1)) {
    throw Error(
        ErrorCode::kInternal,
        fmt::format("a scorer gave the score {}, which is not within 0 and 1; please report this", score));
  }
  ++count_;
  min_ = std::min(min_, score);
  sum_ += static_cast<std::uint64_t>(static_cast<std::int64_t>(score * kSumUnits));

  // Welford, "Note on a method for calculating corrected sums of squares and products", Technometrics, 1962.
  const double deviation = score - running_mean_;
  running_mean_ += deviation * (1 / static_cast<double>(count_));
  squared_deviations_ += deviation * (score - running_mean_);

  const std::size_t bin_index = static_cast<std::size_t>(score * kStepCount) + (score > 0 ? 1 : 0);
  std::uint16_t& number = page_number_[bin_index / kPageBins];
  if (number == 0) {
    pages_.emplace_back();
    number = static_cast<std::uint16_t>(pages_.size());
  }
  Bin& bin = pages_[number - 1u][bin_index % kPageBins];
  ++bin.count;
  bin.largest = std::max(bin.largest, score);
}

std::optional<double> ScoreDistribution::Mean(std::uint64_t zeros) const {
  if ((count_ + zeros) == 0) return std::nullopt;
  return static_cast<double>(static_cast<std::uint64_t>(sum_ / (count_ + zeros))) / kSumUnits;
}

// T. F. Chan, G. H. Golub and R. J. LeVeque, "Updating formulae and a pairwise algorithm for computing sample
// variances", COMPSTAT 1982: the squared deviations of the scores and of as many zeros as are missing.
std::optional<double> ScoreDistribution::StandardError(std::uint64_t zeros) const {
  if ((count_ + zeros) < 2) return std::nullopt;
  const double n = static_cast<double>((count_ + zeros));
  const double scored_share = static_cast<double>(count_) / n;
  const double squares =
      squared_deviations_ + running_mean_ * running_mean_ * scored_share * static_cast<double>(zeros);
  return std::sqrt(squares / (n - 1) / n);
}

std::optional<double> ScoreDistribution::Min(std::uint64_t zeros) const {
  if ((count_ + zeros) == 0) return std::nullopt;
  return zeros > 0 ? 0 : min_;
}

std::optional<double> ScoreDistribution::PercentileNearestRank(std::uint64_t zeros, unsigned percent) const {
  if ((count_ + zeros) == 0) return std::nullopt;
  const std::uint64_t rank = ((count_ + zeros) * percent + 99) / 100;
  std::uint64_t seen = zeros;
  if (seen >= rank) return 0;
  for (const std::uint16_t number : page_number_) {
    if (number == 0) continue;
    for (const Bin& bin : pages_[number - 1u]) {
      seen += bin.count;
      if (bin.count > 0 && seen >= rank) return bin.largest;
    }
  }
  return std::nullopt;
}

}  // namespace leafscore::internal
