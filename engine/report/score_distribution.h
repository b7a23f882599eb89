// engine/report/score_distribution.h: the distribution of scores, in bounded memory. The mean and the
// standard error come from exact sums of the scores and of their squares, percentiles from a histogram of the
// scores. The histogram consists of pages of 16 bins (256 bytes). Only pages with scores exist, so it takes
// at most 65 KiB for any number of scores. Figures may include additional zeros that were not added. THREADS:
// one at a time.
#ifndef LEAFSCORE_ENGINE_REPORT_SCORE_DISTRIBUTION_H_
#define LEAFSCORE_ENGINE_REPORT_SCORE_DISTRIBUTION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/exact_sum.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// The figures depend on the scores but not on their order; each score is rounded to a multiple of 2^-62. A
// figure over no scores is nullopt.
class ScoreDistribution {
 public:
  // ERRORS: Error(kInternal) for a score outside [0, 1], which is a defect of its scorer.
  // COST: a few nanoseconds.
  void Add(double score);

  // Adds the scores of another distribution. The order of parts changes no figure.
  // COST: linear in the pages of `other`.
  ScoreDistribution& operator+=(const ScoreDistribution& other);

  std::uint64_t count() const { return sum().count(); }
  const ExactSum& sum() const { return moments_.sum(); }

  // Returns the mean, rounded once. If all scores are equal, it is exactly that score.
  std::optional<double> Mean(std::uint64_t zeros) const { return moments_.sum().Mean(zeros); }

  // Returns the standard error of the mean: sqrt(sample variance / n); nullopt for fewer than two scores.
  std::optional<double> StandardError(std::uint64_t zeros) const;

  std::optional<double> Min(std::uint64_t zeros) const;

  // Returns the percentile by nearest rank: of n scores, the ceil(percent / 100 * n)-th smallest.
  // REQUIRES: 1 <= percent <= 100.
  // RETURNS: a score that occurred, at least the exact percentile and less than 1/4096 above it. It is the
  // largest score of its bin, so it is exact if the bin has one distinct score. 0 and 1 have bins of their
  // own.
  std::optional<double> PercentileNearestRank(std::uint64_t zeros, unsigned percent) const;

  // Returns the 95% interval of the mean, for any distribution of the scores (MeanScoreInterval). It is
  // computed from scores that are rounded to 1/4096 but have the exact mean, as if there were
  // `effective_records` independent scores. RETURNS: an interval whose ends have six decimals. COST: up to 5
  // ms, for scores that spread over all of [0, 1].
  std::optional<Interval> MeanInterval(std::uint64_t zeros, double effective_records) const;

 private:
  static constexpr std::size_t kStepCount = 4096;           // bins of equal width over (0, 1)
  static constexpr std::size_t kBinCount = kStepCount + 2;  // plus one each for exactly 0 and 1
  static constexpr std::size_t kPageBins = 16;
  static constexpr std::size_t kPageCount = (kBinCount + kPageBins - 1) / kPageBins;

  struct Bin {
    std::uint64_t count = 0;
    double largest = 0;
  };
  using Page = std::array<Bin, kPageBins>;

  Page& PageOf(std::size_t page);

  double min_ = 1;
  ExactMoments moments_;
  std::array<std::uint16_t, kPageCount> page_number_{};  // 1-based; 0 without a page
  std::vector<Page> pages_;                              // in order of first use
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_SCORE_DISTRIBUTION_H_
