// engine/text/similar_id_key.h: recognises ids that differ only in case, blanks and leading zeros. Stateless.
#ifndef LEAFSCORE_ENGINE_TEXT_SIMILAR_ID_KEY_H_
#define LEAFSCORE_ENGINE_TEXT_SIMILAR_ID_KEY_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns an id in lower case, without blanks, and without leading zeros in each run of digits. The zeros of
// a fraction stay (1.05 is not 1.5, and 1,05 is not 1,5). The zeros of digits that a letter follows directly
// stay, too, as in checksums (f00d is not f0d).
std::string SimilarIdKey(std::string_view id);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_SIMILAR_ID_KEY_H_
