// engine/compare/paired_share.h: compares a share on two sides, such as the precision of a field, and tests
// its difference. The whole of the share differs from record to record.
//
// The share of a side is the sum of its parts over all records, divided by the sum of its wholes. Let P be
// the share of both sides taken together. On each side, a record has the value part - P · whole; its
// contribution is the value in the new run minus the value in the base. If the two runs swap their answers to
// the record, its contribution changes its sign, and P stays the same. So the sign-flip test of the
// contributions is exact for runs that could swap their answers, just as for means. The sum of the
// contributions is the difference of the shares, times the harmonic mean of the two sums of wholes. If both
// sides have the same wholes, as for recall, a share is a mean over the values, with records as clusters.
#ifndef LEAFSCORE_ENGINE_COMPARE_PAIRED_SHARE_H_
#define LEAFSCORE_ENGINE_COMPARE_PAIRED_SHARE_H_

#include <cstdint>
#include <vector>

#include "leafscore/compare.h"

namespace leafscore::internal {

// A part of some values.
struct PartOfWhole {
  double part = 0;
  double whole = 0;
};

// Collects the data of one share. Records come as for PairedMean. THREADS: one at a time.
class PairedShare {
 public:
  // Adds a record, unless neither side has values in it. Records of one unit must be adjacent.
  void Add(std::uint32_t unit, const PartOfWhole& base, const PartOfWhole& now);

  // Returns whether each side has values. If not, there is no difference to compute.
  bool has_both() const { return base_.whole > 0 && now_.whole > 0; }

  // Fills the numbers of records, units and effective units.
  void CountUnits(ComparedRow& row) const;

  // Returns all figures except the verdict and the correction for the family.
  // REQUIRES: has_both(). COST: as PairedMean::Figure.
  ComparedFigure Figure(const ComparisonOptions& options) const;

 private:
  struct Record {
    std::uint32_t unit;
    double parts;   // now minus base
    double wholes;  // now minus base
    double most;    // the larger whole: no contribution is larger
  };

  std::vector<Record> records_;
  PartOfWhole base_;
  PartOfWhole now_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_PAIRED_SHARE_H_
