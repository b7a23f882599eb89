// engine/text/python_repr.h: the text that Python gives a value, as its repr() does.
#ifndef LEAFSCORE_ENGINE_TEXT_PYTHON_REPR_H_
#define LEAFSCORE_ENGINE_TEXT_PYTHON_REPR_H_

#include <cstddef>
#include <string>

#include "engine/text/python_tape.h"

namespace leafscore {

// How a value is written: as Python does, or so that two values have equal texts exactly when Python takes
// them for equal (1, 1.0 and True are).
enum class PythonForm { kRepr, kIdentity };

// Appends the text of the value whose nodes begin at `index`, in UTF-8, without surrogates.
// REQUIRES: a value with a hash, or a set.
// RETURNS:  the index behind its nodes.
// COST:     linear; of a set n log n, as its elements are sorted.
// Where Python writes the elements of a set in the order of their hashes, which differs from run to run, they
// stand here by the length of their texts, then by their bytes.
std::size_t AppendPythonRepr(const PythonTape& tape, std::size_t index, PythonForm form, std::string& out);

}  // namespace leafscore

#endif  // LEAFSCORE_ENGINE_TEXT_PYTHON_REPR_H_
