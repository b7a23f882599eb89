#include "engine/judge/asked_texts.h"

#include <fmt/format.h>
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <system_error>
#include <utility>

#include "engine/base/utf8.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// The most levels of nested escapes that are removed. If a text has more, the rest stays in the text.
constexpr int kMostDepths = 16;

// Marks the ends of numbers and texts. Folded text contains it nowhere else.
constexpr char kBound = '#';

// Tells whether a byte is a part of a letter or digit. REQUIRES: a text from CaseFolded and RemoveMarks.
bool IsWordByte(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

// Reads digits at the beginning of a text: exactly `count` digits or, if `count` is 0, up to 8.
// RETURNS: the number, and its size in bytes; 0 bytes if there is no number.
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
  std::size_t bytes = 0;  // 0 if there is no escape
};

// Reads an escape of JSON or Python, which begins with a backslash.
Escape ReadBackslash(std::string_view text) {
  constexpr std::string_view kSpaces = "nrtbf";
  constexpr std::string_view kMarks = "\\\"'/";
  const char c = text.size() < 2 ? '\0' : text[1];
  if (kSpaces.find(c) != kSpaces.npos) return {' ', 2};
  if (kMarks.find(c) != kMarks.npos) return {static_cast<unsigned char>(c), 2};
  if (c != 'u' && c != 'x') return {};
  const auto [unit, bytes] = ReadDigits(text.substr(2), 16, c == 'u' ? 4 : 2);
  return bytes == 0 ? Escape() : Escape{unit, 2 + bytes};
}

// Reads a character reference of HTML: a number, or a name that is listed here, mostly for JSON's
// punctuation.
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
  const bool is_hex = text.size() > 2 && text[2] == 'x';
  const std::size_t begin = is_hex ? 3 : 2;
  const auto [code_point, bytes] = ReadDigits(text.substr(begin), is_hex ? 16 : 10, 0);
  const std::size_t end = begin + bytes;
  return bytes == 0 || end >= text.size() || text[end] != ';' ? Escape() : Escape{code_point, end + 1};
}

// Removes one level of escapes from a lower-case text. RETURNS: nullopt if the text has no escapes.
std::optional<std::string> UnescapedOnce(std::string_view text) {
  if (text.find_first_of("\\&") == text.npos) return std::nullopt;
  std::string plain;
  bool changed = false;
  std::uint32_t high = 0;  // the first half of a surrogate pair
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const Escape escape = text[at] == '\\'  ? ReadBackslash(rest)
                          : text[at] == '&' ? ReadReference(rest)
                                            : Escape();
    if (escape.bytes == 0) {
      plain += text[at++];
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

// Returns valid UTF-8 without differences of case and width, with accents in one form, and without invisible
// characters (NFKC_Casefold of Unicode Standard Annex 44).
std::string CaseFolded(std::string_view text) {
  std::string folded;
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    for (const char c : text) folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return folded;
  }
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const normalizer = icu::Normalizer2::getNFKCCasefoldInstance(status);
  icu::StringByteSink<std::string> sink(&folded);
  if (U_SUCCESS(status)) {
    const icu::StringPiece piece(text.data(), static_cast<std::int32_t>(text.size()));
    normalizer->normalizeUTF8(0, piece, sink, nullptr, status);
  }
  if (U_FAILURE(status)) throw Error(ErrorCode::kInternal, u_errorName(status));
  return folded;
}

// Replaces each character beyond ASCII with spaces, unless it is a letter, a digit or a combining accent.
// REQUIRES: valid UTF-8.
void RemoveMarks(std::string& text) {
  const auto size = static_cast<std::int32_t>(text.size());
  for (std::int32_t at = 0; at < size;) {
    const std::int32_t begin = at;
    UChar32 c = 0;
    U8_NEXT(text.data(), at, size, c);
    const bool is_word = c < 0x80 || u_isalnum(c) || (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0;
    if (!is_word) std::fill(text.begin() + begin, text.begin() + at, ' ');
  }
}

// Reads the number at the beginning of a text, and appends it in its shortest form between two kBound.
// RETURNS: how many bytes of the text the number takes up; 0 if there is no number.
std::size_t FoldNumber(std::string_view text, std::string& out) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return 0;
  out += kBound;
  out += fmt::format("{}", number);
  out += kBound;
  return static_cast<std::size_t>(end - text.data());
}

}  // namespace

std::string FoldText(std::string_view text) {
  std::string plain = CaseFolded(ReplaceInvalidUtf8(text));
  for (int depth = 0; depth < kMostDepths; ++depth) {
    const std::optional<std::string> next = UnescapedOnce(plain);
    if (!next) break;
    plain = CaseFolded(*next);
  }
  RemoveMarks(plain);
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
    if (IsWordByte(c)) folded += c;
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
