#include "engine/report/run_summary.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace leafscore::internal {
namespace {

GroupKind KindOf(std::uint32_t group) {
  return group == kNoneGroup    ? GroupKind::kNone
         : group == kOtherGroup ? GroupKind::kOther
                                : GroupKind::kValue;
}

}  // namespace

void AddTotals(const RunTotals& more, RunTotals& totals) {
  totals.records_read += more.records_read;
  totals.rejected += more.rejected;
  totals.nonstandard += more.nonstandard;
  totals.duplicate_keys += more.duplicate_keys;
  totals.bytes += more.bytes;
}

RunSummary::RunSummary(std::vector<std::string> scorer_names, std::vector<std::string> group_fields,
                       std::size_t max_groups)
    : scorer_names_(std::move(scorer_names)),
      group_fields_(std::move(group_fields)),
      max_groups_(max_groups),
      scorers_(scorer_names_.size()),
      fields_(group_fields_.size()) {
  for (Field& field : fields_) {
    AddGroup(field, "(none)");
    AddGroup(field, "(other)");
  }
}

void RunSummary::SetSourceField(const std::string& field) {
  source_field_ = field;
  const auto place = std::ranges::find(group_fields_, field);
  if (place != group_fields_.end()) source_place_ = static_cast<std::size_t>(place - group_fields_.begin());
}

std::uint32_t RunSummary::AddGroup(Field& field, std::string_view name) {
  const std::size_t group = field.group_names.size();
  field.tallies.resize((group + 1) * scorer_names_.size());
  field.group_names.emplace_back(name);
  return static_cast<std::uint32_t>(group);
}

std::uint32_t RunSummary::GroupIndex(std::size_t field_index, std::string_view value) {
  Field& field = fields_[field_index];
  if (value.size() > kMaxGroupValueBytes) return kOtherGroup;
  const auto found = field.group_of_value.find(value);
  if (found != field.group_of_value.end()) return found->second;
  if (field.group_of_value.size() >= max_groups_) return kOtherGroup;
  // Add the value last. Each step can run out of memory. If only the last one does, the group just stays
  // empty.
  const std::uint32_t group = AddGroup(field, value);
  field.group_of_value.emplace(value, group);
  return group;
}

std::vector<std::uint32_t> RunSummary::GroupsToReport(std::size_t field) const {
  // The scorers that see every record have the largest count.
  const auto size = [&](std::uint32_t group) {
    std::uint64_t most = 0;
    for (std::size_t s = 0; s < scorer_names_.size(); ++s) {
      most = std::max(most, Statistics(s, field, group).counts().asked());
    }
    return most;
  };
  std::vector<std::uint32_t> groups;
  for (std::uint32_t group = 0; group < fields_[field].group_names.size(); ++group) {
    if (size(group) > 0) groups.push_back(group);
  }
  const auto special = [](std::uint32_t group) { return group <= kOtherGroup ? group + 1 : 0; };
  std::sort(groups.begin(), groups.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::forward_as_tuple(special(a), size(b), group_name(field, a)) <
           std::forward_as_tuple(special(b), size(a), group_name(field, b));
  });
  return groups;
}

bool RunSummary::CountsAddUp(std::size_t scorer) const {
  const OutcomeCounts& overall = Overall(scorer).counts();
  for (const Field& field : fields_) {
    OutcomeCounts sum;
    for (std::size_t i = scorer; i < field.tallies.size(); i += scorer_names_.size()) {
      sum += field.tallies[i].statistics.counts();
    }
    if (sum != overall) return false;
  }
  const std::uint64_t asked = overall.asked() + scorers_[scorer].not_asked();
  return join_ ? JoinAddsUp(asked) : asked == totals_.records_read;
}

bool RunSummary::JoinAddsUp(std::uint64_t asked) const {
  std::uint64_t answers = 0;  // answers that count, and ids without an answer
  std::uint64_t records = 0;
  std::uint64_t rejected = 0;
  for (const SourceCounts& source : join_->sources) {
    const std::uint64_t answered_ids = source.matched - source.duplicates.count;
    if (source.is_asked && answered_ids + source.unanswered.count != join_->gold.ids) return false;
    answers += source.unanswered.count + (join_->all_answers_count ? source.matched : answered_ids);
    records += source.matched + source.without_gold.count + source.rejected;
    rejected += source.without_gold.count + source.rejected;
  }
  return asked == answers && records == totals_.records_read && rejected == totals_.rejected;
}

