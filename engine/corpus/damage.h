// engine/corpus/damage.h: turns the expected document into a language model's imperfect answer.
#ifndef LEAFSCORE_ENGINE_CORPUS_DAMAGE_H_
#define LEAFSCORE_ENGINE_CORPUS_DAMAGE_H_

#include <string>

#include "engine/corpus/json_tree.h"
#include "engine/corpus/random.h"

namespace leafscore::internal::corpus {

// Damages each leaf with probability `rate` (three times that for free text), and the structure with
// fractions of it: keys missing, added or in another order; array elements dropped, repeated or swapped;
// values of the wrong type.
// REQUIRES: as made by MakeDocument.
void DamageValue(Random& random, Probability rate, JsonTree& value);

// Appends the text of an answer that is more or less than JSON: cut off, in a code fence, or prose.
void AppendRawAnswer(Random& random, const JsonTree& value, std::string& out);

}  // namespace leafscore::internal::corpus

#endif  // LEAFSCORE_ENGINE_CORPUS_DAMAGE_H_
