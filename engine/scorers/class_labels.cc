#include "engine/scorers/class_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/languages/python_text.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kAggregatorOptions[] = {
    {"type", "name", "none", "precision, recall, fscore or confusion_matrix"},
    {"averaging", "macro or micro", "none", "mean over the classes, or over all records"},
    {"f_value", "number", "1", "fscore: how much more recall counts than precision"},
};

ClassAggregator ReadAggregator(const OptionReader& options) {
  constexpr std::string_view kTypes[] = {"precision", "recall", "fscore", "confusion_matrix"};
  constexpr std::string_view kAveraging[] = {"macro", "micro"};
  if (!options.Has("type")) throw options.MakeError("type", "an aggregator has no type");
  ClassAggregator aggregator;
  aggregator.type = kTypes[options.GetChoice("type", 0, kTypes)];
  if (aggregator.type == "confusion_matrix") return aggregator;
  if (!options.Has("averaging")) throw options.MakeError("averaging", "it is missing; say macro or micro");
  aggregator.micro = options.GetChoice("averaging", 0, kAveraging) == 1;
  aggregator.f_value = options.GetNumber("f_value", 1, 1e-9, 1000);
  return aggregator;
}

}  // namespace

std::uint8_t ClassOptions::PlaceOf(std::string_view lower_case) const {
  const auto found = places.find(lower_case);
  return found == places.end() ? kOtherClass : found->second;
}

ClassOptions MakeClassOptions(const OptionReader& options, ClassReport report, bool may_repeat) {
  if (report.classes.size() > kMaxClasses) {
    throw options.MakeError(kClassesOption.name, fmt::format("more than {} classes", kMaxClasses));
  }
  ClassOptions made;
  for (const std::string& label : report.classes) {
    std::string lower = label;
    ToLowerCase(lower);
    const auto place = static_cast<std::uint8_t>(&label - report.classes.data());
    if (!made.places.emplace(lower, place).second && !may_repeat) {
      throw options.MakeError(kClassesOption.name,
                              fmt::format("{} is listed twice, ignoring case", QuoteForMessage(label)));
    }
  }
  made.report = std::move(report);
  return made;
}

ClassOptions ReadClassOptions(const OptionReader& options) {
  // Options are read only if they are given, so that the manifests of other runs do not change.
  const std::vector<std::string> classes = options.Has(kClassesOption.name)
                                               ? options.GetTextList(kClassesOption.name)
                                               : std::vector<std::string>();
  if (!options.Has(kAggregatorsOption.name)) return {};
  const ConfigValue list = options.GetAny(kAggregatorsOption.name).value_or(ConfigValue());
  ClassReport report{classes, {}, /*is_average=*/false};
  for (const ConfigValue& item : list.items) {
    const std::string name = fmt::format("aggregator {}", report.aggregators.size() + 1);
    report.aggregators.push_back(ReadAggregator(options.Nested(item, kAggregatorOptions, name)));
  }
  if (report.aggregators.empty()) return {};
  if (classes.empty()) throw options.MakeError(kAggregatorsOption.name, "they need classes");
  for (const std::string& label : classes) {
    if (label.empty() || StripSpace(label).size() != label.size()) {
      throw options.MakeError(kClassesOption.name, fmt::format("{} is blank or has white space around it",
                                                               QuoteForMessage(label)));
    }
  }
  return MakeClassOptions(options, std::move(report), /*may_repeat=*/false);
}

void ClassBatch::BeginBatch(std::uint32_t records) {
  TextBatch::BeginBatch(records);
  if (has_classes()) classes_.assign(2 * std::size_t{records}, kNoClass);
}

void ClassBatch::SetClasses(std::uint32_t record, std::string expected, std::string actual) {
  ToLowerCase(expected);
  ToLowerCase(actual);
  SetClassIndexes(record, class_options_->PlaceOf(expected), class_options_->PlaceOf(actual));
}

// Appends the expected and the actual class of a record, each as a byte in place of an outcome
// (ScorerBatch::class_report).
void ClassBatch::AppendFieldOutcomes(std::uint32_t record, std::vector<FieldOutcome>& outcomes) const {
  if (!has_classes()) return;
  for (const std::size_t side : {0, 1}) {
    outcomes.push_back(static_cast<FieldOutcome>(classes_[2 * std::size_t{record} + side]));
  }
}

std::vector<std::string> ClassBatch::field_names() const {
  if (!has_classes()) return {};
  return {"expected class", "actual class"};
}

}  // namespace leafscore::internal
