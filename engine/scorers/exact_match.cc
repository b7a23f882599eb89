// UiPath's exact-match. Numbers are compared as in DeepEqual. Objects are equal whatever the order of their
// keys. If either side is a string, both sides are compared as texts. In revision 2026-08, texts and numbers
// follow Python; in 2025-06, only strings are compared as texts.
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine/languages/python_equal.h"
#include "engine/match/deep_equal.h"
#include "engine/match/pair_walker.h"
#include "engine/scorers/accepted_values.h"
#include "engine/scorers/class_labels.h"
#include "engine/scorers/line_pairs.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/selecting_batch.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kExactMatchOptions[] = {
    kTargetOutputKeyOption,
    kDefaultExpectedOption,
    kUnwrapOption,
    kTextOfOption,
    {"case_sensitive", "bool", "false", "whether upper and lower case differ in texts"},
    {"negated", "bool", "false", "score 1 when the two sides differ"},
    kAnyOfKeyOption,
    kLineByLineOption,
    kLineDelimiterOption,
    kClassesOption,
    kAggregatorsOption,
};

struct ExactMatchSettings {
  PairSelectorOptions selection;
  TextForm text_form;
  bool case_sensitive;
  bool negated;
  std::string any_of_key;
  LineOptions lines;
  ClassOptions classes;
};

class ExactMatchBatch final : public ClassBatch {
 public:
  ExactMatchBatch(const ExactMatchSettings* settings, WorkerTools tools)
      : ClassBatch(&settings->classes, &settings->selection, tools, &settings->lines),
        settings_(settings),
        walker_(tools.shapes) {
    keeps_texts_ = keeps_texts_ && rules() == SelectionRules::kUiPath;
  }

 private:
  void MatchRecord(std::uint32_t record, StringPairs& /*pairs*/) override {
    if (by_line()) return MatchLines(record);
    const bool equal = AnyIsEqual();
    columns_.passed[record] = equal != settings_->negated;
    columns_.score[record] = columns_.passed[record];
    if (!keeps_texts_ && !has_classes()) return;
    ReadTexts();
    if (keeps_texts_) judged_.Add(record, 0, expected_text_, actual_text_, columns_.score[record]);
    if (has_classes()) SetClasses(record, expected_text_, actual_text_);
  }

  void MatchLines(std::uint32_t record) {
    expected_text_.clear();
    actual_text_.clear();
    selector_.AppendLineText(/*expected_side=*/true, settings_->text_form, expected_text_);
    selector_.AppendLineText(/*expected_side=*/false, settings_->text_form, actual_text_);
    SplitLines(record, expected_text_, actual_text_);
    ScoreLines(record, [&](std::string_view expected, std::string_view actual) {
      expected_text_ = expected;
      actual_text_ = actual;
      return ReadTextsEqual() != settings_->negated;
    });
    if (lines_.size() == 0) CompareNothing(record);
  }

  // Tells whether one of the accepted values equals the actual value. Sets the part's expected value to the
  // equal one or, if they all differ, to the first accepted value.
  bool AnyIsEqual() {
    const ValueRef expected = selector_.parts()[0].expected;
    const bool has_set =
        !selector_.builds_object() &&
        AcceptedValues(*expected.table, *shapes_, expected.node, settings_->any_of_key) != kNoNode;
    if (!has_set) return PartsEqual();
    std::vector<ValueRef> values;
    ListAccepted(expected, *shapes_, settings_->any_of_key, values);
    for (const ValueRef value : values) {
      selector_.SetExpected(0, value);
      if (PartsEqual()) return true;
    }
    if (!values.empty()) selector_.SetExpected(0, values[0]);
    return false;
  }

  bool PartsEqual() {
    const auto parts = selector_.parts();
    const bool has_texts = !selector_.builds_object() &&
                           (IsString(parts[0].expected.kind()) || IsString(parts[0].actual.kind()));
    if (has_texts && rules() != SelectionRules::kUiPathOlderEquality) {
      ReadTexts();
      return ReadTextsEqual();
    }
    for (const SelectedPart& part : parts) {
      if (!ValuesEqual(part.expected, part.actual)) return false;
    }
    return true;
  }

  bool ValuesEqual(ValueRef expected, ValueRef actual) {
    if (!settings_->any_of_key.empty()) {
      return EqualToAccepted(expected, actual, *shapes_, settings_->any_of_key, walker_);
    }
    if (rules() != SelectionRules::kUiPath) return DeepEqual(expected, actual, walker_);
    return PythonEqual({*expected.table, *shapes_, expected.node}, {*actual.table, *shapes_, actual.node});
  }

  void ReadTexts() {
    expected_text_.clear();
    actual_text_.clear();
    selector_.AppendText(/*expected_side=*/true, settings_->text_form, expected_text_);
    selector_.AppendText(/*expected_side=*/false, settings_->text_form, actual_text_);
  }

  bool ReadTextsEqual() {
    if (!settings_->case_sensitive) {
      ToLowerCase(expected_text_);
      ToLowerCase(actual_text_);
    }
    return expected_text_ == actual_text_;
  }

  const ExactMatchSettings* settings_;
  PairWalker walker_;
  std::string expected_text_;
  std::string actual_text_;
};

std::unique_ptr<Scorer> MakeExactMatch(const OptionReader& options) {
  constexpr SelectionRules kRules[] = {SelectionRules::kOurs, SelectionRules::kUiPath,
                                       SelectionRules::kUiPathOlderEquality};
  const SelectionRules rules = kRules[options.GetChoice(kRevisionOption.name, 0, kUiPathRevisions)];
  ExactMatchSettings settings{PairSelectorOptions(options, SelectedSides::kBoth, rules),
                              ReadTextForm(options),
                              options.GetBool("case_sensitive", false),
                              options.GetBool("negated", false),
                              ReadAnyOfKey(options, rules == SelectionRules::kOurs),
                              {},
                              {}};
  settings.selection.AcceptAnyOf(settings.any_of_key);
  settings.selection.ReadUnwraps(options, rules == SelectionRules::kOurs);
  if (rules != SelectionRules::kOurs) settings.text_form = TextForm::kPython;
  if (rules == SelectionRules::kUiPathOlderEquality) settings.case_sensitive = true;
  settings.lines = ReadLineOptions(options, settings.selection);
  if (settings.lines.by_line && !settings.any_of_key.empty()) throw NoLinesWithAccepted(options);
  settings.classes = ReadClassOptions(options);
  if (settings.classes.wanted() && (settings.lines.by_line || settings.case_sensitive || settings.negated)) {
    throw options.MakeError(
        kAggregatorsOption.name,
        "they ignore case, and cannot be combined with line_by_line, case_sensitive or negated");
  }
  return std::make_unique<ConfiguredScorer<ExactMatchBatch, ExactMatchSettings>>(std::move(settings));
}

}  // namespace

constinit const ScorerType kExactMatchScorer = {
    "exact_match",
    "1 when both sides are equal",
    kExactMatchOptions,
    MakeExactMatch,
    {"For answers that are either right or wrong. The score is 1 if both values are equal, else 0; letter "
     "case counts only with case_sensitive.",
     "exact_match:case_sensitive=true", R"("Oslo")", R"("oslo")", "", 0},
    kUiPathRevisions};

}  // namespace leafscore::internal
