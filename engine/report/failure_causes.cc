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
    case FailureCause::Kind::kOtherKind:
      return "no object or array, as prose is";
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

void FailureCauses::Cause::Add(const RecordName& name, std::uint64_t count) {
  records += count;
  if (name.record == 0 || (example_record != 0 && example_record <= name.record)) return;
  example_record = name.record;
  example = name.id.substr(0, kMaxExampleBytes);
}

void FailureCauses::Add(const RecordScore& record, std::span<const FieldOutcome> fields,
                        const RecordName& name) {
  if (record.outcome == Outcome::kNotAsked) return;
  if (record.outcome != Outcome::kScored) return reasons_[record.reason].Add(name);
  if (!FellShort(record)) return;
  if (record.nothing_compared) return nothing_compared_.Add(name);
  if (record.of_other_kind) return other_kind_.Add(name);
  bool is_told = false;
  fields_.resize(std::max(fields_.size(), fields.size()));
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (!IsWrong(fields[f])) continue;
    fields_[f].Add(name);
    is_told = true;
  }
  if (!is_told) other_.Add(name);
}

FailureCauses& FailureCauses::operator+=(const FailureCauses& more) {
  const auto add = [](const Cause& from, Cause& to) {
    to.Add({from.example_record, from.example}, from.records);
  };
  for (const auto& [reason, cause] : more.reasons_) add(cause, reasons_[reason]);
  fields_.resize(std::max(fields_.size(), more.fields_.size()));
  for (std::size_t f = 0; f < more.fields_.size(); ++f) add(more.fields_[f], fields_[f]);
  add(more.other_kind_, other_kind_);
  add(more.nothing_compared_, nothing_compared_);
  add(more.other_, other_);
  return *this;
}

std::vector<FailureCause> FailureCauses::Report(const std::vector<std::string>& fields) const {
  using Kind = FailureCause::Kind;
  std::vector<FailureCause> causes;
  const auto add = [&](Kind kind, const Cause& cause) -> FailureCause& {
    FailureCause& added = causes.emplace_back();
    added.kind = kind;
    added.records = cause.records;
    added.example = cause.example;
    added.example_record = cause.example_record;
    return added;
  };
  for (const auto& [reason, cause] : reasons_) add(Kind::kReason, cause).reason = reason;
  for (std::size_t f = 0; f < std::min(fields_.size(), fields.size()); ++f) {
    add(Kind::kField, fields_[f]).field = fields[f];
  }
  add(Kind::kOtherKind, other_kind_);
  add(Kind::kNothingCompared, nothing_compared_);
  add(Kind::kOther, other_);
  std::erase_if(causes, [](const FailureCause& cause) { return cause.records == 0; });
  std::ranges::stable_sort(causes, std::greater<>(), &FailureCause::records);
  return causes;
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
    case FailureCause::Kind::kOtherKind:
      return "of_other_kind";
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
