// engine/statistics/letter_display.h: letters that show which items the tests do not distinguish. Stateless.
#ifndef LEAFSCORE_ENGINE_STATISTICS_LETTER_DISPLAY_H_
#define LEAFSCORE_ENGINE_STATISTICS_LETTER_DISPLAY_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace leafscore::internal {

// Returns a text of letters for each of `count` items, so that two items share a letter if and only if they
// are not a pair in `different`. Each letter stands for a maximal set in which no two items are different;
// the first letters belong to the first items. If there are more than 26 sets, the texts have numbers
// separated by commas instead of letters. The method is insertion and absorption (H.-P. Piepho, "An algorithm
// for a letter-based representation of all-pairwise comparisons", J. Comput. Graph. Stat. 13, 2004).
// REQUIRES: the two items of a pair are different.
// RETURNS: nullopt for more than 1,000 sets. COST: for each pair, sets squared times items.
std::optional<std::vector<std::string>> CompactLetters(
    std::size_t count, std::span<const std::pair<std::size_t, std::size_t>> different);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_LETTER_DISPLAY_H_
