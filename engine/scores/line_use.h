// engine/scores/line_use.h: which of several lines of an id count under a scorer. This is the one rule for
// all that read scores back: a line whose record could not be read, but shows its id (`id_from` is `line`),
// counts only where the id has no other line; --repeats chooses among the rest (docs/leaderboard.md, "What
// was asked").
#ifndef LEAFSCORE_ENGINE_SCORES_LINE_USE_H_
#define LEAFSCORE_ENGINE_SCORES_LINE_USE_H_

#include <cstddef>
#include <cstdint>

#include "leafscore/files.h"

namespace leafscore::internal {

// What becomes of the next line of an id.
enum class LineUse : std::uint8_t {
  kAlone,   // it counts, and the lines before it do not
  kBeside,  // it counts beside those that count already
  kNot,     // it does not count
};

// Returns what becomes of the next line of an id. `counted` is the number of lines before it that count;
// `counted_are_broken` and `is_broken` tell whether these, and the line, are of records that could not be
// read. Lines that repeat are beside each other with Repeats::kError, too: the caller refuses an id of which
// more than one line counts once all are there, since one that could be read may follow several that could
// not.
constexpr LineUse UseOfLine(Repeats repeats, std::size_t counted, bool counted_are_broken, bool is_broken) {
  if (counted == 0) return LineUse::kAlone;
  if (counted_are_broken != is_broken) return is_broken ? LineUse::kNot : LineUse::kAlone;
  if (repeats == Repeats::kFirst) return LineUse::kNot;
  return repeats == Repeats::kLast ? LineUse::kAlone : LineUse::kBeside;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORES_LINE_USE_H_
