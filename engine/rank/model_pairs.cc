#include "engine/rank/model_pairs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/statistics/families.h"
#include "engine/statistics/letter_display.h"
#include "engine/threads/parallel.h"

namespace leafscore::internal {
namespace {

struct Pair {
  std::size_t better;
  std::size_t worse;
};

std::vector<Pair> PairsOf(std::size_t models) {
  std::vector<Pair> pairs;
  for (std::size_t better = 0; better < models; ++better) {
    for (std::size_t worse = better + 1; worse < models; ++worse) pairs.push_back({better, worse});
  }
  return pairs;
}

}  // namespace

ModelPairs::ModelPairs(const SharedScores& scores, const IdPart& part, std::span<const std::size_t> models)
    : models_(models.size()) {
  const std::vector<Pair> pairs = PairsOf(models.size());
  tests_.resize(pairs.size());
  ParallelFor(pairs.size(), [&](std::size_t i) {
    const auto [better, worse] = pairs[i];
    const std::vector<Unit> units = scores.Differences(part, models[better], models[worse]);
    tests_[i] = worse == better + 1 ? SignFlipTest(units) : BoundedTest(units, pairs.size());
  });
  std::vector<double> p;
  std::vector<double> least_p;
  for (const SignFlipResult& test : tests_) {
    p.push_back(test.p);
    least_p.push_back(test.least_p);
  }
  corrected_ = HolmAttainableCorrected(p, least_p);
}

std::size_t ModelPairs::Place(std::size_t one, std::size_t other) const {
  const auto [low, high] = std::minmax(one, other);
  return low * (2 * models_ - low - 1) / 2 + (high - low - 1);
}

std::optional<std::vector<std::string>> ModelPairs::Letters() const {
  std::vector<std::pair<std::size_t, std::size_t>> different;
  for (const auto [better, worse] : PairsOf(models_)) {
    if (AreToldApart(better, worse)) different.emplace_back(better, worse);
  }
  return CompactLetters(models_, different);
}

SignFlipResult BoundedTest(std::span<const Unit> units, std::size_t tests) {
  SignFlipResult result;
  double sum = 0;
  double squares = 0;
  for (const Unit& unit : units) {
    const double s = SumOf(unit);
    if (s == 0) continue;
    ++(s > 0 ? result.rises : result.falls);
    sum += s;
    squares += s * s;
  }
  result.least_p = LeastSignFlipP(result.differing());
  constexpr double kRounding = 1e-9;  // in the sums
  // With random signs and any sizes, the sum is at least one standard deviation from 0 with a probability of
  // at least 1/10 (K. Oleszkiewicz, "On the Stein property of Rademacher sequences", Probab. Math. Statist.
  // 16, 1996). If the sum is further from 0, the probability of such a sum is at most W. Hoeffding's bound
  // (J. Amer. Statist. Assoc. 58, 1963).
  const double deviations = squares > 0 ? std::abs(sum) / std::sqrt(squares) : 0;
  if (deviations <= 1 - kRounding) {
    result.p = std::max(0.1, result.least_p);
    return result;
  }
  const double at_most = 2 * std::exp(-deviations * deviations / 2 * (1 - kRounding));
  if (at_most * static_cast<double>(tests) >= kRankAlpha / 2) return SignFlipTest(units);
  result.p = std::max(at_most, result.least_p);
  return result;
}

}  // namespace leafscore::internal
