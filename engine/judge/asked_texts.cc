#include "engine/judge/asked_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <system_error>
#include <utility>

#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

// Escapes within escapes that are taken away; a text with more is compared as it is then.
constexpr int kMostDepths = 16;

// Around numbers and texts; no folded text has it otherwise.
constexpr char kBound = '#';

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWordByte(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Reads digits at the beginning of a text: `count` of them, or as many as there are where it is 0.
// RETURNS: the number, and how many bytes it takes; 0 bytes for what is none.
std::pair<std::uint32_t, std::size_t> ReadDigits(std::string_view text, int base, std::size_t count) {
  const std::string_view digits = count == 0 ? text.substr(0, 8) : text.substr(0, count);
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  const auto read = static_cast<std::size_t>(end - digits.data());
  return {number, error == std::errc() && (count == 0 || read == count) ? read : 0};
}

// An escape at the beginning of a text.
struct Escape {
  std::uint32_t code_point = 0;
  std::size_t bytes = 0;  // 0: there is none
};

// Reads an escape of JSON, of which any number of backslashes is one, as each level of JSON in JSON adds
// some. A backslash before any other character is no more than that character.
Escape ReadBackslashes(std::string_view text) {
  const std::size_t at = std::min(text.find_first_not_of('\\'), text.size());
  if (at == text.size()) return {' ', at};
  constexpr std::string_view kSpaces = "nrtbf";
  if (kSpaces.find(text[at]) != kSpaces.npos) return {' ', at + 1};
  if (text[at] != 'u' && text[at] != 'x') return {};
  const std::size_t digits = text[at] == 'u' ? 4 : 2;
  const auto [unit, bytes] = ReadDigits(text.substr(at + 1), 16, digits);
  return bytes == 0 ? Escape() : Escape{unit, at + 1 + bytes};
}

// Reads a reference to a character of HTML, of which JSON's marks have names.
Escape ReadReference(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 9> kNames = {{{"&quot;", '"'},
                                                                        {"&apos;", '\''},
                                                                        {"&amp;", '&'},
                                                                        {"&lt;", '<'},
                                                                        {"&gt;", '>'},
                                                                        {"&nbsp;", ' '},
                                                                        {"&lbrace;", '{'},
                                                                        {"&rbrace;", '}'},
                                                                        {"&bsol;", '\\'}}};
  for (const auto& [name, c] : kNames) {
    if (text.starts_with(name)) return {static_cast<unsigned char>(c), name.size()};
  }
  if (!text.starts_with("&#")) return {};
  const bool is_hex = text.size() > 2 && (text[2] == 'x' || text[2] == 'X');
  const std::size_t begin = is_hex ? 3 : 2;
  const auto [code_point, bytes] = ReadDigits(text.substr(begin), is_hex ? 16 : 10, 0);
  const std::size_t end = begin + bytes;
  return bytes == 0 || end >= text.size() || text[end] != ';' ? Escape() : Escape{code_point, end + 1};
}

bool IsHighSurrogate(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool IsLowSurrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

// Returns a text with one depth of escapes taken away; nothing when it has none.
std::optional<std::string> UnescapedOnce(std::string_view text) {
  if (text.find_first_of("\\&") == text.npos) return std::nullopt;
  std::string plain;
  bool changed = false;
  std::uint32_t high = 0;  // the first half of a pair
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const Escape escape = text[at] == '\\'  ? ReadBackslashes(rest)
                          : text[at] == '&' ? ReadReference(rest)
                                            : Escape();
    if (escape.bytes == 0) {
      changed |= text[at] == '\\';
      if (text[at] != '\\') plain += text[at];
      ++at;
      high = 0;
      continue;
    }
    changed = true;
    at += escape.bytes;
    const std::uint32_t unit = escape.code_point;
    if (high != 0 && IsLowSurrogate(unit)) {
      AppendUtf8(0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00), plain);
    } else if (!IsHighSurrogate(unit) && !IsLowSurrogate(unit) && unit <= 0x10FFFF) {
      AppendUtf8(unit, plain);
    }
    high = IsHighSurrogate(unit) ? unit : 0;
  }
  return changed ? std::optional(std::move(plain)) : std::nullopt;
}

