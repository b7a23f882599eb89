// engine/render/look_alikes.h: finds names in a table that look the same. Stateless.
#ifndef LEAFSCORE_ENGINE_RENDER_LOOK_ALIKES_H_
#define LEAFSCORE_ENGINE_RENDER_LOOK_ALIKES_H_

#include <string>
#include <vector>

namespace leafscore::internal {

// Returns a line for each set of different names that look alike after DisplayName, with all characters
// beyond ASCII escaped: names cut at the same place, names with compatibility characters or other spaces and
// hyphens (Unicode Standard Annex #15, NFKC), or Greek and Cyrillic letters that look Latin (a selection from
// Unicode Technical Standard #39). COST: sorts the names.
std::string LookAlikeNotes(const std::vector<std::string>& names);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RENDER_LOOK_ALIKES_H_
