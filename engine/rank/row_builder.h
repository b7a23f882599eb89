// engine/rank/row_builder.h: sums up the figures of one model under one scorer, id by id. Each id has one
// score, which is the mean of the lines that count. All figures are means over ids, and do not depend on the
// order of ids or lines. THREADS: one.
#ifndef LEAFSCORE_ENGINE_RANK_ROW_BUILDER_H_
#define LEAFSCORE_ENGINE_RANK_ROW_BUILDER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "engine/base/exact_sum.h"
#include "engine/rank/asked_ids.h"
#include "engine/rank/score_sheet.h"
#include "engine/report/counts.h"
#include "engine/report/score_distribution.h"
#include "leafscore/leaderboard.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// The mean of a figure over ids, and its standard error, which allows for clusters of ids. THREADS: one.
class IdMean {
 public:
  // With 0 clusters, ids are independent.
  explicit IdMean(std::size_t clusters = 0) : clusters_(clusters) {}

  // Adds the figure of an id. REQUIRES: 0 <= figure <= 1; cluster < clusters, unless there are 0 clusters.
  void Add(double figure, std::uint32_t cluster) {
    figures_.Add(figure);
    if (!clusters_.empty()) clusters_[cluster].Add(figure);
  }

  std::uint64_t ids() const { return figures_.count(); }
  const ExactSum& sum() const { return figures_.sum(); }
  std::optional<double> Mean() const { return figures_.Mean(/*zeros=*/0); }

  // Returns the number of clusters that have ids; nullopt if ids are independent.
  std::optional<std::uint64_t> ClusterCount() const;

  // RETURNS: nullopt for fewer than two ids or, if ids come in clusters, fewer than two clusters.
  std::optional<double> StandardError() const;

  // For a mean that is a share p, returns how many independent ids would have the same standard error.
  // Without clusters, this number is ids(). With clusters, it is p (1 - p) / error^2, but at most ids(); if
  // all figures are 0 or all are 1, it is the number of clusters. C. Franco, R. J. A. Little, T. A. Louis and
  // E. V. Slud, "Comparative study of confidence intervals for proportions in complex sample surveys", J.
  // Surv. Stat. Methodol. 7, 2019. RETURNS: nullopt if there are no ids or, if ids come in clusters, fewer
  // than two clusters.
  std::optional<double> EffectiveIds() const;

 private:
  ScoreDistribution figures_;
  std::vector<ExactSum> clusters_;
};

// The result of a model for an id: means over the lines that count.
struct IdResult {
  double score = 0;
  double passed = 0;          // 1 or 0; for several lines, the share that passed
  bool says_nothing = false;  // in error, or nothing was compared
};

using LineNumbers = std::span<const std::uint32_t>;  // a model's answers

class RowBuilder {
 public:
  RowBuilder(const IdFields& id_fields, const AskedIds& asked, const ModelLines& lines,
             std::span<const std::uint32_t> pass_k)
      : id_fields_(id_fields),
        asked_(asked),
        lines_(lines),
        scores_(id_fields.clusters),
        scored_scores_(id_fields.clusters),
        passes_(id_fields.clusters) {
    for (const std::uint32_t k : pass_k) pass_k_.push_back({.k = k});
  }

  // Adds an id with the lines that count for it. `numbers` is empty if the model lacks the id.
  // RETURNS: the result for the id.
  IdResult AddId(std::uint32_t id, LineNumbers numbers);

  // Fills the figures of the row from all added ids. With `corrects`, the corrected pass rate (by labels) is
  // filled, too. REQUIRES: the last call.
  void Fill(bool corrects, LeaderboardRow& row);

 private:
  // The sums behind the means in PassAmong.
  struct PassSums {
    std::uint32_t k = 0;
    ExactSum pass_at = {};
    ExactSum pass_hat = {};
    std::uint64_t short_ids = 0;
  };

  std::uint32_t ClusterOf(std::uint32_t id) const {
    return id_fields_.clusters == 0 ? 0 : id_fields_.cluster[id];
  }
  void AddFields(std::uint32_t id, LineNumbers numbers);
  void AddMissingFields(std::uint32_t id);
  void AddMetrics(LineNumbers numbers);
  void AddPassK(std::uint64_t samples, std::uint64_t passed);
  // Adds what is wrong with the answers to an id.
  void AddCauses(LineNumbers numbers, double score);
  // Returns the causes, the costliest first.
  std::vector<CauseFigures> Causes() const;

  const IdFields& id_fields_;
  const AskedIds& asked_;
  const ModelLines& lines_;
  OutcomeCounts counts_;
  std::uint64_t nothing_compared_ = 0;
  std::uint64_t of_other_kind_ = 0;
  ExactSum unexpected_shares_;  // over lines with unexpected leaves
  IdMean scores_;
  IdMean scored_scores_;  // over ids with a score
  IdMean passes_;
  ExactSum scored_passes_;
  ExactSum coverage_;
  std::array<ExactSum, std::tuple_size_v<LineMetrics>> metrics_;
  FieldCounts fields_;
  std::map<AnswerCause, ExactSum> causes_;  // scores of ids
  std::vector<PassSums> pass_k_;
  VerdictCounts labels_;  // only of ids with one line, as a label does not say which line it is about
  std::vector<double> values_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_ROW_BUILDER_H_
