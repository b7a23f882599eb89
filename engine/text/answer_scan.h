// engine/text/answer_scan.h: scanners that find an answer in the text around it: labels, fences, balanced
// brackets, counts. Stateless. Every scanner is linear in the text, whatever it holds.
#ifndef LEAFSCORE_ENGINE_TEXT_ANSWER_SCAN_H_
#define LEAFSCORE_ENGINE_TEXT_ANSWER_SCAN_H_

#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

// Each takes a text without white space around it (StripSpace), if nothing else is said, and returns or
// appends views into it. REQUIRES: valid UTF-8.

// Returns what follows the answer label of a text, stripped; or the text when it has none. A label is one of
// `<Answer>`, `Final Answer`, `Answer`, `Output`, `Result` and `Response` in any case at the start of a line,
// with or without a colon. The first of these that the text has anywhere counts, where it occurs first.
std::string_view SkipAnswerLabel(std::string_view text);

// Returns the content of the first closed fence of three backticks, stripped and without the language `json`,
// `python` or `py`; or the text when it has none.
std::string_view FenceContent(std::string_view text);

// What stands in the fence of what follows the label of a text.
struct AnswerContent {
  std::string_view text;
  bool label = false;  // there is one
  bool fence = false;
};

// Returns the content of a text, which may have white space around it.
AnswerContent FindAnswerContent(std::string_view text);

// Appends the stretches of text from an opening bracket to the one that closes it: of {} first, then of [],
// then of (), and of each kind the last one first. No stretch lies in another of its kind. Only brackets of
// its kind count, and none inside quotes that open after its start; a backslash in quotes hides the next
// character.
// COST: linear; 12 bytes of memory for each bracket, quote and backslash.
void FindBalanced(std::string_view text, std::vector<std::string_view>& stretches);

// Finds the number that a text gives as a count: its only number, or the number that its last line is made
// of, with or without `final answer`, `answer`, `count` or `result` in front. A number is decimal digits with
// an optional fraction and '-', not next to a letter, digit or '_' of ASCII. It does not count when it ends
// the text after a name, as in "Chiller 6": a capitalised word, unless it is one that introduces counts.
// RETURNS: the number, appended as JSON; false without one.
bool FindCount(std::string_view text, std::string& json, std::string_view* number);

// Finds the number that a text states as a count: the number that its last line is made of, as above and
// also behind `is` or a colon alone; or the only number of a text, where it ends the text behind `answer`,
// `count` or `result` and `is` or a colon, as in "The answer is 34." RETURNS: as FindCount.
bool FindStatedCount(std::string_view text, std::string& json, std::string_view* number);

// Returns the last line of a text, as str.splitlines() breaks lines, without the white space before it.
std::string_view LastLine(std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_ANSWER_SCAN_H_
