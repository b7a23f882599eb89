#include "engine/scores/human_labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "engine/base/hash.h"
#include "engine/base/suggest.h"
#include "engine/io/record_reader.h"
#include "engine/json/json_value.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kModelField = "model";

// Fields of a line that many answers share.
constexpr std::string_view kCommonFields[] = {"scorer", "outcome", "passed", "id_from"};

std::optional<bool> VerdictIn(JsonView value) {
  if (value.Is(ValueKind::kTrue)) return true;
  if (value.Is(ValueKind::kFalse)) return false;
  const std::optional<double> number = value.Number();
  if (number == 1.0) return true;
  return number == 0.0 ? std::optional(false) : std::nullopt;
}

std::string CountOf(std::uint64_t part, std::uint64_t all) {
  return fmt::format("{} of {} labels", part, all);
}

}  // namespace

HumanLabels::HumanLabels(const std::string& file, bool several_models)
    : file_(file), several_models_(several_models) {
  RecordReader reader({file}, {});
  JsonValue value{JsonOptions{}};
  for (RecordBatch batch; reader.Next(batch);) {
    for (std::size_t r = 0; r < batch.records.size(); ++r) {
      const std::uint64_t line = batch.first_record_in_input + r;
      const RecordSpan& record = batch.records[r];
      const JsonView label = value.Read(batch.Text(record));
      const bool is_whole = record.reject == RejectReason::kNone && !value.has_duplicate_keys();
      if (!is_whole || !label.Is(ValueKind::kObject)) {
        throw Error(ErrorCode::kInput,
                    fmt::format("{}: record {} is not a JSON object with each key once", file_, line));
      }
      Add(label, line);
    }
  }
  if (labels_.empty()) throw Error(ErrorCode::kInput, file_ + " has no labels");
  for (const Label& label : labels_) by_id_[label.id].push_back(&label);
}

std::size_t HumanLabels::NameOf(std::string_view name) {
  const auto known = static_cast<std::size_t>(std::ranges::find(names_, name, &Name::text) - names_.begin());
  if (known == names_.size()) names_.emplace_back().text = name;
  return known;
}

void HumanLabels::Add(JsonView label, std::uint64_t line) {
  const JsonView id = label.Member("id");
  const std::optional<bool> verdict = VerdictIn(label.Member("label"));
  const std::optional<std::string> id_text = id.IsText() || id.Number() ? id.Text() : std::nullopt;
  if (!id_text || !verdict) {
    throw Error(ErrorCode::kInput,
                fmt::format("{}: record {} has no {}; a label is {{\"id\": ..., \"label\": true or false}}",
                            file_, line, id_text ? "\"label\" that is true or false" : "\"id\""));
  }
  Label& added = labels_.emplace_back();
  added.line = line;
  added.id = *id_text;
  added.passes = *verdict;
  const auto add = [&](std::string_view name, const JsonView& value) {
    const bool is_container = value.Is(ValueKind::kObject) || value.Is(ValueKind::kArray);
    if (name == "id" || name == "label" || is_container) return;
    added.fields.push_back({NameOf(name), value.Json().value_or(""),
                            value.IsText() ? value.Text() : std::nullopt, value.Number()});
  };
  label.ForEachMember(add);
  label.Member("groups").ForEachMember(add);  // of a line of scores to which a label was added
}

// Returns whether a label with the id of a line fits the line: every field that both have must have the same
// value. Sets is_bound to whether one of these fields can tell answers apart (kCommonFields cannot).
bool HumanLabels::IsAbout(const Label& label, JsonView line, std::string_view model, bool& is_bound) const {
  is_bound = false;
  for (const Field& field : label.fields) {
    const std::string& name = names_[field.name].text;
    const JsonView value = RecordField(line, name);
    bool is_same = false;
    if (value.present()) {
      const std::optional<double> number = value.Number();
      is_same = field.text     ? value.IsText() && value.Text() == field.text
                : field.number ? number == field.number
                               : value.Json() == field.json;
    } else if (name == kModelField) {
      is_same = field.text == model;
    } else {
      continue;
    }
    names_[field.name].is_there = true;
    if (!is_same) return false;
    is_bound |= std::ranges::find(kCommonFields, name) == std::end(kCommonFields);
  }
  return true;
}

std::optional<bool> HumanLabels::VerdictOn(JsonView line, const ScoreLine& score, std::string_view file,
                                           std::string_view model) const {
  const auto found = score.has_real_id() ? by_id_.find(score.id) : by_id_.end();
  if (found == by_id_.end()) return std::nullopt;
  const Label* about = nullptr;
  for (const Label* const label : found->second) {
    label->is_asked = true;
    bool is_bound = false;
    if (!IsAbout(*label, line, model, is_bound)) continue;
    if (several_models_ && !is_bound) {
      throw Error(ErrorCode::kInput,
                  fmt::format("{}: record {}: the label of {} does not say which model's answer it is about; "
                              "add \"model\", or another field of the lines of scores",
                              file_, label->line, QuoteForMessage(label->id)));
    }
    if (about != nullptr) {
      throw Error(
          ErrorCode::kInput,
          fmt::format("{}: records {} and {} are both about one answer to {}; give one label for each", file_,
                      about->line, label->line, QuoteForMessage(label->id)));
    }
    const std::uint64_t these = HashBytes(model, HashBytes(file, HashSeed())) | 1;
    std::uint64_t others = 0;
    if (!label->scores.compare_exchange_strong(others, these) && others != these) {
      throw Error(
          ErrorCode::kInput,
          fmt::format(
              "{}: record {}: the label of {} fits answers in {} and in other scores, but it is about "
              "one; add what tells them apart, such as \"model\", or a field of the answer, and give "
              "models and files different names",
              file_, label->line, QuoteForMessage(label->id), QuoteForMessage(file)));
    }
    about = label;
    label->is_used = true;
    if (is_bound) has_bound_ = true;
  }
  return about == nullptr ? std::nullopt : std::optional(about->passes);
}

std::vector<std::string> HumanLabels::Notes() const {
  std::vector<std::string> notes;
  const auto count = [&](const auto& is_one, std::string_view what) {
    const auto first = std::ranges::find_if(labels_, is_one);
    if (first == labels_.end()) return;
    notes.push_back(fmt::format(
        "{} {}; the first is of {} (record {})",
        CountOf(static_cast<std::uint64_t>(std::ranges::count_if(labels_, is_one)), labels_.size()), what,
        QuoteForMessage(first->id), first->line));
  };
  count([](const Label& label) { return !label.is_asked; }, "have an id that no line of scores has");
  count([](const Label& label) { return label.is_asked && !label.is_used; },
        "are about other answers than these, as another field differs");
  std::vector<std::string> absent;
  for (const Name& name : names_) {
    if (!name.is_there) absent.push_back(QuoteForMessage(name.text));
  }
  if (!absent.empty()) {
    notes.push_back(
        fmt::format("labels have fields that the scores lack, which show nothing: {}; score with "
                    "--group-by to have them checked",
                    fmt::join(absent, ", ")));
  }
  if (!has_bound_ && std::ranges::any_of(labels_, [](const Label& label) { return label.is_used.load(); })) {
    notes.push_back(
        "labels are joined by id alone, so nothing shows that they are about these answers; give them a "
        "further field of the lines of scores");
  }
  return notes;
}

}  // namespace leafscore::internal
