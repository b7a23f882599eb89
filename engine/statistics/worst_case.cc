#include "engine/statistics/worst_case.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace leafscore::internal {
namespace {

constexpr std::size_t kMostApart = std::size_t{1} << 16;
constexpr std::size_t kBins = std::size_t{1} << 15;
constexpr double kCloseEnough = 1e-10;

// A sum of independent exponential variables, each multiplied by a value. Computes the chance that the sum is
// at most 0.
class ExponentialSum {
 public:
  void Reserve(std::size_t terms) { terms_.reserve(terms); }

  void Add(double value, double times) {
    lowest_ = std::min(lowest_, value);
    highest_ = std::max(highest_, value);
    terms_.emplace_back(value, times);
  }

  // Returns the chance that the sum is at most 0.
  double ShareUpToZero() const {
    if (lowest_ >= 0) return 0;
    if (highest_ <= 0) return 1;
    const double theta = SaddlePoint();
    double k = 0;  // the cumulant generating function at theta; k2, k3: its derivatives
    double k2 = 0;
    double k3 = 0;
    for (const auto& [value, times] : terms_) {
      const double scaled = value / (1 - theta * value);
      k -= times * std::log1p(-theta * value);
      k2 += times * scaled * scaled;
      k3 += times * 2 * scaled * scaled * scaled;
    }
    const double w = std::copysign(std::sqrt(std::max(0.0, -2 * k)), theta);
    if (std::abs(w) < 1e-4) {
      return 0.5 + k3 / (6 * std::pow(k2, 1.5) * std::sqrt(2 * std::numbers::pi));
    }
    const double u = theta * std::sqrt(k2);
    const double below = std::erfc(-w / std::numbers::sqrt2) / 2;
    const double density = std::exp(-w * w / 2) / std::sqrt(2 * std::numbers::pi);
    return std::clamp(below + density * (1 / w - 1 / u), 0.0, 1.0);
  }

 private:
  // Returns where the derivative of the cumulant generating function is 0. The derivative is unbounded at
  // both ends of the interval, so Newton's steps are used only if they stay inside the remaining interval.
  double SaddlePoint() const {
    double low = 1 / lowest_;
    double high = 1 / highest_;
    double theta = 0;
    for (int step = 0; step < 200; ++step) {
      double slope = 0;
      double curvature = 0;
      for (const auto& [value, times] : terms_) {
        const double scaled = value / (1 - theta * value);
        slope += times * scaled;
        curvature += times * scaled * scaled;
      }
      if (slope == 0) break;
      (slope < 0 ? low : high) = theta;
      const double next = theta - slope / curvature;
      const double before = theta;
      theta = low < next && next < high ? next : (low + high) / 2;
      if (std::abs(theta - before) <= 1e-15 * std::abs(theta) || theta == low || theta == high) break;
    }
    return theta;
  }

  std::vector<std::pair<double, double>> terms_;  // values, and how many variables each has
  double lowest_ = 0;
  double highest_ = 0;
};

}  // namespace

WorstCaseBound::WorstCaseBound(std::span<const Unit> units) {
  if (units.empty()) return;
  const auto [least, most] = std::ranges::minmax(units, {}, &Unit::count);
  largest_count_ = most.count;
  if (units.size() > kMostApart && least.count == most.count) {
    SetBins(units);
  } else {
    SetTerms(units);
  }
}

WorstCaseBound::WorstCaseBound(std::span<const CountedScore> differences, double weight) {
  for (const CountedScore& difference : differences) {
    if (difference.count == 0) continue;
    terms_.push_back({difference.score, 1, static_cast<double>(difference.count) * weight});
  }
}

Interval MeanScoreInterval(std::span<const CountedScore> scores, double confidence, double weight) {
  const double alpha = (1 - confidence) / 2;
  // The distances of the scores from 1 and from 0, both as drops.
  std::vector<CountedScore> below_one;
  std::vector<CountedScore> above_zero;
  for (const CountedScore& score : scores) {
    below_one.push_back({score.score - 1, score.count});
    above_zero.push_back({-score.score, score.count});
  }
  return {std::clamp(1 + WorstCaseBound(below_one, weight).Lower(alpha), 0.0, 1.0),
          std::clamp(-WorstCaseBound(above_zero, weight).Lower(alpha), 0.0, 1.0)};
}

