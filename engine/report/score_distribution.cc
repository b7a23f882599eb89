#include "engine/report/score_distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "leafscore/error.h"

namespace leafscore::internal {

void ScoreDistribution::Add(double score) {
  if (!(score >= 0 && score <= 1)) {
    throw Error(
        ErrorCode::kInternal,
        fmt::format("a scorer gave the score {}, which is not within 0 and 1; please report this", score));
  }
  min_ = std::min(min_, score);
  moments_.Add(score);
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

std::optional<double> ScoreDistribution::StandardError(std::uint64_t zeros) const {
  const std::optional<double> variance = moments_.Variance(zeros);
  if (!variance) return std::nullopt;
  return std::sqrt(*variance / static_cast<double>(count() + zeros));
}

std::optional<double> ScoreDistribution::Min(std::uint64_t zeros) const {
  if (count() + zeros == 0) return std::nullopt;
  return zeros > 0 ? 0 : min_;
}

std::optional<double> ScoreDistribution::PercentileNearestRank(std::uint64_t zeros, unsigned percent) const {
  if (count() + zeros == 0) return std::nullopt;
  const std::uint64_t rank = ((count() + zeros) * percent + 99) / 100;
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
