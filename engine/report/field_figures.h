// engine/report/field_figures.h: precision, recall and F1 of the fields that a scorer judged over a run.
// Figures describe one field or all of them: micro figures come from the summed counts, macro figures are
// means over the fields. A figure that would divide by zero is absent. Stateless.
#ifndef LEAFSCORE_ENGINE_REPORT_FIELD_FIGURES_H_
#define LEAFSCORE_ENGINE_REPORT_FIELD_FIGURES_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/cell_rows.h"
#include "engine/base/field_outcome.h"
#include "engine/base/text_map.h"
#include "engine/render/figures.h"
#include "engine/report/confidence_figures.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// The counts of fields whose names a scorer finds during the run, and of values by their confidence. If there
// are more than kMaxCellFields names, only the sums over all fields remain, whatever the order of the counts.
class CellTally {
 public:
  static constexpr std::size_t kMaxCellFields = 1 << 16;

  void Add(std::string_view field, const CellCounts& counts);
  CellTally& operator+=(const CellTally& more);

  // Returns the fields, sorted by name; a single field "(all)" if there are too many.
  std::vector<FieldCounts> Fields() const;

  const ConfidenceCounts& confidences() const { return confidences_; }

 private:
  void Limit();

  TextMap<std::string, FieldCounts> fields_;
  ConfidenceCounts confidences_;
  FieldCounts sum_;
  bool too_many_ = false;
};

struct FieldFigures {
  std::optional<double> precision;  // true positives / (true + false positives)
  std::optional<double> recall;     // true positives / (true positives + false negatives)
  std::optional<double> f1;         // 2 · true positives / (2 · true positives + false ones)
};

void AddOutcome(FieldOutcome outcome, FieldCounts& counts);
void AddCounts(const FieldCounts& more, FieldCounts& counts);

// RETURNS: the sums of the fields' counts, which give the micro figures.
FieldCounts SumOf(std::span<const FieldCounts> fields);

FieldFigures FiguresOf(const FieldCounts& counts);

// Returns the means over the fields that have an F1, which are the fields with expected or given values. An
// absent precision or recall counts as 0, as with scikit-learn's zero_division=0.
FieldFigures MacroFigures(std::span<const FieldCounts> fields);

// Return the descriptions of the four counts, and of the three figures.
FigureList<FieldCounts> CountFigures();
FigureList<FieldFigures> RateFigures();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_FIELD_FIGURES_H_
