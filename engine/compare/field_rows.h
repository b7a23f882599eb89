// engine/compare/field_rows.h: which fields changed between two sides, and how much of the change of a
// scorer's mean each of them is.
#ifndef LEAFSCORE_ENGINE_COMPARE_FIELD_ROWS_H_
#define LEAFSCORE_ENGINE_COMPARE_FIELD_ROWS_H_

#include <cstdint>
#include <map>
#include <span>

#include "engine/compare/compared_scores.h"
#include "engine/compare/paired_mean.h"

namespace leafscore::internal {

// Gathers what the ids of one scorer list of their fields. THREADS: one at a time.
class FieldRows {
 public:
  struct Field {
    PairedMean match;
    double change = 0;  // of the sum of all scores
  };

  // REQUIRES: both outlive this.
  FieldRows(const SideScores& base, const SideScores& now) : base_(base), now_(now) {}

  // Adds an id that both or one of the sides list fields of. A side without a score matches nothing.
  // RETURNS: how much of the change of its score the fields are: all of it, or 0 where the fields of a side
  //          do not make up its score.
  double Add(std::uint32_t id, std::uint32_t unit);

  // By number of the field.
  std::map<std::uint32_t, Field>& fields() { return fields_; }

 private:
  const SideScores& base_;
  const SideScores& now_;
  std::map<std::uint32_t, Field> fields_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_FIELD_ROWS_H_
