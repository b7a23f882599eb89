// engine/rank/row_builder.h: sums up the figures of one model under one scorer, id by id. Each id has one
// score, the mean of the lines that count; all figures are means over ids. Depends on the order in which ids
// are added, but not on that of an id's lines. THREADS: one.
#ifndef LEAFSCORE_ENGINE_RANK_ROW_BUILDER_H_
#define LEAFSCORE_ENGINE_RANK_ROW_BUILDER_H_

#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "engine/rank/asked_ids.h"
#include "engine/rank/id_mean.h"
#include "engine/rank/score_sheet.h"
#include "engine/report/counts.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

using LineNumbers = std::span<const std::uint32_t>;  // of a model's answers

class RowBuilder {
 public:
  RowBuilder(const IdOrder& order, const AskedIds& asked, const ModelLines& lines,
             std::span<const std::uint32_t> pass_k)
      : order_(order),
        asked_(asked),
        lines_(lines),
        scores_(order.clusters),
        scored_scores_(order.clusters),
        passes_(order.clusters) {
    for (const std::uint32_t k : pass_k) pass_k_.push_back({.k = k});
  }

  // Adds an id with the lines that count for it; without lines when it lacks them. RETURNS: its score.
  double AddId(std::uint32_t id, LineNumbers numbers);

  // Fills what the lines that count say of the model. REQUIRES: the last call.
  void Fill(LeaderboardRow& row);

 private:
  std::uint32_t ClusterOf(std::uint32_t id) const { return order_.clusters == 0 ? 0 : order_.cluster[id]; }
  void AddFields(std::uint32_t id, LineNumbers numbers);
  void AddMissingFields(std::uint32_t id);
  void AddMetrics(LineNumbers numbers);
  void AddPassK(std::uint64_t samples, std::uint64_t passed);

  const IdOrder& order_;
  const AskedIds& asked_;
  const ModelLines& lines_;
  OutcomeCounts counts_;
  std::uint64_t nothing_compared_ = 0;
  IdMean scores_;
  IdMean scored_scores_;  // over ids that have a score
  IdMean passes_;
  CountedSum scored_passes_;
  CountedSum coverage_;
  std::array<CountedSum, std::tuple_size_v<LineMetrics>> metrics_;
  FieldCounts fields_;
  std::vector<PassAmong> pass_k_;  // with sums in place of means
  std::vector<double> values_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_ROW_BUILDER_H_
