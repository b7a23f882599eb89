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
  bool nests_calls = false;       // a nested call with named arguments is {name: {arguments}}
};

// Appends the calls in a text as JSON: [{"name": "search", "arguments": {"q": "x", "n": 5}}]. The name may
// have dots, as in `api.search`. The value of an argument may be a literal, with or without a minus sign, a
// list, a tuple (which becomes an array) or a dict. Unless `rules` say otherwise, any other expression
// becomes a string with its source. Unless rules.drops_positional is set, "arguments" is false instead of an
// object if an argument has no name or is unpacked. If an argument is given twice, the text is not a call,
// because Python rejects it.
// REQUIRES: valid UTF-8 of less than 2 GiB.
// RETURNS: false if the text does not consist of calls; `json` is then unchanged.
// COST: linear, as the rereading of nested expressions is limited.
// THREADS: safe with distinct outputs.
bool PythonCallsToJson(std::string_view text, const PythonCallRules& rules, std::string& json);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_PYTHON_CALLS_H_
