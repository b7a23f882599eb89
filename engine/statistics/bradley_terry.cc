#include "engine/statistics/bradley_terry.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>

namespace leafscore::internal {
namespace {

// A symmetric, positive definite matrix, row by row.
class PositiveMatrix {
 public:
  explicit PositiveMatrix(std::size_t size) : size_(size), cells_(size * size) {}
  double& operator()(std::size_t row, std::size_t column) { return cells_[row * size_ + column]; }
  double operator()(std::size_t row, std::size_t column) const { return cells_[row * size_ + column]; }

  // Replaces the lower triangle by Cholesky's factor.
  void Factor() {
    PositiveMatrix& a = *this;
    for (std::size_t column = 0; column < size_; ++column) {
      for (std::size_t row = column; row < size_; ++row) {
        for (std::size_t k = 0; k < column; ++k) a(row, column) -= a(row, k) * a(column, k);
        a(row, column) = row == column ? std::sqrt(a(row, row)) : a(row, column) / a(column, column);
      }
    }
  }

  // Solves the equations with this right side. REQUIRES: Factor was called.
  std::vector<double> Solve(std::vector<double> x) const {
    const PositiveMatrix& a = *this;
    for (std::size_t row = 0; row < size_; ++row) {
      for (std::size_t k = 0; k < row; ++k) x[row] -= a(row, k) * x[k];
      x[row] /= a(row, row);
    }
    for (std::size_t row = size_; row-- > 0;) {
      for (std::size_t k = row + 1; k < size_; ++k) x[row] -= a(k, row) * x[k];
      x[row] /= a(row, row);
    }
    return x;
  }

 private:
  std::size_t size_;
  std::vector<double> cells_;
};

double Chance(double difference) { return 1 / (1 + std::exp(-difference)); }

// The likelihood of the matches within a group.
class GroupFit {
 public:
  GroupFit(const Matches& matches, const std::vector<std::size_t>& members)
      : matches_(matches), members_(members), strength_(members.size()) {}

  // Finds the maximum. The log-likelihood is concave, so Newton's method finds it if steps that overshoot are
  // halved. Near the maximum, rounding can make the likelihood slightly smaller; this is accepted.
  void Maximise() {
    constexpr int kMostSteps = 200;
    constexpr double kRounding = 1e-12;
    double best = LogLikelihood(strength_);
    for (int i = 0; i < kMostSteps; ++i) {
      PositiveMatrix information = Information();
      information.Factor();
      std::vector<double> step = information.Solve(Gradient());
      std::vector<double> next;
      double likelihood = 0;
      do {
        next = strength_;
        for (std::size_t m = 0; m < next.size(); ++m) next[m] += step[m];
        likelihood = LogLikelihood(next);
        if (likelihood >= best - kRounding * std::abs(best)) break;
        for (double& change : step) change /= 2;
      } while (true);
      best = likelihood;
      strength_ = std::move(next);
      if (std::ranges::all_of(step, [](double change) { return std::abs(change) <= kRounding; })) return;
    }
  }

  double strength(std::size_t m) const { return strength_[m]; }

  // Returns the information matrix of the strengths. A constant is added to each element. This makes the
  // matrix regular, and the strengths add up to 0.
  PositiveMatrix Information() const {
    const std::size_t size = members_.size();
    PositiveMatrix information(size);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) information(i, j) += Constant();
      for (std::size_t j = 0; j < size; ++j) {
        if (i == j) continue;
        const double chance = Chance(strength_[i] - strength_[j]);
        const double of_pair = (Points(i, j) + Points(j, i)) * chance * (1 - chance);
        information(i, i) += of_pair;
        information(i, j) -= of_pair;
      }
    }
    return information;
  }

  // Returns a column of the covariances. REQUIRES: Factor was called for the information.
  std::vector<double> Covariances(const PositiveMatrix& factor, std::size_t m) const {
    std::vector<double> unit(members_.size());
    unit[m] = 1;
    std::vector<double> column = factor.Solve(std::move(unit));
    for (double& covariance : column) covariance -= Constant();
    return column;
  }

 private:
  double Constant() const { return 1 / static_cast<double>(members_.size()); }
  double Points(std::size_t i, std::size_t j) const { return matches_.points(members_[i], members_[j]); }

  double LogLikelihood(const std::vector<double>& strength) const {
    double sum = 0;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      for (std::size_t j = 0; j < members_.size(); ++j)
        if (i != j) sum -= Points(i, j) * std::log1p(std::exp(strength[j] - strength[i]));
    }
    return sum;
  }

  std::vector<double> Gradient() const {
    std::vector<double> gradient(members_.size());
    for (std::size_t i = 0; i < members_.size(); ++i) {
      for (std::size_t j = 0; j < members_.size(); ++j) {
        if (i == j) continue;
        const double matches = Points(i, j) + Points(j, i);
        gradient[i] += Points(i, j) - matches * Chance(strength_[i] - strength_[j]);
      }
    }
    return gradient;
  }

  const Matches& matches_;
  const std::vector<std::size_t>& members_;
  std::vector<double> strength_;
};

}  // namespace

