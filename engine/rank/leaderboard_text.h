// engine/rank/leaderboard_text.h: a leaderboard as text, for a terminal, a document or a program.
#ifndef LEAFSCORE_ENGINE_RANK_LEADERBOARD_TEXT_H_
#define LEAFSCORE_ENGINE_RANK_LEADERBOARD_TEXT_H_

#include <span>
#include <string>

#include "engine/rank/leaderboard.h"

namespace leafscore::internal {

enum class LeaderboardFormat { kTable, kMarkdown, kCsv, kJson };

// Returns the rows; a table or a Markdown table for each scorer, one CSV, or one JSON array. Tables round to
// four decimals and leave out columns that no row of the scorer fills; CSV and JSON have them all, in full.
std::string RenderLeaderboard(std::span<const LeaderboardRow> rows, LeaderboardFormat format);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_LEADERBOARD_TEXT_H_
