#include "engine/statistics/sign_flip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "engine/statistics/paired_tests.h"

namespace leafscore::internal {
namespace {

// If two sums differ only in the order of additions, they differ by at most this share of the whole.
constexpr double kSumRounding = 1e-12;
constexpr std::size_t kMostCountedOneByOne = 16;
constexpr std::size_t kMostOnGrid = 2048;
// Differences are on a lattice if all of them, multiplied by a number up to kMostParts, are whole numbers
// within kWholeWithin.
constexpr int kMostParts = 1000;
constexpr double kWholeWithin = 1e-9;
constexpr double kMostLatticeSum = 0x1p18;
constexpr double kMostLatticeWork = 0x1p29;
constexpr std::size_t kMostOnLattice = 23170;  // sqrt(kMostLatticeWork), as each step is at least 1

using Steps = std::vector<std::uint32_t>;  // sizes of differences in whole numbers, smallest first

// The sums of the units that differ.
struct Differing {
  std::vector<double> sums;  // by size, smallest first; in any order if there are too many for a lattice
  double total = 0;          // sum of their sizes
  double away = 0;           // how far their sum is from 0
};

std::uint64_t Sum(const Steps& steps) {
  return std::accumulate(steps.begin(), steps.end(), std::uint64_t{0});
}

double NormalShareBelow(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

double SumOfSquares(const Steps& steps) {
  double sum = 0;
  for (const double step : steps) sum += step * step;
  return sum;
}

// Returns the share of all choices of signs whose sum is at least as far from 0 as the observed sum. Tries
// every choice with a fixed sign of the largest difference; the other half of the choices mirrors them.
double ShareOfAll(const Differing& units) {
  std::vector<double> sums = {units.sums.back()};
  for (std::size_t i = 0; i + 1 < units.sums.size(); ++i) {
    const std::size_t before = sums.size();
    sums.resize(2 * before);
    for (std::size_t sum = 0; sum < before; ++sum) {
      sums[before + sum] = sums[sum] - std::abs(units.sums[i]);
      sums[sum] += std::abs(units.sums[i]);
    }
  }
  const double least = units.away - kSumRounding * units.total;
  const auto as_far = std::ranges::count_if(sums, [&](double sum) { return std::abs(sum) >= least; });
  return static_cast<double>(as_far) / static_cast<double>(sums.size());
}

// The distribution of the sum of a random choice of steps: for each sum from 0 to `most`, the share of all
// choices that have this sum. Stores counts of choices. To get shares, each step would have to halve the
// counts; instead they are divided by 2^kHalvings once every kHalvings steps.
class SumsOfChoices {
 public:
  // Leaves out choices that are likely too rare to matter. A choice is left out if, after some step, its sum
  // is more than `reach` standard deviations from the middle. It is also left out if its sum is so high that
  // the remaining steps could end at `most` or below only by being that far from their own middle. The share
  // of the choices left out is at most LeftOut(steps.size(), reach) (W. Hoeffding, "Probability inequalities
  // for sums of bounded random variables", J. Amer. Statist. Assoc. 58, 1963).
  SumsOfChoices(const Steps& steps, std::uint64_t most, double reach) : counts_(most + 1) {
    counts_[0] = 1;
    const std::vector<Range> ranges = RangesOf(steps, most, reach);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      AddStep(steps[i], ranges[i]);
      if (++halvings_due_ == kHalvings) Halve();
    }
  }

  static double LeftOut(std::size_t steps, double reach) {
    return 3 * static_cast<double>(steps) * std::exp(-reach * reach / 2);
  }

  // Returns the total of the shares of all sums up to `most`, each share times weight(sum).
  template <class Weight>
  double WeightedShare(std::uint64_t most, Weight weight) const {
    double sum = 0;
    for (std::uint64_t u = 0; u <= most; ++u) {
      if (counts_[u] != 0) sum += counts_[u] * weight(u);
    }
    return std::ldexp(sum, -halvings_due_);
  }

 private:
  // The sums that a step can change and that are not left out: from low to end - 1.
  struct Range {
    std::size_t low = 0;
    std::size_t end = 0;
  };
  static constexpr int kHalvings = 512;  // as in Halve

  static std::vector<Range> RangesOf(const Steps& steps, std::uint64_t most, double reach) {
    std::vector<Range> ranges(steps.size());
    double squares_left = SumOfSquares(steps);
    double squares = 0;
    auto left = static_cast<double>(Sum(steps));
    double reached = 0;
    const auto last = static_cast<double>(most);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const double step = steps[i];
      reached += step;
      left -= step;
      squares += step * step;
      squares_left -= step * step;
      const double deviation = reach * std::sqrt(squares) / 2;
      const double deviation_left = reach * std::sqrt(squares_left) / 2;
      const double high =
          std::min({reached, last, reached / 2 + deviation, last - left / 2 + deviation_left});
      ranges[i].low = static_cast<std::size_t>(std::max(0.0, reached / 2 - deviation));
      ranges[i].end = static_cast<std::size_t>(std::max(0.0, high)) + 1;
    }
    // Keep the sums that a later step needs.
    for (std::size_t i = steps.size(); i-- > 1;)
      ranges[i - 1].low = std::min(ranges[i - 1].low, ranges[i].low);
    for (std::size_t i = 0; i < steps.size(); ++i)
      ranges[i].low = std::max<std::size_t>(ranges[i].low, steps[i]);
    return ranges;
  }

