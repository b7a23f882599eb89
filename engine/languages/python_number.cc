#include "engine/languages/python_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/json/json_scalar.h"

namespace leafscore::internal {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Returns the value of a digit of any base up to 16, or 16.
unsigned DigitValue(char c) {
  if (IsDigit(c)) return static_cast<unsigned>(c - '0');
  const auto letter = static_cast<char>(c | 0x20);
  return letter >= 'a' && letter <= 'f' ? static_cast<unsigned>(letter - 'a' + 10) : 16;
}

// Appends the digits of `base` at `pos`, which may have one `_` between two of them, and returns their end.
std::size_t ReadDigits(std::string_view text, std::size_t pos, unsigned base, std::string& digits) {
  const auto digit_at = [&](std::size_t at) { return at < text.size() && DigitValue(text[at]) < base; };
  while (digit_at(pos)) {
    digits += text[pos++];
    if (pos < text.size() && text[pos] == '_' && digit_at(pos + 1)) ++pos;
  }
  return pos;
}

// Appends the decimal digits of an integer of 2^bits_per_digit. False when there are too many.
bool AppendDecimal(std::string_view digits, unsigned bits_per_digit, std::string& decimal) {
  constexpr std::uint64_t kLimb = 1'000'000'000;
  constexpr std::size_t kMaxBits = 14285;  // 10^kMaxPythonIntegerDigits has as many
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.size() > kMaxBits) return false;  // bounds the work, however few bits a digit has
  std::vector<std::uint32_t> limbs;            // of nine decimal digits, the lowest first
  while (!digits.empty()) {
    // As many digits at once as leave room for a limb in the product.
    const std::size_t count = std::min<std::size_t>(digits.size(), 28 / bits_per_digit);
    std::uint64_t carry = 0;
    for (const char c : digits.substr(0, count)) carry = carry << bits_per_digit | DigitValue(c);
    digits.remove_prefix(count);
    for (std::uint32_t& limb : limbs) {
      carry += std::uint64_t{limb} << (bits_per_digit * count);
      limb = static_cast<std::uint32_t>(carry % kLimb);
      carry /= kLimb;
    }
    if (carry != 0) limbs.push_back(static_cast<std::uint32_t>(carry));
    if (limbs.size() > kMaxPythonIntegerDigits / 9 + 1) return false;
  }
  if (limbs.empty()) limbs.push_back(0);
  const std::size_t begin = decimal.size();
  decimal += fmt::format("{}", limbs.back());
  for (std::size_t i = limbs.size() - 1; i-- > 0;) {
    decimal += fmt::format("{:09}", limbs[i]);
  }
  return decimal.size() - begin <= kMaxPythonIntegerDigits;
}

unsigned BitsPerDigit(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 0;
  switch (text[1] | 0x20) {
    case 'x':
      return 4;
    case 'o':
      return 3;
    case 'b':
      return 1;
    default:
      return 0;
  }
}

// Reads an integer behind its prefix 0x, 0o or 0b.
std::size_t ReadBasedInteger(std::string_view text, unsigned bits_per_digit, std::string& token) {
  std::string digits;
  const std::size_t begin = text.size() > 2 && text[2] == '_' ? 3 : 2;
  const std::size_t end = ReadDigits(text, begin, 1u << bits_per_digit, digits);
  return !digits.empty() && AppendDecimal(digits, bits_per_digit, token) ? end : 0;
}

// Removes the leading zeros of the digits from `begin` on; one digit stays.
void RemoveLeadingZeros(std::string& digits, std::size_t begin) {
  const std::size_t first = std::min(digits.find_first_not_of('0', begin), digits.size());
  digits.erase(begin, first - begin);
  if (digits.size() == begin) digits += '0';
}

}  // namespace

std::size_t ReadPythonNumber(std::string_view text, PythonNumber* kind, std::string& token) {
  *kind = PythonNumber::kInteger;
  const auto at = [&](std::size_t pos) { return pos < text.size() ? text[pos] : '\0'; };
  const std::size_t begin = token.size();
  std::size_t pos = 0;
  if (const unsigned bits = BitsPerDigit(text); bits != 0) {
    pos = ReadBasedInteger(text, bits, token);
  } else {
    pos = ReadDigits(text, 0, 10, token);
    const std::size_t digits = token.size() - begin;
    RemoveLeadingZeros(token, begin);
    const bool leading_zeros = token.size() - begin < digits && token.compare(begin, token.npos, "0") != 0;
    if (at(pos) == '.') {
      *kind = PythonNumber::kReal;
      token += '.';
      const std::size_t fraction = pos + 1;
      pos = ReadDigits(text, fraction, 10, token);
      if (pos == fraction && digits == 0) return 0;
      if (pos == fraction) token += '0';
    }
    if ((at(pos) | 0x20) == 'e') {
      const std::size_t sign = at(pos + 1) == '+' || at(pos + 1) == '-' ? 1 : 0;
      *kind = PythonNumber::kReal;
      token += 'e';
      token.append(text, pos + 1, sign);
      const std::size_t exponent = pos + 1 + sign;
      pos = ReadDigits(text, exponent, 10, token);
      if (pos == exponent) return 0;
    }
    const bool whole = *kind == PythonNumber::kInteger;
    if ((at(pos) | 0x20) == 'j') {
      *kind = PythonNumber::kImaginary;
      if (whole) token += ".0";
      ++pos;
    } else if (whole && (leading_zeros || token.size() - begin > kMaxPythonIntegerDigits)) {
      return 0;
    }
    if (*kind != PythonNumber::kInteger) {
      const std::string_view real = std::string_view(token).substr(begin);
      if (ClassifyNumber(real) == TokenClass::kNonstandard) token.replace(begin, token.npos, "Infinity");
    }
  }
  return pos < text.size() && ContinuesPythonName(text[pos]) ? 0 : pos;
}

}  // namespace leafscore::internal
