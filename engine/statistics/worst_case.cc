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

// A sum of independent exponential variables, each times one of the values: its distribution at 0.
class ExponentialSum {
 public:
  void Reserve(std::size_t terms) { terms_.reserve(terms); }

  void Add(double value, double times) {
    lowest_ = std::min(lowest_, value);
    highest_ = std::max(highest_, value);
    terms_.emplace_back(value, times);
  }

  // Returns the chance that the sum is 0 at most.
  double ShareUpToZero() const {
    if (lowest_ >= 0) return 0;
    if (highest_ <= 0) return 1;
    const double theta = SaddlePoint();
    double k =
        0;  // the cumulant generating function at the saddle point, and its second and third derivative
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
  // Returns where the derivative of the cumulant generating function is 0. It rises without bound on both
  // ends of the interval, so that Newton's steps are taken where they stay inside what is left of it.
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

  std::vector<std::pair<double, double>> terms_;  // values and how often they occur
  double lowest_ = 0;
  double highest_ = 0;
};

}  // namespace

WorstCaseBound::WorstCaseBound(std::span<const Unit> units) {
  for (const Unit& unit : units) {
    terms_.push_back({SumOf(unit), unit.count, 1});
    largest_count_ = std::max(largest_count_, unit.count);
  }
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

double WorstCaseBound::ShareUpTo(double x, double sign) const {
  ExponentialSum sum;
  sum.Reserve(terms_.size() + 1);
  sum.Add(-largest_count_ - x * largest_count_, 1);
  for (const Term& term : terms_) sum.Add(sign * term.sum - x * term.count, term.times);
  return sum.ShareUpToZero();
}

double WorstCaseBound::LowerOf(double alpha, double sign) const {
  double highest = -1;
  for (const Term& term : terms_) highest = std::max(highest, sign * term.sum / term.count);
  if (highest <= -1) return -1;
  std::uintmax_t steps = 200;
  const auto [low, high] = boost::math::tools::toms748_solve(
      [&](double x) { return ShareUpTo(x, sign) - alpha; }, -1.0, highest, -alpha, 1 - alpha,
      [](double a, double b) { return b - a <= 1e-11; }, steps);
  return low;
}

double WorstCaseBound::Lower(double alpha) const { return LowerOf(alpha, 1); }

double WorstCaseBound::Upper(double alpha) const { return -LowerOf(alpha, -1); }

double WorstCaseBound::EquivalenceP(double margin) const {
  return std::max(ShareUpTo(-margin, 1), ShareUpTo(-margin, -1));
}

}  // namespace leafscore::internal
