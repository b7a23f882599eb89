#include "engine/report/cause_table.h"

#include <algorithm>
#include <functional>

#include "engine/render/figures.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMaxTableCauses = 10;
constexpr std::size_t kCauseNameColumns = 3;

}  // namespace

Table CauseTable(std::vector<CauseRow> rows, const std::string& source) {
  std::ranges::stable_sort(rows, std::greater<>(), &CauseRow::cost);
  if (rows.size() > kMaxTableCauses) rows.resize(kMaxTableCauses);
  const FigureList<CauseRow> figures = {{"", "", "scorer", At<&CauseRow::scorer>},
                                        {"", "", source, At<&CauseRow::source>},
                                        {"", "", "cause", At<&CauseRow::cause>},
                                        {"", "", "records", At<&CauseRow::records>},
                                        {"", "", "share", At<&CauseRow::share>, Column::kPercent},
                                        {"", "", "mean", At<&CauseRow::mean>},
                                        {"", "", "mean without", At<&CauseRow::mean_without>}};
  return TableOf(figures, rows, kCauseNameColumns);
}

}  // namespace leafscore::internal
