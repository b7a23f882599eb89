// How often `leafscore compare` sees a change where there is none, and where there is one: comparisons of
// simulated records, tested by the same code as real ones.
// Usage: comparison_simulation [COMPARISONS [SHAPE...]]  (10000 of each shape, as "clusters of five", or of
// all) Exits with 1 when the share of false alarms at alpha = 0.05 is not from 0.04 to 0.06, or above 0.06
// where the test is exact and so stays below on purpose.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/random.h"
#include "engine/compare/paired_mean.h"
#include "engine/run/parallel.h"

namespace leafscore::internal {
namespace {

constexpr double kAlpha = 0.05;
constexpr double kMargin = 0.01;

double Uniform(SplitMix64& random) { return static_cast<double>(random.Next() >> 11) * 0x1.0p-53; }

struct Scores {
  double base;
  double now;
};

// How records are drawn: `drop` is what the mean falls by.
struct Shape {
  std::string name;
  std::uint32_t records;
  bool exact;  // so few of them differ that the test counts all choices of signs
  // Draws the scores of the records of a unit.
  std::function<void(SplitMix64& random, double drop, std::vector<Scores>& unit)> draw;
};

double Verdict(SplitMix64& random, double chance) { return Uniform(random) < chance ? 1 : 0; }

// Returns the shapes of scores that benchmarks have.
std::vector<Shape> Shapes() {
  // Half of the records are hard, half are easy, and both runs draw a new answer.
  const auto verdicts = [](SplitMix64& random, double drop, std::vector<Scores>& unit) {
    const double chance = Uniform(random) < 0.5 ? 0.45 : 0.85;
    unit.push_back({Verdict(random, chance), Verdict(random, chance - drop)});
  };
  // Of answers that hardly change, 6 of 100 differ.
  const auto stable_verdicts = [](SplitMix64& random, double drop, std::vector<Scores>& unit) {
    const double base = Verdict(random, 0.7);
    const bool changed = Uniform(random) < 0.06;
    const double now = changed ? Verdict(random, 0.5 - drop / 0.06 / 2) : base;
    unit.push_back({changed ? Verdict(random, 0.5 + drop / 0.06 / 2) : base, now});
  };
  // Shares of leaves that match: most of them all, some few.
  const auto shares = [](SplitMix64& random, double drop, std::vector<Scores>& unit) {
    const auto share = [&] { return Uniform(random) < 0.6 ? 1.0 : std::round(Uniform(random) * 20) / 20; };
    const double base = share();
    unit.push_back({base, std::max(0.0, share() - (Uniform(random) < 0.5 ? 2 * drop : 0))});
  };
  // A third of the records lose a little, and few gain much, or the other way round: as much in the mean.
  const auto skewed = [](SplitMix64& random, double drop, std::vector<Scores>& unit) {
    const double place = Uniform(random);
    const double change = place < 0.3 ? -0.05 : place < 0.33 ? 0.5 : 0;
    unit.push_back({0.5, 0.5 + change - drop});
  };
  // Five questions to a document, which all do well or badly in a run.
  const auto clusters = [](SplitMix64& random, double drop, std::vector<Scores>& unit) {
    const double base = 0.3 + 0.6 * Uniform(random);
    const double now = 0.3 + 0.6 * Uniform(random) - drop;
    for (int i = 0; i < 5; ++i) unit.push_back({Verdict(random, base), Verdict(random, now)});
  };
  return {{"verdicts", 200, false, verdicts},

          {"stable verdicts", 600, false, stable_verdicts},
          {"shares of leaves", 100, false, shares},
          {"shares of leaves", 400, false, shares},
          {"skewed changes", 300, false, skewed},
          {"clusters of five", 500, false, clusters},
          {"verdicts, few", 20, true, verdicts},
          {"stable verdicts, few", 100, true, stable_verdicts}};
}

struct Shares {
  double alarms = 0;       // p below alpha
  double falls = 0;        // of them those that see a fall
  double wilcoxon = 0;     // its p below alpha
  double in_interval = 0;  // the bootstrap's interval holds what the mean fell by
  double in_t_interval = 0;
};

Shares Simulate(const Shape& shape, std::size_t comparisons, double drop, std::uint64_t seed) {
  constexpr std::size_t kTogether = 50;
  std::vector<std::array<std::size_t, 5>> counts(comparisons / kTogether);
  ParallelFor(counts.size(), [&](std::size_t chunk) {
    std::array<std::size_t, 5>& count = counts[chunk];
    for (std::size_t i = 0; i < kTogether; ++i) {
      SplitMix64 random(seed, chunk * kTogether + i);
      PairedMean mean;
      std::vector<Scores> unit;
      for (std::uint32_t number = 0; mean.records() < shape.records; ++number) {
        unit.clear();
        shape.draw(random, drop, unit);
        for (const Scores& scores : unit) mean.Add(number, scores.base, scores.now);
      }
      const ComparedFigure row = mean.Figure({.margin = kMargin, .alpha = kAlpha});
      const auto holds = [&](const Interval& interval) {
        return interval.low <= -drop && -drop <= interval.high;
      };
      count[0] += *row.p < kAlpha;
      count[1] += *row.p < kAlpha && row.difference < 0;
      count[2] += row.p_wilcoxon.value_or(1) < kAlpha;
      count[3] += holds(*row.interval);
      count[4] += holds(*row.t_interval);
    }
  });
  std::array<double, 5> sums{};
  for (const auto& count : counts) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<double>(count[i]);
  }
  for (double& sum : sums) sum /= static_cast<double>(comparisons);
  return {sums[0], sums[1], sums[2], sums[3], sums[4]};
}

int Run(std::size_t comparisons, const std::vector<std::string>& names) {
  bool as_wanted = true;
  fmt::print("No change: {} comparisons of each kind, alpha {}\n\n", comparisons, kAlpha);
  fmt::print("| records | number | false alarms | Wilcoxon's | in the interval | in the t-interval |\n");
  fmt::print("|---|---:|---:|---:|---:|---:|\n");
  std::vector<Shape> shapes = Shapes();
  std::erase_if(shapes, [&](const Shape& shape) {
    return !names.empty() && std::ranges::find(names, shape.name) == names.end();
  });
  for (const Shape& shape : shapes) {
    const Shares shares = Simulate(shape, comparisons, 0, 1);
    as_wanted &= shares.alarms <= 0.06 && (shape.exact || shares.alarms >= 0.04);
    fmt::print("| {} | {} | {:.4f}{} | {:.4f} | {:.4f} | {:.4f} |\n", shape.name, shape.records,
               shares.alarms, shape.exact ? " (exact)" : "", shares.wilcoxon, shares.in_interval,
               shares.in_t_interval);
    std::fflush(stdout);
  }
  constexpr std::array kDrops = {0.01, 0.02, 0.03, 0.05, 0.1};
  const std::size_t fewer = comparisons / 10;
  fmt::print("\nA fall of the mean: share of {} comparisons that see it\n\n| records | number |", fewer);
  for (const double drop : kDrops) fmt::print(" {} |", drop);
  fmt::print("\n|---|---:|---:|---:|---:|---:|---:|\n");
  for (const Shape& shape : shapes) {
    if (shape.exact || shape.name == "skewed changes") continue;
    fmt::print("| {} | {} |", shape.name, shape.records);
    for (const double drop : kDrops) fmt::print(" {:.3f} |", Simulate(shape, fewer, drop, 2).falls);
    fmt::print("\n");
    std::fflush(stdout);
  }
  fmt::print("\nfalse alarms {}\n", as_wanted ? "as wanted" : "NOT as wanted");
  return as_wanted ? 0 : 1;
}

}  // namespace
}  // namespace leafscore::internal

int main(int argc, char** argv) {
  const std::size_t comparisons = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10000;
  const std::vector<std::string> shapes(argv + std::min(argc, 2), argv + argc);
  int status = 1;
  leafscore::internal::WithThreads(
      0, [&] { status = leafscore::internal::Run(std::max<std::size_t>(comparisons, 500), shapes); });
  return status;
}
