#include "engine/report/label_section.h"

#include <fmt/format.h>

#include "engine/render/cells.h"

namespace leafscore::internal {

FigureList<CorrectedPassRate> CorrectionFigures() {
  using Row = CorrectedPassRate;
  constexpr auto kLabels = &Row::labels;
  return {{"", "pass_rate", "corrected", At<&Row::pass_rate>},
          {"", "pass_rate_low", "95% from", At<&Row::interval, &Interval::low>},
          {"", "pass_rate_high", "to", At<&Row::interval, &Interval::high>},
          {"", "sensitivity", "sensitivity", At<&Row::sensitivity>},
          {"", "specificity", "specificity", At<&Row::specificity>},
          {"", "labels", "labels", [](const Row& row) { return row.labels.all(); }},
          {"", "both_pass", "", At<kLabels, &VerdictCounts::both_pass>},
          {"", "judge_passes", "", At<kLabels, &VerdictCounts::judge_passes>},
          {"", "people_pass", "", At<kLabels, &VerdictCounts::people_pass>},
          {"", "both_fail", "", At<kLabels, &VerdictCounts::both_fail>},
          {"", "why_not", "", At<&Row::why_not>}};
}

Section LabelSection(const std::vector<CorrectedRow>& rows, const std::string& name) {
  if (rows.empty()) return {};
  Section section = {.title = "Pass rates corrected by labels"};
  FigureList<CorrectedRow> figures = {{"", "", "scorer", At<&CorrectedRow::scorer>},
                                      {"", "", name, At<&CorrectedRow::name>},
                                      {"", "", "pass", At<&CorrectedRow::pass_rate>}};
  AddPartFigures(
      "", CorrectionFigures(), [](const CorrectedRow& row) { return &row.corrected; }, figures);
  constexpr std::size_t kNameColumns = 2;
  section.table = TableOf(figures, rows, kNameColumns);
  for (const CorrectedRow& row : rows) {
    if (row.corrected.why_not.empty()) continue;
    section.items.push_back({0, fmt::format("{}, {}: {}", DisplayName(row.scorer), DisplayName(row.name),
                                            row.corrected.why_not)});
  }
  return section;
}

}  // namespace leafscore::internal
