// UiPath's contains: 1 when the searched text occurs in the actual text. The target key selects from the
// actual side only: what is searched for is used as it is.
#include <optional>
#include <string>

#include "engine/base/bytes.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/selecting_batch.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kOptions[] = {
    {kTargetOutputKeyOption.name, kTargetOutputKeyOption.type, kTargetOutputKeyOption.default_text,
     "part of the actual side to search: a.b, items[0].name, or a list of such paths; \"*\" is the whole "
     "value"},
    kDefaultExpectedOption,
    {"search_text", "text", "the expected value", "text to look for in the actual text"},
    kTextOfOption,
    {"case_sensitive", "bool", "false", "whether upper and lower case letters differ"},
    {"negated", "bool", "false", "score 1 when the text does not occur"},
};

struct Settings {
  PairSelectorOptions selection;
  TextForm text_form;
  std::optional<std::string> search_text;  // lower-cased already unless case_sensitive
  bool case_sensitive;
  bool negated;
};

class ContainsBatch final : public SelectingBatch {
 public:
  ContainsBatch(const Settings* settings, WorkerTools tools)
      : SelectingBatch(&settings->selection, tools, {},
                       /*expected_optional=*/settings->search_text.has_value()),
        settings_(settings) {}

  static bool NeedsExpected(const Settings& settings) { return !settings.search_text; }

 private:
  void MatchRecord(std::uint32_t record, StringPairs& /*pairs*/) override {
    actual_text_.clear();
    selector_.AppendText(/*expected_side=*/false, settings_->text_form, actual_text_);
    if (!settings_->case_sensitive) ToLowerCase(actual_text_);
    if (!settings_->search_text) {
      expected_text_.clear();
      selector_.AppendTextOf(selector_.parts()[0].expected, settings_->text_form, expected_text_);
      if (!settings_->case_sensitive) ToLowerCase(expected_text_);
    }
    const std::string& searched = settings_->search_text ? *settings_->search_text : expected_text_;
    if (searched.empty()) CompareNothing(record);
    columns_.passed[record] = ContainsText(actual_text_, searched) != settings_->negated;
    columns_.score[record] = columns_.passed[record];
  }

  const Settings* settings_;
  std::string actual_text_;
  std::string expected_text_;
};

std::unique_ptr<Scorer> Make(const OptionReader& options) {
  Settings settings{PairSelectorOptions(options, SelectedSides::kActual), ReadTextForm(options), std::nullopt,
                    options.GetBool("case_sensitive", false), options.GetBool("negated", false)};
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
