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

#include "engine/scorers/static_json/answer_side.h"
#include "engine/scorers/static_json/flat_answer.h"
#include "engine/scorers/static_json/key_batch.h"
#include "engine/scorers/static_json/key_rules.h"
#include "engine/scorers/static_json/python_values.h"
#include "engine/scorers/static_json/stated_range.h"
#include "engine/text/answer_reader.h"

namespace leafscore::internal {

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
  // In the order of kMetrics202609.
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
    kModeKeyMatch,  // NaN from here on if the gold has no mode
    kModeOneKey,
    kModeCoverage,
    kModeOptionalCoverage,
    kModeSpecMatches,
    kCarScore,
  };
  // The text metrics of this revision. They come after the text metrics that all revisions have.
  enum TermList : std::size_t { kRequired, kMatched, kOptional, kMatchedOptional, kTermLists };

  // A key whose whole subtree is judged by a rule.
  struct SetKey {
    const KeyRule* rule;
    FlatKey key;
    PythonValue gold;
    PythonValue model;  // absent for null, too
    std::uint32_t gold_leaves = 0;
    std::uint32_t model_leaves = 0;
    std::uint32_t exact_leaves = 0;
  };

  void BeginBatch(std::uint32_t records) override;
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  void ReadSides(std::uint32_t record);
  void Flatten(std::uint32_t record);

  // Used if the only key of the gold is `response`, `clarification` or `abstain` (mode_2026_09.cc).
  std::optional<std::string> ModeOfGold() const;
  void MatchMode(const std::string& mode, StringPairs& pairs);

  // Used for any other gold (keys_2026_09.cc).
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
