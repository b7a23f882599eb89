// engine/evaluate/evaluation_charts.h: pass rates as pictures. Stateless.
#ifndef LEAFSCORE_ENGINE_EVALUATE_EVALUATION_CHARTS_H_
#define LEAFSCORE_ENGINE_EVALUATE_EVALUATION_CHARTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "leafscore/report.h"

namespace leafscore::internal {

// Some of what was asked, and how much of it passed.
struct PassBar {
  std::string label;  // UTF-8
  double passed = 0;  // may be a fraction, where several runs are one
  double asked = 0;
  double passed_answers = 0;  // of those asked for, each of which counts as one
};

// Returns the bars of a group field: over all that was asked, of the scorers that pass or fail.
std::vector<PassBar> PassBars(const RunReport& asked, std::string_view field);

// Returns a picture of them in SVG 1.1. COST: linear.
std::string PassChart(std::string_view title, const std::vector<PassBar>& bars);

// Writes the charts by runner and model and by scenario type into a folder, which is made if missing.
// RETURNS: their paths. ERRORS: Error(kOutput).
std::vector<std::string> WriteCharts(const RunReport& asked, const std::string& folder);

// Removes the charts that earlier runs wrote into a folder, unless somebody has changed them since, and then
// the folder, where nothing else lies in it and it is no link. ERRORS: Error(kOutput).
void RemoveCharts(const std::string& folder);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_EVALUATION_CHARTS_H_
