// engine/statistics/bradley_terry.h: strengths of models from matches between them, by the model of R. A.
// Bradley and M. E. Terry ("Rank analysis of incomplete block designs", Biometrika 39, 1952): i wins against
// j with the chance 1 / (1 + exp(s_j - s_i)). A tie counts as half a win for each model. For ties, the
// formulas assume more variance than there is. So if ties are frequent, intervals are too wide rather than
// too narrow.
//
// The likelihood has a maximum only under a condition: for every division of the models into two groups, each
// group has won or tied at least one match against the other (L. R. Ford, "Solution of a ranking problem from
// binary comparisons", Amer. Math. Monthly 64, 1957). A model that wins every match, for example, has no
// finite strength. Models are therefore divided into groups within which the condition holds, and only
// differences within a group are estimated. THREADS: values; any number.
#ifndef LEAFSCORE_ENGINE_STATISTICS_BRADLEY_TERRY_H_
#define LEAFSCORE_ENGINE_STATISTICS_BRADLEY_TERRY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "leafscore/report.h"

namespace leafscore::internal {

// The matches between `models` models.
class Matches {
 public:
  explicit Matches(std::size_t models) : models_(models), wins_(models * models), ties_(models * models) {}

  // Adds matches between two models. REQUIRES: the models differ.
  void Add(std::size_t model, std::size_t other, const VersusFigures& counts);

  std::size_t models() const { return models_; }
  std::uint64_t wins(std::size_t model, std::size_t other) const { return wins_[model * models_ + other]; }
  std::uint64_t ties(std::size_t model, std::size_t other) const { return ties_[model * models_ + other]; }
  // Returns the wins, with a half for each tie.
  double points(std::size_t model, std::size_t other) const {
    return static_cast<double>(wins(model, other)) + static_cast<double>(ties(model, other)) / 2;
  }

 private:
  std::size_t models_;
  std::vector<std::uint64_t> wins_;  // [model * models + other]
  std::vector<std::uint64_t> ties_;
};

class BradleyTerry {
 public:
  // Fits strengths by Newton's method. COST: some ten steps, each with the third power of the number of
  // models.
  explicit BradleyTerry(const Matches& matches);

  // Return the number of groups, and the group of a model. No model has won or tied against a model of an
  // earlier group.
  std::size_t groups() const { return groups_; }
  std::size_t group(std::size_t model) const { return group_[model]; }

  // Returns the strength of a model. The strengths in a group have a mean of 0.
  double strength(std::size_t model) const { return strength_[model]; }
  // Returns the standard error of the strength, from the information matrix.
  double StandardError(std::size_t model) const;

  // Returns the interval of the strength of `model` minus the strength of `other`. With at least 95%
  // confidence, the intervals of all pairs of models hold at once (by Bonferroni, from the normal
  // distribution). RETURNS: nullopt for models of different groups.
  std::optional<Interval> Difference(std::size_t model, std::size_t other) const;

  // Returns the interval for the rank of each model: from 1 + the number of models that are surely better to
  // the number of models that are not surely worse. Within a group, a model is surely better if the interval
  // of the difference is above 0. In different groups, a sign test at the same level decides: it must show
  // that the model wins against the other more often than it loses. With 95% confidence, all intervals hold
  // at once (references at engine/statistics/rank_intervals.h).
  std::vector<Interval> RankIntervals() const;

 private:
  void FindGroups();
  void Fit(const std::vector<std::size_t>& members);
  bool IsSurelyBetter(std::size_t model, std::size_t other) const;
  double Level() const;  // the one-sided level for one pair

  const Matches& matches_;
  std::size_t groups_ = 0;
  std::vector<std::size_t> group_;
  std::vector<double> strength_;
  std::vector<double> covariance_;  // [model * models + other]; 0 for models of different groups
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_BRADLEY_TERRY_H_
