#include "json/json_reference.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace leafscore::internal::reference {
namespace {

class Parser {
 public:
  Parser(std::string_view text, std::size_t max_depth) : text_(text), max_depth_(max_depth) {}

  std::optional<Parsed> ParseAll() {
    Parsed parsed;
    SkipSpace();
    if (!ParseValue(parsed.value, 0)) return std::nullopt;
    SkipSpace();
    if (at_ != text_.size()) return std::nullopt;
    parsed.outside_grammar = outside_grammar_;
    parsed.nonstandard = outside_grammar_ || has_wide_number_;
    return parsed;
  }

 private:
  int Byte() const { return at_ < text_.size() ? static_cast<unsigned char>(text_[at_]) : -1; }
  void SkipSpace() {
    while (Byte() == ' ' || Byte() == '\t' || Byte() == '\n' || Byte() == '\r') ++at_;
  }
  bool Take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool ParseValue(Value& value, std::size_t depth) {
    switch (Byte()) {
      case '"':
        value.kind = Value::Kind::kString;
        return ParseString(value.text);
      case '{':
        return ParseObject(value, depth + 1);
      case '[':
        return ParseArray(value, depth + 1);
      case 'n':
        value.kind = Value::Kind::kNull;
        return Take("null");
      case 't':
        value.kind = Value::Kind::kTrue;
        return Take("true");
      case 'f':
        value.kind = Value::Kind::kFalse;
        return Take("false");
      default:
        value.kind = Value::Kind::kNumber;
        return ParseNumber(value.text);
    }
  }

  bool ParseNumber(std::string& token) {
    for (const std::string_view name : {"NaN", "Infinity", "-Infinity"}) {
      if (Take(name)) {
        token = name;
        outside_grammar_ = true;
        return true;
      }
    }
    const std::size_t begin = at_;
    const auto digits = [&] {
      const std::size_t first = at_;
      while (Byte() >= '0' && Byte() <= '9') ++at_;
      return at_ - first;
    };
    if (Byte() == '-') ++at_;
    if (Byte() == '0') {
      ++at_;
    } else if (digits() == 0) {
      return false;
    }
    bool whole = true;
    if (Byte() == '.') {
      whole = false;
      ++at_;
      if (digits() == 0) return false;
    }
    if (Byte() == 'e' || Byte() == 'E') {
      whole = false;
      ++at_;
      if (Byte() == '+' || Byte() == '-') ++at_;
      if (digits() == 0) return false;
    }
    token = text_.substr(begin, at_ - begin);
    has_wide_number_ |= whole ? !FitsInto64Bits(token) : std::isinf(std::strtod(token.c_str(), nullptr));
    return true;
  }

  static bool FitsInto64Bits(const std::string& token) {
    const bool negative = token[0] == '-';
    const std::string digits = token.substr(negative ? 1 : 0);
    const std::string limit = negative ? "9223372036854775808" : "18446744073709551615";
    return digits.size() != limit.size() ? digits.size() < limit.size() : digits <= limit;
  }

  static void AppendUtf8(std::uint32_t c, std::string& out) {
    const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (c < 0x80) {
      put(c);
    } else if (c < 0x800) {
      put(0xc0 + c / 64);
      put(0x80 + c % 64);
    } else if (c < 0x10000) {
      put(0xe0 + c / 4096);
      put(0x80 + c / 64 % 64);
      put(0x80 + c % 64);
    } else {
      put(0xf0 + c / 262144);
      put(0x80 + c / 4096 % 64);
      put(0x80 + c / 64 % 64);
      put(0x80 + c % 64);
    }
  }

  // Reads four hexadecimal digits behind `\u`.
  std::optional<std::uint32_t> ParseUnit(std::size_t at) const {
    std::uint32_t unit = 0;
    for (std::size_t i = at; i < at + 4; ++i) {
      const std::size_t digit = i < text_.size() ? std::string_view("0123456789abcdefABCDEF").find(text_[i])
                                                 : std::string_view::npos;
      if (digit == std::string_view::npos) return std::nullopt;
      unit = unit * 16 + static_cast<std::uint32_t>(digit < 16 ? digit : digit - 6);
    }
    return unit;
  }

