// engine/scorers/selecting_batch.h: a ScorerBatch that matches record by record, using the parts that
// `target_output_key` selects, as all scorers do. A derived class matches one record and computes the scores.
#ifndef LEAFSCORE_ENGINE_SCORERS_SELECTING_BATCH_H_
#define LEAFSCORE_ENGINE_SCORERS_SELECTING_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "engine/scorers/pair_selector.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

class SelectingBatch : public ScorerBatch {
 public:
  void Match(const PairBatch& batch, StringPairs& pairs) final;

  bool matched_calls_field() const final { return selector_.selects_calls_field(); }

  JsonInTexts json_in_texts() const final { return selector_.json_in_texts(); }

  void AppendNamedPaths(std::vector<NamedPaths>& rows) const override { selector_.AppendNamedPaths(rows); }

  // By default all, if the whole answer is compared with one expected value.
  AnswerCauses possible_causes() const override {
    return selector_.compares_whole_values() ? kAllAnswerCauses : kCausesOfAnyScorer;
  }

  // Tells whether a scorer with these settings cannot score records without an expected value.
  static bool NeedsExpected(const auto& /*settings*/) { return true; }

  // By default there is nothing left to do after MatchRecord.
  void Reduce(const StringPairs& /*pairs*/) override {}

 protected:
  // With `expected_optional`, records without an expected value are matched, too.
  // REQUIRES: `selection` outlives this.
  SelectingBatch(const PairSelectorOptions* selection, WorkerTools tools,
                 std::span<const std::string_view> metric_names = {}, bool expected_optional = false);

  // Drops the batch before, and makes room for `records` records.
  virtual void BeginBatch(std::uint32_t /*records*/) {}

  // Matches a record, whose score is 0 so far, using the parts that `selector_` has selected.
  virtual void MatchRecord(std::uint32_t record, StringPairs& pairs) = 0;

  // Returns the share of leaves in a record's answer that are not expected anywhere; called directly after
  // MatchRecord. A scorer that counts them while it matches saves a walk by overriding this.
  virtual double UnexpectedShare() { return selector_.UnexpectedShare(); }

  // Returns whether the answer of a record is not an object or array where one is expected, once it was
  // matched or missed.
  virtual bool AnswerIsOfOtherKind() const { return selector_.answer_is_of_other_kind(); }

  // Handles a record whose answer is missing or lacks a part: the parts may have no actual value.
  virtual void MissRecord(std::uint32_t /*record*/, StringPairs& /*pairs*/) {}

  // Records that nothing of a record is compared. REQUIRES: called in MatchRecord, if the record stays
  // scored.
  void CompareNothing(std::uint32_t record) { nothing_compared_.push_back(record); }

  double& metric(std::size_t metric, std::uint32_t record) { return columns_.metrics[metric].values[record]; }
  bool scored(std::uint32_t record) const { return columns_.outcome[record] == Outcome::kScored; }

  ShapeTable* const shapes_;
  PairSelector selector_;
  std::uint32_t first_pair_ = 0;  // this scorer's pairs in the list; valid from BeginBatch on
  std::uint32_t end_pair_ = 0;    // valid in Reduce

 private:
  bool expected_optional_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_SELECTING_BATCH_H_
