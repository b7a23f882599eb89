// UiPath's binary and multiclass classification, by the rules of its evaluators of version 1.0. The
// lower-cased text of the actual value is the given class. A record scores 1 for the right class, but the
// result of the scorer is a figure over all records.
#include <memory>
#include <string>
#include <utility>

#include "engine/scorers/class_labels.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/selecting_batch.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kClassificationOptions[] = {
    kTargetOutputKeyOption.WithHelp(
        "part of the actual value that holds the class: a.b, items[0].name; \"*\" is the whole value"),
    kDefaultExpectedOption,
    {"positive_class", "text", "none", "the positive class of two; or give classes"},
    kClassesOption.WithHelp("the classes, ignoring case; a record with any other is an error"),
    {"metric", "name", "fscore", "figure over all records: precision, recall or fscore"},
    {"averaging", "macro or micro", "macro", "with classes: mean over the classes, or over all records"},
    {"f_value", "number", "1", "fscore: how much more recall counts than precision"},
};

struct ClassificationSettings {
  PairSelectorOptions selection;
  ClassOptions classes;
  bool is_binary;
};

class ClassificationBatch final : public ClassBatch {
 public:
  ClassificationBatch(const ClassificationSettings* settings, WorkerTools tools)
      : ClassBatch(&settings->classes, &settings->selection, tools, /*lines=*/nullptr), settings_(settings) {}

 private:
  void MatchRecord(std::uint32_t record, StringPairs& /*pairs*/) override {
    expected_.clear();
    actual_.clear();
    selector_.AppendTextOf(selector_.parts()[0].expected, TextForm::kPython, expected_);
    selector_.AppendText(/*expected_side=*/false, TextForm::kPython, actual_);
    ToLowerCase(expected_);
    ToLowerCase(actual_);
    const std::uint8_t expected = settings_->classes.PlaceOf(expected_);
    const std::uint8_t actual = settings_->classes.PlaceOf(actual_);
    if (!settings_->is_binary && expected == kOtherClass) {
      return SetRecordError(record, RejectReason::kBadCriteria,
                            "the expected class is not one of the classes", columns_);
    }
    if (!settings_->is_binary && actual == kOtherClass) {
      return SetUnscored(record, Outcome::kUnreadable, RejectReason::kUnknownClass,
                         "the actual class is not one of the classes", columns_);
    }
    SetClassIndexes(record, expected, actual);
    columns_.passed[record] = expected_ == actual_;
    columns_.score[record] = columns_.passed[record];
    if (keeps_texts_) judged_.Add(record, 0, expected_, actual_, columns_.score[record]);
  }

  const ClassificationSettings* settings_;
  std::string expected_;
  std::string actual_;
};

std::unique_ptr<Scorer> MakeClassification(const OptionReader& options) {
  constexpr std::string_view kMetrics[] = {"fscore", "precision", "recall"};
  constexpr std::string_view kAveraging[] = {"macro", "micro"};
  const bool is_binary = options.Has("positive_class");
  if (is_binary == options.Has(kClassesOption.name)) {
    throw options.MakeError(
        kClassesOption.name,
        "name the classes, as in classes: [spam, ham], or, if there are two, the positive_class");
  }
  ClassReport report;
  report.is_average = true;
  report.classes = is_binary ? std::vector{options.GetText("positive_class", "")}
                             : options.GetTextList(kClassesOption.name);
  if (is_binary && report.classes[0].empty()) throw options.MakeError("positive_class", "it is empty");
  ClassAggregator& aggregator = report.aggregators.emplace_back();
  aggregator.type = kMetrics[options.GetChoice("metric", 0, kMetrics)];
  aggregator.micro = options.GetChoice("averaging", 0, kAveraging) == 1;
  aggregator.f_value = options.GetNumber("f_value", 1, -1e150, 1e150);
  ClassificationSettings settings{
      PairSelectorOptions(options, SelectedSides::kActual, SelectionRules::kUiPath),
      MakeClassOptions(options, std::move(report), /*may_repeat=*/true), is_binary};
  return std::make_unique<ConfiguredScorer<ClassificationBatch, ClassificationSettings>>(std::move(settings));
}

}  // namespace

constinit const ScorerType kClassificationScorer = {
    "classification",
    "1 for the right class; precision, recall or F over all",
    kClassificationOptions,
    MakeClassification,
    {"For answers that are labels. A record scores 1 for the right class, and the summary has precision, "
     "recall and F over all records.",
     "classification:classes=[spam, ham]", R"("spam")", R"("Spam")", "", 1}};

}  // namespace leafscore::internal
