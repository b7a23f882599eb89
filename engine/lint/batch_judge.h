// engine/lint/batch_judge.h: scores answers with the scorers of a plan, batch by batch, and delivers the
// results in the order of the answers. THREADS: one at a time; it scores in the number of threads in the
// options.
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

// The result of an answer under a scorer.
struct Judgement {
  std::uint32_t row;  // as passed to Add
  std::uint32_t scorer;
  bool scored;
  bool is_error;       // not scored, and the answer is not the cause
  bool is_unanswered;  // there is nothing that the scorer could judge
  bool passes;         // by the scorer's verdict or, without one, by its score
  bool nothing_compared;
  double score;                   // 0 if not scored
  bool by_pass_score = false;     // passes by its score, as the scorer gives no verdict
  std::string_view message = {};  // why it is not scored; valid until the next call

  // Returns whether the scorer finds nothing wrong with the answer.
  bool is_full() const {
    constexpr double kRounding = 1e-9;  // in a sum of weights
    return scored && passes && score >= 1 - kRounding;
  }
};

class BatchJudge {
 public:
  using Take = std::function<void(const Judgement&)>;

  // Answers have the calls of their runs in the field `calls_field`, if it is not empty.
  // ERRORS: Error(kUsage) for an option out of range.
  BatchJudge(const Plan& plan, EngineOptions options, double pass_score, std::string calls_field = {});

  // Adds an answer to the expected value of a row; all are JSON texts. It is scored once a batch is full.
  void Add(std::uint32_t row, std::optional<std::string_view> expected,
           std::optional<std::string_view> actual, std::optional<std::string_view> calls);
  // Does the same for a made-up answer, which also stands in for the calls of its run.
  void Add(std::uint32_t row, std::optional<std::string_view> expected, std::string_view answer) {
    Add(row, expected, answer, answer);
  }

  // Scores all answers that have not been scored.
  void Flush();

  // Flushes, and from then on passes judgements to `take`: for each batch, first all those by the first
  // scorer.
  void SetTake(Take take);

  double pass_score() const { return pass_score_; }
  // Returns the option any_of_key of the first scorer that has it; empty if there is none.
  const std::string& any_of_key() const { return any_of_key_; }

  // Returns for each scorer the paths in its options that led nowhere in any expected value so far.
  std::vector<std::vector<std::string>> AbsentPaths();

 private:
  ColumnScorer scorer_;
  double pass_score_;
  std::string calls_field_;
  std::string any_of_key_;
  Take take_;
  OwnedTexts expected_;
  OwnedTexts actual_;
  OwnedTexts calls_;
  std::vector<std::uint32_t> rows_;
  std::vector<FieldPresence> paths_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_BATCH_JUDGE_H_
