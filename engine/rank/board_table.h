// engine/rank/board_table.h: a table with marked cells in each of the formats for people. Stateless.
#ifndef LEAFSCORE_ENGINE_RANK_BOARD_TABLE_H_
#define LEAFSCORE_ENGINE_RANK_BOARD_TABLE_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/report/answer_kinds.h"
#include "engine/report/text_table.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

struct BoardTable {
  std::vector<TextRow> rows = {};    // the titles first; no markup
  std::size_t left_columns = 1;      // of names; the others are numbers
  std::size_t foot_rows = 0;         // the last rows, which sum up
  CellSet bold = {};                 // in plain text, where there is no bold,
  std::string_view plain_mark = {};  // this stands before them
};

// Appends a title, such as a scorer's name, and the table. In LaTeX the title is a comment.
// REQUIRES: format is kTable, kMarkdown or kLatex.
void AppendTable(std::string_view title, const BoardTable& table, LeaderboardFormat format,
                 std::string& text);

// Appends an empty line and a note on a table, a comment in LaTeX. REQUIRES: no controls but line ends.
void AppendNote(std::string_view note, LeaderboardFormat format, std::string& text);

// Appends a note about names, if there are any.
void AppendNamesNote(std::string_view about, const std::vector<std::string>& names, LeaderboardFormat format,
                     std::string& text);

// Returns what a row says of the answers of its model.
SourceAnswers AnswersOf(const LeaderboardRow& row);

// Appends notes on models that look alike, on those whose scores may come from files without a manifest, and
// on those whose answers are made otherwise than what is expected.
void AppendModelNotes(std::span<const LeaderboardRow> rows, LeaderboardFormat format, std::string& text);

// Returns what stands before the first table: what a LaTeX document needs for it.
std::string_view TableHead(LeaderboardFormat format);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_BOARD_TABLE_H_
