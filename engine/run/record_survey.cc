#include "engine/run/record_survey.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "engine/json/json_scalar.h"
#include "engine/json/json_view.h"
#include "engine/match/target_path.h"
#include "engine/run/file_options.h"
#include "engine/run/record_scan.h"
#include "engine/run/source_field.h"

namespace leafscore::internal {
namespace {

constexpr std::uint64_t kMostSurveyed = 1000;
constexpr std::size_t kMostFields = 200;
constexpr std::size_t kMostLabelBytes = 60;
constexpr std::size_t kMostLabels = 20;
constexpr std::size_t kMostGroups = 3;

// Frequent names of fields, the clearest first. Case does not matter in the names that records have, and a
// blank or a hyphen counts as an underscore.
constexpr std::string_view kIdNames[] = {"id",      "_id",         "uid",       "uuid",      "key",
                                         "case_id", "example_id",  "sample_id", "record_id", "item_id",
                                         "qid",     "question_id", "task_id",   "prompt_id", "doc_id",
                                         "index",   "case",        "custom_id"};
constexpr std::string_view kExpectedNames[] = {"expected",
                                               "expected_output",
                                               "expected_value",
                                               "expected_answer",
                                               "gold",
                                               "gold_answer",
                                               "golden",
                                               "reference",
                                               "reference_output",
                                               "reference_answer",
                                               "ground_truth",
                                               "groundtruth",
                                               "truth",
                                               "target",
                                               "correct_answer",
                                               "correct",
                                               "ideal",
                                               "answer_key",
                                               "label",
                                               "solution",
                                               "gt"};
constexpr std::string_view kActualNames[] = {
    "actual",    "actual_output",  "actual_value", "prediction",   "predicted",  "pred",
    "output",    "response",       "model_output", "model_answer", "completion", "generation",
    "generated", "generated_text", "candidate",    "reply",        "result",     "hypothesis"};
constexpr std::string_view kWideNames[] = {"answers", "outputs",     "responses",   "predictions",
                                           "actuals", "completions", "generations", "models",
                                           "results", "candidates"};
constexpr std::string_view kWideSuffix = "_answer";
constexpr std::string_view kWidePrefixes[] = {"answer_",     "actual_",     "output_", "response_",
                                              "prediction_", "completion_", "pred_",   "result_"};
// This name may stand for either side.
constexpr std::string_view kAnswer = "answer";

// Returns the name as the lists above write it.
std::string PlainName(std::string_view name) {
  std::string plain(name);
  for (char& c : plain) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == ' ' || c == '-') c = '_';
  }
  return plain;
}

bool HoldsToolCalls(std::string_view json) {
  const auto has = [&](std::string_view part) { return json.find(part) != json.npos; };
  return has("\"tool_calls\"") || (has("\"name\"") && (has("\"arguments\"") || has("\"args\"")));
}

bool LooksStructured(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) return false;
  const char last = text[text.find_last_not_of(" \t\r\n")];
  return (text[begin] == '{' && last == '}') || (text[begin] == '[' && last == ']');
}

void AddText(const std::string& text, SurveyedField& field) {
  field.longest = std::max(field.longest, text.size());
  if (field.different.size() == SurveyedField::kMostDifferent) return;
  field.is_unique &=
      field.different.insert(text.substr(0, kMostLabelBytes + 1)).second || text.size() > kMostLabelBytes;
}

void AddValue(JsonView value, SurveyedField& field) {
  const std::optional<std::string> text = value.Text();
  if (!text) return;
  ++field.values;
  value.ForEachMember([&](std::string_view key, JsonView) {
    const bool is_new = std::ranges::find(field.members, key) == field.members.end();
    if (is_new && field.members.size() < SurveyedField::kMostMembers) field.members.emplace_back(key);
  });
  if (LooksStructured(*text)) {
    ++(HoldsToolCalls(*text) ? field.tool_calls : field.structures);
    return;
  }
  field.booleans += value.Is(ValueKind::kTrue) || value.Is(ValueKind::kFalse);
  field.numbers += ClassifyNumber(*text) != TokenClass::kInvalid;
  AddText(*text, field);
}

