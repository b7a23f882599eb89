// Equivalence and --max-drop where the true drop is the margin; mean and pass rate as two rows of one family.
#include <fmt/format.h>

#include <array>
#include <vector>

#include "bench/comparison_simulation/simulation.h"
#include "engine/statistics/families.h"
#include "engine/statistics/sign_flip.h"
#include "engine/statistics/worst_case.h"

namespace leafscore::internal {
namespace {

constexpr double kAlpha = 0.05;

struct Margin {
  Shape shape;
  double margin;
};

// Prints the share of runs with a true drop that are called equivalent, and of which the drop is held to be
// below the margin. RETURNS: whether both are at most alpha.
bool PrintMargins(const SimulationOptions& options, const Margin& row, double drop, std::size_t records) {
  const std::size_t runs = RunsFor(options, records);
  const std::vector<double> counts =
      Tally(runs, options.seed + 4, 2, [&](SplitMix64& random, std::span<double> tally) {
        const WorstCaseBound bound(UnitsOf(DrawDifferences(row.shape, records, drop, random)));
        tally[0] += bound.EquivalenceP(row.margin) < kAlpha;
        tally[1] += bound.Lower(kAlpha) > -row.margin;
      });
  const auto size = static_cast<double>(runs);
  fmt::print("| {} | {} | {} | {} | {} |\n", row.shape.name, row.margin, records, ShareText(counts[0], size),
             ShareText(counts[1], size));
  return Holds(counts[0], size, kAlpha) && Holds(counts[1], size, kAlpha);
}

}  // namespace

bool PrintEquivalence(const SimulationOptions& options) {
  constexpr const char* kColumns =
      "| scores | margin | records | equivalent | --max-drop holds |\n|---|---:|---:|---|---|\n";
  fmt::print("\n## A drop of exactly the margin is called equivalent, or passes --max-drop\n\n{}", kColumns);
  bool good = true;
  for (const Margin& row :
       {Margin{RareFalls(1, 0), 0.01}, Margin{RareFalls(1, 0), 0.02}, Margin{RareFalls(0.5, 0), 0.01},
        Margin{RareFalls(1, 0.01), 0.01}, Margin{Verdicts(0.06), 0.02}, Margin{Continuous(), 0.01},
        Margin{HeavyTails(), 0.01}}) {
    for (const std::size_t records : {300, 600, 1000, 3000})
      good &= PrintMargins(options, row, row.margin, records);
  }
  fmt::print("\n## No change passes --max-drop\n\n{}", kColumns);
  PrintMargins(options, {Continuous(), 0.02}, 0, 300);
  PrintMargins(options, {Continuous(), 0.02}, 0, 600);
  for (const std::size_t records : {300, 1000, 3000})
    PrintMargins(options, {Verdicts(0.06), 0.02}, 0, records);
  for (const std::size_t records : {1000, 3000}) PrintMargins(options, {Crashes(), 0.02}, 0, records);
  return good;
}

bool PrintPassRates(const SimulationOptions& options) {
  struct Case {
    const char* name;
    std::size_t slices;
    std::size_t records;
    std::size_t changed;  // slices
    double drop;          // of all scores
    double broken;        // share of the answers that become 0
    double rise;          // of the scores that pass, while 12% of them fail now
    bool unchanged;
  };
  constexpr Case kCases[] = {{"unchanged", 1, 300, 0, 0, 0, 0, true},
                             {"unchanged", 20, 30, 0, 0, 0, 0, true},
                             {"mean falls by 0.004", 1, 300, 1, 0.004, 0, 0, false},
                             {"1.5% break", 1, 300, 1, 0, 0.015, 0, false},
                             {"20% break in 3 slices", 20, 30, 3, 0, 0.2, 0, false},
                             {"mean rises, pass rate falls", 1, 300, 1, 0, 0, 0.1, false}};
  fmt::print(
      "\n## Mean and pass rate in one family: a gate on falls fails\n\nScores from 0.4 to 1, of which those "
      "from 0.5 on "
      "pass.\n\n| case | slices | mean alone | both |\n|---|---|---|---|\n");
  bool good = true;
  for (const Case& c : kCases) {
    const std::size_t runs = RunsFor(options, c.slices * c.records);
    const std::vector<double> counts =
        Tally(runs, options.seed + 5, 2, [&](SplitMix64& random, std::span<double> tally) {
          std::vector<SignFlipResult> means;
          std::vector<SignFlipResult> rates;
          for (std::size_t slice = 0; slice < c.slices; ++slice) {
            const bool changed = slice < c.changed;
            std::vector<double> of_scores;
            std::vector<double> of_verdicts;
            for (std::size_t record = 0; record < c.records; ++record) {
              const double skill = 0.4 + 0.6 * Uniform(random);
              const auto score = [&] { return skill + 0.1 * (Uniform(random) - 0.5); };
              const double base = score();
              double now = score();
              if (changed) {
                now -= c.drop;
                if (Uniform(random) < c.broken) now = 0;
                if (c.rise > 0 && now >= 0.5) now = Uniform(random) < 0.12 ? 0.45 : now + c.rise;
              }
              of_scores.push_back(now - base);
              of_verdicts.push_back((now >= 0.5 ? 1.0 : 0.0) - (base >= 0.5 ? 1.0 : 0.0));
            }
            means.push_back(SignFlipTest(of_scores));
            rates.push_back(SignFlipTest(of_verdicts));
          }
          const auto fails = [&](const std::vector<SignFlipResult>& tests) {
            std::vector<double> p;
            std::vector<double> least_p;
            for (const SignFlipResult& test : tests) {
              p.push_back(test.p);
              least_p.push_back(test.least_p);
            }
            const std::vector<double> corrected = HolmAttainableCorrected(p, least_p);
            for (std::size_t i = 0; i < tests.size(); ++i) {
              if (corrected[i] < kAlpha && tests[i].difference < 0) return true;
            }
            return false;
          };
          tally[0] += fails(means);
          means.insert(means.end(), rates.begin(), rates.end());
          tally[1] += fails(means);
        });
    const auto size = static_cast<double>(runs);
    fmt::print("| {} | {} x {} | {} | {} |\n", c.name, c.slices, c.records, ShareText(counts[0], size),
               ShareText(counts[1], size));
    if (c.unchanged) good &= Holds(counts[1], size, kAlpha);
  }
  return good;
}

}  // namespace leafscore::internal
