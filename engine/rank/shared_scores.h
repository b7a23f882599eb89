// engine/rank/shared_scores.h: the scores of all models of a scorer for the ids that were asked of them all,
// as far as they are compared id by id, and paired tests of them. THREADS: one.
#ifndef LEAFSCORE_ENGINE_RANK_SHARED_SCORES_H_
#define LEAFSCORE_ENGINE_RANK_SHARED_SCORES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/rank/asked_ids.h"
#include "engine/rank/score_sheet.h"
#include "engine/statistics/mean_estimate.h"

namespace leafscore::internal {

constexpr double kTiedAbove = 0.05;  // the p-value, two-sided, of models that a test cannot tell apart

// Some of the ids, and the units that they are drawn in: ids themselves or, where they come in clusters,
// those.
struct IdPart {
  std::vector<std::uint32_t> index;  // in AskedIds::shared
  std::vector<std::uint32_t> unit;   // of each, numbered by first use
  std::uint32_t units = 0;
};

// Makes a part of these indexes. REQUIRES: they ascend.
IdPart PartOf(const IdOrder& order, const AskedIds& asked, std::vector<std::uint32_t> indexes);

class SharedScores {
 public:
  // An id without a score has 0.
  SharedScores(std::size_t ids, std::size_t models) : models_(models), scores_(ids * models) {}

  void Set(std::uint32_t index, std::size_t model, double score) { scores_[index * models_ + model] = score; }
  double Of(std::uint32_t index, std::size_t model) const { return scores_[index * models_ + model]; }
  std::size_t models() const { return models_; }

  // Returns the differences of two models in each unit of a part.
  std::vector<Unit> Differences(const IdPart& part, std::size_t model, std::size_t other) const;

  // Returns the p-value of the sign-flip test of two models. COST: that of SignFlipTest.
  double PairedTest(const IdPart& part, std::size_t model, std::size_t other) const;

  // Tells of each of these models whether it is as good as the first, which has the best mean: the same, or a
  // test against the first, corrected by Holm's method for as many as there are, does not tell them apart.
  std::vector<bool> AsGoodAsFirst(const IdPart& part, std::span<const std::size_t> models) const;

  // Returns the sums of a part's units: [unit * models + model].
  std::vector<double> UnitSums(const IdPart& part) const;

 private:
  std::size_t models_;
  std::vector<double> scores_;  // [index * models + model]
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_SHARED_SCORES_H_
