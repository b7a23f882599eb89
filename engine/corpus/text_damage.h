// engine/corpus/text_damage.h: errors that language models make inside one string or number.
#ifndef LEAFSCORE_ENGINE_CORPUS_TEXT_DAMAGE_H_
#define LEAFSCORE_ENGINE_CORPUS_TEXT_DAMAGE_H_

#include <string>
#include <string_view>

#include "engine/corpus/random.h"

namespace leafscore::internal::corpus {

// Strings from this size on are free text, which a model rarely repeats word for word.
inline constexpr std::size_t kFreeTextBytes = 200;

// Damages a string: typos, another case, white space or order of words, a placeholder; a date in another
// format; free text reworded in several places. It stays valid UTF-8, and rarely stays the same.
void DamageString(Random& random, std::string& text);

// Returns a number like `token` with a slip: a digit, the sign, some percent, the point; or the same number
// written otherwise. REQUIRES: a JSON number of at most 15 digits without exponent.
std::string DamageNumber(Random& random, std::string_view token);

}  // namespace leafscore::internal::corpus

#endif  // LEAFSCORE_ENGINE_CORPUS_TEXT_DAMAGE_H_
