// engine/scores/line_use.h: decides which of several lines with one id count under a scorer. This is the one
// rule for all code that reads scores back. A line whose record could not be read, but shows its id
// (`id_from` is `line`), counts only if the id has no other line; --repeats chooses among the rest
// (docs/leaderboard.md, "What was asked").
#ifndef LEAFSCORE_ENGINE_SCORES_LINE_USE_H_
#define LEAFSCORE_ENGINE_SCORES_LINE_USE_H_

#include <cstddef>
#include <cstdint>

#include "leafscore/files.h"

namespace leafscore::internal {

// How the next line of an id counts.
enum class LineUse : std::uint8_t {
  kAlone,   // it counts, and the lines before it do not
  kBeside,  // it counts in addition to the lines that count already
  kNot,     // it does not count
};

// Decides how the next line of an id counts. `counted` is the number of earlier lines that count.
// `counted_are_broken` says whether these lines come from records that could not be read, and `is_broken`
// whether the next line does. With Repeats::kError, repeated lines are kBeside as well: the caller refuses an
// id with more than one counting line at the end, because a readable line may follow several lines of
// unreadable records.
constexpr LineUse UseOfLine(Repeats repeats, std::size_t counted, bool counted_are_broken, bool is_broken) {
  if (counted == 0) return LineUse::kAlone;
  if (counted_are_broken != is_broken) return is_broken ? LineUse::kNot : LineUse::kAlone;
  if (repeats == Repeats::kFirst) return LineUse::kNot;
  return repeats == Repeats::kLast ? LineUse::kAlone : LineUse::kBeside;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORES_LINE_USE_H_
