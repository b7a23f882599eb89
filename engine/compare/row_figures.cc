#include "engine/compare/row_figures.h"

namespace leafscore::internal {

const ComparedFigure* FigureWith(ComparisonVerdict verdict, const ComparedRow& row) {
  const ComparedFigure* found = nullptr;
  ForEachFigure(row, [&](ComparedPart, const ComparedFigure& figure) {
    if (found == nullptr && figure.verdict == verdict) found = &figure;
  });
  return found;
}

}  // namespace leafscore::internal
