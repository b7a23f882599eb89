#include "engine/corpus/decimal.h"

#include <charconv>

namespace leafscore::internal::corpus {

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

}  // namespace leafscore::internal::corpus
