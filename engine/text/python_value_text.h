// engine/text/python_value_text.h: a JSON value as the text that Python's str() gives it once its numbers are
// reals, which is what UiPath's evaluators compare: 5.0, True, None, {'a': [1.0, 'x']}. Stateless.
#ifndef LEAFSCORE_ENGINE_TEXT_PYTHON_VALUE_TEXT_H_
#define LEAFSCORE_ENGINE_TEXT_PYTHON_VALUE_TEXT_H_

#include <string>

#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"

namespace leafscore::internal {

// Appends the text of a value: that of a string bare, and quoted within another value. A number beyond the
// range of double, which Python refuses when it is an integer, is `inf`.
void AppendPythonText(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out);

// Appends the text that a value has within another one.
void AppendPythonItem(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_PYTHON_VALUE_TEXT_H_
