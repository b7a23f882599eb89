// engine/scorers/selecting_batch.h: the base class of the batches of all scorers. It goes through the records
// and selects the parts that `target_output_key` names. A derived class matches one record, and computes the
// scores.
#ifndef LEAFSCORE_ENGINE_SCORERS_SELECTING_BATCH_H_
#define LEAFSCORE_ENGINE_SCORERS_SELECTING_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/scorers/pair_selector.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

class SelectingBatch : public ScorerBatch {
 public:
  void Match(const PairBatch& batch, StringPairs& pairs) final;

  bool matched_calls_field() const final { return selector_.selects_calls_field(); }

  JsonInTexts json_in_texts() const final { return selector_.json_in_texts(); }

  void AppendNamedPaths(std::vector<NamedPaths>& rows) const override { selector_.AppendNamedPaths(rows); }

  // By default, the remarks name the envelopes removed from answers, if the options ask for removing any.
  std::span<const std::string_view> remark_names() const override;
  std::uint8_t RemarksOn(std::uint32_t record) const override { return unwrapped_[record]; }
  void AppendUnwrapped(std::uint32_t record, std::vector<std::string_view>& envelopes) const final;

  AnswerCauses RemovedCauses(std::uint32_t record) const final;

  // By default, all causes if the whole answer is compared with one expected value; else only the causes that
  // apply to any scorer.
  AnswerCauses possible_causes() const override {
    return selector_.compares_whole_values() ? kAllAnswerCauses : kCausesOfAnyScorer;
  }

  // Returns whether a scorer with these settings needs an expected value to score a record.
  static bool NeedsExpected(const auto& /*settings*/) { return true; }

  // By default, nothing is left to do after MatchRecord.
  void Reduce(const StringPairs& /*pairs*/) override {}

 protected:
  // With `expected_optional`, records without an expected value are matched, too.
  // REQUIRES: `selection` outlives the batch.
  SelectingBatch(const PairSelectorOptions* selection, WorkerTools tools,
                 std::span<const std::string_view> metric_names = {}, bool expected_optional = false);

  // Drops the previous batch, and makes room for `records` records.
  virtual void BeginBatch(std::uint32_t /*records*/) {}

  // Compares the parts of a record that `selector_` has selected. The score of the record is 0 so far.
  virtual void MatchRecord(std::uint32_t record, StringPairs& pairs) = 0;

  // Returns the share of the leaves of a record's answer that are not expected anywhere. Called directly
  // after MatchRecord. A scorer that counts these leaves while it matches can override this to save a walk.
  virtual double UnexpectedShare() { return selector_.UnexpectedShare(); }

  // Returns whether an object or array is expected and the answer is of another kind. Called after
  // MatchRecord or MissRecord.
  virtual bool AnswerIsOfOtherKind() const { return selector_.answer_is_of_other_kind(); }

  // Handles a record whose answer, or a part of it, is missing or unreadable. Parts or their actual values
  // may be missing.
  virtual void MissRecord(std::uint32_t /*record*/, StringPairs& /*pairs*/) {}

  // Notes that nothing in a record is compared.
  // REQUIRES: called from MatchRecord, for a record that stays scored.
  void CompareNothing(std::uint32_t record) { nothing_compared_.push_back(record); }

  double& metric(std::size_t metric, std::uint32_t record) { return columns_.metrics[metric].values[record]; }
  bool scored(std::uint32_t record) const { return columns_.outcome[record] == Outcome::kScored; }

  ShapeTable* const shapes_;
  PairSelector selector_;
  std::uint32_t first_pair_ = 0;  // the first of this scorer's pairs in the list; valid from BeginBatch on
  std::uint32_t end_pair_ = 0;    // one past the last of these pairs; valid in Reduce

 private:
  bool expected_optional_;
  std::vector<std::uint8_t> unwrapped_;  // by record: bits in the order of remark_names
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_SELECTING_BATCH_H_
