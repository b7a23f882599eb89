#include "engine/scores/line_details.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

// Returns the member of either name: some scorers name the same value differently.
JsonView EitherOf(JsonView object, std::string_view name, std::string_view other) {
  const JsonView value = object.Member(name);
  return value.present() ? value : object.Member(other);
}

// Returns the count of this name, or 0.
std::uint32_t CountIn(JsonView details, std::string_view name) {
  const double count = details.Member(name).Number().value_or(0);
  return count >= 0 && count <= 0xffffffff ? static_cast<std::uint32_t>(count) : 0;
}

}  // namespace

std::optional<RowMatch> MatchOf(JsonView row) {
  std::optional<std::string> path = EitherOf(row, "path", "key").Text();
  const std::optional<double> match = EitherOf(row, "score", "similarity").Number();
  const double weight = row.Member("weight").Number().value_or(1);
  if (!path || !match || !(*match >= 0 && *match <= 1) || !(weight >= 0) || !std::isfinite(weight)) {
    return std::nullopt;
  }
  const bool is_expected = EitherOf(row, "expected", "gold_value").present() &&
                           row.Member("match_type").Text().value_or("") != "extra";
  return RowMatch{std::move(*path), *match, weight, is_expected};
}

std::vector<ListedRow> RowsOf(JsonView details) {
  std::vector<ListedRow> rows;
  ForEachRow(details, [&](JsonView row, RowMatch place) {
    rows.push_back({std::move(place), EitherOf(row, "expected", "gold_value").Json(),
                    EitherOf(row, "actual", "model_value").Json()});
  });
  return rows;
}

std::vector<LineField> FieldsIn(JsonView details) {
  std::vector<LineField> fields;
  ForEachRow(details, [&](JsonView, const RowMatch& place) {
    fields.push_back(
        {WithoutPositions(place.path), place.match * place.weight, place.weight, place.is_expected});
  });
  std::ranges::sort(fields, {}, &LineField::path);
  std::size_t kept = 0;
  for (LineField& field : fields) {
    if (kept > 0 && fields[kept - 1].path == field.path) {
      fields[kept - 1].matched += field.matched;
      fields[kept - 1].weight += field.weight;
      fields[kept - 1].is_expected |= field.is_expected;
    } else if (LineField& place = fields[kept++]; &place != &field) {
      place = std::move(field);
    }
  }
  fields.resize(kept);
  return fields;
}

std::optional<std::vector<LineFieldCounts>> FieldCountsIn(JsonView details) {
  const JsonView list = details.Member("fields");
  if (!list.Is(ValueKind::kArray) || details.Member("details_cut").Is(ValueKind::kTrue)) return std::nullopt;
  std::vector<LineFieldCounts> fields;
  bool has_counts = true;
  list.ForEachChild([&](JsonView row) {
    std::optional<std::string> path = row.Member("path").Text();
    has_counts &= path && row.Member("tp").present();
    if (!has_counts) return;
    fields.push_back({std::move(*path), static_cast<double>(CountIn(row, "tp")),
                      static_cast<double>(CountIn(row, "fp")), static_cast<double>(CountIn(row, "fn"))});
  });
  return has_counts ? std::optional(std::move(fields)) : std::nullopt;
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

LineFigures FiguresOf(JsonView details) {
  constexpr std::array<std::string_view, std::tuple_size_v<LineMetrics>> kMetrics = {"precision", "recall",
                                                                                     "f1"};
  LineFigures figures;
  for (std::size_t m = 0; m < kMetrics.size(); ++m) {
    const std::optional<double> value = details.Member(kMetrics[m]).Number();
    if (!value || !(*value >= 0 && *value <= 1)) continue;
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (!figures.metrics) figures.metrics = {kNone, kNone, kNone};
    (*figures.metrics)[m] = *value;
  }
  if (const JsonView flip = details.Member("order_flip"); flip.present()) {
    figures.match = {.order_flip = flip.Number().value_or(0) != 0,
                     .is_identical = details.Member("read_as").Text() == "identical"};
  }
  if (!details.Member("true_positives").present()) return figures;
  FieldTally& tally = figures.fields.emplace();
  tally = {.true_positives = CountIn(details, "true_positives"),
           .false_positives = CountIn(details, "false_positives"),
           .false_negatives = CountIn(details, "false_negatives"),
           .true_negatives = CountIn(details, "true_negatives")};
  tally.fields = std::max(tally.expected(), CountIn(details, "hit_count") + CountIn(details, "miss_count"));
  return figures;
}

}  // namespace leafscore::internal
