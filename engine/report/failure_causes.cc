#include "engine/report/failure_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/render/cells.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMostCauses = 3;
constexpr std::size_t kMaxExampleBytes = 256;

bool FellShort(const RecordScore& record) {
  return record.passed == 0 || (record.passed < 0 && record.score < 1);
}

bool IsWrong(FieldOutcome outcome) {
  return outcome != FieldOutcome::kTrueNegative && outcome != FieldOutcome::kTruePositive;
}

std::string WordsOf(const FailureCause& cause) {
  switch (cause.kind) {
    case FailureCause::Kind::kReason:
      break;
    case FailureCause::Kind::kAnswer:
      return CauseWords(cause.answer);
    case FailureCause::Kind::kNothingCompared:
      return "nothing compared";
    case FailureCause::Kind::kField:
      return "field " + DisplayName(cause.field);
    case FailureCause::Kind::kOther:
      return "score too low";
  }
  return std::string(RejectReasonName(cause.reason));
}

}  // namespace

bool EarnedLittle(const RecordScore& record) {
  if (record.outcome != Outcome::kScored) return record.outcome == Outcome::kUnreadable;
  return record.score < 0.5 && FellShort(record) && !record.nothing_compared;
}

bool IsTold(const RecordScore& record, std::span<const FieldOutcome> fields) {
  if (record.outcome != Outcome::kScored || !FellShort(record)) return true;
  return record.nothing_compared || record.of_other_kind || !record.causes.empty() ||
         std::ranges::any_of(fields, IsWrong);
}

void FailureCauses::Cause::Add(const RecordName& name, double score, double weight) {
  ++records;
  if (score > 0) scores.Add(score * weight);
  if (weight < 1) lacks.Add(1 - weight);
  NoteExample(name.record, name.id);
}

void FailureCauses::Cause::Remove(const RecordName& name, double score, double weight) {
  Cause removed;
  removed.Add({}, score, weight);
  --records;
  scores -= removed.scores;
  lacks -= removed.lacks;
  if (example_record == name.record) example_record = 0, example.clear();
}

FailureCauses::Cause& FailureCauses::Cause::operator+=(const Cause& more) {
  records += more.records;
  scores += more.scores;
  lacks += more.lacks;
  NoteExample(more.example_record, more.example);
  return *this;
}

void FailureCauses::Cause::NoteExample(std::uint64_t record, std::string_view id) {
  if (record == 0 || (example_record != 0 && example_record <= record)) return;
  example_record = record;
  example = id.substr(0, kMaxExampleBytes);
}

void FailureCauses::Add(const RecordScore& record, std::span<const FieldOutcome> fields,
                        const RecordName& name, std::size_t answers) {
  if (record.outcome == Outcome::kNotAsked) return;
  const bool is_scored = record.outcome == Outcome::kScored;
  const double score = is_scored ? record.score : 0;
  const double weight = 1 / static_cast<double>(answers);
  asked_.Add({}, score, weight);
  if (!is_scored) {
    reasons_[record.reason].Add(name, score, weight);
  } else if (!FellShort(record)) {
    return;
  } else if (record.nothing_compared) {
    return nothing_compared_.Add(name, score, weight);
  }
  record.causes.ForEach([&](AnswerCause cause) { answers_[cause].Add(name, score, weight); });
  if (!is_scored || record.of_other_kind) return;
  fields_.resize(std::max(fields_.size(), fields.size()));
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (!IsWrong(fields[f])) continue;
    fields_[f].Add(name, score, weight);
  }
  if (!IsTold(record, fields)) (EarnedLittle(record) ? low_other_ : other_).Add(name, score, weight);
}

void FailureCauses::AddLate(AnswerCause cause, const RecordName& name, double score, bool is_told,
                            std::size_t answers) {
  const double weight = 1 / static_cast<double>(answers);
  answers_[cause].Add(name, score, weight);
  if (!is_told) low_other_.Remove(name, score, weight);
}

void FailureCauses::NoteOther(const RecordName& name) {
  if (low_other_.records != 0) low_other_.NoteExample(name.record, name.id);
}

FailureCauses& FailureCauses::operator+=(const FailureCauses& more) {
  asked_ += more.asked_;
  for (const auto& [reason, cause] : more.reasons_) reasons_[reason] += cause;
  for (const auto& [answer, cause] : more.answers_) answers_[answer] += cause;
  fields_.resize(std::max(fields_.size(), more.fields_.size()));
  for (std::size_t f = 0; f < more.fields_.size(); ++f) fields_[f] += more.fields_[f];
  nothing_compared_ += more.nothing_compared_;
  other_ += more.other_;
  low_other_ += more.low_other_;
  return *this;
}

std::vector<FailureCause> FailureCauses::Report(const std::vector<std::string>& fields) const {
  using Kind = FailureCause::Kind;
  std::vector<FailureCause> causes;
  const auto add = [&](Kind kind, const Cause& cause) -> FailureCause& {
    FailureCause& added = causes.emplace_back();
    added.kind = kind;
    added.records = cause.records;
    added.share = static_cast<double>(cause.records) / static_cast<double>(asked_.records);
    ExactSum others = asked_.scores;
    others -= cause.scores;
    const std::uint64_t records = asked_.records - cause.records;
    if (asked_.lacks.count() == 0) {
      added.mean_without = others.Mean(records - others.count());
    } else if (records != 0) {
      added.mean_without = others.Total() / (asked_.Ids() - cause.Ids());
    }
    added.example = cause.example;
    added.example_record = cause.example_record;
    return added;
  };
  for (const auto& [reason, cause] : reasons_) add(Kind::kReason, cause).reason = reason;
  for (const auto& [answer, cause] : answers_) add(Kind::kAnswer, cause).answer = answer;
  for (std::size_t f = 0; f < std::min(fields_.size(), fields.size()); ++f) {
    add(Kind::kField, fields_[f]).field = fields[f];
  }
  add(Kind::kNothingCompared, nothing_compared_);
  Cause other = other_;
  other += low_other_;
  add(Kind::kOther, other);
  std::erase_if(causes, [](const FailureCause& cause) { return cause.records == 0; });
  std::ranges::stable_sort(causes, std::greater<>(), &FailureCause::records);
  return causes;
}

std::string CauseWords(AnswerCause cause) {
  std::string words(AnswerCauseName(cause));
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string CausesText(std::span<const FailureCause> causes, std::string_view before) {
  std::string text;
  for (std::size_t i = 0; i < std::min(causes.size(), kMostCauses); ++i) {
    const FailureCause& cause = causes[i];
    text += fmt::format("{} {} {}", i == 0 ? before : std::string_view(","), WordsOf(cause),
                        WithThousands(cause.records));
    if (!cause.example.empty()) {
      text += fmt::format(" ({})", QuoteForMessage(cause.example));
    } else if (cause.example_record != 0) {
      text += fmt::format(" (record {})", cause.example_record);
    }
  }
  return text;
}

std::string_view CauseName(const FailureCause& cause) {
  switch (cause.kind) {
    case FailureCause::Kind::kReason:
      return RejectReasonName(cause.reason);
    case FailureCause::Kind::kAnswer:
      return AnswerCauseName(cause.answer);
    case FailureCause::Kind::kNothingCompared:
      return "nothing_compared";
    case FailureCause::Kind::kField:
      return "field";
    case FailureCause::Kind::kOther:
      return "other";
  }
  return "";
}

}  // namespace leafscore::internal
