// engine/languages/javascript_property.h: the properties that patterns of JavaScript know beside the flags u
// and v (ECMA-262, tables 69 to 71), and what is equal under the flag i there. Sets are ranges of code points
// in any order. Their characters are those of ICU's Unicode, without surrogates. Stateless.
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
  int property;           // of ICU
  int value;              // of that property
  std::string pcre_name;  // what PCRE2 calls it; empty where it may know another set, or none

  // COST: about a millisecond.
  CharRanges Characters() const;
};

// Returns what stands between the braces of \p{...}: a general category or a binary property, alone, or
// gc=Lu, sc=Greek, scx=Greek. Names are exact. RETURNS: nothing for other names, and for scripts without
// characters.
std::optional<JavaScriptProperty> FindJavaScriptProperty(std::string_view text);

// Tells whether a name is that of a property of strings, which are for the flag v.
bool IsPropertyOfStrings(std::string_view name);

// Returns all code points but those of the ranges and surrogates.
CharRanges ComplementOf(CharRanges ranges);

// Returns the characters beyond the ranges whose simple case folding one within them has, too.
CharRanges OtherCases(const CharRanges& ranges);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_PROPERTY_H_