void WorstCaseBound::SetTerms(std::span<const Unit> units) {
  for (const Unit& unit : units) terms_.push_back({SumOf(unit), unit.count, 1});
  std::ranges::sort(terms_, {}, [](const Term& term) { return std::pair(term.sum, term.count); });
  std::size_t terms = 0;
  for (const Term& term : terms_) {
    if (terms > 0 && terms_[terms - 1].sum == term.sum && terms_[terms - 1].count == term.count) {
      ++terms_[terms - 1].times;
    } else {
      terms_[terms++] = term;
    }
  }
  terms_.resize(terms);
}

// Combines units in a bin if they differ by less than 1/kBins of the possible range. The number, mean and
// variance of a bin are kept: half of its units are put one standard deviation below its mean, the other half
// above. Bins are used only for very many units, for which they move the bounds by less than 1e-9. Solving
// for the bounds adds an error of up to 1e-9.
void WorstCaseBound::SetBins(std::span<const Unit> units) {
  struct Bin {
    double times = 0;
    double first = 0;
    double sum = 0;      // over the distances above the first
    double squares = 0;  // over the same distances
  };
  std::vector<Bin> bins(kBins + 1);
  for (const Unit& unit : units) {
    const double sum = SumOf(unit);
    const double place = (sum / unit.count + 1) / 2;
    Bin& bin = bins[static_cast<std::size_t>(std::clamp(place, 0.0, 1.0) * kBins)];
    if (bin.times++ == 0) bin.first = sum;
    bin.sum += sum - bin.first;
    bin.squares += (sum - bin.first) * (sum - bin.first);
  }
  for (const Bin& bin : bins) {
    if (bin.times == 0) continue;
    const double mean = bin.sum / bin.times;
    const double deviation = std::sqrt(std::max(0.0, bin.squares / bin.times - mean * mean));
    if (deviation == 0) {
      terms_.push_back({bin.first + mean, largest_count_, bin.times});
    } else {
      terms_.push_back({bin.first + mean - deviation, largest_count_, bin.times / 2});
      terms_.push_back({bin.first + mean + deviation, largest_count_, bin.times / 2});
    }
  }
}

double WorstCaseBound::ShareUpTo(double x, double sign) const {
  ExponentialSum sum;
  sum.Reserve(terms_.size() + 1);
  sum.Add(-largest_count_ - x * largest_count_, 1);
  for (const Term& term : terms_) sum.Add(sign * term.sum - x * term.count, term.times);
  return sum.ShareUpToZero();
}

double WorstCaseBound::LowerOf(double alpha, double sign) const {
  double highest = -1;
  double sums = -largest_count_;
  double counts = largest_count_;
  for (const Term& term : terms_) {
    highest = std::max(highest, sign * term.sum / term.count);
    sums += term.times * sign * term.sum;
    counts += term.times * term.count;
  }
  if (highest <= -1) return -1;
  double squares = 0;
  for (const Term& term : terms_) {
    const double residual = sign * term.sum - sums / counts * term.count;
    squares += term.times * residual * residual;
  }
  // The quantile that W would have if it were normal.
  const double deviation = std::sqrt(squares) / counts;
  const double start = sums / counts + quantile(boost::math::normal(), alpha) * deviation;
  double low = -1;
  double high = highest;
  double at_low = -alpha;
  double at_high = 1 - alpha;
  const auto away = [&](double x) { return ShareUpTo(x, sign) - alpha; };
  const auto narrow = [&](double x) {
    const double at = away(x);
    (at > 0 ? high : low) = x;
    (at > 0 ? at_high : at_low) = at;
  };
  const auto is_inside = [&](double x) { return low < x && x < high; };
  if (is_inside(start)) narrow(start);
  const bool is_below = high == start;
  for (double reach = deviation / 4; is_below ? low == -1 : high == highest; reach *= 4) {
    const double x = is_below ? start - reach : start + reach;
    if (!is_inside(x)) break;
    narrow(x);
  }
  std::uintmax_t steps = 200;
  return boost::math::tools::toms748_solve(
             away, low, high, at_low, at_high, [](double a, double b) { return b - a <= kCloseEnough; },
             steps)
      .first;
}

double WorstCaseBound::Lower(double alpha) const { return LowerOf(alpha, 1); }

double WorstCaseBound::Upper(double alpha) const { return -LowerOf(alpha, -1); }

double WorstCaseBound::EquivalenceP(double margin) const {
  return std::max(ShareUpTo(-margin, 1), ShareUpTo(-margin, -1));
}

}  // namespace leafscore::internal
