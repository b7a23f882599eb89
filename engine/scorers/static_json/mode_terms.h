// engine/scorers/static_json/mode_terms.h: the terms that an answer of one key (`response`, `clarification`
// or `abstain`) should hold: those of the gold, by the rules of AssetOpsBench. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_MODE_TERMS_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_MODE_TERMS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text_map.h"

namespace leafscore::internal {

// Returns a text as its words in lower case with one blank between them: all but a-z and 0-9 is between
// words. WordsOf does so without lower-casing, so that capitals are between words, too.
std::string NormaliseTerm(std::string_view text);
std::string WordsOf(std::string_view text);

// Returns which of the terms stand in a text as whole words. REQUIRES: all are normalised, no term is empty,
// and terms and text outlive the result. COST: linear in the terms, and in the text for each number of words
// that terms have.
TextSet<std::string_view> TermsWithin(std::string_view text, std::span<const std::string_view> terms);

// Returns the terms of a gold value, normalised, each once: what it quotes, its identifiers, words of the
// origin's list that it holds, and the yes or no that it begins with. `text` is the value as Python's str()
// gives it, and `normalised` the same normalised. COST: linear.
std::vector<std::string> RequiredTerms(std::string_view text, std::string_view normalised);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_MODE_TERMS_H_
