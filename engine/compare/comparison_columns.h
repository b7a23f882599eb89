// engine/compare/comparison_columns.h: the numbers of a compared mean, in the order of JSON and CSV.
#ifndef LEAFSCORE_ENGINE_COMPARE_COMPARISON_COLUMNS_H_
#define LEAFSCORE_ENGINE_COMPARE_COMPARISON_COLUMNS_H_

#include <optional>
#include <span>
#include <string_view>

#include "leafscore/compare.h"

namespace leafscore::internal {

struct MeanColumn {
  std::string_view group;  // the object that holds it in JSON, its prefix in CSV; may be empty
  std::string_view name;
  std::optional<double> (*value)(const ComparedMean& mean);  // finite
};

// Returns all columns; those of one group stand together.
std::span<const MeanColumn> MeanColumns();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_COMPARISON_COLUMNS_H_
