// engine/scorers/static_json/batch_2026_09.h: the batch of static_json by the rules of September 2026, and
// its figures. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_BATCH_2026_09_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_BATCH_2026_09_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/match/pair_walker.h"
#include "engine/scorers/static_json/flat_answer.h"
#include "engine/scorers/static_json/key_batch.h"
#include "engine/scorers/static_json/key_rules.h"
#include "engine/scorers/static_json/python_values.h"
#include "engine/scorers/static_json/stated_range.h"
#include "engine/text/answer_reader.h"

namespace leafscore::internal {

// One side of a record as a value, before it is flattened: for rules about members, lists or a single letter.
// THREADS: one at a time; each worker owns its own.
class AnswerSide {
 public:
  struct Member {
    std::string_view name;
    ValueRef value;
  };

  // Takes the given value, read by `reader` if it is a text.
  // REQUIRES: the value outlives the use of this.
  void Read(ValueRef given, const ShapeTable& shapes, AnswerReader& reader);

  // Takes members that were selected one by one and form an object. REQUIRES: as Read.
  void SetMembers(std::vector<Member> members);

  // Replaces what was read from a text with the letter that it picks. RETURNS: whether it picks one.
  bool ReadChoice();

  // Adds the leaves. REQUIRES: Read.
  void Flatten(AnswerFlattener& flattener, FlatAnswer& flat) const;

  // Returns whether there is only a text. A text has no value, nor have selected members.
  bool is_text() const { return is_text_; }
  std::string_view text() const { return text_; }
  ValueRef value() const { return value_; }
  bool IsNull() const { return value_.present() && value_.kind() == ValueKind::kNull; }
  bool is_object() const { return is_object_; }
  const std::vector<Member>& members() const { return members_; }
  // Returns the value of a member in Python's terms; absent if there is no such member.
  PythonValue Find(std::string_view name) const;
  PythonValue AsPython(ValueRef value) const { return {value, marks_tuples_}; }

  // Returns whether the given value is null or a text of white space.
  bool is_blank() const { return is_blank_; }
  const AnswerSteps& steps() const { return read_.steps; }

 private:
  bool was_text_ = false;  // before reading
  bool is_text_ = false;
  bool is_blank_ = false;
  bool is_object_ = false;
  bool marks_tuples_ = false;
  ValueRef value_;
  std::string_view text_;
  std::vector<Member> members_;
  std::string given_;   // the given text
  std::string string_;  // the text of a string in it
  ReadAnswer read_;
};

struct Settings202609 : KeySettings {
  explicit Settings202609(const OptionReader& options);

  EvaluationRules rules;
};

class Batch202609 final : public KeyBatch {
 public:
  Batch202609(const Settings202609* settings, WorkerTools tools);

  std::span<const TextMetric> text_metrics() const override;
  void AppendTexts(std::uint32_t record, std::size_t metric, std::vector<std::string>& texts) const override;

 private:
  // In the order of the names in batch_2026_09.cc.
  enum Figure : std::size_t {
    kPartialMatch,
    kPartialExact,
    kStrictExact,
    kPartialSimilarity,
    kPartialNumeric,
    kRangeMatch,
    kDeltaMatch,
    kPrecision,
    kRecall,
    kF1,
    kGoldKeys,
    kModelKeys,
    kMatchedKeys,
    kAcceptedMatches,
    kExactMatches,
    kNumericKeys,
    kNumericMatches,
    kRangeKeys,
    kRangeMatches,
    kDeltaKeys,
    kDeltaMatches,
    kSatisfiedMatches,
    kAllSatisfied,
    kExactPrecision,
    kExactRecall,
    kExactF1,
    kModeKeyMatch,  // from here on NaN if the gold has no mode
    kModeOneKey,
    kModeCoverage,
    kModeOptionalCoverage,
    kModeSpecMatches,
    kCarScore,
  };
  // The text metrics after those of every revision.
  enum TermList : std::size_t { kRequired, kMatched, kOptional, kMatchedOptional, kTermLists };

  // A key whose whole subtree is judged by a rule.
  struct SetKey {
    const KeyRule* rule;
    FlatKey key;
    PythonValue gold;
    PythonValue model;  // also absent if null
    std::uint32_t gold_leaves = 0;
    std::uint32_t model_leaves = 0;
    std::uint32_t exact_leaves = 0;
  };

  void BeginBatch(std::uint32_t records) override;
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  void ReadSides(std::uint32_t record);
  void Flatten(std::uint32_t record);

  // For gold whose only key is `response`, `clarification` or `abstain` (mode_2026_09.cc).
  std::optional<std::string> ModeOfGold() const;
  void MatchMode(const std::string& mode, StringPairs& pairs);

  // For other gold (keys_2026_09.cc).
  void MatchKeys(StringPairs& pairs);
  void FindRules();
  SetKey* SetOf(FlatKey key);
  std::optional<StatedRange> RangeOf(FlatKey key, std::string_view text);
  void MatchLeaf(const FlatLeaf& gold, const FlatLeaf& model, StringPairs& pairs);
  bool MatchSet(const SetKey& set, std::uint64_t& comparisons_left);
  void FailSets(const SetKey& set);
  void Divide(std::uint32_t exact_leaves, bool has_extra_keys);

  double& figure(Figure figure) { return metric(figure, record_); }

  const EvaluationRules* rules_;
  AnswerReader reader_;
  std::uint32_t record_ = 0;  // the current record
  AnswerSide gold_side_;
  AnswerSide model_side_;
  std::vector<SetKey> sets_;
  std::unordered_map<std::uint32_t, const KeyRule*> rule_of_key_;                    // indexed by FlatKey
  std::map<std::uint32_t, std::array<std::vector<std::string>, kTermLists>> terms_;  // indexed by record
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_BATCH_2026_09_H_
