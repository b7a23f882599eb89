// engine/statistics/letter_display.h: shows which items no test tells apart, by letters. Stateless.
#ifndef LEAFSCORE_ENGINE_STATISTICS_LETTER_DISPLAY_H_
#define LEAFSCORE_ENGINE_STATISTICS_LETTER_DISPLAY_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace leafscore::internal {

// Returns a text of letters for each of `count` items, so that two items share a letter exactly if they are
// not one of the different pairs. Each letter stands for a maximal set in which no two items are different;
// the first letters belong to the first items. Beyond 26 sets, letters are numbers separated by commas. H.-P.
// Piepho, "An algorithm for a letter-based representation of all-pairwise comparisons", J. Comput. Graph.
// Stat. 13, 2004: his insertion and absorption. REQUIRES: the two items of a pair are different.
// RETURNS: nullopt for more than 1,000 sets. COST: for each pair, sets squared times items.
std::optional<std::vector<std::string>> CompactLetters(
    std::size_t count, std::span<const std::pair<std::size_t, std::size_t>> different);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_LETTER_DISPLAY_H_