bool RunSummary::CountsAddUp() const {
  for (std::size_t scorer = 0; scorer < scorer_names_.size(); ++scorer) {
    if (!CountsAddUp(scorer)) return false;
  }
  return true;
}

void RunSummary::Add(std::size_t scorer, std::span<const RecordScore> answers,
                     std::span<const std::uint32_t> groups, std::span<const FieldOutcome> fields,
                     const RecordName& name) {
  AddToGroups(scorer, answers, groups, fields, name);
  scorers_[scorer].Add(answers, fields, name);
}

void RunSummary::AddToGroups(std::size_t scorer, std::span<const RecordScore> answers,
                             std::span<const std::uint32_t> groups, std::span<const FieldOutcome> fields,
                             const RecordName& name) {
  if (answers.front().outcome == Outcome::kNotAsked) return;
  for (std::size_t field = 0; field < groups.size(); ++field) {
    Tally& tally = fields_[field].tallies[groups[field] * scorer_names_.size() + scorer];
    scorers_[scorer].AddTo(answers, fields, name, tally);
    if (!source_place_) continue;
    const std::uint32_t source = groups[*source_place_];
    if (!tally.source) tally.source = source;
    tally.has_other_sources |= source != *tally.source;
  }
}

void RunSummary::AddCells(const CellRows& cells, std::size_t row, std::span<const std::uint32_t> groups) {
  AddCellsToGroups(cells, row, groups);
  for (const CellRows::Entry& entry : cells.Of(row)) {
    scorers_[entry.scorer].AddCells(cells.name(entry.field), entry.counts);
  }
}

void RunSummary::AddCellsToGroups(const CellRows& cells, std::size_t row,
                                  std::span<const std::uint32_t> groups) {
  for (const CellRows::Entry& entry : cells.Of(row)) {
    for (std::size_t field = 0; field < groups.size(); ++field) {
      Tally& tally = fields_[field].tallies[groups[field] * scorer_names_.size() + entry.scorer];
      tally.cells.Add(cells.name(entry.field), entry.counts);
    }
  }
}

RunSummary RunSummary::Part() const {
  RunSummary part(scorer_names_, {}, max_groups_);
  for (std::size_t s = 0; s < scorers_.size(); ++s) part.scorers_[s].traits() = scorers_[s].traits();
  return part;
}

void RunSummary::AddPart(const RunSummary& part) {
  for (std::size_t s = 0; s < scorers_.size(); ++s) scorers_[s].AddPart(part.scorers_[s]);
}

std::size_t RunSummary::EndOfRecord(std::span<const RecordScore> scores) const {
  std::size_t end = 0;
  while (end < scores.size() &&
         (scores[end].outcome == Outcome::kScored || !scorers_[end].EndsRecord(scores[end])))
    ++end;
  return end;
}

void RunSummary::AddWholeRecord(std::span<const RecordScore> scores) {
  const std::size_t end = EndOfRecord(scores);
  if (end == scores.size()) return;
  for (std::size_t s = 0; s < scores.size(); ++s) {
    if (scores[s].outcome == Outcome::kNotAsked) scorers_[s].AddZeroToFinal();
    if (scores[s].outcome == Outcome::kScored) {
      scorers_[s].SubtractFromFinal(s < end ? scores[s].score / 2 : scores[s].score);
    }
  }
}

std::optional<FinalScore> RunSummary::FinalOf(const RunReport& report) const {
  const auto is_weighted = [](const ScorerSummary& scorer) {
    return scorer.traits().final_weight.has_value();
  };
  if (std::ranges::none_of(scorers_, is_weighted)) return std::nullopt;
  FinalScore score;
  double weights = 0;
  for (std::size_t s = 0; s < report.scorers.size(); ++s) {
    const std::optional<FinalPart> part = scorers_[s].PartOfFinal(report.scorers[s]);
    if (!part) continue;
    score.parts.push_back(*part);
    score.score += part->weight * part->average;
    weights += part->weight;
  }
  score.score = weights > 0 ? score.score / weights : 0;
  return score;
}

