#include "engine/statistics/paired_tests.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "engine/statistics/paired_units.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kExactDifferences = 50;  // 2^50 choices of signs are counted exactly in a double

// Returns the share of all choices of signs whose sum of positive ranks is at most `sum`. Ranks and sum are
// doubled, so that tied ranks are whole numbers.
double ShareUpTo(std::span<const std::uint32_t> ranks, std::uint32_t sum) {
  const std::uint32_t most = std::accumulate(ranks.begin(), ranks.end(), std::uint32_t{0});
  std::vector<double> choices(most + 1);  // indexed by sum
  choices[0] = 1;
  std::uint32_t reached = 0;
  for (const std::uint32_t rank : ranks) {
    reached += rank;
    for (std::uint32_t s = reached; s >= rank; --s) choices[s] += choices[s - rank];
  }
  return std::accumulate(choices.begin(), choices.begin() + sum + 1, 0.0) /
         std::ldexp(1.0, static_cast<int>(ranks.size()));
}

}  // namespace

double McNemarTest(std::uint64_t passing, std::uint64_t failing) {
  const std::uint64_t changed = passing + failing;
  if (changed == 0) return 1;
  const boost::math::binomial distribution(static_cast<double>(changed), 0.5);
  return std::min(1.0, 2 * cdf(distribution, static_cast<double>(std::min(passing, failing))));
}

double UnpairedRatesTest(std::uint64_t passed, std::uint64_t passed_other, std::uint64_t records) {
  if (records < 2 || passed == passed_other) return 1;
  const auto size = static_cast<double>(records);
  const auto variance = [&](std::uint64_t count) {
    const double rate = static_cast<double>(count) / size;
    return rate * (1 - rate) / (size - 1);
  };
  const double error = std::sqrt(variance(passed) + variance(passed_other));
  if (error == 0) return 0;
  const double away = std::abs(static_cast<double>(passed) - static_cast<double>(passed_other)) / size;
  return 2 * cdf(boost::math::normal(), -away / error);
}

double WilcoxonTest(std::span<const double> differences) {
  std::vector<double> left;  // in multiples of kScoreRounding
  for (const double difference : differences) {
    if (const double rounded = std::round(difference / kScoreRounding); rounded != 0) left.push_back(rounded);
  }
  if (left.empty()) return 1;
  std::ranges::sort(left, {}, [](double d) { return std::abs(d); });
  std::vector<std::uint32_t> doubled_ranks;  // empty unless all choices are counted
  double positive = 0;                       // the sum of the ranks of positive differences
  double ties = 0;                           // sum of t^3 - t over groups of t equal values
  for (std::size_t begin = 0, end = 0; begin < left.size(); begin = end) {
    std::size_t positive_here = 0;
    for (; end < left.size() && std::abs(left[end]) == std::abs(left[begin]); ++end) {
      positive_here += left[end] > 0;
    }
    const auto together = static_cast<double>(end - begin);
    ties += together * together * together - together;
    positive += static_cast<double>(positive_here) * static_cast<double>(begin + end + 1) / 2;
    if (left.size() <= kExactDifferences) {
      doubled_ranks.insert(doubled_ranks.end(), end - begin, static_cast<std::uint32_t>(begin + end + 1));
    }
  }
  const auto size = static_cast<double>(left.size());
  const double all = size * (size + 1) / 2;
  const double smaller = std::min(positive, all - positive);
  if (!doubled_ranks.empty()) {
    return std::min(1.0, 2 * ShareUpTo(doubled_ranks, static_cast<std::uint32_t>(2 * smaller)));
  }
  const double deviation = std::sqrt((size * (size + 1) * (2 * size + 1) - ties / 2) / 24);
  return std::min(1.0, 2 * cdf(boost::math::normal(), (smaller - all / 2) / deviation));
}

}  // namespace leafscore::internal
