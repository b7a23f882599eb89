// engine/scorers/static_json/mode_terms.h: the terms that an answer with one key (`response`, `clarification`
// or `abstain`) should contain. They are taken from the gold, by the rules of AssetOpsBench. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_MODE_TERMS_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_MODE_TERMS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text_map.h"

namespace leafscore::internal {

// NormaliseTerm returns the words of a text in lower case, separated by one blank. All characters except a-z
// and 0-9 separate words. WordsOf does the same without lower-casing, so that capitals separate words, too.
std::string NormaliseTerm(std::string_view text);
std::string WordsOf(std::string_view text);

// Returns the terms that occur in a text as whole words. REQUIRES: text and terms are normalised, no term is
// empty, and all of them outlive the result. COST: linear in the terms; linear in the text for each different
// number of words that terms have.
TextSet<std::string_view> TermsWithin(std::string_view text, std::span<const std::string_view> terms);

// Returns the terms of a gold value, normalised and without repetition: its quotations, its identifiers,
// words from the original's list, and a yes or no at its beginning. `text` is the value as Python's str()
// writes it; `normalised` is the normalised form of the same text. COST: linear.
std::vector<std::string> RequiredTerms(std::string_view text, std::string_view normalised);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_MODE_TERMS_H_
