// engine/rank/shared_scores.h: the scores of all models of a scorer for the ids that all of them were asked,
// for comparisons id by id, and paired tests of them. THREADS: one that sets, then any.
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

// The level of all tests: two models are told apart if the p-value, corrected for its family, is below it.
constexpr double kRankAlpha = 0.05;

// Some of the ids, and the units in which they are drawn: single ids or, if they come in clusters, the
// clusters.
struct IdPart {
  std::vector<std::uint32_t> index;  // indexes into AskedIds::shared
  std::vector<std::uint32_t> unit;   // the unit of each, numbered by first use; empty: each id is a unit
  std::uint32_t units = 0;
};

// Makes a part of these indexes. REQUIRES: they are ascending.
IdPart PartOf(const IdFields& id_fields, const AskedIds& asked, std::vector<std::uint32_t> indexes);

class SharedScores {
 public:
  // An id without a score has 0.
  SharedScores(std::size_t ids, std::size_t models) : ids_(ids), scores_(ids * models) {}

  void Set(std::uint32_t index, std::size_t model, double score) { scores_[model * ids_ + index] = score; }
  double Of(std::uint32_t index, std::size_t model) const { return scores_[model * ids_ + index]; }

  // Returns the scores of a model minus those of another one, unit by unit.
  std::vector<Unit> Differences(const IdPart& part, std::size_t model, std::size_t other) const;

  // Tests whether two models can be told apart.
  SignFlipResult Test(const IdPart& part, std::size_t model, std::size_t other) const;

  // Tells for each of these models whether it is as good as the first, which has the highest mean: the tests
  // against the first, which are one family, do not tell the two apart.
  std::vector<bool> AsGoodAsFirst(const IdPart& part, std::span<const std::size_t> models) const;

 private:
  std::size_t ids_;
  std::vector<double> scores_;  // [model * ids + index]
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_SHARED_SCORES_H_
