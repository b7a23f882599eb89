// engine/base/suggest.h: messages about a name that does not exist. Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_BASE_SUGGEST_H_
#define LEAFSCORE_ENGINE_BASE_SUGGEST_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace leafscore::internal {

// Finds the candidate with the fewest edits from `name`, or the first of several with equally few. An edit
// inserts, deletes or replaces a byte, or swaps two adjacent bytes (the optimal string alignment distance).
// RETURNS: the candidate, or an empty text if it needs too many edits. One edit is always allowed, and more
//          are allowed up to a third of the longer name's bytes.
// COST: O(|name| · |candidate|) for each candidate of similar length; other candidates are skipped.
std::string NearestName(std::string_view name, std::span<const std::string_view> candidates);

// RETURNS: a message such as: unknown option "treshold"; did you mean "threshold"? valid: case_sensitive,
//          threshold
std::string UnknownNameMessage(std::string_view what, std::string_view name,
                               std::span<const std::string_view> candidates);

// RETURNS: the end of a message, such as: ; did you mean "threshold"? Empty if no candidate is near.
std::string DidYouMean(std::string_view name, std::span<const std::string_view> candidates);
std::string DidYouMean(std::string_view name, std::span<const std::string> candidates);

// RETURNS: the text in double quotes on one line, with control characters escaped. A text of more than
// max_bytes is cut, and "..." follows it.
std::string QuoteForMessage(std::string_view text, std::size_t max_bytes = 60);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_SUGGEST_H_
