#include "engine/rank/id_mean.h"

#include <algorithm>
#include <cmath>

namespace leafscore::internal {

std::optional<std::uint64_t> IdMean::ClusterCount() const {
  if (clusters_.empty()) return std::nullopt;
  return std::ranges::count_if(clusters_, [](const ExactSum& cluster) { return cluster.count() > 0; });
}

// The standard error of a mean of ids that come in clusters: sqrt(G / (G - 1) * sum over the G clusters of
// (sum of their ids' residuals)^2) / n. E. Miller, "Adding error bars to evals", arXiv:2411.00640, 2024; with
// the factor for few clusters of A. C. Cameron and D. L. Miller, J. Human Resources 50, 2015.
std::optional<double> IdMean::StandardError() const {
  if (clusters_.empty()) return figures_.StandardError(/*zeros=*/0);
  const auto count = static_cast<double>(*ClusterCount());
  if (count < 2) return std::nullopt;
  const double mean = *Mean();
  double squares = 0;
  for (const ExactSum& cluster : clusters_) {
    const double residual = cluster.Total() - static_cast<double>(cluster.count()) * mean;
    squares += residual * residual;
  }
  return std::sqrt(count / (count - 1) * squares) / static_cast<double>(ids());
}

std::optional<double> IdMean::EffectiveIds() const {
  if (ids() == 0) return std::nullopt;
  const auto all = static_cast<double>(ids());
  if (clusters_.empty()) return all;
  const std::optional<double> error = StandardError();
  if (!error) return std::nullopt;
  const double variance = *Mean() * (1 - *Mean());
  if (variance == 0) return static_cast<double>(*ClusterCount());
  return std::min(all, variance / (*error * *error));
}

}  // namespace leafscore::internal
