// UiPath's contains: 1 when the searched text occurs in the actual text.
#include <cstring>
#include <optional>
#include <string>

#include "engine/scorers/pair_selector.h"
#include "engine/scorers/registry.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kOptions[] = {
    kTargetOutputKeyOption,
    kDefaultExpectedOption,
    {"search_text", "text", "the expected value", "text to look for in the actual text"},
    {"case_sensitive", "bool", "false", "whether upper and lower case letters differ"},
    {"negated", "bool", "false", "score 1 when the text does not occur"},
};

struct Settings {
  PairSelectorOptions selection;
  std::optional<std::string> search_text;  // lower-cased already unless case_sensitive
  bool case_sensitive;
  bool negated;
};

class ContainsBatch final : public ScorerBatch {
 public:
  ContainsBatch(const Settings* settings, WorkerTools tools)
      : settings_(settings), selector_(&settings->selection, tools) {}

  void Match(const PairBatch& batch, StringPairs& /*pairs*/) override {
    ResetColumns(batch, columns_);
    selector_.Begin(batch);
    const bool searches_expected = !settings_->search_text;
    for (std::uint32_t r = 0; r < batch.size(); ++r) {
      if (!batch.readable(r) || !selector_.Select(r, !searches_expected, columns_)) continue;
      actual_text_.clear();
      selector_.AppendText(/*expected_side=*/false, actual_text_);
      if (!settings_->case_sensitive) ToLowerCase(actual_text_);
      if (searches_expected) {
        searched_.clear();
        selector_.AppendText(/*expected_side=*/true, searched_);
        if (!settings_->case_sensitive) ToLowerCase(searched_);
      }
      const std::string& searched = searches_expected ? searched_ : *settings_->search_text;
      // memmem works in linear time, unlike std::string::find.
      const bool found =
          memmem(actual_text_.data(), actual_text_.size(), searched.data(), searched.size()) != nullptr;
      const bool score = found != settings_->negated;
      columns_.score[r] = score ? 1.0 : 0.0;
      columns_.passed[r] = score;
    }
  }
  void Reduce(const StringPairs& /*pairs*/) override {}

 private:
  const Settings* settings_;
  PairSelector selector_;
  std::string actual_text_;
  std::string searched_;
};

std::unique_ptr<Scorer> Make(const OptionReader& options) {
  Settings settings{PairSelectorOptions(options), std::nullopt, options.GetBool("case_sensitive", false),
                    options.GetBool("negated", false)};
  if (options.GetAny("search_text")) {
    settings.search_text = options.GetText("search_text", "");
    if (!settings.case_sensitive) ToLowerCase(*settings.search_text);
  }
  return std::make_unique<ConfiguredScorer<ContainsBatch, Settings>>(std::move(settings));
}

}  // namespace

constinit const ScorerType kContainsScorer = {
    "contains", "1 when the expected text occurs in the actual text", kOptions, Make};

}  // namespace leafscore::internal
