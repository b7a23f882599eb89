// engine/languages/python_value_text.h: a JSON value as the text that Python's str() gives it, which is what
// UiPath's evaluators compare: 5.0, True, None, {'a': [1.0, 'x']}. Stateless.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_PYTHON_VALUE_TEXT_H_
#define LEAFSCORE_ENGINE_LANGUAGES_PYTHON_VALUE_TEXT_H_

#include <cstdint>
#include <string>

#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"

namespace leafscore::internal {

enum class PythonNumbers : std::uint8_t {
  kReals,   // 5 is 5.0; beyond the range of double, where Python refuses an integer, it is `inf`
  kAsRead,  // 5 is 5, as json.loads reads it
};

// Appends the text of a value: that of a string bare, and quoted within another value.
void AppendPythonText(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out,
                      PythonNumbers numbers = PythonNumbers::kReals);

// Appends the text that a value has within another one.
void AppendPythonItem(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out,
                      PythonNumbers numbers = PythonNumbers::kReals);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_PYTHON_VALUE_TEXT_H_
