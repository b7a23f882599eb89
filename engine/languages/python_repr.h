// engine/languages/python_repr.h: writes values like Python's repr().
#ifndef LEAFSCORE_ENGINE_LANGUAGES_PYTHON_REPR_H_
#define LEAFSCORE_ENGINE_LANGUAGES_PYTHON_REPR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/id_table.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/languages/python_tape.h"

namespace leafscore::internal {

// Appends the text of a string, in quotes; `text` may contain surrogates, as from ReadPythonString.
void AppendPythonString(std::string_view text, std::string& out);
// Appends the text of a real, such as 5.0, 1e-05 and inf.
void AppendPythonReal(double value, std::string& out);

// How a value is written: like Python, or so that two values have equal texts exactly if they are equal in
// Python (1, 1.0 and True are).
enum class PythonForm { kRepr, kIdentity };

// Appends the text of the value whose nodes begin at `index`, in UTF-8, without surrogates. Python writes the
// elements of a set in the order of their hashes, which differs from run to run; here they are sorted by the
// length of their texts, then by their bytes.
// REQUIRES: a hashable value, or a set.
// RETURNS: the index after its nodes.
// COST: linear; n log n for a set, as its elements are sorted.
std::size_t AppendPythonRepr(const PythonTape& tape, std::size_t index, PythonForm form, std::string& out);

// Values that are all different in Python: the elements of a set, the keys of a dict.
class PythonDistinctValues {
 public:
  // Adds the value whose nodes begin at *index, unless it equals an earlier one, and moves *index after its
  // nodes. RETURNS: the text of the first of the equal values, valid until the next call.
  std::string_view Add(const PythonTape& tape, std::size_t* index);

  // Returns all texts, by their length, then by their bytes.
  std::vector<std::string_view> SortedTexts() const;

 private:
  struct Value {
    std::string identity;
    std::string text;
  };

  std::vector<Value> values_;
  IdTable ids_;  // of values_, by identity
};

// The text of a JSON value as from Python's str(), which UiPath's evaluators compare: 5.0, True, None, {'a':
// [1.0, 'x']}. Stateless.
enum class PythonNumbers : std::uint8_t {
  kReals,   // 5 is 5.0; beyond the range of double, where Python rejects an integer, it is `inf`
  kAsRead,  // 5 is 5, as json.loads reads it
};

// Appends the text of a value. A string has no quotes, except inside another value.
void AppendPythonText(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out,
                      PythonNumbers numbers = PythonNumbers::kReals);

// Appends the text of a value inside another one.
void AppendPythonItem(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out,
                      PythonNumbers numbers = PythonNumbers::kReals);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_PYTHON_REPR_H_