// Returns the code point at the beginning of a text, and its bytes: U+FFFD for a broken one.
std::pair<std::uint32_t, std::size_t> ReadCodePoint(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  if (size == 1 || text.size() < size) return {0xFFFD, 1};
  std::uint32_t code_point = lead & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if (!IsContinuation(text[i])) return {0xFFFD, 1};
    code_point = code_point << 6 | (static_cast<unsigned char>(text[i]) & 0x3F);
  }
  return {code_point, size};
}

// Tells whether a character is not seen, so that it may stand within a word, and get lost in a quote.
bool IsInvisible(std::uint32_t c) {
  return c == 0xAD || (c >= 0x200B && c < 0x2010) || (c >= 0x202A && c < 0x202F) ||
         (c >= 0x2060 && c < 0x2070) || (c >= 0xFE00 && c < 0xFE10) || c == 0xFEFF || c >= 0xE0000;
}

// Tells whether a character beyond ASCII is a space or a mark.
bool IsMark(std::uint32_t c) {
  return c < 0xC0 || (c >= 0x2000 && c < 0x2C00) || (c >= 0x3000 && c < 0x3040) ||
         (c >= 0xFE10 && c < 0xFE70) || (c >= 0xFF00 && c < 0xFF66) || c == 0xFFFD;
}

// Appends the number at the beginning of a text as it is written shortest, between bounds. RETURNS: its
// bytes.
std::size_t FoldNumber(std::string_view text, std::string& out) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return 0;
  out += kBound;
  out += fmt::format("{}", number);
  out += kBound;
  return static_cast<std::size_t>(end - text.data());
}

// Returns a text with spaces for marks, without what is not seen, and with the letters and digits of ASCII
// for those of full width.
std::string InPlainLetters(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      plain += text[at++];
      continue;
    }
    const auto [code_point, size] = ReadCodePoint(text.substr(at));
    if (code_point > 0xFF00 && code_point < 0xFF5F) {
      plain += static_cast<char>(code_point - 0xFEE0);
    } else if (IsMark(code_point)) {
      plain += ' ';
    } else if (!IsInvisible(code_point)) {
      plain.append(text, at, size);
    }
    at += size;
  }
  return plain;
}

}  // namespace

std::string FoldText(std::string_view text) {
  std::string plain(text);
  for (int depth = 0; depth < kMostDepths; ++depth) {
    std::optional<std::string> next = UnescapedOnce(plain);
    if (!next) break;
    plain = *std::move(next);
  }
  plain = InPlainLetters(plain);
  std::string folded;
  for (std::size_t at = 0; at < plain.size();) {
    const char c = plain[at];
    const bool begins = at == 0 || !IsWordByte(plain[at - 1]);
    const bool has_sign = c == '-' && at + 1 < plain.size() && IsDigit(plain[at + 1]);
    if (begins && (has_sign || IsDigit(c))) {
      if (const std::size_t bytes = FoldNumber(std::string_view(plain).substr(at), folded); bytes != 0) {
        at += bytes;
        continue;
      }
    }
    if (IsWordByte(c)) folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    ++at;
  }
  return folded;
}

AskedTexts::AskedTexts(std::initializer_list<std::string_view> texts) {
  for (const std::string_view text : texts) (folded_ += FoldText(text)) += "##";
}

bool AskedTexts::HoldLeaves(std::string_view key, const JsonView& value) const {
  bool held = true;
  if (value.Is(ValueKind::kObject)) {
    value.ForEachMember(
        [&](std::string_view name, const JsonView& member) { held = held && HoldLeaves(name, member); });
  } else if (value.Is(ValueKind::kArray)) {
    value.ForEachChild([&](const JsonView& element) { held = held && HoldLeaves(key, element); });
  } else {
    held = Hold(FoldText(key) + FoldText(value.Text().value_or("null")));
  }
  return held;
}

}  // namespace leafscore::internal
