// engine/compare/paired_mean.h: two means over the same records, their difference, and what it tells.
//
// Records come unit by unit in one order for all means, that of their ids' checksums, so that figures have
// the same bits for any order of the lines. Beyond 4,096 units, the bootstrap draws 4,096 blocks of them: the
// order being as good as random, a block is a random sample of the units.
#ifndef LEAFSCORE_ENGINE_COMPARE_PAIRED_MEAN_H_
#define LEAFSCORE_ENGINE_COMPARE_PAIRED_MEAN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/statistics/bca_bootstrap.h"
#include "engine/statistics/mean_estimate.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

// Gathers what is known of one mean. THREADS: one at a time.
class PairedMean {
 public:
  // Makes room for so many units, so that memory of many is taken once.
  void Reserve(std::size_t units) { units_.reserve(units); }

  // Adds a record. Records of one unit come one after the other.
  void Add(std::uint32_t unit, double base, double now);

  std::uint64_t records() const { return records_; }

  // Fills the figures of a row: all but its names, its verdict, what is corrected for the family, flips and
  // contributions. Without a record nothing is filled. Frees what was gathered.
  // COST: 10,000 resamples of at most 4,096 units; sorts the differences.
  void Finish(double margin, double alpha, ComparedMean& row);

 private:
  void FillTests(double margin, double alpha, ComparedMean& row) const;
  BcaMean Bootstrap(double alpha) const;

  std::vector<Unit> units_;
  std::uint32_t last_unit_ = 0;
  std::uint64_t records_ = 0;
  double base_ = 0;
  double now_ = 0;
  std::uint64_t wins_ = 0;
  std::uint64_t losses_ = 0;
  bool has_fractions_ = false;  // a score is neither 0 nor 1
};

// Returns the fewest records that can show a mean to have changed by less than the margin, when no difference
// is seen: of fewer, records that differ could be too rare to have been drawn, though they made that much of
// all. It is the n with (1 - margin)^n <= alpha (J. A. Hanley and A. Lippman-Hand, "If nothing goes wrong, is
// everything all right?", JAMA 249, 1983).
std::uint64_t LeastUnits(double margin, double alpha);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_PAIRED_MEAN_H_
