// UiPath's exact-match. Numbers compare as doubles, objects without regard to the order of their keys; when
// either side is a string, both are compared as texts.
#include <string>

#include "engine/match/deep_equal.h"
#include "engine/match/pair_walker.h"
#include "engine/scorers/pair_selector.h"
#include "engine/scorers/registry.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kOptions[] = {
    kTargetOutputKeyOption,
    kDefaultExpectedOption,
    {"case_sensitive", "bool", "false", "whether upper and lower case letters of texts differ"},
    {"negated", "bool", "false", "score 1 for what does not match"},
};

struct Settings {
  PairSelectorOptions selection;
  bool case_sensitive;
  bool negated;
};

class ExactMatchBatch final : public ScorerBatch {
 public:
  ExactMatchBatch(const Settings* settings, WorkerTools tools)
      : settings_(settings), selector_(&settings->selection, tools), walker_(tools.shapes) {}

  void Match(const PairBatch& batch, StringPairs& /*pairs*/) override {
    ResetColumns(batch, columns_);
    selector_.Begin(batch);
    for (std::uint32_t r = 0; r < batch.size(); ++r) {
      if (!batch.readable(r) || !selector_.Select(r, /*expected_optional=*/false, columns_)) continue;
      const bool score = PartsEqual() != settings_->negated;
      columns_.score[r] = score ? 1.0 : 0.0;
      columns_.passed[r] = score;
    }
  }
  void Reduce(const StringPairs& /*pairs*/) override {}

 private:
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
    selector_.AppendText(/*expected_side=*/true, expected_text_);
    selector_.AppendText(/*expected_side=*/false, actual_text_);
    if (!settings_->case_sensitive) {
      ToLowerCase(expected_text_);
      ToLowerCase(actual_text_);
    }
    return expected_text_ == actual_text_;
  }

  const Settings* settings_;
  PairSelector selector_;
  PairWalker walker_;
  std::string expected_text_;
  std::string actual_text_;
};

std::unique_ptr<Scorer> Make(const OptionReader& options) {
  return std::make_unique<ConfiguredScorer<ExactMatchBatch, Settings>>(
      Settings{PairSelectorOptions(options), options.GetBool("case_sensitive", false),
               options.GetBool("negated", false)});
}

}  // namespace

constinit const ScorerType kExactMatchScorer = {"exact_match", "1 when both sides are equal", kOptions, Make};

}  // namespace leafscore::internal
