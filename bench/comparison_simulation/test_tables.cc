// The test of one row: how often it calls an unchanged model changed, what it sees, and its intervals.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "bench/comparison_simulation/simulation.h"
#include "engine/statistics/mean_estimate.h"
#include "engine/statistics/sign_flip.h"
#include "engine/statistics/typical_values.h"
#include "engine/statistics/worst_case.h"

namespace leafscore::internal {
namespace {

constexpr std::array kLevels = {0.05, 0.01, 0.0025};

double TTestOf(std::span<const Unit> units) {
  const std::optional<MeanEstimate> estimate = EstimateMean(units);
  return estimate ? PairedTTest(*estimate) : 1;
}

// Counts the sign-flip test, then the t-test, at each level.
void CountTests(std::span<const Unit> units, bool falls_only, std::span<double> row) {
  const SignFlipResult test = SignFlipTest(units);
  if (falls_only && test.difference >= 0) return;
  const double p_t = TTestOf(units);
  for (std::size_t level = 0; level < kLevels.size(); ++level) {
    row[level] += test.p < kLevels[level];
    row[kLevels.size() + level] += p_t < kLevels[level];
  }
}

std::string Cells(std::span<const double> counts, double runs) {
  std::string text = ShareText(counts[0], runs);
  for (std::size_t level = 1; level < kLevels.size(); ++level)
    text += fmt::format(" / {:.4f}", counts[level] / runs);
  return text;
}

void PrintHeader(const char* title) {
  fmt::print(
      "\n## {}\n\nAt 0.05 / 0.01 / 0.0025.\n\n| scores | records | sign-flip | t-test "
      "|\n|---|---:|---|---|\n",
      title);
}

}  // namespace

bool PrintSizes(const SimulationOptions& options) {
  PrintHeader("An unchanged model is called changed");
  bool good = true;
  std::vector<Shape> shapes = UsualShapes();
  shapes.push_back(RareRises());
  for (const Shape& shape : shapes) {
    for (const std::size_t records : {5, 10, 20, 30, 100, 300, 1000}) {
      const std::size_t runs = RunsFor(options, records);
      const std::vector<double> counts =
          Tally(runs, options.seed, 2 * kLevels.size(), [&](SplitMix64& random, std::span<double> row) {
            CountTests(UnitsOf(DrawDifferences(shape, records, 0, random)), false, row);
          });
      const auto size = static_cast<double>(runs);
      fmt::print("| {} | {} | {} | {} |\n", shape.name, records, Cells(counts, size),
                 Cells(std::span(counts).subspan(kLevels.size()), size));
      for (std::size_t level = 0; level < kLevels.size() && shape.name != RareRises().name; ++level) {
        good &= Holds(counts[level], size, kLevels[level]);
      }
    }
  }
  return good;
}

bool PrintPower(const SimulationOptions& options) {
  struct Changed {
    Shape shape;
    double drop;
  };
  PrintHeader("A fall is seen");
  for (const auto& [shape, drop] :
       {Changed{Crashes(), 0.12 * 0.99}, Changed{HeavyTails(), 0.008}, Changed{Continuous(), 0.03},
        Changed{Shares(), 0.04}, Changed{Verdicts(0.1), 0.05}}) {
    for (const std::size_t records : {30, 100, 300}) {
      const std::size_t runs = RunsFor(options, records);
      const std::vector<double> counts =
          Tally(runs, options.seed + 1, 2 * kLevels.size(), [&](SplitMix64& random, std::span<double> row) {
            CountTests(UnitsOf(DrawDifferences(shape, records, drop, random)), true, row);
          });
      fmt::print("| {}, -{:.3g} | {} | {} | {} |\n", shape.name, drop, records,
                 Cells(counts, static_cast<double>(runs)),
                 Cells(std::span(counts).subspan(kLevels.size()), static_cast<double>(runs)));
    }
  }
  return true;
}

bool PrintClusters(const SimulationOptions& options) {
  struct Layout {
    const char* name;
    std::vector<std::size_t> sizes;
  };
  const auto uneven = [](std::size_t even, std::size_t size) {
    std::vector<std::size_t> sizes(even, size);
    sizes.push_back(100);
    return sizes;
  };
  const Layout layouts[] = {{"10 x 30", std::vector<std::size_t>(10, 30)},
                            {"60 x 5", std::vector<std::size_t>(60, 5)},
                            {"nine of 22 and one of 100", uneven(9, 22)},
                            {"29 of 7 and one of 100", uneven(29, 7)}};
  PrintHeader("Clusters, whose records do well or badly together: an unchanged model is called changed");
  bool good = true;
  for (const Layout& layout : layouts) {
    const std::size_t runs = RunsFor(options, 50);
    const std::vector<double> counts =
        Tally(runs, options.seed + 2, 2 * kLevels.size(), [&](SplitMix64& random, std::span<double> row) {
          std::vector<Unit> units;
          for (const std::size_t size : layout.sizes) {
            const double base = 0.3 + 0.6 * Uniform(random);
            const double now = 0.3 + 0.6 * Uniform(random);
            Unit& unit = units.emplace_back(Unit{0, static_cast<double>(size)});
            for (std::size_t record = 0; record < size; ++record) {
              unit.sum -= Verdict(random, base);
              unit.sum += Verdict(random, now);
            }
          }
          CountTests(units, false, row);
        });
    const auto size = static_cast<double>(runs);
    fmt::print("| verdicts | {} | {} | {} |\n", layout.name, Cells(counts, size),
               Cells(std::span(counts).subspan(kLevels.size()), size));
    for (std::size_t level = 0; level < kLevels.size(); ++level)
      good &= Holds(counts[level], size, kLevels[level]);
  }
  return good;
}

bool PrintIntervals(const SimulationOptions& options) {
  constexpr double kAlpha = 0.05;
  std::vector<Shape> shapes = UsualShapes();
  shapes.pop_back();
  const Shape falls = RareFalls(1, 0);
  fmt::print(
      "\n## Intervals of 95% that hold the difference\n\nMean widths behind.\n\n"
      "| scores | records | t | this | bounds, 2.5% a side |\n|---|---:|---|---|---|\n");
  bool good = true;
  // RETURNS: whether this interval holds as often as it has to.
  const auto print = [&](const Shape& shape, const std::string& name, double drop) {
    bool holds = true;
    for (const std::size_t records : {10, 30, 100, 300}) {
      const std::size_t runs = RunsFor(options, records);
      const std::vector<double> sums =
          Tally(runs, options.seed + 3, 6, [&](SplitMix64& random, std::span<double> row) {
            const std::vector<Unit> units = UnitsOf(DrawDifferences(shape, records, drop, random));
            const WorstCaseBound bound(units);
            const Interval intervals[] = {TInterval(*EstimateMean(units), 1 - kAlpha),
                                          TypicalValuesInterval(units, kAlpha, SignFlipTest(units)),
                                          {bound.Lower(kAlpha / 2), bound.Upper(kAlpha / 2)}};
            for (std::size_t i = 0; i < 3; ++i) {
              row[i] += intervals[i].low <= -drop + 1e-9 && -drop - 1e-9 <= intervals[i].high;
              row[3 + i] += intervals[i].high - intervals[i].low;
            }
          });
      const auto size = static_cast<double>(runs);
      fmt::print("| {} | {} |", name, records);
      for (std::size_t i = 0; i < 3; ++i)
        fmt::print(" {}, {:.3f} |", ShareText(sums[i], size), sums[3 + i] / size);
      fmt::print("\n");
      holds &= Holds(size - sums[1], size, kAlpha) && Holds(size - sums[2], size, kAlpha);
    }
    return holds;
  };
  for (const Shape& shape : shapes) good &= print(shape, shape.name, 0);
  print(falls, "2% fall from 1 to 0",
        0.02);  // which few records may not hold: no interval around what was seen can know
  return good;
}

}  // namespace leafscore::internal
