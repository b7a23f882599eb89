// engine/rank/model_pairs.h: decides which of a scorer's ranked models can be told apart. The tests of all
// pairs are one family, so that all results of the tests (intervals of ranks, ties and groups) hold together
// with 95% confidence. Made once, then read.
#ifndef LEAFSCORE_ENGINE_RANK_MODEL_PAIRS_H_
#define LEAFSCORE_ENGINE_RANK_MODEL_PAIRS_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/rank/shared_scores.h"
#include "engine/statistics/sign_flip.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

class ModelPairs {
 public:
  // Tests all pairs of these models, best first. COST: a sign-flip test for each pair, on all threads; tests
  // of models that are not neighbours are cheap if bounds of p decide (BoundedTest).
  ModelPairs(const SharedScores& scores, const IdPart& part, std::span<const std::size_t> models);

  // Returns the test of a model and the next one, uncorrected.
  const SignFlipResult& TestOfNext(std::size_t model) const { return tests_[Place(model, model + 1)]; }

  // Returns whether the test, corrected for the family of all pairs, tells two models apart.
  bool AreToldApart(std::size_t one, std::size_t other) const {
    return one != other && corrected_[Place(one, other)] < kRankAlpha;
  }

  // Returns the corrected p-values of all pairs, in the order 0 and 1, 0 and 2, ..., 1 and 2, ... For a pair
  // that a bound decided, the value is the corrected bound.
  std::span<const double> corrected() const { return corrected_; }

  // Returns letters for each model (CompactLetters): two models share a letter exactly if they are not told
  // apart.
  // RETURNS: nullopt if there are more letters than CompactLetters can find.
  std::optional<std::vector<std::string>> Letters() const;

 private:
  std::size_t Place(std::size_t one, std::size_t other) const;

  std::size_t models_;
  std::vector<SignFlipResult> tests_;
  std::vector<double> corrected_;
};

// Tests these units, as a part of a family of `tests` tests. A bound replaces p in two cases: the sum is so
// near to 0 that p is certainly above kRankAlpha, or so far from 0 that p is below kRankAlpha even if
// corrected for all tests. This saves the exact count, which takes milliseconds. It does not change which
// corrected p-values of the family are below kRankAlpha: with its exact p, such a test would also come before
// or after all others.
SignFlipResult BoundedTest(std::span<const Unit> units, std::size_t tests);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_MODEL_PAIRS_H_
