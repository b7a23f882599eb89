// engine/scorers/static_json/python_values.h: writes values as Python's str() and json.dumps() do. Integers
// stay integers. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_PYTHON_VALUES_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_PYTHON_VALUES_H_

#include <string>

#include "engine/json/shape_table.h"
#include "engine/json/value_writer.h"
#include "engine/match/pair_walker.h"

namespace leafscore::internal {

// A value, and whether Python's tuples in it are marked.
struct PythonValue {
  ValueRef value;
  bool marks_tuples = false;  // read by PythonLiteralToJson with TupleForm::kMarked

  bool IsTuple() const;
};

// Appends a value as str() writes it; a string is appended unchanged. COST: linear; the recursion is within
// the depth limit of JSON.
void AppendPythonStr(const PythonValue& value, const ShapeTable& shapes, std::string& out);

// Appends a value as json.dumps() writes it, in ASCII.
void AppendPythonJson(ValueRef value, const ShapeTable& shapes, KeyOrder order, std::string& out);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_PYTHON_VALUES_H_
