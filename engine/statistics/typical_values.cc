#include "engine/statistics/typical_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/random.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMostForAllSubsets = 13;
constexpr std::size_t kRandomSubsets = 9999;
constexpr std::uint64_t kSubsetSeed = 1969;

// Units are processed 32 at a time. A random word has a bit for each unit. For each byte of the word, a table
// has the totals for all values of the byte.
constexpr std::size_t kTogether = 32;
using TotalOfByte = std::array<Unit, 256>;

void Add(const Unit& unit, Unit& total) {
  total.sum += unit.sum;
  total.count += unit.count;
}

// Returns the totals of all subsets of the units; subset i has the units whose bits are set in i.
std::vector<Unit> TotalsOfAllSubsets(std::span<const Unit> units) {
  std::vector<Unit> totals = {Unit{0, 0}};
  for (const Unit& unit : units) {
    for (std::size_t subset = 0, subsets = totals.size(); subset < subsets; ++subset) {
      totals.push_back(totals[subset]);
      Add(unit, totals.back());
    }
  }
  return totals;
}

TotalOfByte TotalsOfEight(std::span<const Unit> units) {
  TotalOfByte totals;
  totals[0] = {0, 0};
  for (std::size_t bit = 0; bit < 8; ++bit) {
    const Unit unit = bit < units.size() ? units[bit] : Unit{0, 0};
    for (std::size_t byte = 0; byte < (std::size_t{1} << bit); ++byte) {
      Unit& total = totals[byte | std::size_t{1} << bit];
      total = totals[byte];
      Add(unit, total);
    }
  }
  return totals;
}

std::vector<Unit> TotalsOfRandomSubsets(std::span<const Unit> units) {
  std::vector<Unit> totals(kRandomSubsets, Unit{0, 0});
  for (std::size_t begin = 0; begin < units.size(); begin += kTogether) {
    std::array<TotalOfByte, kTogether / 8> total_of;
    for (std::size_t byte = 0; byte < total_of.size(); ++byte) {
      const std::size_t first = std::min(begin + 8 * byte, units.size());
      total_of[byte] = TotalsOfEight(units.subspan(first, std::min<std::size_t>(8, units.size() - first)));
    }
    SplitMix64 random(kSubsetSeed, begin);
    for (Unit& total : totals) {
      const std::uint64_t word = random.Next() >> 32;
      const Unit& a = total_of[0][word & 0xff];
      const Unit& b = total_of[1][word >> 8 & 0xff];
      const Unit& c = total_of[2][word >> 16 & 0xff];
      const Unit& d = total_of[3][word >> 24];
      total.sum += (a.sum + b.sum) + (c.sum + d.sum);
      total.count += (a.count + b.count) + (c.count + d.count);
    }
  }
  return totals;
}

std::vector<Unit> SortedUnits(std::span<const Unit> units) {
  std::vector<Unit> sorted = BlocksOf(units);
  for (Unit& unit : sorted) unit.sum = SumOf(unit);
  std::ranges::sort(sorted, {},
                    [](const Unit& unit) { return std::pair(unit.sum / unit.count, unit.count); });
  return sorted;
}

// Returns the interval, adjusted so that it excludes 0 if and only if the test rejects 0.
Interval NotContradicting(Interval interval, std::span<const double> means, double alpha,
                          const SignFlipResult& test) {
  if (test.p >= alpha) return {std::min(interval.low, 0.0), std::max(interval.high, 0.0)};
  if (test.difference < 0 && interval.high >= -kScoreRounding) {
    interval.high = -2;  // below all means
    for (const double mean : means) {
      if (mean < -kScoreRounding) interval.high = std::max(interval.high, mean);
    }
    if (interval.high == -2) interval.high = test.difference;
  } else if (test.difference > 0 && interval.low <= kScoreRounding) {
    interval.low = 2;
    for (const double mean : means) {
      if (mean > kScoreRounding) interval.low = std::min(interval.low, mean);
    }
    if (interval.low == 2) interval.low = test.difference;
  }
  return interval;
}

}  // namespace

Interval TypicalValuesInterval(std::span<const Unit> units, double alpha, const SignFlipResult& test) {
  const std::vector<Unit> sorted = SortedUnits(units);
  const bool all = sorted.size() <= kMostForAllSubsets;
  std::vector<double> means;
  for (const Unit& total : all ? TotalsOfAllSubsets(sorted) : TotalsOfRandomSubsets(sorted)) {
    if (total.count > 0) means.push_back(total.sum / total.count);
  }
  // The number of intervals between and beyond the means. A random subset can be empty and then has no mean;
  // it counts as beyond the means on both sides.
  const auto intervals = static_cast<double>(all ? means.size() + 1 : kRandomSubsets + 1);
  const auto empty = static_cast<double>(all ? 0 : kRandomSubsets - means.size());
  const double place = std::ceil(intervals * alpha / 2 - 1e-9) - 1 - empty;
  Interval interval{-1, 1};
  if (place >= 1) {
    const auto from_end = static_cast<std::ptrdiff_t>(place);
    std::ranges::nth_element(means, means.begin() + from_end - 1);
    interval.low = means[static_cast<std::size_t>(from_end) - 1];
    std::ranges::nth_element(means, means.end() - from_end);
    interval.high = *(means.end() - from_end);
  }
  return NotContradicting(interval, means, alpha, test);
}

}  // namespace leafscore::internal
