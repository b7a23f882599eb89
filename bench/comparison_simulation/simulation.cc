#include "bench/comparison_simulation/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/threads/parallel.h"

namespace leafscore::internal {
namespace {

double Cauchy(SplitMix64& random) { return std::tan(std::numbers::pi * (Uniform(random) - 0.5)); }

double ShareOfTen(SplitMix64& random, double chance) {
  double matched = 0;
  for (int leaf = 0; leaf < 10; ++leaf) matched += Verdict(random, chance);
  return matched / 10;
}

}  // namespace

double Uniform(SplitMix64& random) { return static_cast<double>(random.Next() >> 11) * 0x1.0p-53; }

double Normal(SplitMix64& random) {
  const double radius = std::sqrt(-2 * std::log(1 - Uniform(random)));
  return radius * std::cos(2 * std::numbers::pi * Uniform(random));
}

double Verdict(SplitMix64& random, double chance) { return Uniform(random) < chance ? 1 : 0; }

Shape Crashes() {
  return {"crashes", [](SplitMix64& random, double drop) {
            const auto score = [&](double crashed) {
              return Uniform(random) < crashed ? 0.0 : 0.98 + 0.02 * Uniform(random);
            };
            const double base = score(0.08);
            return score(0.08 + drop / 0.99) - base;
          }};
}

Shape HeavyTails() {
  return {"heavy tails", [](SplitMix64& random, double drop) { return 0.01 * Cauchy(random) - drop; }};
}

Shape Continuous() {
  return {"continuous", [](SplitMix64& random, double drop) { return 0.14 * Normal(random) - drop; }};
}

Shape Shares() {
  return {"shares", [](SplitMix64& random, double drop) {
            const double chance = 0.6 + 0.35 * Uniform(random);
            const double base = ShareOfTen(random, chance);
            return ShareOfTen(random, chance - drop) - base;
          }};
}

Shape Verdicts(double churn) {
  return {fmt::format("0/1, {:.0f}% churn", 100 * churn), [churn](SplitMix64& random, double drop) {
            const double place = Uniform(random);
            return place < (churn + drop) / 2 ? -1.0 : place < churn ? 1.0 : 0.0;
          }};
}

Shape RareRises() {
  return {"rare rises", [](SplitMix64& random, double drop) {
            return (Uniform(random) < 0.02 ? 0.5 : -0.02 * 0.5 / 0.98) - drop;
          }};
}

Shape RareFalls(double size, double noise) {
  return {fmt::format("1 to {}{}", 1 - size, noise > 0 ? " beside small noise" : ""),
          [size, noise](SplitMix64& random, double drop) {
            if (Uniform(random) < drop / size) return -size;
            return noise > 0 ? noise * Normal(random) : 0.0;
          }};
}

std::vector<Shape> UsualShapes() {
  return {Crashes(), HeavyTails(), Continuous(), Shares(), Verdicts(0.1), Verdicts(0.3)};
}

std::vector<double> DrawDifferences(const Shape& shape, std::size_t records, double drop,
                                    SplitMix64& random) {
  std::vector<double> differences(records);
  for (double& difference : differences) difference = std::clamp(shape.draw(random, drop), -1.0, 1.0);
  return differences;
}

std::vector<Unit> UnitsOf(std::span<const double> differences) {
  std::vector<Unit> units;
  for (const double difference : differences) units.push_back({difference, 1});
  return units;
}

std::vector<double> Tally(std::size_t runs, std::uint64_t seed, std::size_t columns,
                          const std::function<void(SplitMix64& random, std::span<double> row)>& run) {
  std::vector<double> rows(runs * columns);
  ParallelFor(runs, [&](std::size_t i) {
    SplitMix64 random(seed, i);
    run(random, std::span(rows).subspan(i * columns, columns));
  });
  std::vector<double> sums(columns);
  for (std::size_t i = 0; i < rows.size(); ++i) sums[i % columns] += rows[i];
  return sums;
}

std::size_t RunsFor(const SimulationOptions& options, std::size_t records) {
  const std::size_t runs = records <= 50    ? options.runs
                           : records <= 100 ? options.runs * 2 / 3
                                            : options.runs / 3;
  return std::max<std::size_t>(records <= 1000 ? runs : options.runs / 8, 40);
}

std::string ShareText(double count, double runs) {
  const double share = count / runs;
  return fmt::format("{:.3f} ±{:.3f}", share, std::sqrt(share * (1 - share) / runs));
}

bool Holds(double count, double runs, double level) {
  return count / runs <= level + 4 * std::sqrt(level * (1 - level) / runs);
}

}  // namespace leafscore::internal
