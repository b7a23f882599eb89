#include "corpus/json_tree.h"

#include <charconv>

#include "engine/base/utf8.h"
#include "engine/json/json_text.h"
#include "engine/json/json_writer.h"

namespace leafscore::internal::corpus {
namespace {

void AppendUtf16Escape(std::string& out, std::uint32_t unit) {
  constexpr char kHex[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[(unit >> shift) & 15];
}

// Appends the code point's escape, or a surrogate pair if the code point needs one.
void AppendCodePointEscape(std::string& out, std::string_view utf8) {
  const auto lead = static_cast<unsigned char>(utf8[0]);
  std::uint32_t code_point = lead & (0x7f >> utf8.size());
  for (const char c : utf8.substr(1)) code_point = (code_point << 6) | (static_cast<unsigned char>(c) & 0x3f);
  if (code_point < 0x10000) {
    AppendUtf16Escape(out, code_point);
  } else {
    AppendUtf16Escape(out, 0xd800 + ((code_point - 0x10000) >> 10));
    AppendUtf16Escape(out, 0xdc00 + (code_point & 0x3ff));
  }
}

void AppendString(std::string& out, std::string_view text, Escaping escaping) {
  if (escaping == Escaping::kMinimal) return AppendJsonString(out, text);
  const auto needs_escape = [escaping](char c) {
    return escaping == Escaping::kSlashes ? c == '/' : static_cast<unsigned char>(c) >= 0x80;
  };
  out += '"';
  for (std::size_t pos = 0;;) {
    std::size_t end = pos;
    while (end < text.size() && !needs_escape(text[end])) ++end;
    AppendJsonCharacters(out, text.substr(pos, end - pos));
    if (end == text.size()) break;
    pos = CodePointEnd(text, end);
    if (text[end] == '/') {
      out += "\\/";
    } else {
      AppendCodePointEscape(out, text.substr(end, pos - end));
    }
  }
  out += '"';
}

void Write(const JsonTree& value, Escaping escaping, JsonWriter& json) {
  switch (value.kind) {
    case JsonKind::kString:
      AppendString(json.RawValue(), value.text, escaping);
      break;
    case JsonKind::kObject: {
      json.StartObject();
      std::string key;
      for (const JsonTree& child : value.children) {
        key.clear();
        AppendString(key, child.key, escaping);
        Write(child, escaping, json.RawKey(key));
      }
      json.EndObject();
      break;
    }
    case JsonKind::kArray:
      json.StartArray();
      for (const JsonTree& child : value.children) Write(child, escaping, json);
      json.EndArray();
      break;
    default:
      json.Raw(value.text);
  }
}

}  // namespace

std::string FormatDecimal(Decimal value) {
  while (value.decimals > 1 && value.units % 10 == 0) {
    value.units /= 10;
    --value.decimals;
  }
  char digits[24];
  const std::int64_t magnitude = value.units < 0 ? -value.units : value.units;
  std::string token(digits, std::to_chars(digits, digits + sizeof(digits), magnitude).ptr);
  if (value.decimals > 0) {
    const auto decimals = static_cast<std::size_t>(value.decimals);
    if (token.size() <= decimals) token.insert(0, decimals + 1 - token.size(), '0');
    token.insert(token.size() - decimals, 1, '.');
  }
  if (value.units < 0) token.insert(0, 1, '-');
  return token;
}

Decimal ParseDecimal(std::string_view token) {
  Decimal value;
  bool after_point = false;
  for (const char c : token) {
    if (c == '.') {
      after_point = true;
    } else if (c != '-') {
      value.units = value.units * 10 + (c - '0');
      value.decimals += after_point;
    }
  }
  if (token.starts_with('-')) value.units = -value.units;
  return value;
}

void AppendJson(std::string& out, const JsonTree& value, JsonStyle style) {
  JsonWriter json(out, style.layout);
  Write(value, style.escaping, json);
}

}  // namespace leafscore::internal::corpus
