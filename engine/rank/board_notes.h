// engine/rank/board_notes.h: the notes that leaderboards, matrices and sensitivities share. Stateless.
#ifndef LEAFSCORE_ENGINE_RANK_BOARD_NOTES_H_
#define LEAFSCORE_ENGINE_RANK_BOARD_NOTES_H_

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/render/document.h"
#include "engine/report/answer_kinds.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// Returns what a row says about its model's answers.
SourceAnswers AnswersOf(const LeaderboardRow& row);

// Adds the note "ABOUT: NAMES"; nothing if there are no names.
void AddNamesNote(std::string_view about, const std::vector<std::string>& names, Section& section);

// Returns notes on models whose names look alike, models whose scores may come from files without a manifest,
// and models whose answers are of an unexpected kind.
Section ModelNotes(std::span<const LeaderboardRow> rows);

// `columns` is the width of the terminal for a table, as for RenderText.
// REQUIRES: format is kTable, kMarkdown or kLatex.
std::string RenderBoard(const Document& document, LeaderboardFormat format, std::size_t columns = 0);

// Removes and returns the leading items that belong to one scorer. REQUIRES: at least one item.
template <class Item>
std::span<const Item> TakeScorer(std::span<const Item>& items) {
  const auto end =
      std::ranges::find_if(items, [&](const Item& item) { return item.scorer != items.front().scorer; });
  const auto of_scorer = items.first(static_cast<std::size_t>(end - items.begin()));
  items = items.subspan(of_scorer.size());
  return of_scorer;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_BOARD_NOTES_H_
