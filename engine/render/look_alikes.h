// engine/render/look_alikes.h: names in a table that nobody can tell apart by looking at it. Stateless.
#ifndef LEAFSCORE_ENGINE_RENDER_LOOK_ALIKES_H_
#define LEAFSCORE_ENGINE_RENDER_LOOK_ALIKES_H_

#include <string>
#include <vector>

namespace leafscore::internal {

// Returns a line for each set of different names that DisplayName shows alike, with all characters beyond
// ASCII as escapes: names that are cut at the same place, have compatible characters or other spaces and
// hyphens (Unicode Standard Annex #15, NFKC), or letters of Greek and Cyrillic that look like Latin ones (a
// selection from Unicode Technical Standard #39). COST: sorts the names.
std::string LookAlikeNotes(const std::vector<std::string>& names);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RENDER_LOOK_ALIKES_H_
