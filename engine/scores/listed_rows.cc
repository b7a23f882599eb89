#include "engine/scores/listed_rows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace leafscore::internal {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Scorers call one thing by two names, as their origins do.
JsonView EitherOf(JsonView object, std::string_view name, std::string_view other) {
  const JsonView value = object.Member(name);
  return value.present() ? value : object.Member(other);
}

}  // namespace

std::optional<RowMatch> MatchOf(JsonView row) {
  std::optional<std::string> path = EitherOf(row, "path", "key").Text();
  const std::optional<double> match = EitherOf(row, "score", "similarity").Number();
  const double weight = row.Member("weight").Number().value_or(1);
  if (!path || !match || !(*match >= 0 && *match <= 1) || !(weight >= 0) || !std::isfinite(weight)) {
    return std::nullopt;
  }
  return RowMatch{std::move(*path), *match, weight};
}

std::vector<ListedRow> RowsOf(JsonView details) {
  std::vector<ListedRow> rows;
  ForEachRow(details, [&](JsonView row) {
    std::optional<RowMatch> place = MatchOf(row);
    if (!place) return;
    rows.push_back({std::move(*place), EitherOf(row, "expected", "gold_value").Json(),
                    EitherOf(row, "actual", "model_value").Json()});
  });
  return rows;
}

std::string WithoutPositions(std::string_view path) {
  std::string without;
  while (!path.empty()) {
    const std::size_t bracket = std::min(path.find('['), path.size());
    without += path.substr(0, bracket);
    path.remove_prefix(bracket);
    const std::size_t digits = static_cast<std::size_t>(
        std::ranges::find_if_not(path.substr(std::min<std::size_t>(1, path.size())), IsDigit) - path.begin());
    if (digits > 1 && digits < path.size() && path[digits] == ']') {
      without += "[*]";
      path.remove_prefix(digits + 1);
    } else if (!path.empty()) {
      without += '[';
      path.remove_prefix(1);
    }
  }
  return without;
}

}  // namespace leafscore::internal
