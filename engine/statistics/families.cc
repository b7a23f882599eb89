#include "engine/statistics/families.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace leafscore::internal {
namespace {

// Returns the places of the p-values, the smallest first.
std::vector<std::size_t> SmallestFirst(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return p_values[i]; });
  return order;
}

}  // namespace

std::vector<double> HolmCorrected(std::span<const double> p_values) {
  std::vector<double> corrected(p_values.size());
  double largest = 0;  // so far: no test may seem surer than one with a smaller p-value
  std::size_t rank = 0;
  for (const std::size_t i : SmallestFirst(p_values)) {
    const auto left = static_cast<double>(p_values.size() - rank++);
    largest = std::max(largest, std::min(1.0, left * p_values[i]));
    corrected[i] = largest;
  }
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

}  // namespace leafscore::internal
