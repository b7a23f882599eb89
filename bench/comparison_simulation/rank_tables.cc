// Leaderboards: rank intervals, ids that are missing; and tests that are asked several times.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/comparison_simulation/simulation.h"
#include "engine/statistics/families.h"
#include "engine/statistics/pass_rates.h"
#include "engine/statistics/rank_intervals.h"
#include "engine/statistics/sign_flip.h"

namespace leafscore::internal {
namespace {

constexpr double kAlpha = 0.05;

// Returns scores of 0 and 1: [model][id]. An id is harder or easier for all.
std::vector<std::vector<double>> DrawBoard(const std::vector<double>& means, std::size_t ids,
                                           SplitMix64& random) {
  std::vector<std::vector<double>> scores(means.size());
  for (std::size_t id = 0; id < ids; ++id) {
    const double ease = 0.2 * (Uniform(random) - 0.5);
    for (std::size_t m = 0; m < means.size(); ++m) scores[m].push_back(Verdict(random, means[m] + ease));
  }
  return scores;
}

double MeanOf(const std::vector<double>& scores) {
  double sum = 0;
  for (const double score : scores) sum += score;
  return sum / static_cast<double>(scores.size());
}

SignFlipResult TestOfPair(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) differences[i] = b[i] - a[i];
  return SignFlipTest(differences);
}

std::vector<Interval> RanksOf(const std::vector<std::vector<double>>& scores) {
  std::vector<double> means;
  std::vector<double> p;
  std::vector<double> least_p;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    means.push_back(MeanOf(scores[i]));
    for (std::size_t j = i + 1; j < scores.size(); ++j) {
      const SignFlipResult test = TestOfPair(scores[i], scores[j]);
      p.push_back(test.p);
      least_p.push_back(test.least_p);
    }
  }
  return SimultaneousRankIntervals(means, HolmAttainableCorrected(p, least_p), kAlpha);
}

}  // namespace

bool PrintRanks(const SimulationOptions& options) {
  struct Board {
    const char* name;
    std::vector<double> means;  // the best first
  };
  const auto falling = [](std::size_t models, double gap) {
    std::vector<double> means;
    for (std::size_t m = 0; m < models; ++m) means.push_back(0.8 - gap * static_cast<double>(m));
    return means;
  };
  std::vector<double> close = {0.85};
  for (int m = 0; m < 9; ++m) close.push_back(0.8 - 0.00025 * m);
  const Board boards[] = {{"10 models, gaps 0.005", falling(10, 0.005)},
                          {"10 models, gaps 0.02", falling(10, 0.02)},
                          {"10 models, 9 within 0.002", close},
                          {"4 models, gaps 0.01", falling(4, 0.01)}};
  fmt::print(
      "\n## Rank intervals\n\n| board | ids | all hold | each alone | mean ranks wide "
      "|\n|---|---|---|---|---|\n");
  bool good = true;
  for (const Board& board : boards) {
    for (const std::size_t ids : {100, 300}) {
      const std::size_t runs = RunsFor(options, 300);
      const std::vector<double> sums =
          Tally(runs, options.seed + 11, 3, [&](SplitMix64& random, std::span<double> row) {
            const std::vector<Interval> ranks = RanksOf(DrawBoard(board.means, ids, random));
            double holding = 0;
            for (std::size_t m = 0; m < ranks.size(); ++m) {
              const auto rank = static_cast<double>(m + 1);
              holding += ranks[m].low <= rank && rank <= ranks[m].high;
              row[2] += (ranks[m].high - ranks[m].low + 1) / static_cast<double>(ranks.size());
            }
            row[0] += holding == static_cast<double>(ranks.size());
            row[1] += holding / static_cast<double>(ranks.size());
          });
      const auto size = static_cast<double>(runs);
      fmt::print("| {} | {} | {} | {:.3f} | {:.1f} |\n", board.name, ids, ShareText(sums[0], size),
                 sums[1] / size, sums[2] / size);
      good &= Holds(size - sums[0], size, kAlpha);
    }
  }
  return good;
}

