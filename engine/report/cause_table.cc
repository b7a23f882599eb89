#include "engine/report/cause_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "engine/render/cells.h"
#include "engine/render/figures.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMaxTableCauses = 10;
constexpr std::size_t kCauseNameColumns = 3;

}  // namespace

Section CauseSection(std::vector<CauseRow> rows, const std::string& source, const std::string& answers) {
  if (rows.empty()) return {};
  Section section = {.title = "What is wrong with answers"};
  std::ranges::stable_sort(rows, std::greater<>(), &CauseRow::cost);
  if (rows.size() > kMaxTableCauses) {
    section.items.push_back({0, fmt::format("{} more, which cost less: see the JSON",
                                            WithThousands(rows.size() - kMaxTableCauses))});
    rows.resize(kMaxTableCauses);
  }
  const FigureList<CauseRow> figures = {{"", "", "scorer", At<&CauseRow::scorer>},
                                        {"", "", source, At<&CauseRow::source>},
                                        {"", "", "cause", At<&CauseRow::cause>},
                                        {"", "", answers, At<&CauseRow::answers>},
                                        {"", "", "share", At<&CauseRow::share>, Column::kPercent},
                                        {"", "", "mean", At<&CauseRow::mean>},
                                        {"", "", "mean without", At<&CauseRow::mean_without>}};
  section.table = TableOf(figures, rows, kCauseNameColumns);
  return section;
}

}  // namespace leafscore::internal
