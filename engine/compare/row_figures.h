// engine/compare/row_figures.h: iterates over the figures of a compared row. Stateless.
#ifndef LEAFSCORE_ENGINE_COMPARE_ROW_FIGURES_H_
#define LEAFSCORE_ENGINE_COMPARE_ROW_FIGURES_H_

#include "leafscore/compare.h"

namespace leafscore::internal {

// Calls use(part, figure) with the mean and, if the row has them, the pass rate and pass^k.
template <class Row, class Use>
void ForEachFigure(Row& row, const Use& use) {
  use(ComparedPart::kMean, row.mean);
  if (row.pass) use(ComparedPart::kPassRate, *row.pass);
  if (row.pass_k) use(ComparedPart::kPassK, *row.pass_k);
}

// Returns the first figure with this verdict, in the order of ForEachFigure; null if no figure has it.
const ComparedFigure* FigureWith(ComparisonVerdict verdict, const ComparedRow& row);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_ROW_FIGURES_H_
