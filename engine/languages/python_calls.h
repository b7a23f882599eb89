// engine/languages/python_calls.h: calls written in Python, such as models answer with: search(q="x", n=5),
// or a list or tuple of them.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_PYTHON_CALLS_H_
#define LEAFSCORE_ENGINE_LANGUAGES_PYTHON_CALLS_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// What the Berkeley Function Calling Leaderboard reads otherwise.
struct PythonCallRules {
  bool strips_quotes = false;     // ' at both ends of the text
  bool drops_positional = false;  // arguments without a name; else they make all arguments bad
  bool computes = false;          // arithmetic of numbers is its result
  bool nests_calls = false;       // a call with named arguments inside is {name: {arguments}}
};

// Appends the calls of a text as JSON: [{"name": "search", "arguments": {"q": "x", "n": 5}}], the name being
// the dotted source. Values are literals with unary minus, lists, tuples (as arrays) and dicts; any other
// expression is the text of its source. Arguments without a name and unpacked ones have no value here: the
// arguments of such a call are false in place of an object. Of an argument that is given twice Python takes
// none, and so is this no call.
// REQUIRES: valid UTF-8 of less than 2 GiB.
// RETURNS:  false for any other text; `json` is then as it was.
// COST:     linear, as expressions within expressions may be read again only so often.
// THREADS:  safe with distinct outputs.
bool PythonCallsToJson(std::string_view text, const PythonCallRules& rules, std::string& json);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_PYTHON_CALLS_H_