// Looks up names in this order, and returns the first field that has such a name and no role yet. Empty if
// there is no such field.
std::string NamedField(const RecordSurvey& survey, std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    for (const SurveyedField& field : survey.fields) {
      const bool is_taken =
          field.name == survey.id || field.name == survey.expected || field.name == survey.actual;
      if (!is_taken && PlainName(field.name) == name) return field.name;
    }
  }
  return "";
}

// Returns a field that can be the id, although its name does not say so.
std::string UniqueField(const RecordSurvey& survey) {
  for (const SurveyedField& field : survey.fields) {
    const bool has_role = field.name == survey.expected || field.name == survey.actual ||
                          std::ranges::find(survey.wide, field.name) != survey.wide.end();
    const bool is_short = field.longest <= kMostLabelBytes && field.structures + field.tool_calls == 0;
    if (!has_role && is_short && field.is_unique && field.values == survey.records && survey.records > 1) {
      return field.name;
    }
  }
  return "";
}

// Finds an object in which each member is the answer of one model.
void FindWideMembers(RecordSurvey& survey) {
  for (const std::string_view name : kWideNames) {
    const std::string found = NamedField(survey, {&name, 1});
    if (found.empty() || survey.Find(found)->members.size() < 2) continue;
    survey.actual = found + ".*";
    survey.wide = {found};
    return;
  }
}

// Returns whether values of two kinds may be answers to the same questions. Labels, texts and nothing are
// alike: one model may give few different texts, and another many texts or no answers.
bool AreAlike(SurveyedKind kind, SurveyedKind other) {
  const auto is_text = [](SurveyedKind of) {
    return of == SurveyedKind::kLabels || of == SurveyedKind::kTexts || of == SurveyedKind::kNothing;
  };
  return kind == other || (is_text(kind) && is_text(other));
}

// Takes the fields whose names begin with `part` (with `at_end`: end with it), each as the answers of one
// model. RETURNS: false, and takes no fields, unless there are at least two, and all have values alike and no
// other role.
bool TakeWideFields(std::string_view part, bool at_end, RecordSurvey& survey) {
  std::vector<std::string> fields;
  for (const SurveyedField& field : survey.fields) {
    const std::string plain = PlainName(field.name);
    if (at_end ? plain.ends_with(part) : plain.starts_with(part)) fields.push_back(field.name);
  }
  if (fields.size() < 2) return false;
  const std::string& first = fields[0];
  const std::string written =
      at_end ? first.substr(first.size() - part.size()) : first.substr(0, part.size());
  const SurveyedKind kind = survey.Find(first)->kind();
  const auto is_answer = [&](const std::string& name) {
    return (at_end ? name.ends_with(written) : name.starts_with(written)) && name != survey.id &&
           name != survey.expected && AreAlike(survey.Find(name)->kind(), kind);
  };
  if (!std::ranges::all_of(fields, is_answer)) return false;
  survey.actual = at_end ? "*" + written : written + "*";
  survey.wide = std::move(fields);
  return true;
}

// Finds fields that each have the answers of one model, with names that begin or end alike.
void FindWideFields(RecordSurvey& survey) {
  for (const std::string_view prefix : kWidePrefixes) {
    if (TakeWideFields(prefix, /*at_end=*/false, survey)) return;
  }
  TakeWideFields(kWideSuffix, /*at_end=*/true, survey);
}

void FindSides(RecordSurvey& survey) {
  survey.id = NamedField(survey, kIdNames);
  survey.expected = NamedField(survey, kExpectedNames);
  if (survey.service) {
    if (!survey.service->id.empty()) survey.id = survey.service->id;
    survey.actual = survey.service->text.empty() ? survey.service->calls : survey.service->text;
    return;
  }
  survey.actual = NamedField(survey, kActualNames);
  if (survey.actual.empty()) FindWideMembers(survey);
  if (survey.actual.empty()) FindWideFields(survey);
  const std::string answer = NamedField(survey, {&kAnswer, 1});
  if (survey.actual.empty()) {
    survey.actual = answer;
    survey.may_be_gold = true;
  } else if (survey.expected.empty()) {
    survey.expected = answer;
  }
  if (survey.id.empty()) survey.id = UniqueField(survey);
}

