#include "kernels/nearest_column.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

namespace leafscore::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kAround = 8;  // the doubles of the widest vector

// A number for each column, between numbers that are nearer than every column.
std::vector<double> Guarded(const std::vector<double>& inside, double around) {
  std::vector<double> guarded(inside.size() + 2 * kAround, around);
  std::ranges::copy(inside, guarded.begin() + kAround);
  return guarded;
}

struct Search {
  std::vector<double> weight, potential, order, distance;
};

struct Found {
  double order;
  std::vector<double> distance;
  bool operator==(const Found&) const = default;
};

constexpr double kReached = 0.75;
constexpr double kRowPotential = -0.1;

// The rule as the header states it, one column at a time.
Found Reference(Search search) {
  double nearest = kInfinity;
  for (std::size_t c = 0; c < search.weight.size(); ++c) {
    const double through = kReached - search.weight[c] - kRowPotential - search.potential[c];
    search.distance[c] = std::min(search.distance[c], through);
    nearest = std::min(nearest, search.distance[c]);
  }
  double order = kInfinity;
  for (std::size_t c = 0; c < search.weight.size(); ++c) {
    if (search.distance[c] == nearest) order = std::min(order, search.order[c]);
  }
  return {order, search.distance};
}

Found FoundOn(Isa isa, const Search& search) {
  const std::size_t size = search.weight.size();
  const std::vector<double> weight = Guarded(search.weight, 100);
  const std::vector<double> potential = Guarded(search.potential, 0);
  const std::vector<double> order = Guarded(search.order, -1);
  std::vector<double> distance = Guarded(search.distance, -1000);
  const PathColumns columns = {size, potential.data() + kAround, order.data() + kAround,
                               distance.data() + kAround};
  const double found = OrderOfNearest(weight.data() + kAround, kReached, kRowPotential, columns, isa);
  const auto begin = distance.begin() + kAround;
  const auto end = begin + static_cast<std::ptrdiff_t>(size);
  EXPECT_EQ(std::count(distance.begin(), begin, -1000), kAround) << "wrote in front of the columns";
  EXPECT_EQ(std::count(end, distance.end(), -1000), kAround) << "wrote behind the columns";
  return {found, {begin, end}};
}

TEST(NearestColumnTest, HasTheBitsOfTheRuleForEverySizeOnEveryInstructionSet) {
  std::mt19937_64 random(1);
  const auto one_of = [&](const std::vector<double>& values) { return values[random() % values.size()]; };
  for (std::size_t size = 1; size <= 40; ++size) {
    for (int round = 0; round < 50; ++round) {
      Search search;
      for (std::size_t c = 0; c < size; ++c) {
        search.weight.push_back(one_of({0, 0.1, 0.3, 0.5, 1}));
        search.order.push_back(static_cast<double>(c));
        const bool is_reached = random() % 4 == 0;
        search.potential.push_back(is_reached ? -kInfinity : one_of({0, 0.1, 0.2}));
        search.distance.push_back(is_reached ? kInfinity : one_of({0.2, 0.3, 0.7, 2, kInfinity}));
      }
      std::ranges::shuffle(search.order, random);
      const Found expected = Reference(search);
      for (const Isa isa : AvailableIsas()) {
        EXPECT_EQ(FoundOn(isa, search), expected)
            << IsaName(isa) << ", " << size << " columns, round " << round;
      }
    }
  }
}

}  // namespace
}  // namespace leafscore::internal
