// UiPath's contains: 1 if the searched text occurs in the actual text. The target key applies only to the
// actual side; the searched text is used as it is.
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/scorers/line_pairs.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/selecting_batch.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kContainsOptions[] = {
    kTargetOutputKeyOption.WithHelp(
        "part of the actual value to search: a.b, items[0].name, or a list of such paths; \"*\" is the whole "
        "value"),
    kDefaultExpectedOption,
    {"search_text", "text", "the expected value", "text to look for in the actual text"},
    kTextOfOption,
    {"case_sensitive", "bool", "false", "whether upper and lower case differ"},
    {"negated", "bool", "false", "score 1 when the text does not occur"},
    kLineByLineOption,
    kLineDelimiterOption,
};

constexpr std::span<const std::string_view> kContainsRevisions = std::span(kUiPathRevisions).first<2>();

struct ContainsSettings {
  PairSelectorOptions selection;
  TextForm text_form;
  std::optional<std::string> search_text;  // already lower-cased unless case_sensitive
  bool case_sensitive;
  bool negated;
  LineOptions lines;
};

class ContainsBatch final : public TextBatch {
 public:
  ContainsBatch(const ContainsSettings* settings, WorkerTools tools)
      : TextBatch(&settings->selection, tools, &settings->lines,
                  /*expected_optional=*/settings->search_text.has_value()),
        settings_(settings) {
    keeps_texts_ = keeps_texts_ && rules() == SelectionRules::kUiPath;
  }

  // Text around the match does not matter.
  AnswerCauses possible_causes() const override {
    return SelectingBatch::possible_causes() - kCausesOfReading;
  }

  static bool NeedsExpected(const ContainsSettings& settings) { return !settings.search_text; }

 private:
  void MatchRecord(std::uint32_t record, StringPairs& /*pairs*/) override {
    actual_text_.clear();
    if (by_line()) return MatchLines(record);
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
    if (keeps_texts_) judged_.Add(record, 0, searched, actual_text_, columns_.score[record]);
  }

  // Searches each line for the whole searched text. If the searched text has more lines than the actual text,
  // the missing actual lines are empty.
  void MatchLines(std::uint32_t record) {
    if (settings_->search_text) {
      expected_text_ = *settings_->search_text;
    } else {
      expected_text_.clear();
      selector_.AppendTextOf(selector_.parts()[0].expected, settings_->text_form, expected_text_);
    }
    selector_.AppendLineText(/*expected_side=*/false, settings_->text_form, actual_text_);
    SplitLines(record, expected_text_, actual_text_);
    if (!settings_->case_sensitive) ToLowerCase(expected_text_);
    ScoreLines(record, [&](std::string_view /*expected*/, std::string_view actual) {
      actual_text_ = actual;
      if (!settings_->case_sensitive) ToLowerCase(actual_text_);
      return ContainsText(actual_text_, expected_text_) != settings_->negated;
    });
    if (lines_.size() == 0 || expected_text_.empty()) CompareNothing(record);
  }

  const ContainsSettings* settings_;
  std::string actual_text_;
  std::string expected_text_;
};

std::unique_ptr<Scorer> MakeContains(const OptionReader& options) {
  const bool is_2026_08 = options.GetChoice(kRevisionOption.name, 0, kContainsRevisions) == 1;
  ContainsSettings settings{PairSelectorOptions(options, SelectedSides::kActual,
                                                is_2026_08 ? SelectionRules::kUiPath : SelectionRules::kOurs),
                            ReadTextForm(options),
                            std::nullopt,
                            options.GetBool("case_sensitive", false),
                            options.GetBool("negated", false),
                            {}};
  if (is_2026_08) settings.text_form = TextForm::kPython;
  settings.lines = ReadLineOptions(options, settings.selection);
  if (options.GetAny("search_text")) {
    settings.search_text = options.GetText("search_text", "");
    if (!settings.case_sensitive && !settings.lines.by_line) ToLowerCase(*settings.search_text);
  }
  return std::make_unique<ConfiguredScorer<ContainsBatch, ContainsSettings>>(std::move(settings));
}

}  // namespace

constinit const ScorerType kContainsScorer = {"contains",
                                              "1 when the expected text occurs in the actual text",
                                              kContainsOptions,
                                              MakeContains,
                                              {"For free text that has to mention something. The score is 1 "
                                               "if the expected text occurs in the answer, else 0.",
                                               "contains", R"("Oslo")", R"("The capital is oslo.")", "", 1},
                                              kContainsRevisions};

}  // namespace leafscore::internal
