// engine/scorers/pair_selector.h: selects the part of a record that a scorer compares (`target_output_key`,
// `default_expected`); shared by the scorers.
#ifndef LEAFSCORE_ENGINE_SCORERS_PAIR_SELECTOR_H_
#define LEAFSCORE_ENGINE_SCORERS_PAIR_SELECTOR_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/json/compact_text.h"
#include "engine/match/pair_batch.h"
#include "engine/match/record_field.h"
#include "engine/match/target_path.h"
#include "engine/match/unexpected_leaves.h"
#include "engine/scorers/answer_envelopes.h"
#include "engine/scorers/held_json.h"
#include "engine/scorers/pair_selector_options.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

// One selected pair of values.
struct SelectedPart {
  ValueRef expected;  // may be absent if the scorer accepts that
  ValueRef actual;
  const TargetPath* path;
};

inline double ShareOfLeaves(std::uint64_t some, std::uint64_t all) {
  return some == 0 ? 0 : static_cast<double>(some) / static_cast<double>(all);
}

// Selects the parts of record after record; a selection is valid until the next Begin.
// THREADS: one at a time.
class PairSelector {
 public:
  PairSelector(const PairSelectorOptions* options, WorkerTools tools);

  void Begin(const PairBatch& batch);

  // Selects the parts of a record, one for each path. If the record cannot be scored, writes the reason to
  // `columns`; if the answer is the reason, actual values or parts may be missing. With `expected_optional`,
  // a missing expected value is not an error; the parts then have no expected values.
  void Select(std::uint32_t record, bool expected_optional, ScoreColumns& columns);

  const PairBatch& batch() const { return *batch_; }
  std::span<const SelectedPart> parts() const { return parts_; }
  // Replaces the expected value of a part by another accepted value.
  void SetExpected(std::size_t part, ValueRef expected) { parts_[part].expected = expected; }
  // Returns all calls of the record's run, without following paths; an absent value if there are no calls.
  ValueRef calls(std::uint32_t record) const { return batch_->calls_value(record); }
  // Returns the whole answer, without following paths; if it was read from a text, the value that was read.
  // REQUIRES: Select found an answer.
  ValueRef whole_answer() const { return whole_.actual; }
  // Returns the value of another field of the record; an absent value if the record lacks the field.
  ValueRef FieldOf(std::uint32_t record, RecordField& field) const { return field.Find(*batch_, record); }
  bool has_calls_field() const { return !batch_->calls_field.empty(); }
  // Returns whether the actual parts are taken from the calls of the run, and these have their own field.
  bool selects_calls_field() const { return options_->reads_calls() && has_calls_field(); }
  // Returns whether the whole answer is compared with the whole expected value, without alternatives.
  bool compares_whole_values() const {
    return options_->whole() && !options_->reads_calls() && options_->any_of_key().empty();
  }
  // Returns the counts for the batch so far.
  JsonInTexts json_in_texts() const { return held_json_.counts(); }
  // About the current record. Return whether its answer was a text that was read as JSON, and whether an
  // object or array is expected but the answer, after such reading, is of another kind.
  bool answer_was_read() const { return answer_was_read_; }
  bool answer_is_of_other_kind() const { return answer_is_of_other_kind_; }
  // If an object or array is expected, removes the envelopes named by kUnwrapOption from around the answer.
  // Select does this, too, except for texts that the scorer reads itself.
  void Unwrap(ValueRef expected, ValueRef& actual);
  // Return whether the options ask for removing envelopes, and which envelopes were removed from the answer
  // of the current record.
  bool unwraps() const { return options_->unwraps().any(); }
  Envelopes unwrapped() const { return unwrapped_; }
  // Returns the share of unexpected leaves (not expected anywhere) among the leaves of the actual parts; 0
  // if the scorer has sets of accepted values, or does not compare structure. If the scorer has its own way
  // of comparing two texts, a part that is JSON in a text is parsed first. REQUIRES: the record is scored.
  double UnexpectedShare();
  // Appends the paths, unless they are the whole value or apply only to the actual side. (On the actual side,
  // a missing part is a fault of the answer, not of the path.) Also appends the key that marks sets of
  // accepted values, wherever they are.
  void AppendNamedPaths(std::vector<NamedPaths>& rows) const;
  // Returns how many expected values of the batch were examined, and the first of them, but no paths.
  NamedPaths LookedAt() const { return {{}, named_paths_.values, {}, named_paths_.first}; }
  bool builds_object() const { return options_->builds_object(); }

