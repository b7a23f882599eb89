// UiPath's exact-match. Numbers compare as DeepEqual has it, objects without regard to the order of their
// keys; when either side is a string, both are compared as texts.
#include <string>

#include "engine/match/deep_equal.h"
#include "engine/match/pair_walker.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/selecting_batch.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kOptions[] = {
    kTargetOutputKeyOption,
    kDefaultExpectedOption,
    kTextOfOption,
    {"case_sensitive", "bool", "false", "whether upper and lower case letters of texts differ"},
    {"negated", "bool", "false", "score 1 for what does not match"},
};

struct Settings {
  PairSelectorOptions selection;
  TextForm text_form;
  bool case_sensitive;
  bool negated;
};

class ExactMatchBatch final : public SelectingBatch {
 public:
  ExactMatchBatch(const Settings* settings, WorkerTools tools)
      : SelectingBatch(&settings->selection, tools), settings_(settings), walker_(tools.shapes) {}

 private:
  void MatchRecord(std::uint32_t record, StringPairs& /*pairs*/) override {
    columns_.passed[record] = PartsEqual() != settings_->negated;
    columns_.score[record] = columns_.passed[record];
  }

  bool PartsEqual() {
    const auto parts = selector_.parts();
    if (!selector_.builds_object() &&
        (IsString(parts[0].expected.kind()) || IsString(parts[0].actual.kind()))) {
      return TextsEqual();
    }
    for (const SelectedPart& part : parts) {
      if (!DeepEqual(part.expected, part.actual, walker_)) return false;
    }
    return true;
  }

  bool TextsEqual() {
    expected_text_.clear();
    actual_text_.clear();
    selector_.AppendText(/*expected_side=*/true, settings_->text_form, expected_text_);
    selector_.AppendText(/*expected_side=*/false, settings_->text_form, actual_text_);
    if (!settings_->case_sensitive) {
      ToLowerCase(expected_text_);
      ToLowerCase(actual_text_);
    }
    return expected_text_ == actual_text_;
  }

  const Settings* settings_;
  PairWalker walker_;
  std::string expected_text_;
  std::string actual_text_;
};

std::unique_ptr<Scorer> Make(const OptionReader& options) {
  return std::make_unique<ConfiguredScorer<ExactMatchBatch, Settings>>(
      Settings{PairSelectorOptions(options), ReadTextForm(options), options.GetBool("case_sensitive", false),
               options.GetBool("negated", false)});
}

}  // namespace

constinit const ScorerType kExactMatchScorer = {"exact_match", "1 when both sides are equal", kOptions, Make};

}  // namespace leafscore::internal
