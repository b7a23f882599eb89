// engine/report/label_section.h: the figures of pass rates that are corrected by human labels, for runs,
// leaderboards and comparisons. Stateless.
#ifndef LEAFSCORE_ENGINE_REPORT_LABEL_SECTION_H_
#define LEAFSCORE_ENGINE_REPORT_LABEL_SECTION_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/render/document.h"
#include "engine/render/figures.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// Returns the figures as they stand in JSON and CSV, with titles for tables.
FigureList<CorrectedPassRate> CorrectionFigures();

// A pass rate and its correction.
struct CorrectedRow {
  std::string scorer;
  std::string name;  // of the model or the file
  std::optional<double> pass_rate;
  CorrectedPassRate corrected;
};

// Returns a section with a table of pass rates and corrected pass rates, and with the reasons why some have
// no corrected pass rate; an empty section for no rows. `name` is the title of the names.
Section LabelSection(const std::vector<CorrectedRow>& rows, const std::string& name);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_LABEL_SECTION_H_