void Matches::Add(std::size_t model, std::size_t other, const VersusFigures& counts) {
  wins_[model * models_ + other] += counts.wins;
  wins_[other * models_ + model] += counts.losses;
  ties_[model * models_ + other] += counts.ties;
  ties_[other * models_ + model] += counts.ties;
}

BradleyTerry::BradleyTerry(const Matches& matches)
    : matches_(matches),
      group_(matches.models()),
      strength_(matches.models()),
      covariance_(matches.models() * matches.models()) {
  FindGroups();
  for (std::size_t group = 0; group < groups_; ++group) {
    std::vector<std::size_t> members;
    for (std::size_t model = 0; model < group_.size(); ++model)
      if (group_[model] == group) members.push_back(model);
    Fit(members);
  }
}

// Puts two models into the same group if each beats the other. A model beats another by a win or a tie, or by
// way of other models that it beats. If only one of the two beats the other, its group comes first, because
// it beats more models.
void BradleyTerry::FindGroups() {
  const std::size_t models = group_.size();
  std::vector<std::vector<bool>> wins(models, std::vector<bool>(models));
  for (std::size_t i = 0; i < models; ++i) {
    for (std::size_t j = 0; j < models; ++j) wins[i][j] = i == j || matches_.points(i, j) > 0;
  }
  for (std::size_t by = 0; by < models; ++by) {
    for (std::size_t i = 0; i < models; ++i) {
      for (std::size_t j = 0; wins[i][by] && j < models; ++j) wins[i][j] = wins[i][j] || wins[by][j];
    }
  }
  std::vector<std::size_t> order(models);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t model) { return std::ranges::count(wins[model], true); });
  std::vector<bool> has_group(models);
  for (const std::size_t model : order) {
    if (has_group[model]) continue;
    for (std::size_t other = 0; other < models; ++other) {
      if (!wins[model][other] || !wins[other][model]) continue;
      has_group[other] = true;
      group_[other] = groups_;
    }
    ++groups_;
  }
}

void BradleyTerry::Fit(const std::vector<std::size_t>& members) {
  GroupFit fit(matches_, members);
  fit.Maximise();
  PositiveMatrix factor = fit.Information();
  factor.Factor();
  for (std::size_t m = 0; m < members.size(); ++m) {
    strength_[members[m]] = fit.strength(m);
    const std::vector<double> covariances = fit.Covariances(factor, m);
    for (std::size_t n = 0; n < members.size(); ++n)
      covariance_[members[m] * group_.size() + members[n]] = covariances[n];
  }
}

double BradleyTerry::StandardError(std::size_t model) const {
  return std::sqrt(std::max(0.0, covariance_[model * (group_.size() + 1)]));
}

double BradleyTerry::Level() const {
  const auto models = static_cast<double>(group_.size());
  return 0.05 / (models * (models - 1));
}

std::optional<Interval> BradleyTerry::Difference(std::size_t model, std::size_t other) const {
  if (group_[model] != group_[other]) return std::nullopt;
  const std::size_t models = group_.size();
  const double variance = covariance_[model * models + model] + covariance_[other * models + other] -
                          2 * covariance_[model * models + other];
  const double difference = strength_[model] - strength_[other];
  const double reach = boost::math::quantile(boost::math::complement(boost::math::normal(), Level())) *
                       std::sqrt(std::max(0.0, variance));
  return Interval{difference - reach, difference + reach};
}

bool BradleyTerry::IsSurelyBetter(std::size_t model, std::size_t other) const {
  if (model == other) return false;
  if (const std::optional<Interval> difference = Difference(model, other)) return difference->low > 0;
  const auto wins = static_cast<double>(matches_.wins(model, other));
  const double decided = wins + static_cast<double>(matches_.wins(other, model));
  if (wins == 0) return false;
  const boost::math::binomial even(decided, 0.5);
  return boost::math::cdf(boost::math::complement(even, wins - 1)) <= Level();
}

std::vector<Interval> BradleyTerry::RankIntervals() const {
  std::vector<Interval> ranks;
  for (std::size_t model = 0; model < group_.size(); ++model) {
    Interval& rank = ranks.emplace_back(Interval{1, static_cast<double>(group_.size())});
    for (std::size_t other = 0; other < group_.size(); ++other) {
      rank.low += IsSurelyBetter(other, model);
      rank.high -= IsSurelyBetter(model, other);
    }
  }
  return ranks;
}

}  // namespace leafscore::internal