// Returns how many independent records would give figures as sure as these records do in the worst case. In
// the worst case, the answers of all sources to one question are alike, so the number is divided by the
// number of sources. Also, all records with repeated ids then have the same id. (The number of records is the
// minimum of (sum w)^2 / sum w^2 over weights w of the ids.)
double RunSummary::EffectiveRecords(const ScoreStatistics& statistics, std::size_t sources) const {
  const auto records = static_cast<double>(statistics.records());
  if (records == 0) return 0;
  const double repeated = repeated_ids_ ? static_cast<double>(repeated_ids_->ids.count) : 0;
  const double of_one_id = std::min(repeated + 1, records);
  const double once = records - of_one_id;
  const double share = records / (once + of_one_id * of_one_id);
  return std::max(1.0, records * share / static_cast<double>(std::max<std::size_t>(sources, 1)));
}

RunSummary::CausesOfGroups RunSummary::LateCauses() const {
  CausesOfGroups causes;
  for (const AnswersOfOthers::Found& found : answers_of_others_.Find()) {
    const LowAnswer& answer = *found.answer;
    causes[{answer.scorer, fields_.size(), 0}].push_back(found);
    for (std::size_t field = 0; field < answer.groups.size(); ++field) {
      causes[{answer.scorer, field, answer.groups[field]}].push_back(found);
    }
  }
  return causes;
}

RunReport RunSummary::Report() const {
  RunReport report{.totals = totals_,
                   .group_fields = group_fields_,
                   .lacking = lacking_,
                   .repeated_ids = repeated_ids_,
                   .only_in_base = only_in_base_,
                   .device = device_,
                   .judges = judges_};
  report.source_field = source_field_;
  if (join_) {
    report.gold = join_->gold;
    report.sources = join_->sources;
  }
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::size_t field = 0; field < fields_.size(); ++field) groups.push_back(GroupsToReport(field));
  const std::size_t sources = source_place_ ? groups[*source_place_].size() : 1;
  const CausesOfGroups late_causes = LateCauses();
  const auto causes_of = [&](std::size_t scorer, const Tally& tally, std::size_t field, std::uint32_t group) {
    const auto late = late_causes.find({scorer, field, group});
    if (late == late_causes.end()) return tally.causes.Report(scorers_[scorer].traits().judged_fields);
    FailureCauses causes = tally.causes;
    for (const auto& [answer, cause] : late->second) {
      if (!cause) continue;
      causes.AddLate(*cause, {answer->record, answer->id}, answer->score, answer->is_told, answer->answers);
    }
    for (const auto& [answer, cause] : late->second) {
      if (!cause && !answer->is_told) causes.NoteOther({answer->record, answer->id});
    }
    return causes.Report(scorers_[scorer].traits().judged_fields);
  };
  for (std::size_t s = 0; s < scorer_names_.size(); ++s) {
    const ScorerSummary& of_scorer = scorers_[s];
    const double effective = EffectiveRecords(of_scorer.overall().statistics, sources);
    ScorerReport& scorer = report.scorers.emplace_back(of_scorer.Report(scorer_names_[s], effective));
    scorer.causes = causes_of(s, of_scorer.overall(), fields_.size(), 0);
    scorer.counts_add_up = CountsAddUp(s);
    for (std::size_t field = 0; field < fields_.size(); ++field) {
      const bool sure = std::ranges::find(interval_by_, group_fields_[field]) != interval_by_.end();
      for (const std::uint32_t group : groups[field]) {
        const Tally& tally = GroupTally(s, field, group);
        const double of_group = EffectiveRecords(tally.statistics, tally.has_other_sources ? sources : 1);
        scorer.groups.push_back({group_fields_[field], group_name(field, group), KindOf(group),
                                 of_scorer.FiguresOf(tally, of_group, sure), of_scorer.NamedFields(tally),
                                 causes_of(s, tally, field, group)});
        if (tally.classes) {
          scorer.groups.back().class_figure = ClassFigureOf(*of_scorer.traits().class_report, *tally.classes);
        }
      }
    }
  }
  report.final_score = FinalOf(report);
  return report;
}

}  // namespace leafscore::internal
