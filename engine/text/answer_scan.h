// engine/text/answer_scan.h: scanners that find an answer in the text around it: labels, fences, balanced
// brackets, counts. Stateless. Every scanner is linear in the text, whatever it contains.
#ifndef LEAFSCORE_ENGINE_TEXT_ANSWER_SCAN_H_
#define LEAFSCORE_ENGINE_TEXT_ANSWER_SCAN_H_

#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

// Unless noted otherwise, each takes a text without surrounding white space (StripSpace), and returns or
// appends views into it. REQUIRES: valid UTF-8.

// Returns the text after the answer label, stripped; or the whole text if it has no label. A label is one of
// `<Answer>`, `Final Answer`, `Answer`, `Output`, `Result` and `Response`, in upper or lower case, at the
// start of a line, with or without a colon. If several of them occur in the text, the one that comes first in
// this list counts, at its first place.
std::string_view SkipAnswerLabel(std::string_view text);

// Returns the content of the first closed fence of three backticks, stripped and without the language `json`,
// `python` or `py`; or the whole text if it has no fence.
std::string_view FenceContent(std::string_view text);

// The content of the fence in the text after the label.
struct AnswerContent {
  std::string_view text;
  bool label = false;  // the text has one
  bool fence = false;
};

// Returns the content of a text, which may have surrounding white space.
AnswerContent FindAnswerContent(std::string_view text);

// Appends the parts of a text from an opening bracket to its closing bracket: first all {} parts, then [],
// then (); within each kind, from last to first. No part lies within another of its kind. Within a part, only
// brackets of its kind count, and brackets inside quotes do not; a backslash in quotes hides the next
// character.
// COST: linear; 12 bytes of memory for each bracket, quote and backslash.
void FindBalanced(std::string_view text, std::vector<std::string_view>& stretches);

// Returns the outermost parts of a text enclosed in brackets of objects or arrays: first the parts that
// begin with `first`, then the others, each from the last to the first.
std::vector<std::string_view> FindOuterBrackets(std::string_view text, char first);

// Finds the number that a text gives as a count: its only number, or the number that makes up its last line,
// with or without `final answer`, `answer`, `count` or `result` before it. A number is decimal digits with an
// optional fraction and '-', not next to an ASCII letter, digit or '_'. The only number of a text does not
// count if it ends the text and follows a name, as in "Chiller 6". A name is a capitalised word, except for
// words that introduce counts, such as "About".
// RETURNS: true after appending the number as JSON; false if there is no such number.
bool FindCount(std::string_view text, std::string& json, std::string_view* number);

// Finds the number that a text states as a count. This is the number that makes up its last line, as for
// FindCount; here, `is` or a colon alone may also come before it. Or it is the only number of a text, if it
// ends the text and follows `answer`, `count` or `result` with `is` or a colon, as in "The answer is 34."
// RETURNS: as FindCount.
bool FindStatedCount(std::string_view text, std::string& json, std::string_view* number);

// Returns the last line of a text, by the rules of str.splitlines(), without leading white space.
std::string_view LastLine(std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_ANSWER_SCAN_H_
