#include "engine/languages/python_repr.h"

#include <fmt/compile.h>
#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/hash.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/json/value_writer.h"

namespace leafscore::internal {
namespace {

// Returns str.isprintable() of a code point.
bool IsPrintable(UChar32 c) { return c == ' ' || (U_GET_GC_MASK(c) & (U_GC_C_MASK | U_GC_Z_MASK)) == 0; }

void AppendQuoted(std::string_view text, bool bytes, std::string& out) {
  const char quote = text.find('\'') != text.npos && text.find('"') == text.npos ? '"' : '\'';
  if (bytes) out += 'b';
  out += quote;
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t begin = pos;
    UChar32 c = static_cast<unsigned char>(text[pos]);
    if (bytes || c < 0x80) {
      ++pos;
    } else {
      U8_NEXT_UNSAFE(text.data(), pos, c);  // also takes surrogates
    }
    if (c == quote || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (bytes ? c >= ' ' && c < 0x7f : IsPrintable(c)) {
      out.append(text, begin, pos - begin);
    } else if (c < 0x100) {
      out += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c));
    } else if (c < 0x10000) {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
    } else {
      out += fmt::format("\\U{:08x}", static_cast<std::uint32_t>(c));
    }
  }
  out += quote;
}

void AppendReal(double value, PythonForm form, std::string& out) {
  if (form == PythonForm::kIdentity) {
    out += fmt::format("{}", value == 0 ? 0.0 : value);  // -0.0 == 0
    return;
  }
  char buffer[32];
  const char* const end = fmt::format_to(buffer, FMT_COMPILE("{}"), value);
  const std::string_view digits(buffer, static_cast<std::size_t>(end - buffer));
  out += digits;
  if (digits.find_first_not_of("-0123456789") == digits.npos) out += ".0";
}

void AppendInteger(const PythonTape& tape, const PythonNode& node, PythonForm form, std::string& out) {
  constexpr std::size_t kAlwaysExact = 15;  // digits; fmt writes a double of that value in the same way
  if (form == PythonForm::kIdentity && tape.TextOf(node).size() > kAlwaysExact) {
    // An integer that is exactly a double has the text of that double, like a real.
    const double value = tape.RealOf(node);
    if (std::isfinite(value) && fmt::format("{:.0f}", std::abs(value)) == tape.TextOf(node)) {
      AppendReal(value, form, out);
      return;
    }
  }
  tape.AppendNumber(node, out);
}

void AppendComplex(std::complex<double> number, PythonForm form, std::string& out) {
  if (form == PythonForm::kIdentity) {
    AppendReal(number.real(), form, out);
    if (number.imag() == 0) return;
    out += 'j';  // no other text has a j after a number
    AppendReal(number.imag(), form, out);
  } else if (number.real() == 0 && !std::signbit(number.real())) {
    out += fmt::format("{}j", number.imag());
  } else {
    out += fmt::format("({}{:+}j)", number.real(), number.imag());
  }
}

void AppendScalar(const PythonTape& tape, const PythonNode& node, PythonForm form, std::string& out) {
  const bool identity = form == PythonForm::kIdentity;
  switch (node.kind) {
    case PythonKind::kNone:
      out += "None";
      break;
    case PythonKind::kFalse:
      out += identity ? "0" : "False";
      break;
    case PythonKind::kTrue:
      out += identity ? "1" : "True";
      break;
    case PythonKind::kEllipsis:
      out += "Ellipsis";
      break;
    case PythonKind::kReal:
      AppendReal(tape.RealOf(node), form, out);
      break;
    case PythonKind::kComplex:
      AppendComplex(tape.complex_numbers[node.begin], form, out);
      break;
    case PythonKind::kString:
      AppendQuoted(tape.TextOf(node), false, out);
      break;
    case PythonKind::kBytes:
      AppendQuoted(tape.TextOf(node), true, out);
      break;
    default:  // an integer
      AppendInteger(tape, node, form, out);
      break;
  }
}

std::size_t AppendSet(const PythonTape& tape, std::size_t index, std::string& out) {
  PythonDistinctValues elements;
  while (tape.nodes[index].kind != PythonKind::kEnd) elements.Add(tape, &index);
  if (tape.nodes[index].end == 0) {
    out += "set()";
  } else {
    fmt::format_to(std::back_inserter(out), "{{{}}}", fmt::join(elements.SortedTexts(), ", "));
  }
  return index + 1;
}

}  // namespace

void AppendPythonString(std::string_view text, std::string& out) { AppendQuoted(text, false, out); }
void AppendPythonReal(double value, std::string& out) { AppendReal(value, PythonForm::kRepr, out); }

std::size_t AppendPythonRepr(const PythonTape& tape, std::size_t index, PythonForm form, std::string& out) {
  std::size_t depth = 0;
  for (bool first = true;; ++index) {
    const PythonNode& node = tape.nodes[index];
    if (node.kind == PythonKind::kNothing) continue;
    if (node.kind == PythonKind::kEnd) {
      out += node.end == 1 ? ",)" : ")";
      first = false;
      --depth;
    } else {
      if (!first) out += ", ";
      first = node.kind == PythonKind::kTuple;
      if (node.kind == PythonKind::kSet) return AppendSet(tape, index + 1, out);
      if (first) {
        out += '(';
        ++depth;
      } else {
        AppendScalar(tape, node, form, out);
      }
    }
    if (depth == 0) return index + 1;
  }
}

std::string_view PythonDistinctValues::Add(const PythonTape& tape, std::size_t* index) {
  Value value;
  AppendPythonRepr(tape, *index, PythonForm::kIdentity, value.identity);
  *index = AppendPythonRepr(tape, *index, PythonForm::kRepr, value.text);
  const auto hash_of = [](const Value& v) { return HashBytes(v.identity, HashSeed()); };
  const std::uint64_t hash = hash_of(value);
  std::uint32_t id = ids_.Find(hash, [&](std::uint32_t i) { return values_[i].identity == value.identity; });
  if (id == IdTable::kNone) {
    id = static_cast<std::uint32_t>(values_.size());
    values_.push_back(std::move(value));
    ids_.Insert(hash, id, [&](std::uint32_t i) { return hash_of(values_[i]); });
  }
  return values_[id].text;
}

std::vector<std::string_view> PythonDistinctValues::SortedTexts() const {
  std::vector<std::string_view> texts;
  texts.reserve(values_.size());
  for (const Value& value : values_) texts.push_back(value.text);
  std::ranges::sort(texts, {}, [](std::string_view text) { return std::pair(text.size(), text); });
  return texts;
}

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
  JsonWriter python(
      out, JsonLayout::kOneLine);  // Python writes its brackets, commas and colons in the same layout
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
