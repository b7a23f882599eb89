// engine/rank/id_mean.h: the mean of a figure over ids, and how sure it is where ids come in clusters.
// THREADS: one.
#ifndef LEAFSCORE_ENGINE_RANK_ID_MEAN_H_
#define LEAFSCORE_ENGINE_RANK_ID_MEAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/exact_sum.h"
#include "engine/report/score_distribution.h"

namespace leafscore::internal {

class IdMean {
 public:
  // 0 clusters: ids are independent.
  explicit IdMean(std::size_t clusters = 0) : clusters_(clusters) {}

  // Adds the figure of an id. REQUIRES: 0 <= figure <= 1; cluster < clusters, if there are any.
  void Add(double figure, std::uint32_t cluster) {
    figures_.Add(figure);
    if (!clusters_.empty()) clusters_[cluster].Add(figure);
  }

  std::uint64_t ids() const { return figures_.count(); }
  std::optional<double> Mean() const { return figures_.Mean(/*zeros=*/0); }

  // Returns the number of clusters that hold ids; none when ids are independent.
  std::optional<std::uint64_t> ClusterCount() const;

  // RETURNS: none for fewer than two ids, or clusters.
  std::optional<double> StandardError() const;

  // Of a share: returns how many independent ids would have its standard error: p (1 - p) / error^2, at most
  // ids(); if all figures are 0 or all are 1, the number of clusters. C. Franco, R. J. A. Little, T. A. Louis
  // and E. V. Slud, "Comparative study of confidence intervals for proportions in complex sample surveys",
  // J. Surv. Stat. Methodol. 7, 2019. RETURNS: none for no id, or fewer than two clusters.
  std::optional<double> EffectiveIds() const;

 private:
  ScoreDistribution figures_;
  std::vector<ExactSum> clusters_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_ID_MEAN_H_