  // For each sum in the range, highest first, adds the count of the sum that is one step below.
  void AddStep(std::size_t step, Range range) {
    constexpr std::size_t kAtOnce = 8;
    std::size_t end = range.end;
    for (; end >= range.low + kAtOnce; end -= kAtOnce) {
      double* const to = counts_.data() + end - kAtOnce;
      std::array<double, kAtOnce> sums;
      for (std::size_t i = 0; i < kAtOnce; ++i) sums[i] = to[i] + (to - step)[i];
      std::ranges::copy(sums, to);
    }
    for (; end > range.low; --end) counts_[end - 1] += counts_[end - 1 - step];
  }

  void Halve() {
    constexpr double kNothing = 0x1p-960;
    for (double& count : counts_) {
      count *= 0x1p-512;
      if (count < kNothing) count = 0;  // denormal numbers are slow
    }
    halvings_due_ = 0;
  }

  std::vector<double> counts_;
  int halvings_due_ = 0;
};

// Returns twice the share of the choices whose sum u is at most `most`; each choice is weighted by weight(u).
// `deviations` is the distance of the observed sum from the middle, in standard deviations of the whole sum.
template <class Weight>
double TwoTails(const Steps& steps, std::uint64_t most, double deviations, Weight weight) {
  constexpr double kLeastExpected = 1e-300;
  constexpr double kNegligible = 0x1p-54;
  constexpr double kCaution = 1e-3;  // the tails are not exactly normal
  const double expected = kCaution * std::max(kLeastExpected, 2 * NormalShareBelow(-deviations));
  const auto size = static_cast<double>(steps.size());
  const double reach = std::sqrt(2 * std::log(6 * size / (kNegligible * expected)));
  const double p = 2 * SumsOfChoices(steps, most, reach).WeightedShare(most, weight);
  if (2 * SumsOfChoices::LeftOut(steps.size(), reach) <= kNegligible * p) return p;
  const double all = std::sqrt(size) + 1;  // leaves out no choice, by the Cauchy-Schwarz inequality
  return 2 * SumsOfChoices(steps, most, all).WeightedShare(most, weight);
}

// Returns p if all differences are multiples of 1/parts for some whole number `parts`. RETURNS: nullopt if
// not, or if the work would be too much.
std::optional<double> OnLattice(const Differing& units) {
  for (int parts = 1; parts <= kMostParts && units.total * parts <= kMostLatticeSum; ++parts) {
    const auto is_whole = [&](double sum) {
      return std::abs(sum * parts - std::round(sum * parts)) <= kWholeWithin;
    };
    if (!std::ranges::all_of(units.sums, is_whole)) continue;
    Steps steps;
    for (const double sum : units.sums) {
      steps.push_back(static_cast<std::uint32_t>(std::round(std::abs(sum) * parts)));
    }
    const std::uint64_t reach = Sum(steps);
    if (static_cast<double>(steps.size()) * static_cast<double>(reach) > kMostLatticeWork) break;
    const auto away = static_cast<std::uint64_t>(std::round(units.away * parts));
    if (away == 0) return 1;
    return TwoTails(steps, (reach - away) / 2, static_cast<double>(away) / std::sqrt(SumOfSquares(steps)),
                    [](std::uint64_t) { return 1.0; });
  }
  return std::nullopt;
}

// Returns p, computed from sizes that are rounded to points of a grid. Rounding may make equal sums differ.
// To compensate, sums that are slightly nearer to 0 than the observed sum count as equally far.
double OnGrid(const Differing& units) {
  const double per_unit = (units.sums.size() <= 512 ? 0x1p17 : 0x1p18) / units.total;
  Steps steps;
  std::int64_t sum = 0;
  for (const double difference : units.sums) {
    const auto step = static_cast<std::uint32_t>(std::floor(std::abs(difference) * per_unit + 0.5));
    sum += difference > 0 ? std::int64_t{step} : -std::int64_t{step};
    steps.push_back(step);
  }
  const auto away = static_cast<std::uint64_t>(
      std::min(std::abs(static_cast<double>(sum)), std::floor(units.away * per_unit)));
  const auto slack =
      static_cast<std::uint64_t>(std::ceil(0.6 * std::sqrt(static_cast<double>(steps.size()))));
  if (away <= 2 * slack) return 1;
  return TwoTails(steps, (Sum(steps) - away) / 2 + slack,
                  static_cast<double>(away - 2 * slack) / std::sqrt(SumOfSquares(steps)),
                  [](std::uint64_t) { return 1.0; });
}

// Returns p, with the largest differences rounded to a grid, and the sum of the others approximated as
// normal.
double OnGridAndNormal(Differing units) {
  const auto larger = [](double a, double b) { return std::abs(a) > std::abs(b); };
  const auto others = units.sums.begin() + kMostOnGrid;
  std::ranges::nth_element(units.sums, others - 1, larger);
  double total = 0;
  std::ranges::sort(units.sums.begin(), others, {}, [](double sum) { return std::abs(sum); });
  std::for_each(units.sums.begin(), others, [&](double sum) { total += std::abs(sum); });
  const double per_unit = 0x1p18 / total;
  Steps steps;
  std::for_each(units.sums.begin(), others, [&](double sum) {
    steps.push_back(static_cast<std::uint32_t>(std::floor(std::abs(sum) * per_unit + 0.5)));
  });
  std::vector<double> squares;
  std::for_each(others, units.sums.end(), [&](double sum) { squares.push_back(sum * sum); });
  const double noise = per_unit * std::sqrt(OrderFreeTotal(squares));
  const std::uint64_t reach = Sum(steps);
  const double away = units.away * per_unit;
  const double most = std::floor((static_cast<double>(reach) - away + 9 * noise) / 2);
  if (most < 0) return 0;
  const auto last = static_cast<std::uint64_t>(std::min(most, static_cast<double>(reach)));
  const auto share_beyond = [&](std::uint64_t u) {
    return NormalShareBelow((static_cast<double>(reach) - 2 * static_cast<double>(u) - away) / noise);
  };
  // The sums reach - u and u have the same number of choices, so half of the sums are enough.
  const std::uint64_t half = std::min(last, reach / 2);
  return TwoTails(steps, half, away / std::sqrt(SumOfSquares(steps) + noise * noise), [&](std::uint64_t u) {
    const std::uint64_t mirrored = reach - u;
    return share_beyond(u) + (half < mirrored && mirrored <= last ? share_beyond(mirrored) : 0);
  });
}

// Fills p and method, but not the least p.
void FillShare(Differing units, SignFlipResult& result) {
  if (units.sums.empty() || units.away <= kSumRounding * units.total) return;
  const auto [smallest, largest] =
      std::ranges::minmax(units.sums, {}, [](double sum) { return std::abs(sum); });
  if (std::abs(largest) - std::abs(smallest) <= kSumRounding * std::abs(largest)) {
    result.method = SignFlipMethod::kBinomial;
    result.p = McNemarTest(result.rises, result.falls);
    return;
  }
  if (units.sums.size() <= kMostOnLattice) {
    std::ranges::sort(units.sums, {}, [](double sum) { return std::pair(std::abs(sum), sum); });
    if (units.sums.size() <= kMostCountedOneByOne) {
      result.method = SignFlipMethod::kAll;
      result.p = ShareOfAll(units);
      return;
    }
    if (const std::optional<double> p = OnLattice(units)) {
      result.method = SignFlipMethod::kLattice;
      result.p = *p;
      return;
    }
  }
  const bool on_grid = units.sums.size() <= kMostOnGrid;
  result.method = on_grid ? SignFlipMethod::kGrid : SignFlipMethod::kGridAndNormal;
  result.p = on_grid ? OnGrid(units) : OnGridAndNormal(std::move(units));
}

// REQUIRES: sums that are only rounding errors are 0.
SignFlipResult Test(std::vector<double> sums, double records) {
  SignFlipResult result;
  std::erase(sums, 0.0);
  Differing units;
  const double sum = OrderFreeTotal(sums);
  for (const double s : sums) ++(s > 0 ? result.rises : result.falls);
  result.least_p = LeastSignFlipP(result.differing());
  if (records > 0) result.difference = sum / records;
  std::vector<double> sizes = sums;
  for (double& size : sizes) size = std::abs(size);
  FillShare({std::move(sums), OrderFreeTotal(sizes), std::abs(sum)}, result);
  result.p = std::max(std::min(1.0, result.p), result.least_p);
  return result;
}

}  // namespace

SignFlipResult SignFlipTest(std::span<const Unit> units) {
  std::vector<double> sums;
  sums.reserve(units.size());
  double records = 0;
  for (const Unit& unit : units) {
    sums.push_back(SumOf(unit));
    records += unit.count;
  }
  return Test(std::move(sums), records);
}

SignFlipResult SignFlipTest(std::span<const double> differences) {
  std::vector<double> sums;
  sums.reserve(differences.size());
  for (const double difference : differences) sums.push_back(SumOf({difference, 1}));
  return Test(std::move(sums), static_cast<double>(differences.size()));
}

double LeastSignFlipP(std::uint64_t units) {
  constexpr std::uint64_t kMost = 2000;  // for more units, p is below the smallest double
  return std::min(1.0, std::ldexp(2.0, -static_cast<int>(std::min(units, kMost))));
}

}  // namespace leafscore::internal
