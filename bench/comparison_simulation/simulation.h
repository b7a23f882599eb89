// bench/comparison_simulation/simulation.h: what all tables of the simulation are made of: differences that
// are drawn, runs that are counted, shares with their standard errors.
#ifndef LEAFSCORE_BENCH_COMPARISON_SIMULATION_SIMULATION_H_
#define LEAFSCORE_BENCH_COMPARISON_SIMULATION_SIMULATION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/random.h"
#include "engine/statistics/paired_units.h"

namespace leafscore::internal {

struct SimulationOptions {
  std::size_t runs = 2000;  // of small tests; tables with larger ones take fewer
  std::uint64_t seed = 1;
};

double Uniform(SplitMix64& random);  // [0, 1)
double Normal(SplitMix64& random);
double Verdict(SplitMix64& random, double chance);  // 1 with that chance, else 0

// How the difference of a record is drawn. `drop` is what the mean falls by.
struct Shape {
  std::string name;
  std::function<double(SplitMix64& random, double drop)> draw;
};

Shape Crashes();     // 8% of the scores are 0, the others about 0.99: more of them crash
Shape HeavyTails();  // differences of Cauchy's distribution with the scale 0.01
Shape Continuous();  // normal differences with the standard deviation 0.14
Shape Shares();      // of ten leaves that match
Shape Verdicts(double churn);
Shape RareRises();  // 2% rise by 0.5, all others fall by as much in the mean
Shape RareFalls(double size,
                double noise);     // differences of -size as often as makes the drop, beside small noise
std::vector<Shape> UsualShapes();  // those of which an unchanged model could swap its answers

std::vector<double> DrawDifferences(const Shape& shape, std::size_t records, double drop, SplitMix64& random);
std::vector<Unit> UnitsOf(std::span<const double> differences);

// Calls `run` that many times, on all threads, with a generator of its own and a row of `columns` zeros to
// add to. RETURNS: the sums, the same for any number of threads.
std::vector<double> Tally(std::size_t runs, std::uint64_t seed, std::size_t columns,
                          const std::function<void(SplitMix64& random, std::span<double> row)>& run);

// Fewer runs for larger tests: as many as for 50 records at most, down to a fifth.
std::size_t RunsFor(const SimulationOptions& options, std::size_t records);

// Returns a share and its standard error, as "0.050 ±0.005".
std::string ShareText(double count, double runs);

// Whether the share is at most the level, but for four standard errors, as there are many.
bool Holds(double count, double runs, double level);

// The tables. Each prints itself and returns whether it is as it has to be.
bool PrintSizes(const SimulationOptions& options);
bool PrintPower(const SimulationOptions& options);
bool PrintClusters(const SimulationOptions& options);
bool PrintIntervals(const SimulationOptions& options);
bool PrintEquivalence(const SimulationOptions& options);
bool PrintPassRates(const SimulationOptions& options);
bool PrintFamilies(const SimulationOptions& options);
bool PrintScorers(const SimulationOptions& options);
bool PrintPlans(const SimulationOptions& options);
bool PrintLooks(const SimulationOptions& options);
bool PrintLooksOfFamilies(const SimulationOptions& options);
bool PrintRanks(const SimulationOptions& options);
bool PrintMissingIds(const SimulationOptions& options);
bool PrintRepeats(const SimulationOptions& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_BENCH_COMPARISON_SIMULATION_SIMULATION_H_
