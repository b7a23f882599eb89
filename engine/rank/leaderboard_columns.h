// engine/rank/leaderboard_columns.h: the numbers of a leaderboard's rows, in the order of every format.
#ifndef LEAFSCORE_ENGINE_RANK_LEADERBOARD_COLUMNS_H_
#define LEAFSCORE_ENGINE_RANK_LEADERBOARD_COLUMNS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leafscore/leaderboard.h"

namespace leafscore::internal {

struct Column {
  std::string_view group;  // the object that holds it in JSON, its prefix in CSV; may be empty
  std::string name;        // in CSV and JSON
  std::string title;       // in tables
  enum Kind : std::uint8_t {
    kFigure,
    kCount,
    kRareCount,  // left out of a table in which it is 0 everywhere
    kData,       // left out of tables
  } kind;
  std::function<std::optional<double>(const LeaderboardRow& row)> value;
};

// Returns the name of what a comparison says, in JSON and CSV.
std::string_view ThanNextName(ThanNext than_next);

// Returns the columns of these rows; those of one group stand together.
std::vector<Column> ColumnsOf(std::span<const LeaderboardRow> rows);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_LEADERBOARD_COLUMNS_H_