// Returns whether the values of a field divide the records into few groups.
bool IsGroup(const RecordSurvey& survey, const SurveyedField& field) {
  const std::string_view roles[] = {survey.id, survey.expected, survey.actual, survey.source};
  const bool has_role = std::ranges::find(roles, field.name) != std::end(roles) ||
                        std::ranges::find(survey.wide, field.name) != survey.wide.end();
  return !has_role && field.kind() == SurveyedKind::kLabels && field.values == survey.records &&
         field.different.size() > 1;
}

// Finds the group fields and, if ids repeat, the field that says who answered.
void FindGroupFields(FileOptions options, RecordSurvey& survey) {
  const SurveyedField* const id = survey.Find(survey.id);
  if (id != nullptr && !id->is_unique) {
    options.inputs = {survey.input};
    options.id_field = survey.id;
    options.expected_field = survey.expected;
    options.actual_field = survey.actual;
    survey.source = FindSourceField(options).value_or("");
  }
  for (const SurveyedField& field : survey.fields) {
    if (survey.groups.size() < kMostGroups && IsGroup(survey, field)) survey.groups.push_back(field.name);
  }
}

}  // namespace

std::string_view KindInWords(SurveyedKind kind) {
  switch (kind) {
    case SurveyedKind::kNothing:
      return "nothing";
    case SurveyedKind::kToolCalls:
      return "tool calls";
    case SurveyedKind::kStructure:
      return "objects and arrays";
    case SurveyedKind::kLabels:
      return "labels";
    case SurveyedKind::kNumbers:
      return "numbers or booleans";
    case SurveyedKind::kTexts:
      return "texts";
  }
  return "";
}

SurveyedKind SurveyedField::kind() const {
  if (values == 0) return SurveyedKind::kNothing;
  if (2 * tool_calls > values) return SurveyedKind::kToolCalls;
  if (2 * (tool_calls + structures) > values) return SurveyedKind::kStructure;
  if (2 * (numbers + booleans) > values) return SurveyedKind::kNumbers;
  const bool are_few = booleans == 0 && different.size() <= kMostLabels && 2 * different.size() <= values;
  return are_few && longest <= kMostLabelBytes ? SurveyedKind::kLabels : SurveyedKind::kTexts;
}

const SurveyedField* RecordSurvey::Find(std::string_view name) const {
  const auto found = std::ranges::find(fields, name, &SurveyedField::name);
  return found == fields.end() ? nullptr : &*found;
}

RecordSurvey SurveyRecords(const std::string& input, const FileOptions& options) {
  RecordSurvey survey{.input = input, .fields = {}};
  RecordScan scan({input}, ReaderOptionsOf(options), JsonOptionsOf(options), {});
  std::map<std::string, std::size_t, std::less<>> numbers;
  ServiceSurvey service;
  while (scan.Next()) {
    survey.is_whole = survey.records < kMostSurveyed;
    if (!survey.is_whole) break;
    ++survey.records;
    survey.unreadable += !scan.is_readable();
    if (!scan.is_readable()) continue;
    service.Add(scan.record());
    scan.record().ForEachMember([&](std::string_view name, JsonView value) {
      auto found = numbers.find(name);
      if (found == numbers.end()) {
        if (survey.fields.size() == kMostFields) return;
        found = numbers.emplace(std::string(name), survey.fields.size()).first;
        survey.fields.push_back({.name = std::string(name)});
      }
      AddValue(value, survey.fields[found->second]);
    });
  }
  survey.service = service.Result();
  FindSides(survey);
  FindGroupFields(options, survey);
  return survey;
}

}  // namespace leafscore::internal
