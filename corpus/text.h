// corpus/text.h: generated names, dates and English prose, shared by the profiles and the damage.
#ifndef LEAFSCORE_CORPUS_TEXT_H_
#define LEAFSCORE_CORPUS_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "corpus/random.h"

namespace leafscore::internal::corpus {

// Appends `number` in at least `width` digits. REQUIRES: width <= 24.
void AppendPadded(std::string& out, std::uint64_t number, std::size_t width);

// Returns `prefix` and `width` random digits.
std::string DigitString(Random& random, std::string prefix, int width);

// Return a person's name; a date as 2024-03-31; a time as 2024-03-31T08:15:00Z.
std::string PersonName(Random& random);
std::string Date(Random& random);
std::string Timestamp(Random& random);

// Returns one English sentence of 20 to 100 bytes.
std::string Sentence(Random& random);

// Returns sentences of at least `min_bytes` in all; `paragraphs` breaks lines now and then.
std::string Prose(Random& random, std::size_t min_bytes, bool paragraphs = false);

}  // namespace leafscore::internal::corpus

#endif  // LEAFSCORE_CORPUS_TEXT_H_
