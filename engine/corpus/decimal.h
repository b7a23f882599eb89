// engine/corpus/decimal.h: decimal numbers as integers, so that they print alike on every machine.
#ifndef LEAFSCORE_ENGINE_CORPUS_DECIMAL_H_
#define LEAFSCORE_ENGINE_CORPUS_DECIMAL_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace leafscore::internal::corpus {

// The number units / 10^decimals.
struct Decimal {
  std::int64_t units = 0;
  int decimals = 0;
};

// Returns the JSON token as Python writes it: without trailing zeros, except one right after the point (12.5,
// 3.0); an integer where decimals is 0.
std::string FormatDecimal(Decimal value);

// REQUIRES: a JSON number without exponent that fits.
Decimal ParseDecimal(std::string_view token);

}  // namespace leafscore::internal::corpus

#endif  // LEAFSCORE_ENGINE_CORPUS_DECIMAL_H_
