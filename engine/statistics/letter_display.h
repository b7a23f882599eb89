// engine/statistics/letter_display.h: shows which of several things no test tells apart. Stateless.
#ifndef LEAFSCORE_ENGINE_STATISTICS_LETTER_DISPLAY_H_
#define LEAFSCORE_ENGINE_STATISTICS_LETTER_DISPLAY_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace leafscore::internal {

// Returns a text of letters for each of `count` things, so that two share a letter exactly if they are not
// among the pairs that are different. Each letter stands for a set in which no two are different, and to
// which nothing can be added; the first letters are those of the first things. Beyond 26 sets, letters are
// numbers with commas between them. H.-P. Piepho, "An algorithm for a letter-based representation of
// all-pairwise comparisons", J. Comput. Graph. Stat. 13, 2004: his insertion and absorption. REQUIRES: the
// two of a pair are not the same. RETURNS: nothing for more than 1,000 sets. COST: sets squared times things
// for each pair.
std::optional<std::vector<std::string>> CompactLetters(
    std::size_t count, std::span<const std::pair<std::size_t, std::size_t>> different);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_LETTER_DISPLAY_H_
