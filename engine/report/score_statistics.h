// engine/report/score_statistics.h: the outcomes and scores of one group's records under one scorer, in
// bounded memory. Counts are exact. The mean comes from an exact integer sum, the standard error from
// Welford's running variance, percentiles from a histogram of the scores, which holds a page (16 bins, 256
// bytes) only where scores fell: at most 65 KiB, whatever the number of records. Owned by one summary.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_REPORT_SCORE_STATISTICS_H_
#define LEAFSCORE_ENGINE_REPORT_SCORE_STATISTICS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/report/counts.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

// The records that a figure is taken over.
enum class Over : std::uint8_t {
  kAll,     // every record; one that has no score counts as 0 and not passed
  kScored,  // those that have a score
};

// The figures depend only on the sequence of adds. A figure of nothing is nullopt.
class ScoreStatistics {
 public:
  // Adds a scored record, with its verdict when the scorer has a threshold.
  // ERRORS: a score outside [0, 1] is a defect of its scorer: Error(kInternal).
  // COST:   a few nanoseconds.
  void AddScored(double score, std::optional<bool> passed);

  // Adds a record without a score. REQUIRES: outcome is not kScored.
  void AddUnscored(Outcome outcome) { counts_.Add(outcome); }

  const OutcomeCounts& counts() const { return counts_; }

  // Returns the mean, rounded once (each score counts to 2^-62): equal scores have exactly that mean, and the
  // order of the records does not matter.
  std::optional<double> Mean(Over over) const;

  // Returns the standard error of the mean: sqrt(sample variance / n); none for fewer than two records.
  std::optional<double> StandardError(Over over) const;

  std::optional<double> Min(Over over) const;

  // Returns the percentile by nearest rank: of n scores, the ceil(percent / 100 * n)-th smallest.
  // REQUIRES: 1 <= percent <= 100.
  // RETURNS:  a score that occurred, at least the exact percentile and less than 1/4096 above it. It is the
  //           largest score of its bin, so it is exact when the bin holds one distinct score. 0 and 1 have
  //           bins of their own.
  std::optional<double> PercentileNearestRank(Over over, unsigned percent) const;

  // Returns the share of the records that are scored.
  std::optional<double> Coverage() const;

  // Returns how many records passed; none when no record had a verdict.
  std::optional<std::uint64_t> Passed() const;

  // Returns the share of the records that passed; none when no record had a verdict.
  std::optional<double> PassRate(Over over) const;

 private:
  std::uint64_t Count(Over over) const { return over == Over::kAll ? counts_.asked() : counts_.scored; }
  std::uint64_t Zeros(Over over) const { return Count(over) - counts_.scored; }

  static constexpr std::size_t kStepCount = 4096;           // bins of equal width over (0, 1)
  static constexpr std::size_t kBinCount = kStepCount + 2;  // and one each for exactly 0 and exactly 1
  static constexpr std::size_t kPageBins = 16;
  static constexpr std::size_t kPageCount = (kBinCount + kPageBins - 1) / kPageBins;

  struct Bin {
    std::uint64_t count = 0;
    double largest = 0;
  };
  using Page = std::array<Bin, kPageBins>;

  OutcomeCounts counts_;
  std::uint64_t passed_ = 0;
  bool has_verdicts_ = false;
  double min_ = 1;
  double running_mean_ = 0;
  double squared_deviations_ = 0;
  unsigned __int128 sum_ = 0;                            // of the scores, in units of 2^-62
  std::array<std::uint16_t, kPageCount> page_number_{};  // 1-based; 0: no page yet
  std::vector<Page> pages_;                              // in order of first use
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_SCORE_STATISTICS_H_
