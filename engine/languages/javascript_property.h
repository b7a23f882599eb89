// engine/languages/javascript_property.h: the character properties in JavaScript patterns with the flags u
// and v (ECMA-262, tables 69 to 71), and which characters are equal under the flag i. Sets are ranges of code
// points in any order. Their characters follow ICU's version of Unicode, without surrogates. Stateless.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_PROPERTY_H_
#define LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_PROPERTY_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

struct CharRange {
  char32_t first;
  char32_t last;
};
using CharRanges = std::vector<CharRange>;

struct JavaScriptProperty {
  int property;           // ICU's property
  int value;              // its value
  std::string pcre_name;  // PCRE2's name; empty if PCRE2 may have another set, or no such property

  // COST: about a millisecond.
  CharRanges Characters() const;
};

// Finds the property between the braces of \p{...}: the name of a general category or of a binary property,
// or a text such as gc=Lu, sc=Greek or scx=Greek. Names must match exactly. RETURNS: nullopt for other names,
// and for scripts without characters.
std::optional<JavaScriptProperty> FindJavaScriptProperty(std::string_view text);

// Returns whether this is the name of a property of strings, which only the flag v allows.
bool IsPropertyOfStrings(std::string_view name);

// Returns all code points outside the ranges, except surrogates.
CharRanges ComplementOf(CharRanges ranges);

// Returns the characters outside the ranges that have the same simple case folding as one inside.
CharRanges OtherCases(const CharRanges& ranges);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_PROPERTY_H_
