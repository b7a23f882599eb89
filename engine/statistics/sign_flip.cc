#include "engine/statistics/sign_flip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/random.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kExactDifferences = 16;
constexpr std::size_t kRandomFlips = 9999;
constexpr std::uint64_t kSeed = 1935;

// Differences are flipped 32 at a time: each byte of a word says which of eight keep their sign, and a table
// has the sum for each value of that byte.
constexpr std::size_t kBytes = 4;
constexpr std::size_t kTogether = 8 * kBytes;
using SumOfByte = std::array<double, 256>;
using Word = std::uint32_t;

SumOfByte SumsOfEight(std::span<const double> differences) {
  SumOfByte sums{};
  for (const double difference : differences) sums[0] -= difference;
  for (std::size_t bit = 0; bit < 8; ++bit) {
    const double twice = bit < differences.size() ? 2 * differences[bit] : 0;
    for (std::size_t byte = 0; byte < (std::size_t{1} << bit); ++byte) {
      sums[byte | std::size_t{1} << bit] = sums[byte] + twice;
    }
  }
  return sums;
}

// Adds at most 32 differences to the sums: to sums[i] with the signs of the word next_signs(i).
template <class NextSigns>
void AddFlips(std::span<const double> differences, NextSigns next_signs, std::vector<double>& sums) {
  std::array<SumOfByte, kBytes> sum_of;
  for (std::size_t byte = 0; byte < kBytes; ++byte) {
    const std::size_t begin = std::min(8 * byte, differences.size());
    sum_of[byte] =
        SumsOfEight(differences.subspan(begin, std::min<std::size_t>(8, differences.size() - begin)));
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const Word signs = next_signs(i);
    sums[i] += (sum_of[0][signs & 0xff] + sum_of[1][signs >> 8 & 0xff]) +
               (sum_of[2][signs >> 16 & 0xff] + sum_of[3][signs >> 24]);
  }
}

}  // namespace

double SignFlipTest(std::span<const double> differences) {
  std::vector<double> left;  // equal scores stay equal however they are flipped
  std::ranges::copy_if(differences, std::back_inserter(left), [](double d) { return d != 0; });
  if (left.empty()) return 1;

  const bool exact = left.size() <= kExactDifferences;
  std::vector<double> sums(exact ? std::size_t{1} << left.size() : kRandomFlips);
  double seen = 0;
  double farthest = 0;
  for (const double difference : left) {
    seen += difference;
    farthest += std::abs(difference);
  }
  for (std::size_t begin = 0; begin < left.size(); begin += kTogether) {
    const auto together = std::span(left).subspan(begin, std::min(kTogether, left.size() - begin));
    if (exact) {  // choice i keeps the signs where the number i has a bit
      AddFlips(
          together, [](std::size_t i) { return static_cast<Word>(i); }, sums);
    } else {
      SplitMix64 random(kSeed, begin);
      AddFlips(
          together, [&](std::size_t) { return static_cast<Word>(random.Next() >> 32); }, sums);
    }
  }
  // Equal sums may differ in their last bits, as they were added in another way.
  const double least = std::abs(seen) - farthest * 1e-12;
  const auto as_far =
      static_cast<double>(std::ranges::count_if(sums, [&](double sum) { return std::abs(sum) >= least; }));
  const auto flips = static_cast<double>(sums.size());
  return exact ? as_far / flips : (as_far + 1) / (flips + 1);
}

}  // namespace leafscore::internal
