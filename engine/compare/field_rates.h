// engine/compare/field_rates.h: compares precision, recall and F1 of the fields of one scorer, from the
// counts that its lines list. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_COMPARE_FIELD_RATES_H_
#define LEAFSCORE_ENGINE_COMPARE_FIELD_RATES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/compare/compared_scores.h"
#include "engine/compare/gathered_row.h"
#include "engine/compare/paired_share.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

class FieldRates {
 public:
  // REQUIRES: both arguments outlive this.
  FieldRates(const SideScores& base, const SideScores& now) : base_(base), now_(now) {}

  // Adds an id. If a side has no score, all values that the other side's list expects count as missing on
  // this side. The id does not count if neither side has a list, or if a side has a score but no list.
  void Add(std::uint32_t id, std::uint32_t unit);

  // Adds the rows to `rows`. Adds the figures that are still to be computed to `work`.
  // REQUIRES: this and `rows` do not move until the work is done.
  void Fill(const ComparedNames& names, const ComparisonOptions& options, const std::string& scorer,
            std::vector<ComparedRow>& rows, std::vector<FigureWork>& work) const;

 private:
  struct Counts {
    double right = 0;
    double extra = 0;
    double missing = 0;
  };
  struct Rates {
    PairedShare precision;
    PairedShare recall;
    PairedShare f1;

    void Add(std::uint32_t unit, const Counts& base, const Counts& now);
  };

  const SideScores& base_;
  const SideScores& now_;
  Rates all_;
  std::map<std::uint32_t, Rates> fields_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_FIELD_RATES_H_
