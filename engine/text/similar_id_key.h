// engine/text/similar_id_key.h: ids that are equal but for case, blanks and leading zeros. Stateless.
#ifndef LEAFSCORE_ENGINE_TEXT_SIMILAR_ID_KEY_H_
#define LEAFSCORE_ENGINE_TEXT_SIMILAR_ID_KEY_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns what is left of an id without these: in lower case, without blanks, and of each run of digits
// without its leading zeros, unless it is a fraction (1.05 is not 1.5, nor 1,05) or a letter follows it at
// once, as in checksums (f00d is not f0d).
std::string SimilarIdKey(std::string_view id);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_SIMILAR_ID_KEY_H_
