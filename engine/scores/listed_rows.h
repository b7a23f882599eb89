// engine/scores/listed_rows.h: the leaves, fields or keys that the details of a line of scores list, with
// how well each of them matches. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORES_LISTED_ROWS_H_
#define LEAFSCORE_ENGINE_SCORES_LISTED_ROWS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/json_view.h"

namespace leafscore::internal {

// What a row says of its place.
struct RowMatch {
  std::string path;
  double match = 0;  // from 0 to 1
  double weight = 1;
};

// RETURNS: nothing for a row that does not say how well its place matches.
std::optional<RowMatch> MatchOf(JsonView row);

// Calls visit(row) for each element of the first array in the details that is not empty. A list that was cut
// is none.
template <class Visit>
void ForEachRow(JsonView details, Visit visit) {
  if (details.Member("details_cut").Is(ValueKind::kTrue)) return;
  bool found = false;
  details.ForEachMember([&](std::string_view, JsonView value) {
    if (found || !value.Is(ValueKind::kArray)) return;
    value.ForEachChild([&](JsonView row) {
      found |= row.Is(ValueKind::kObject);
      visit(row);
    });
  });
}

struct ListedRow {
  RowMatch place;
  std::optional<std::string> expected;  // JSON
  std::optional<std::string> actual;
};

// Returns the rows with their values.
std::vector<ListedRow> RowsOf(JsonView details);

// Returns the path with [*] for each position in an array.
std::string WithoutPositions(std::string_view path);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORES_LISTED_ROWS_H_
