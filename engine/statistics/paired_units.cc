#include "engine/statistics/paired_units.h"

#include <algorithm>

namespace leafscore::internal {

std::vector<Unit> BlocksOf(std::span<const Unit> units) {
  if (units.size() <= kMostBlocks) return {units.begin(), units.end()};
  std::vector<Unit> blocks(kMostBlocks, Unit{0, 0});
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    Unit& block = blocks[unit * kMostBlocks / units.size()];
    block.sum += units[unit].sum;
    block.count += units[unit].count;
  }
  return blocks;
}

double OrderFreeTotal(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  if (largest == 0) return 0;
  // Fixed-point numbers, scaled so that the sum of all values stays below 2^126. With up to 8,191 values,
  // they have at least 60 bits below the last bit of the largest value; with more values, they have fewer.
  const int bits = 126 - std::ilogb(static_cast<double>(values.size())) - 1;
  const int exponent = std::ilogb(largest) + 1;
  const double scale = std::ldexp(1.0, bits - exponent);
  __int128 total = 0;
  for (const double value : values) total += static_cast<__int128>(value * scale);
  return std::ldexp(static_cast<double>(total), exponent - bits);
}

}  // namespace leafscore::internal
