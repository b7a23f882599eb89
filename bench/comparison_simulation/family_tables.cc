// Families of tests: slices of one size and of several, small ones put together, and scorers that go
// together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/comparison_simulation/simulation.h"
#include "engine/statistics/families.h"
#include "engine/statistics/looks.h"
#include "engine/statistics/sign_flip.h"

namespace leafscore::internal {
namespace {

constexpr double kAlpha = 0.05;
constexpr std::size_t kChangedSlices = 3;

struct Layout {
  std::string name;
  Shape shape;
  double drop;                     // of those that changed
  std::vector<std::size_t> sizes;  // of the slices, the changed ones first
};

std::vector<std::size_t> Sizes(std::size_t large, std::size_t records, std::size_t small = 0,
                               std::size_t few = 0) {
  std::vector<std::size_t> sizes(large, records);
  sizes.resize(large + small, few);
  return sizes;
}

// Adds the groups that could not fail together as one more row, where there are several.
std::vector<std::vector<double>> Pooled(std::vector<std::vector<double>> groups) {
  std::vector<double> pool;
  int small = 0;
  for (const std::vector<double>& group : groups) {
    const auto as_large = std::ranges::count_if(
        groups, [&](const std::vector<double>& other) { return other.size() >= group.size(); });
    if (CouldFail(group.size(), static_cast<std::uint64_t>(as_large), kAlpha)) continue;
    pool.insert(pool.end(), group.begin(), group.end());
    ++small;
  }
  if (small > 1) groups.push_back(pool);
  return groups;
}

struct Family {
  std::vector<SignFlipResult> tests;
  std::vector<double> p;
  std::vector<double> least_p;
};

Family Tested(const std::vector<std::vector<double>>& groups) {
  Family family;
  for (const std::vector<double>& differences : groups) {
    const SignFlipResult& test = family.tests.emplace_back(SignFlipTest(differences));
    family.p.push_back(test.p);
    family.least_p.push_back(test.least_p);
  }
  return family;
}

// Counts whether any test is significant, whether one of them is of a fall, and the falls among the changed
// ones.
void Count(const Family& family, const std::vector<double>& corrected, std::span<double> row) {
  bool any = false;
  bool falls = false;
  for (std::size_t i = 0; i < corrected.size(); ++i) {
    if (corrected[i] >= kAlpha) continue;
    any = true;
    falls |= family.tests[i].difference < 0;
    row[2] += i < kChangedSlices && family.tests[i].difference < 0;
  }
  row[0] += any;
  row[1] += falls;
}

std::vector<std::vector<double>> DrawGroups(const Layout& layout, double drop, SplitMix64& random) {
  std::vector<std::vector<double>> groups;
  for (const std::size_t size : layout.sizes) {
    groups.push_back(DrawDifferences(layout.shape, size, groups.size() < kChangedSlices ? drop : 0, random));
  }
  return groups;
}

}  // namespace

bool PrintFamilies(const SimulationOptions& options) {
  const Layout layouts[] = {
      {"20 x 30", Crashes(), 0.35, Sizes(20, 30)},
      {"20 x 30", HeavyTails(), 0.02, Sizes(20, 30)},
      {"20 x 30", Continuous(), 0.09, Sizes(20, 30)},
      {"20 x 30", Shares(), 0.12, Sizes(20, 30)},
      {"20 x 30", Verdicts(0.3), 0.28, Sizes(20, 30)},
      {"20 x 30", Verdicts(0.1), 0.4, Sizes(20, 30)},
      {"10 x 40 and 10 x 4", Verdicts(0.1), 0.35, Sizes(10, 40, 10, 4)},
      {"3 x 30 and 17 x 5", Continuous(), 0.1, Sizes(3, 30, 17, 5)},
      {"20 x 100", Crashes(), 0.2, Sizes(20, 100)},
      {"20 x 100", HeavyTails(), 0.012, Sizes(20, 100)},
      {"20 x 100", Continuous(), 0.045, Sizes(20, 100)},
      {"20 x 100", Shares(), 0.07, Sizes(20, 100)},
  };
  fmt::print(
      "\n## Families of slices\n\nAny false verdict / a gate on falls fails, unchanged; power: share of {} "
      "changed slices "
      "found. Pooled: the slices that could not fail are one row together.\n\n"
      "| slices | scores | Holm | attainable | pooled | power: Holm | attainable | pooled "
      "|\n|---|---|---|---|---|---|---|---|\n",
      kChangedSlices);
  bool good = true;
  for (const Layout& layout : layouts) {
    const std::size_t runs = RunsFor(options, 100 * (layout.sizes.back() < 100 ? 1 : 2));
    const auto size = static_cast<double>(runs);
    const auto tally = [&](double drop) {
      return Tally(runs, options.seed + 6, 9, [&](SplitMix64& random, std::span<double> row) {
        std::vector<std::vector<double>> groups = DrawGroups(layout, drop, random);
        if (layout.shape.name == Verdicts(0.1).name && drop > 0) {
          // Churn grows with the drop, as no more can fall than turn.
          for (std::size_t i = 0; i < kChangedSlices; ++i) {
            groups[i] = DrawDifferences(Verdicts(0.1 + drop), groups[i].size(), drop, random);
          }
        }
        const Family family = Tested(groups);
        Count(family, HolmCorrected(family.p), row.subspan(0, 3));
        Count(family, HolmAttainableCorrected(family.p, family.least_p), row.subspan(3, 3));
        const Family pooled = Tested(Pooled(groups));
        Count(pooled, HolmAttainableCorrected(pooled.p, pooled.least_p), row.subspan(6, 3));
      });
    };
    const std::vector<double> unchanged = tally(0);
    const std::vector<double> changed = tally(layout.drop);
    fmt::print("| {} | {} |", layout.name, layout.shape.name);
    for (std::size_t i = 0; i < 9; i += 3) {
      fmt::print(" {} / {:.3f} |", ShareText(unchanged[i], size), unchanged[i + 1] / size);
      good &= Holds(unchanged[i], size, kAlpha);
    }
    for (std::size_t i = 2; i < 9; i += 3) fmt::print(" {:.2f} |", changed[i] / size / kChangedSlices);
    fmt::print("\n");
  }
  return good;
}

bool PrintScorers(const SimulationOptions& options) {
  fmt::print(
      "\n## 4 scorers over 300 records, continuous scores that go together\n\n| correlation | any false "
      "verdict | power: all "
      "fall by 0.025 |\n|---|---|---|\n");
  bool good = true;
  for (const double correlation : {0.0, 0.5, 0.9}) {
    const std::size_t runs = RunsFor(options, 300);
    const auto size = static_cast<double>(runs);
    const auto tally = [&](double drop) {
      return Tally(runs, options.seed + 7, 2, [&](SplitMix64& random, std::span<double> row) {
        std::vector<std::vector<double>> scorers(4);
        for (int record = 0; record < 300; ++record) {
          const double common = std::sqrt(correlation) * Normal(random);
          for (std::vector<double>& differences : scorers) {
            differences.push_back(0.14 * (common + std::sqrt(1 - correlation) * Normal(random)) - drop);
          }
        }
        const Family family = Tested(scorers);
        const std::vector<double> corrected = HolmAttainableCorrected(family.p, family.least_p);
        const auto found = std::ranges::count_if(corrected, [](double p) { return p < kAlpha; });
        row[0] += found > 0;
        row[1] += static_cast<double>(found) / 4;
      });
    };
    const double false_verdicts = tally(0)[0];
    fmt::print("| {} | {} | {:.2f} |\n", correlation, ShareText(false_verdicts, size),
               tally(0.025)[1] / size);
    good &= Holds(false_verdicts, size, kAlpha);
  }
  return good;
}

bool PrintLooksOfFamilies(const SimulationOptions& options) {
  fmt::print(
      "\n## Planned looks at families: 20 slices that grow to 60 records, looked at after 20, 40 and 60\n\n"
      "| scores | any false verdict at any look | the same at 0.05 each look |\n|---|---|---|\n");
  bool good = true;
  for (const Shape& shape : {Crashes(), Continuous(), Shares(), Verdicts(0.3)}) {
    const std::size_t runs = RunsFor(options, 200);
    const std::vector<double> counts =
        Tally(runs, options.seed + 8, 2, [&](SplitMix64& random, std::span<double> row) {
          std::vector<std::vector<double>> groups(20);
          double spent = 0;
          bool at_spent = false;
          bool at_alpha = false;
          for (int look = 1; look <= 3; ++look) {
            for (std::vector<double>& group : groups) {
              const std::vector<double> more = DrawDifferences(shape, 20, 0, random);
              group.insert(group.end(), more.begin(), more.end());
            }
            const Family family = Tested(groups);
            const double least = std::ranges::min(HolmAttainableCorrected(family.p, family.least_p));
            const double spent_now = SpentAlpha(look / 3.0, kAlpha);
            at_spent |= least < spent_now - spent;
            at_alpha |= least < kAlpha;
            spent = spent_now;
          }
          row[0] += at_spent;
          row[1] += at_alpha;
        });
    const auto size = static_cast<double>(runs);
    fmt::print("| {} | {} | {} |\n", shape.name, ShareText(counts[0], size), ShareText(counts[1], size));
    good &= Holds(counts[0], size, kAlpha);
  }
  return good;
}

}  // namespace leafscore::internal