  bool ParseString(std::string& out) {
    ++at_;
    while (Byte() != '"') {
      if (Byte() < 0x20) return false;  // the end, too
      if (Byte() != '\\') {
        out += text_[at_++];
        continue;
      }
      ++at_;
      const int kind = Byte();
      ++at_;
      switch (kind) {
        case '"':
        case '\\':
        case '/':
          out += static_cast<char>(kind);
          break;
        case 'b':
          out += '\b';
          break;
        case 'f':
          out += '\f';
          break;
        case 'n':
          out += '\n';
          break;
        case 'r':
          out += '\r';
          break;
        case 't':
          out += '\t';
          break;
        case 'u': {
          const auto unit = ParseUnit(at_);
          if (!unit) return false;
          at_ += 4;
          const std::uint32_t low = text_.substr(at_, 2) == "\\u" ? ParseUnit(at_ + 2).value_or(0) : 0;
          if (*unit >= 0xd800 && *unit < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
            AppendUtf8(0x10000 + (*unit - 0xd800) * 1024 + (low - 0xdc00), out);
            at_ += 6;
          } else if (*unit >= 0xd800 && *unit < 0xe000) {
            out += "\xef\xbf\xbd";
            outside_grammar_ = true;
          } else {
            AppendUtf8(*unit, out);
          }
          break;
        }
        default:
          return false;
      }
    }
    ++at_;
    return true;
  }

  bool ParseArray(Value& value, std::size_t depth) {
    value.kind = Value::Kind::kArray;
    if (depth > max_depth_) return false;
    ++at_;
    SkipSpace();
    if (Take("]")) return true;
    for (;;) {
      if (!ParseValue(value.items.emplace_back(), depth)) return false;
      SkipSpace();
      if (Take("]")) return true;
      if (!Take(",")) return false;
      SkipSpace();
    }
  }

  bool ParseObject(Value& value, std::size_t depth) {
    value.kind = Value::Kind::kObject;
    if (depth > max_depth_) return false;
    ++at_;
    SkipSpace();
    if (Take("}")) return true;
    for (;;) {
      std::string key;
      if (Byte() != '"' || !ParseString(key)) return false;
      SkipSpace();
      if (!Take(":")) return false;
      SkipSpace();
      Value member;
      if (!ParseValue(member, depth)) return false;
      std::size_t known = 0;
      while (known < value.keys.size() && value.keys[known] != key) ++known;
      if (known < value.keys.size()) {
        value.items[known] = std::move(member);
      } else {
        value.keys.push_back(std::move(key));
        value.items.push_back(std::move(member));
      }
      SkipSpace();
      if (Take("}")) return true;
      if (!Take(",")) return false;
      SkipSpace();
    }
  }

  std::string_view text_;
  std::size_t max_depth_;
  std::size_t at_ = 0;
  bool outside_grammar_ = false;
  bool has_wide_number_ = false;
};

}  // namespace

std::size_t ValidUtf8Prefix(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto byte = [&](std::size_t k) {
      return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
    };
    std::size_t size = 1;
    std::uint32_t code_point = byte(i);
    if (code_point >= 0xf0) {
      size = 4;
      code_point &= 0x07;
    } else if (code_point >= 0xe0) {
      size = 3;
      code_point &= 0x0f;
    } else if (code_point >= 0xc0) {
      size = 2;
      code_point &= 0x1f;
    } else if (code_point >= 0x80) {
      return i;
    }
    if (byte(i) >= 0xf8) return i;
    for (std::size_t k = 1; k < size; ++k) {
      if (byte(i + k) / 64 != 2) return i;
      code_point = code_point * 64 + byte(i + k) % 64;
    }
    constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code_point < kSmallest[size] || code_point > 0x10ffff) return i;
    if (code_point >= 0xd800 && code_point < 0xe000) return i;
    i += size;
  }
  return i;
}

const Value* Find(const Value& object, std::string_view key) {
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    if (object.keys[i] == key) return &object.items[i];
  }
  return nullptr;
}

std::optional<Parsed> Parse(std::string_view text, std::size_t max_depth) {
  if (ValidUtf8Prefix(text) != text.size()) return std::nullopt;
  return Parser(text, max_depth).ParseAll();
}

std::string Show(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kNull:
      return "null";
    case Value::Kind::kFalse:
      return "false";
    case Value::Kind::kTrue:
      return "true";
    case Value::Kind::kNumber:
      return value.text;
    case Value::Kind::kString:
      return "<" + value.text + ">";
    default:
      break;
  }
  const bool is_object = value.kind == Value::Kind::kObject;
  std::string shown(1, is_object ? '{' : '[');
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    if (i != 0) shown += ' ';
    if (is_object) shown += "<" + value.keys[i] + ">:";
    shown += Show(value.items[i]);
  }
  return shown + (is_object ? '}' : ']');
}

}  // namespace leafscore::internal::reference
