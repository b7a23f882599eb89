#include "engine/report/score_distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/statistics/worst_case.h"
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
  Bin& bin = PageOf(bin_index / kPageBins)[bin_index % kPageBins];
  ++bin.count;
  bin.largest = std::max(bin.largest, score);
}

ScoreDistribution::Page& ScoreDistribution::PageOf(std::size_t page) {
  std::uint16_t& number = page_number_[page];
  if (number == 0) {
    pages_.emplace_back();
    number = static_cast<std::uint16_t>(pages_.size());
  }
  return pages_[number - 1u];
}

ScoreDistribution& ScoreDistribution::operator+=(const ScoreDistribution& other) {
  min_ = std::min(min_, other.min_);
  moments_ += other.moments_;
  for (std::size_t page = 0; page < kPageCount; ++page) {
    if (other.page_number_[page] == 0) continue;
    const Page& more = other.pages_[other.page_number_[page] - 1u];
    Page& bins = PageOf(page);
    for (std::size_t b = 0; b < kPageBins; ++b) {
      bins[b].count += more[b].count;
      bins[b].largest = std::max(bins[b].largest, more[b].largest);
    }
  }
  return *this;
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

std::optional<Interval> ScoreDistribution::MeanInterval(std::uint64_t zeros, double effective_records) const {
  const std::uint64_t all = count() + zeros;
  if (all == 0) return std::nullopt;
  std::vector<CountedScore> scores = {{0, zeros}};
  double sum = 0;
  std::uint64_t inside = 0;  // scores other than 0 and 1; a bin knows only its largest
  for (const std::uint16_t number : page_number_) {
    if (number == 0) continue;
    for (const Bin& bin : pages_[number - 1u]) {
      if (bin.count == 0) continue;
      scores.push_back({bin.largest, bin.count});
      sum += bin.largest * static_cast<double>(bin.count);
      if (bin.largest > 0 && bin.largest < 1) inside += bin.count;
    }
  }
  const double excess = sum - *Mean(zeros) * static_cast<double>(all);
  if (inside > 0 && excess > 0) {
    for (CountedScore& score : scores) {
      if (score.score > 0 && score.score < 1)
        score.score = std::max(0.0, score.score - excess / static_cast<double>(inside));
    }
  }
  constexpr double kConfidence = 0.95;
  const Interval interval =
      MeanScoreInterval(scores, kConfidence, effective_records / static_cast<double>(all));
  // Ends are rounded, because their last digits depend on the machine's logarithm function.
  const auto rounded = [](double end) { return std::round(end * 1e6) / 1e6; };
  return Interval{rounded(interval.low), rounded(interval.high)};
}

}  // namespace leafscore::internal
