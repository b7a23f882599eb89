// engine/report/summary_json.h: a run's summary as JSON, for programs.
#ifndef LEAFSCORE_ENGINE_REPORT_SUMMARY_JSON_H_
#define LEAFSCORE_ENGINE_REPORT_SUMMARY_JSON_H_

#include <string>

#include "engine/report/run_summary.h"

namespace leafscore::internal {

// Returns the summary as indented JSON with a fixed order of keys, ending in a newline. A figure that does
// not exist is null, and only a scorer that judges fields has "fields", "micro" and "macro"; numbers are in
// shortest round-trip form. All that differs between two runs over the same input is under "timing".
// REQUIRES: names and group values are valid UTF-8.
std::string RenderSummaryJson(const RunSummary& summary);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_SUMMARY_JSON_H_
