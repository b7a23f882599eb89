#include "engine/scorers/static_json/python_values.h"

#include <fmt/format.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <cmath>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/json/json_text.h"
#include "engine/languages/python_literal.h"
#include "engine/languages/python_repr.h"

namespace leafscore::internal {
namespace {

// Appends a number as Python writes it. For a real that is not finite, appends one of the given texts.
void AppendNumber(std::string_view token, std::string_view infinity, std::string_view nan, std::string& out) {
  if (token == "-0") {
    out += '0';  // an integer
  } else if (IsIntegerToken(token)) {
    out += token;
  } else if (const double value = ParseNumber(token); std::isfinite(value)) {
    AppendPythonReal(value, out);
  } else {
    if (value < 0) out += '-';
    out += std::isnan(value) ? nan : infinity;
  }
}

// Appends a JSON string in ASCII.
void AppendAsciiString(std::string_view text, std::string& out) {
  const auto append_unit = [&](UChar32 unit) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(unit));
  };
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    UChar32 c = 0;
    U8_NEXT_UNSAFE(text.data(), at, c);
    if (c < 0x7f) {
      AppendJsonCharacters(out, text.substr(begin, at - begin));
    } else if (c > 0xffff) {
      append_unit(U16_LEAD(c));
      append_unit(U16_TRAIL(c));
    } else {
      append_unit(c);
    }
  }
  out += '"';
}

// Appends a value as repr() writes it.
void AppendRepr(const PythonValue& item, const ShapeTable& shapes, std::string& out) {
  const auto& [table, node] = item.value;
  switch (table->kind(node)) {
    case ValueKind::kNull:
      out += "None";
      return;
    case ValueKind::kFalse:
      out += "False";
      return;
    case ValueKind::kTrue:
      out += "True";
      return;
    case ValueKind::kNumber:
      return AppendNumber(table->leaf_token(node), "inf", "nan", out);
    case ValueKind::kString:
    case ValueKind::kEscapedString: {
      std::string text;
      AppendStringText(*table, node, text);
      return AppendPythonString(text, out);
    }
    case ValueKind::kArray:
    case ValueKind::kObject:
      break;
  }
  const bool is_object = table->kind(node) == ValueKind::kObject;
  const bool is_tuple = item.IsTuple();
  out += is_object ? '{' : is_tuple ? '(' : '[';
  const std::vector<std::string_view> keys =
      is_object ? shapes.Keys(table->shape(node)) : std::vector<std::string_view>();
  std::size_t count = 0;
  for (NodeId child = node + 1; child != table->end(node); child = table->end(child), ++count) {
    if (count != 0) out += ", ";
    if (is_object) {
      AppendPythonString(keys[count], out);
      out += ": ";
    }
    AppendRepr({{table, child}, item.marks_tuples}, shapes, out);
  }
  if (is_tuple && count == 1) out += ',';
  out += is_object ? '}' : is_tuple ? ')' : ']';
}

}  // namespace

bool PythonValue::IsTuple() const {
  return marks_tuples && value.kind() == ValueKind::kArray && IsMarkedTuple(value.table->token(value.node));
}

void AppendPythonStr(const PythonValue& value, const ShapeTable& shapes, std::string& out) {
  if (IsString(value.value.kind())) {
    AppendStringText(*value.value.table, value.value.node, out);
  } else {
    AppendRepr(value, shapes, out);
  }
}

void AppendPythonJson(ValueRef value, const ShapeTable& shapes, KeyOrder order, std::string& out) {
  JsonWriter json(out, JsonLayout::kOneLine);
  const LeafTable& table = *value.table;
  std::string text;
  const auto write_leaf = [&](NodeId leaf) {
    const ValueKind kind = table.kind(leaf);
    if (IsString(kind)) {
      text.clear();
      AppendStringText(table, leaf, text);
      AppendAsciiString(text, json.RawValue());
    } else if (kind == ValueKind::kNumber) {
      AppendNumber(table.leaf_token(leaf), "Infinity", "NaN", json.RawValue());
    } else {
      json.Raw(table.leaf_token(leaf));
    }
  };
  const auto write_key = [&](std::string_view key) {
    text.clear();
    AppendAsciiString(key, text);
    json.RawKey(text);
  };
  WriteValue(table, shapes, value.node, order, json, write_key, write_leaf);
}

}  // namespace leafscore::internal
