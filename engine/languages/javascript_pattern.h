// engine/languages/javascript_pattern.h: translates patterns of JavaScript (ECMA-262, 22.2.1 and B.1.2) into
// patterns of PCRE2. Stateless.
//
// Everything that the two read differently is written out: classes such as \s, ends of lines and words, the
// other case of letters, names of groups. So the syntax errors of JavaScript are found here, and PCRE2 never
// applies syntax of its own.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_PATTERN_H_
#define LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_PATTERN_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// The flags that change the matches; d and g do not.
struct JavaScriptFlags {
  bool ignore_case = false;
  bool multiline = false;
  bool dot_all = false;
  bool unicode = false;  // u or v
  bool sets = false;     // v
  bool sticky = false;

  // RETURNS: false if a letter is not a flag or is repeated, or if both u and v are given.
  bool Read(std::string_view letters);
};

struct TranslatedPattern {
  std::u16string pattern;    // for PCRE2 with kPcreOptions
  std::string fault;         // not empty: there is no pattern
  bool unsupported = false;  // the fault is a limitation of ours
};

// REQUIRES: valid UTF-8.
TranslatedPattern TranslateJavaScriptPattern(std::string_view pattern, JavaScriptFlags flags);

// Returns UTF-8 as UTF-16.
std::u16string Utf16Of(std::string_view utf8);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_PATTERN_H_
