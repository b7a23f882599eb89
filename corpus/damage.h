// corpus/damage.h: turns the expected document into a language model's imperfect answer.
#ifndef LEAFSCORE_CORPUS_DAMAGE_H_
#define LEAFSCORE_CORPUS_DAMAGE_H_

#include <string>
#include <string_view>

#include "corpus/json_tree.h"
#include "corpus/random.h"

namespace leafscore::internal::corpus {

// Damages each leaf with probability `rate` (three times that for free text), and the structure with
// fractions of it: keys missing, added or in another order; array elements dropped, repeated or swapped;
// values of the wrong type.
// REQUIRES: as made by MakeDocument.
void DamageValue(Random& random, Probability rate, JsonTree& value);

// Appends the text of an answer that is more or less than JSON: cut off, in a code fence, or prose.
void AppendRawAnswer(Random& random, const JsonTree& value, std::string& out);

// Errors that language models make inside one string or number.

// Strings from this size on are free text, which a model rarely repeats word for word.
inline constexpr std::size_t kFreeTextBytes = 200;

// Damages a string: typos, another case, white space or order of words, a placeholder; a date in another
// format; free text reworded in several places. It stays valid UTF-8, and rarely stays the same.
void DamageString(Random& random, std::string& text);

// Returns a number like `token` with a slip: a digit, the sign, some percent, the point; or the same number
// written otherwise. REQUIRES: a JSON number of at most 15 digits without exponent.
std::string DamageNumber(Random& random, std::string_view token);

}  // namespace leafscore::internal::corpus

#endif  // LEAFSCORE_CORPUS_DAMAGE_H_
