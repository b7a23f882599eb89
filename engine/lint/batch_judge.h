// engine/lint/batch_judge.h: puts answers to the scorers of a plan, batch by batch, and tells what becomes of
// each in the order in which they came. THREADS: one at a time; it scores in as many as the options say.
#ifndef LEAFSCORE_ENGINE_LINT_BATCH_JUDGE_H_
#define LEAFSCORE_ENGINE_LINT_BATCH_JUDGE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/run/column_scorer.h"
#include "engine/run/owned_texts.h"
#include "leafscore/options.h"
#include "leafscore/plan.h"

namespace leafscore::internal {

// What became of an answer under a scorer.
struct Judgement {
  std::uint32_t row;  // as given to Add
  std::uint32_t scorer;
  bool scored;
  bool is_error;  // not scored, and that is not the answer's making
  bool passes;    // by the scorer's verdict; where there is none, by its score
  bool nothing_compared;
  double score;                   // 0 where it is not scored
  bool by_pass_score = false;     // it passes so because the scorer gives no verdict
  std::string_view message = {};  // why it is not scored; until the next call

  // Whether nothing is found wrong with the answer.
  bool is_full() const {
    constexpr double kRounding = 1e-9;  // of a sum of weights
    return scored && passes && score >= 1 - kRounding;
  }
};

class BatchJudge {
 public:
  using Take = std::function<void(const Judgement&)>;

  // ERRORS: Error(kUsage) for an option out of its range.
  BatchJudge(const Plan& plan, EngineOptions options, double pass_score);

  // Adds an answer to what is expected of a row; both are JSON texts. It is scored when a batch is full.
  void Add(std::uint32_t row, std::optional<std::string_view> expected, std::string_view actual);

  // Scores what was added and has not been scored.
  void Flush();

  // Flushes, and gives the judgements from now on to `take`: of a batch those of the first scorer first.
  void SetTake(Take take);

  double pass_score() const { return pass_score_; }

  // Returns for each scorer the paths in its options that led nowhere in any expected value so far.
  std::vector<std::vector<std::string>> AbsentPaths();

 private:
  ColumnScorer scorer_;
  double pass_score_;
  Take take_;
  OwnedTexts expected_;
  OwnedTexts actual_;
  std::vector<std::uint32_t> rows_;
  std::vector<FieldPresence> paths_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_BATCH_JUDGE_H_
