// engine/languages/python_calls.h: reads calls in Python syntax, as models write them: search(q="x", n=5), or
// a list or tuple of them.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_PYTHON_CALLS_H_
#define LEAFSCORE_ENGINE_LANGUAGES_PYTHON_CALLS_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Differences in how the Berkeley Function Calling Leaderboard reads calls.
struct PythonCallRules {
  bool strips_quotes = false;     // ignore ' at both ends of the text
  bool drops_positional = false;  // ignore arguments without a name; else they make all arguments invalid
  bool computes = false;          // evaluate arithmetic of numbers
  bool nests_calls = false;       // a call with named arguments inside is {name: {arguments}}
};

// Appends the calls in a text as JSON: [{"name": "search", "arguments": {"q": "x", "n": 5}}], where the name
// is the dotted source. Values are literals with unary minus, lists, tuples (as arrays) and dicts; any other
// expression becomes the text of its source. Arguments without a name and unpacked ones have no value here:
// the arguments of such a call are false instead of an object. A text in which an argument is given twice is
// not a call, because Python rejects it.
// REQUIRES: valid UTF-8 of less than 2 GiB.
// RETURNS: false for any other text; `json` is then unchanged.
// COST: linear, as the rereading of nested expressions is limited.
// THREADS: safe with distinct outputs.
bool PythonCallsToJson(std::string_view text, const PythonCallRules& rules, std::string& json);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_PYTHON_CALLS_H_
