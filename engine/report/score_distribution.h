// engine/report/score_distribution.h: how scores are distributed, in bounded memory. The mean comes from an
// exact integer sum, the standard error from Welford's running variance, percentiles from a histogram of the
// scores, which holds a page (16 bins, 256 bytes) only where scores fell: at most 65 KiB, whatever the number
// of scores. Figures may be taken with some zeros more than were added. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_REPORT_SCORE_DISTRIBUTION_H_
#define LEAFSCORE_ENGINE_REPORT_SCORE_DISTRIBUTION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace leafscore::internal {

// The figures depend only on the sequence of adds. A figure of nothing is nullopt.
class ScoreDistribution {
 public:
  // ERRORS: a score outside [0, 1] is a defect of its scorer: Error(kInternal).
  // COST:   a few nanoseconds.
  void Add(double score);

  std::uint64_t count() const { return count_; }

  // Returns the mean, rounded once (each score counts to 2^-62): equal scores have exactly that mean, and the
  // order of the adds does not matter.
  std::optional<double> Mean(std::uint64_t zeros) const;

  // Returns the standard error of the mean: sqrt(sample variance / n); none for fewer than two scores.
  std::optional<double> StandardError(std::uint64_t zeros) const;

  std::optional<double> Min(std::uint64_t zeros) const;

  // Returns the percentile by nearest rank: of n scores, the ceil(percent / 100 * n)-th smallest.
  // REQUIRES: 1 <= percent <= 100.
  // RETURNS:  a score that occurred, at least the exact percentile and less than 1/4096 above it. It is the
  //           largest score of its bin, so it is exact when the bin holds one distinct score. 0 and 1 have
  //           bins of their own.
  std::optional<double> PercentileNearestRank(std::uint64_t zeros, unsigned percent) const;

 private:
  static constexpr std::size_t kStepCount = 4096;           // bins of equal width over (0, 1)
  static constexpr std::size_t kBinCount = kStepCount + 2;  // and one each for exactly 0 and exactly 1
  static constexpr std::size_t kPageBins = 16;
  static constexpr std::size_t kPageCount = (kBinCount + kPageBins - 1) / kPageBins;

  struct Bin {
    std::uint64_t count = 0;
    double largest = 0;
  };
  using Page = std::array<Bin, kPageBins>;

  std::uint64_t count_ = 0;
  double min_ = 1;
  double running_mean_ = 0;
  double squared_deviations_ = 0;
  unsigned __int128 sum_ = 0;                            // of the scores, in units of 2^-62
  std::array<std::uint16_t, kPageCount> page_number_{};  // 1-based; 0: no page yet
  std::vector<Page> pages_;                              // in order of first use
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_SCORE_DISTRIBUTION_H_
