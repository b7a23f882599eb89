// engine/compare/comparison_columns.h: the numbers of a compared row and of its figures, in the order of JSON
// and CSV.
#ifndef LEAFSCORE_ENGINE_COMPARE_COMPARISON_COLUMNS_H_
#define LEAFSCORE_ENGINE_COMPARE_COMPARISON_COLUMNS_H_

#include <optional>
#include <span>
#include <string_view>

#include "leafscore/compare.h"

namespace leafscore::internal {

template <class Row>
struct ComparisonColumn {
  std::string_view group;  // the object that holds it in JSON, its prefix in CSV; may be empty
  std::string_view name;
  std::optional<double> (*value)(const Row& row);  // finite
};
using RowColumn = ComparisonColumn<ComparedRow>;
using FigureColumn = ComparisonColumn<ComparedFigure>;

// Returns all columns; those of one group stand together. Each row has those of a figure for its mean and, in
// an object of their own or behind the prefix "pass_", for its pass rate.
std::span<const RowColumn> RowColumns();
std::span<const FigureColumn> FigureColumns();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_COMPARISON_COLUMNS_H_