bool PrintMissingIds(const SimulationOptions& options) {
  fmt::print(
      "\n## Two equal models, of which one lacks ids, which count 0\n\nThe share of boards that tell them "
      "apart; the model that "
      "lacks them is the worse one by what counts. --min-share 0.9 lets up to 10% be missing, --common-only "
      "compares the "
      "others.\n\n| ids | missing | missing count 0 | --common-only |\n|---|---|---|---|\n");
  bool good = true;
  for (const std::size_t ids : {100, 300, 1000}) {
    for (const double missing : {0.0, 0.02, 0.05, 0.1}) {
      const std::size_t runs = RunsFor(options, 300);
      const std::vector<double> counts =
          Tally(runs, options.seed + 12, 2, [&](SplitMix64& random, std::span<double> row) {
            std::vector<std::vector<double>> scores = DrawBoard({0.8, 0.8}, ids, random);
            const auto lacks = static_cast<std::size_t>(std::lround(missing * static_cast<double>(ids)));
            std::vector<std::vector<double>> common = scores;
            for (std::vector<double>& of_model : common) of_model.resize(ids - lacks);
            std::fill(scores[1].end() - static_cast<std::ptrdiff_t>(lacks), scores[1].end(), 0.0);
            row[0] += TestOfPair(scores[0], scores[1]).p < kAlpha;
            row[1] += TestOfPair(common[0], common[1]).p < kAlpha;
          });
      const auto size = static_cast<double>(runs);
      fmt::print("| {} | {:.0f}% | {} | {} |\n", ids, 100 * missing, ShareText(counts[0], size),
                 ShareText(counts[1], size));
      good &= Holds(counts[1], size, kAlpha);
    }
  }
  return good;
}

bool PrintRepeats(const SimulationOptions& options) {
  constexpr std::size_t kTests = 100;
  constexpr std::size_t kBroken = 8;
  fmt::print(
      "\n## {} tests asked k times, some of them flaky: unchanged / {} broke\n\n| k | mean of tests | all of "
      "k pass | some single "
      "test |\n|---|---|---|---|\n",
      kTests, kBroken);
  bool good = true;
  for (const std::uint64_t k : {1, 3, 5, 10}) {
    const std::size_t runs = RunsFor(options, 300);
    const auto size = static_cast<double>(runs);
    const auto tally = [&](bool broke) {
      return Tally(runs, options.seed + 13, 3, [&](SplitMix64& random, std::span<double> row) {
        std::vector<double> means;
        std::vector<double> all_pass;
        std::vector<double> p;
        std::vector<double> least_p;
        for (std::size_t test = 0; test < kTests; ++test) {
          const double chance = Uniform(random) < 0.7 ? 0.98 : 0.3 + 0.65 * Uniform(random);
          const auto ask = [&](double passing) {
            Askings askings{0, k};
            for (std::uint64_t line = 0; line < k; ++line) askings.passed += Uniform(random) < passing;
            return askings;
          };
          const Askings base = ask(chance);
          const Askings now = ask(broke && test < kBroken ? 0.1 * chance : chance);
          means.push_back((static_cast<double>(now.passed) - static_cast<double>(base.passed)) /
                          static_cast<double>(k));
          all_pass.push_back(PassHatK(k, now.passed, k) - PassHatK(k, base.passed, k));
          const WorseTest worse = TestOfWorse(base, now);
          p.push_back(worse.p);
          least_p.push_back(worse.least_p);
        }
        const auto falls = [](const std::vector<double>& differences) {
          const SignFlipResult test = SignFlipTest(differences);
          return test.p < kAlpha && test.difference < 0;
        };
        row[0] += falls(means);
        row[1] += falls(all_pass);
        row[2] += std::ranges::min(HolmAttainableCorrected(p, least_p)) < kAlpha;
      });
    };
    const std::vector<double> unchanged = tally(false);
    const std::vector<double> broken = tally(true);
    fmt::print("| {} |", k);
    for (std::size_t i = 0; i < 3; ++i) {
      fmt::print(" {} / {:.2f} |", ShareText(unchanged[i], size), broken[i] / size);
      good &= Holds(unchanged[i], size, kAlpha);
    }
    fmt::print("\n");
  }
  return good;
}

}  // namespace leafscore::internal
