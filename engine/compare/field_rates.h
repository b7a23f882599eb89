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
  // REQUIRES: both outlive this.
  FieldRates(const SideScores& base, const SideScores& now) : base_(base), now_(now) {}

  // Adds an id. A side without a score has none of the values that the other side's list expects. Without a
  // list on any side, or without the list of a side that has a score, the id says nothing about fields.
  void Add(std::uint32_t id, std::uint32_t unit);

  // Adds the rows without their figures, which must be computed.
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
