// engine/rank/shared_scores.h: the scores of all models of a scorer for the ids that all of them were asked,
// and paired tests of these scores. THREADS: one that sets, then any.
#ifndef LEAFSCORE_ENGINE_RANK_SHARED_SCORES_H_
#define LEAFSCORE_ENGINE_RANK_SHARED_SCORES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/rank/asked_ids.h"
#include "engine/rank/score_sheet.h"
#include "engine/statistics/paired_units.h"
#include "engine/statistics/sign_flip.h"

namespace leafscore::internal {

// The level of all tests: two models are told apart if the corrected p-value is below it.
constexpr double kRankAlpha = 0.05;

// Some of the ids, and the units for tests: single ids or, if ids come in clusters, the clusters.
struct IdPart {
  std::vector<std::uint32_t> index;  // indexes into AskedIds::shared
  std::vector<std::uint32_t> unit;   // the unit of each id, numbered by first use; empty if each id is a unit
  std::uint32_t units = 0;
};

// Makes a part of the ids with these indexes. REQUIRES: ascending indexes.
IdPart PartOf(const IdFields& id_fields, const AskedIds& asked, std::vector<std::uint32_t> indexes);

class SharedScores {
 public:
  // A score that is not set is 0.
  SharedScores(std::size_t ids, std::size_t models) : ids_(ids), scores_(ids * models) {}

  void Set(std::uint32_t index, std::size_t model, double score) { scores_[model * ids_ + index] = score; }
  double Of(std::uint32_t index, std::size_t model) const { return scores_[model * ids_ + index]; }

  // Returns, unit by unit, the scores of a model minus the scores of another model.
  std::vector<Unit> Differences(const IdPart& part, std::size_t model, std::size_t other) const;

  // Tests whether two models can be told apart.
  SignFlipResult Test(const IdPart& part, std::size_t model, std::size_t other) const;

  // Returns, for each of these models, whether it is as good as the first, which has the highest mean. A
  // model is as good if its test against the first does not tell the two apart. These tests are one family.
  std::vector<bool> AsGoodAsFirst(const IdPart& part, std::span<const std::size_t> models) const;

 private:
  std::size_t ids_;
  std::vector<double> scores_;  // [model * ids + index]
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_SHARED_SCORES_H_
