#include "engine/json/json_text.h"

#include <fmt/compile.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "engine/base/bytes.h"

namespace leafscore::internal {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101;
constexpr std::uint64_t kHighBits = 0x8080808080808080;

bool NeedsEscape(unsigned char byte) { return byte < 0x20 || byte == '"' || byte == '\\'; }

// A byte is below n <= 0x80 if subtracting n borrows into a high bit that was clear. A borrow can mark a byte
// falsely only if it comes from a lower byte that is marked rightly, so the result is 0 exactly if no byte is
// below n.
std::uint64_t AnyByteBelow(std::uint64_t word, std::uint64_t n) {
  return (word - kOnes * n) & ~word & kHighBits;
}

bool AnyNeedsEscape(std::uint64_t word) {
  return (AnyByteBelow(word, 0x20) | AnyByteBelow(word ^ (kOnes * '"'), 1) |
          AnyByteBelow(word ^ (kOnes * '\\'), 1)) != 0;
}

// Returns the position of the first byte at or after `pos` that must be escaped, or the size.
std::size_t PlainEnd(std::string_view text, std::size_t pos) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  while (text.size() - pos >= kWord && !AnyNeedsEscape(LoadWord64(text.data() + pos))) pos += kWord;
  // Check the last word, which overlaps the one before it.
  if (text.size() - pos < kWord && text.size() >= kWord &&
      !AnyNeedsEscape(LoadWord64(text.data() + text.size() - kWord))) {
    return text.size();
  }
  while (pos < text.size() && !NeedsEscape(static_cast<unsigned char>(text[pos]))) ++pos;
  return pos;
}

void AppendEscape(std::string& out, char byte) {
  constexpr char kHex[] = "0123456789abcdef";
  out += '\\';
  switch (byte) {
    case '"':
    case '\\':
      out += byte;
      break;
    case '\b':
      out += 'b';
      break;
    case '\f':
      out += 'f';
      break;
    case '\n':
      out += 'n';
      break;
    case '\r':
      out += 'r';
      break;
    case '\t':
      out += 't';
      break;
    default:
      out += "u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
  }
}

}  // namespace

void AppendJsonCharacters(std::string& out, std::string_view utf8) {
  for (std::size_t pos = 0;;) {
    const std::size_t end = PlainEnd(utf8, pos);
    out.append(utf8, pos, end - pos);
    if (end == utf8.size()) break;
    AppendEscape(out, utf8[end]);
    pos = end + 1;
  }
}

void AppendJsonString(std::string& out, std::string_view utf8, std::string_view before,
                      std::string_view after) {
  constexpr std::size_t kShortBytes = 64;
  if (before.size() + utf8.size() + after.size() + 2 > kShortBytes || PlainEnd(utf8, 0) != utf8.size()) {
    out += before;
    out += '"';
    AppendJsonCharacters(out, utf8);
    out += '"';
    out += after;
    return;
  }
  char text[kShortBytes];  // appended in one call, as a call takes longer than copying most names
  char* end = std::ranges::copy(before, text).out;
  *end++ = '"';
  end = std::ranges::copy(utf8, end).out;
  *end++ = '"';
  end = std::ranges::copy(after, end).out;
  out.append(text, static_cast<std::size_t>(end - text));
}

void AppendJsonNumber(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "null";
    return;
  }
  constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
  if (std::abs(value) < kExactIntegers && value == std::trunc(value)) {
    const fmt::format_int digits(static_cast<std::int64_t>(value));
    out.append(digits.data(), digits.size());
    return;
  }
  char digits[32];
  const char* const end = fmt::format_to(digits, FMT_COMPILE("{}"), value);
  out.append(digits, static_cast<std::size_t>(end - digits));
}

}  // namespace leafscore::internal
