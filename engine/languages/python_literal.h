// engine/languages/python_literal.h: Python literals as JSON, so that the one JSON front end makes leaves of
// both.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_PYTHON_LITERAL_H_
#define LEAFSCORE_ENGINE_LANGUAGES_PYTHON_LITERAL_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// How the arrays of tuples are told from those of lists.
enum class TupleForm {
  kPlain,   // they are not
  kMarked,  // by a blank behind the bracket
};

// Appends the JSON of the value that `ast.literal_eval(text.strip())` of Python 3.11 returns; false, and
// `json` as it was, when it raises.
//
// Lists and tuples become arrays, and the keys of a dict their Python text: `1`, `None`, `(1, 'a')`. Of equal
// keys, such as 1 and True, the last value comes with the text of the first key; two keys with one text (1
// and '1') are duplicate keys of the JSON. Sets, bytes, complex numbers and `...` become strings of their
// Python text (see engine/languages/python_repr.h). An integer remains one, in decimal; a real keeps its
// digits, or is Infinity; a lone surrogate stays an escape. So the JSON may be nonstandard, of the kind that
// Python's `json` reads.
//
// Unlike in Python, brackets nest up to kMaxDepth - 1 deep (there 200); integers of more than 4,300 digits
// are refused in every base, as Python cannot write them; so are names of characters (`\N{...}`); `set` is
// written in ASCII.
//
// REQUIRES: valid UTF-8 of less than 2 GiB.
// COST:     linear in time and memory, n log n in the elements of a set; no recursion.
// THREADS:  safe with distinct outputs.
bool PythonLiteralToJson(std::string_view text, std::string& json, TupleForm tuples = TupleForm::kPlain);

// Tells whether an array in such JSON was a tuple. REQUIRES: TupleForm::kMarked.
inline bool IsMarkedTuple(std::string_view array) { return array.starts_with("[ "); }

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_PYTHON_LITERAL_H_
