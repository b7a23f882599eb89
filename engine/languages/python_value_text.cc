#include "engine/languages/python_value_text.h"

#include <string_view>

#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/json/value_writer.h"
#include "engine/languages/python_repr.h"

namespace leafscore::internal {

void AppendPythonText(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out,
                      PythonNumbers numbers) {
  if (IsString(table.kind(node))) {
    AppendStringText(table, node, out);
  } else {
    AppendPythonItem(table, shapes, node, out, numbers);
  }
}

void AppendPythonItem(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out,
                      PythonNumbers numbers) {
  JsonWriter python(out, JsonLayout::kOneLine);  // Python sets its brackets, commas and colons likewise
  std::string text;
  const auto write_leaf = [&](NodeId leaf) {
    switch (table.kind(leaf)) {
      case ValueKind::kNull:
        return python.Raw("None");
      case ValueKind::kFalse:
        return python.Raw("False");
      case ValueKind::kTrue:
        return python.Raw("True");
      case ValueKind::kNumber: {
        const std::string_view token = table.leaf_token(leaf);
        const bool is_integer = token.find_first_not_of("-0123456789") == token.npos;
        if (numbers == PythonNumbers::kAsRead && is_integer) return python.Raw(token == "-0" ? "0" : token);
        return AppendPythonReal(token == "-0" ? 0 : ParseNumber(token),
                                python.RawValue());  // -0 is an integer
      }
      default:
        text.clear();
        AppendStringText(table, leaf, text);
        return AppendPythonString(text, python.RawValue());
    }
  };
  const auto write_key = [&](std::string_view key) {
    text.clear();
    AppendPythonString(key, text);
    python.RawKey(text);
  };
  WriteValue(table, shapes, node, KeyOrder::kAsWritten, python, write_key, write_leaf);
}

}  // namespace leafscore::internal
