// Plans: the power that they promise, and looks before the end.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "bench/comparison_simulation/simulation.h"
#include "engine/statistics/looks.h"
#include "engine/statistics/mean_estimate.h"
#include "engine/statistics/sign_flip.h"
#include "engine/statistics/test_plan.h"

namespace leafscore::internal {
namespace {

constexpr double kAlpha = 0.05;
constexpr double kPower = 0.8;

// The standard deviation of differences without a change, from many.
double SpreadOf(const Shape& shape, std::uint64_t seed) {
  SplitMix64 random(seed, 0);
  const std::vector<double> differences = DrawDifferences(shape, 200000, 0, random);
  const std::optional<MeanEstimate> estimate = EstimateMean(UnitsOf(differences));
  return estimate->standard_error * std::sqrt(static_cast<double>(differences.size()));
}

double FallsSeen(const Shape& shape, double drop, std::size_t records, double alpha, std::size_t runs,
                 std::uint64_t seed) {
  return Tally(runs, seed, 1, [&](SplitMix64& random, std::span<double> row) {
    const SignFlipResult test = SignFlipTest(DrawDifferences(shape, records, drop, random));
    row[0] += test.p < alpha && test.difference < 0;
  })[0];
}

}  // namespace

bool PrintPlans(const SimulationOptions& options) {
  struct Plan {
    Shape shape;
    double drop;
    double churn;  // of verdicts
  };
  fmt::print(
      "\n## plan-test promises a power of {}\n\nSeen by the sign-flip test with as many records as it "
      "says.\n\n| scores | drop "
      "| level | plan | records | power |\n|---|---|---|---|---|---|\n",
      kPower);
  for (const auto& [shape, drop, churn] :
       {Plan{Continuous(), 0.03, 0}, Plan{HeavyTails(), 0.01, 0}, Plan{Shares(), 0.05, 0},
        Plan{Crashes(), 0.08, 0}, Plan{Verdicts(0.1), 0.05, 0.1}}) {
    const double spread = SpreadOf(shape, options.seed);
    for (const double level : {kAlpha, kAlpha / 20}) {
      const auto print = [&](const char* plan, const std::function<double(std::uint64_t)>& power) {
        const std::uint64_t records = RecordsForPower(power, kPower).value();
        const std::size_t runs = RunsFor(options, records);
        fmt::print("| {} | {} | {} | {} | {} | {} |\n", shape.name, drop, level, plan, records,
                   ShareText(FallsSeen(shape, drop, records, level, runs, options.seed + 9),
                             static_cast<double>(runs)));
      };
      if (churn > 0) {
        print("verdicts", [&](std::uint64_t n) { return VerdictPower(n, churn, drop, level); });
        continue;
      }
      print("all a little worse",
            [&](std::uint64_t n) { return ScorePower(n, spread, drop, level, ScoreDrop::kAllALittle); });
      print("some break",
            [&](std::uint64_t n) { return ScorePower(n, spread, drop, level, ScoreDrop::kSomeBreak); });
    }
  }
  return true;
}

bool PrintLooks(const SimulationOptions& options) {
  constexpr std::size_t kRecords = 1000;
  constexpr std::size_t kAnytimeEvery = 20;
  struct Changed {
    Shape shape;
    double drop;
  };
  fmt::print(
      "\n## Looks at 1,000 records before they are all there\n\nAny false verdict / power at the end. "
      "--anytime looks after "
      "every {} records.\n\n| scores | ten looks at p < 0.05 | 3 planned looks | 5 | --anytime | one test |\n"
      "|---|---|---|---|---|---|\n",
      kAnytimeEvery);
  const auto seen = [&](SplitMix64& random, const Changed& changed, double drop, std::span<double> row) {
    const std::vector<double> all = DrawDifferences(changed.shape, kRecords, drop, random);
    const auto p_of = [&](std::size_t records) { return SignFlipTest(std::span(all).first(records)).p; };
    const auto planned = [&](std::size_t looks) {
      double spent = 0;
      for (std::size_t look = 1; look <= looks; ++look) {
        const double spent_now = SpentAlpha(static_cast<double>(look) / static_cast<double>(looks), kAlpha);
        if (p_of(kRecords * look / looks) < spent_now - spent) return true;
        spent = spent_now;
      }
      return false;
    };
    for (std::size_t records = 100; records <= kRecords && row[0] == 0; records += 100)
      row[0] = p_of(records) < kAlpha;
    row[1] = planned(3);
    row[2] = planned(5);
    const std::vector<Unit> units = UnitsOf(all);
    for (std::size_t records = kAnytimeEvery; records <= kRecords && row[3] == 0; records += kAnytimeEvery) {
      row[3] = AnytimeP(std::span(units).first(records)) < kAlpha;
    }
    row[4] = p_of(kRecords) < kAlpha;
  };
  bool good = true;
  for (const Changed& changed :
       {Changed{Verdicts(0.1), 0.04}, Changed{Continuous(), 0.03}, Changed{Crashes(), 0.05},
        Changed{HeavyTails(), 0.006}, Changed{Shares(), 0.04}}) {
    const std::size_t runs = RunsFor(options, kRecords);
    const auto size = static_cast<double>(runs);
    const auto tally = [&](double drop) {
      return Tally(runs, options.seed + 10, 5,
                   [&](SplitMix64& random, std::span<double> row) { seen(random, changed, drop, row); });
    };
    const std::vector<double> unchanged = tally(0);
    const std::vector<double> fallen = tally(changed.drop);
    fmt::print("| {}, -{} |", changed.shape.name, changed.drop);
    for (std::size_t i = 0; i < unchanged.size(); ++i) {
      fmt::print(" {} / {:.3f} |", ShareText(unchanged[i], size), fallen[i] / size);
      if (i > 0) good &= Holds(unchanged[i], size, kAlpha);
    }
    fmt::print("\n");
  }
  return good;
}

}  // namespace leafscore::internal
