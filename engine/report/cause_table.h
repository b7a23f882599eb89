// engine/report/cause_table.h: the section about what is wrong with answers (docs/causes.md), for runs and
// leaderboards. Stateless.
#ifndef LEAFSCORE_ENGINE_REPORT_CAUSE_TABLE_H_
#define LEAFSCORE_ENGINE_REPORT_CAUSE_TABLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/render/document.h"

namespace leafscore::internal {

// Returns what a cause costs: how much higher the mean is without its records. If all records have the cause,
// the mean without them is unknown, and counts as 1.
inline double CostOf(std::optional<double> mean, std::optional<double> mean_without) {
  return mean_without.value_or(1) - mean.value_or(0);
}

// The answers of one source with one cause, under one scorer.
struct CauseRow {
  std::string scorer;
  std::string source;
  std::string cause;
  std::uint64_t answers;
  double share;
  std::optional<double> mean;          // over all records
  std::optional<double> mean_without;  // over the records without the cause

  double cost() const { return CostOf(mean, mean_without); }
};

// Returns a section with the ten rows that cost most, and with the number of other rows; an empty section for
// no rows. `source` is the title of the sources, and `answers` is the title of the counts.
Section CauseSection(std::vector<CauseRow> rows, const std::string& source, const std::string& answers);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_CAUSE_TABLE_H_
