// engine/scores/line_details.h: reads the details of a line of scores: the listed leaves, fields or keys, how
// well each of them matches, and the figures of the whole answer. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORES_LINE_DETAILS_H_
#define LEAFSCORE_ENGINE_SCORES_LINE_DETAILS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/json/json_view.h"

namespace leafscore::internal {

// How well the value at one place matches.
struct RowMatch {
  std::string path;
  double match = 0;  // from 0 to 1
  double weight = 1;
  bool is_expected = true;  // the expected value has this place
};

// RETURNS: nullopt unless the row says how well its place matches.
std::optional<RowMatch> MatchOf(JsonView row);

// Calls visit(row, match) for each row of the first array in the details that has rows with a match. Does
// nothing if a list was cut, since its rows do not add up to the score.
template <class Visit>
void ForEachRow(JsonView details, Visit visit) {
  if (details.Member("details_cut").Is(ValueKind::kTrue)) return;
  bool found = false;
  details.ForEachMember([&](std::string_view, JsonView value) {
    if (found || !value.Is(ValueKind::kArray)) return;
    value.ForEachChild([&](JsonView row) {
      std::optional<RowMatch> match = MatchOf(row);
      if (!match) return;
      found = true;
      visit(row, std::move(*match));
    });
  });
}

// A field: the places whose paths differ only in positions.
struct LineField {
  std::string path;  // with [*] for positions
  double matched = 0;
  double weight = 0;
  bool is_expected = true;  // the expected value has one of the places
};

// Returns the fields that the details list, sorted by path.
std::vector<LineField> FieldsIn(JsonView details);

// The counts of a field's values, as a scorer with precision and recall lists them.
struct LineFieldCounts {
  std::string path;
  double right = 0;    // "tp"
  double extra = 0;    // "fp"
  double missing = 0;  // "fn"
};

// RETURNS: the fields of the list "fields"; nullopt if there is no such list, or it was cut.
std::optional<std::vector<LineFieldCounts>> FieldCountsIn(JsonView details);

struct ListedRow {
  RowMatch place;
  std::optional<std::string> expected;  // JSON
  std::optional<std::string> actual;
};

// Returns the rows with their values.
std::vector<ListedRow> RowsOf(JsonView details);

// Returns the path with [*] for each position in an array.
std::string WithoutPositions(std::string_view path);

// The outcomes of an answer's fields.
struct FieldTally {
  std::uint32_t true_positives = 0;
  std::uint32_t false_positives = 0;
  std::uint32_t false_negatives = 0;
  std::uint32_t true_negatives = 0;
  std::uint32_t fields = 0;

  // Returns the number of fields with an expected value. It depends only on the id: each such field is found
  // or missed.
  std::uint32_t expected() const { return true_positives + false_negatives; }
};

using LineMetrics = std::array<double, 3>;  // precision, recall, F1; NaN if missing from the line

// How an answer was compared with the answer of a base (FileOptions::versus).
struct LineMatch {
  bool order_flip = false;    // the judge chose by place
  bool is_identical = false;  // both answers are the same, and no judge was asked
};

struct LineFigures {
  std::optional<LineMetrics> metrics;
  std::optional<FieldTally> fields;
  std::optional<LineMatch> match;
};

LineFigures FiguresOf(JsonView details);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORES_LINE_DETAILS_H_