  // Appends the text of one side of the parts: the text of the value or, with a list of paths, the text of
  // the object that they build. REQUIRES: the paths apply to that side.
  void AppendText(bool expected_side, TextForm form, std::string& out) const;
  // Appends the text that is split into lines. UiPath looks up the whole path as one key in the selected
  // value; if there is no such member, the value stays. UiPath before version 1.0 does not follow the path
  // first: it looks up the key in the whole value (on the actual side, twice), and leaves integers as they
  // are.
  void AppendLineText(bool expected_side, TextForm form, std::string& out) const;
  // Appends the text of a value.
  void AppendTextOf(ValueRef value, TextForm form, std::string& out) const;
  // Appends one side of the parts as JSON that every reader accepts (AppendStandardJson); null for no value.
  void AppendJson(bool expected_side, std::string& out) const;

 private:
  static ValueRef Side(const SelectedPart& part, bool expected_side) {
    return expected_side ? part.expected : part.actual;
  }
  void CountValue(ValueRef expected) {
    if (!expected.present()) return;
    if (named_paths_.values++ == 0) named_paths_.first = expected;
    if (!any_of_key_.paths.empty() && any_of_key_.found[0] == 0)
      any_of_key_.found[0] += HasAnyOfKey(expected);
  }
  bool HasAnyOfKey(ValueRef expected) const;
  // Sets the reason why there is no actual value at all.
  void SetNoActual(std::uint32_t record, ScoreColumns& columns) const;
  // Checks the expected value and replaces an empty actual value, by UiPath's rules. RETURNS: false if these
  // rules give the record no score.
  bool ApplyRules(std::uint32_t record, ValueRef expected, ValueRef& actual, ScoreColumns& columns) const;
  // Selects the parts by the rules before version 1.0.
  void SelectOlder(std::uint32_t record, ValueRef expected, ValueRef actual, ScoreColumns& columns);
  // Append the object that a list of paths builds, as JSON and as Python prints it.
  void AppendObject(bool expected_side, decltype(&AppendCompactJson) append_json, std::string& out) const;
  void AppendPythonObject(bool expected_side, std::string& out) const;
  // Returns the member whose key is the whole path, or the value itself if it has no such member.
  ValueRef MemberOrSelf(ValueRef value, const TargetPath& path) const;

  bool is_older() const {
    return options_->rules() == SelectionRules::kUiPathOlderEquality ||
           options_->rules() == SelectionRules::kUiPathOlderSimilarity;
  }

  const PairSelectorOptions* options_;
  ShapeTable* shapes_;
  std::vector<PathFollower> expected_followers_;  // one per path
  std::vector<PathFollower> actual_followers_;
  const PairBatch* batch_ = nullptr;
  ValueRef default_expected_;
  ValueRef empty_object_;  // for rules that need one
  SelectedPart whole_{};   // both sides of the record
  std::vector<SelectedPart> parts_;
  HeldJsonReader held_json_;
  bool answer_was_read_ = false;
  bool answer_is_of_other_kind_ = false;
  AnswerUnwrapper unwrapper_;
  Envelopes unwrapped_ = {};
  UnexpectedLeaves unexpected_leaves_;
  NamedPaths named_paths_;
  NamedPaths any_of_key_;  // the key of accepted values as a path, if it is given
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_PAIR_SELECTOR_H_
