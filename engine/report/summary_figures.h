// engine/report/summary_figures.h: the descriptions of a run's figures, for its JSON and its table.
// Stateless.
#ifndef LEAFSCORE_ENGINE_REPORT_SUMMARY_FIGURES_H_
#define LEAFSCORE_ENGINE_REPORT_SUMMARY_FIGURES_H_

#include <string>
#include <vector>

#include "engine/render/figures.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// Returns the figures of a scorer or a group of its records.
FigureList<Figures> RunFigures();

// Returns the figures of the objects of RunReport::ToJson, for docs/schemas/summary.json.
std::vector<DescribedObject> SummaryObjects();

// Returns a sentence about the records that a limit left out; empty if there was no limit.
std::string LimitText(const RunTotals& totals);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_SUMMARY_FIGURES_H_
