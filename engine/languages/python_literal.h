// engine/languages/python_literal.h: converts Python literals to JSON, so that the one JSON reader handles
// both.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_PYTHON_LITERAL_H_
#define LEAFSCORE_ENGINE_LANGUAGES_PYTHON_LITERAL_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// How the arrays of tuples are distinguished from the arrays of lists.
enum class TupleForm {
  kPlain,   // not at all
  kMarked,  // by a blank after the bracket
};

// Appends the JSON of the value that `ast.literal_eval(text.strip())` of Python 3.11 returns. RETURNS: false,
// with `json` unchanged, if that raises an exception.
//
// Lists and tuples become arrays, and keys of a dict become their Python text: `1`, `None`, `(1, 'a')`. If
// keys are equal, such as 1 and True, the last value gets the text of the first key; two keys with the same
// text (1 and '1') are duplicate keys of the JSON. Sets, bytes, complex numbers and `...` become strings with
// their Python text (see engine/languages/python_repr.h). Integers stay integers, in decimal; a real keeps
// its digits, or is Infinity; a lone surrogate stays an escape. So the JSON may be nonstandard, of the kind
// that Python's `json` reads.
//
// Differences from Python: brackets nest up to kMaxDepth - 1 deep (Python: 200); integers of more than 4,300
// digits are rejected in every base, as Python cannot write them; names of characters (`\N{...}`) are
// rejected; `set` must be written in ASCII.
//
// REQUIRES: valid UTF-8 of less than 2 GiB.
// COST: linear in time and memory, n log n in the elements of a set; no recursion.
// THREADS: safe with distinct outputs.
bool PythonLiteralToJson(std::string_view text, std::string& json, TupleForm tuples = TupleForm::kPlain);

// Returns whether an array in such JSON was a tuple. REQUIRES: TupleForm::kMarked.
inline bool IsMarkedTuple(std::string_view array) { return array.starts_with("[ "); }

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_PYTHON_LITERAL_H_
