#include "engine/statistics/families.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace leafscore::internal {
namespace {

// Returns the indexes of the p-values, smallest value first.
std::vector<std::size_t> SmallestFirst(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p_values[i]; });
  return order;
}

// Returns how many of the sorted values are at most p, apart from rounding.
double CountUpTo(std::span<const double> sorted, double p) {
  constexpr double kRounding = 1e-9;
  return static_cast<double>(std::ranges::upper_bound(sorted, p * (1 + kRounding)) - sorted.begin());
}

}  // namespace

std::vector<double> HolmCorrected(std::span<const double> p_values) {
  return HolmAttainableCorrected(p_values, std::vector<double>(p_values.size(), 0.0));
}

std::vector<double> HolmAttainableCorrected(std::span<const double> p_values,
                                            std::span<const double> least_p) {
  std::vector<double> corrected(p_values.size());
  std::vector<double> least(least_p.begin(), least_p.end());
  std::ranges::sort(least);
  double largest = 0;   // so far; a test must not seem surer than a test with a smaller p
  double rejected = 0;  // tests with a smaller p that could also have given this p
  for (const std::size_t i : SmallestFirst(p_values)) {
    const double tests = CountUpTo(least, p_values[i]) - rejected;
    largest = std::max(largest, std::min(1.0, tests * p_values[i]));
    corrected[i] = largest;
    ++rejected;
  }
  return corrected;
}

std::vector<double> LeastCorrected(std::span<const double> least_p) {
  std::vector<double> sorted(least_p.begin(), least_p.end());
  std::ranges::sort(sorted);
  std::vector<double> corrected;
  for (const double p : least_p) corrected.push_back(CountUpTo(sorted, p) * p);
  return corrected;
}

std::vector<double> BenjaminiHochbergCorrected(std::span<const double> p_values) {
  const std::vector<std::size_t> order = SmallestFirst(p_values);
  const auto size = static_cast<double>(p_values.size());
  std::vector<double> corrected(p_values.size());
  double smallest = 1;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t i = order[rank - 1];
    smallest = std::min(smallest, size / static_cast<double>(rank) * p_values[i]);
    corrected[i] = smallest;
  }
  return corrected;
}

bool CouldFail(std::uint64_t units, std::uint64_t tests, double alpha, LeastPOfUnits least_p) {
  return static_cast<double>(tests) * least_p(units) < alpha;
}

std::uint64_t LeastUnitsToFail(std::uint64_t tests, double alpha, LeastPOfUnits least_p) {
  std::uint64_t units = 1;
  while (!CouldFail(units, tests, alpha, least_p)) ++units;
  return units;
}

}  // namespace leafscore::internal
