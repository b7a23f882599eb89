#include "engine/report/run_summary.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "engine/base/versus_remarks.h"
#include "engine/statistics/pass_rates.h"

namespace leafscore::internal {
namespace {

void AddTally(const Tally& more, Tally& tally) {
  tally.statistics += more.statistics;
  tally.nothing_compared += more.nothing_compared;
  tally.read_from_text += more.read_from_text;
  tally.of_other_kind += more.of_other_kind;
  tally.unexpected_share += more.unexpected_share;
  tally.causes += more.causes;
  tally.cells += more.cells;
  tally.remarks.resize(std::max(tally.remarks.size(), more.remarks.size()));
  for (std::size_t i = 0; i < more.remarks.size(); ++i) tally.remarks[i] += more.remarks[i];
  tally.fields.resize(std::max(tally.fields.size(), more.fields.size()));
  for (std::size_t f = 0; f < more.fields.size(); ++f) AddCounts(more.fields[f], tally.fields[f]);
  if (!more.classes) return;
  if (tally.classes) {
    *tally.classes += *more.classes;
  } else {
    tally.classes = more.classes;
  }
}

// Returns the figures of some records, with intervals as for `effective_records` independent records. With
// `sure`, they include the interval of the mean.
ScoreFigures FiguresOver(Over over, const ScoreStatistics& statistics, double effective_records, bool sure) {
  const std::optional<double> pass_rate = statistics.PassRate(over);
  return {.mean = statistics.Mean(over),
          .standard_error = statistics.StandardError(over),
          .min = statistics.Min(over),
          .p5 = statistics.PercentileNearestRank(over, 5),
          .p50 = statistics.PercentileNearestRank(over, 50),
          .p95 = statistics.PercentileNearestRank(over, 95),
          .pass_rate = pass_rate,
          .mean_interval = sure ? statistics.MeanInterval(over, effective_records) : std::nullopt,
          .pass_interval = pass_rate && over == Over::kAll
                               ? std::optional(WilsonInterval(*pass_rate, effective_records))
                               : std::nullopt};
}

Figures FiguresOf(const Tally& tally, double effective_records, bool sure) {
  const ScoreStatistics& statistics = tally.statistics;
  const OutcomeCounts& counts = statistics.counts();
  return {.asked = counts.asked(),
          .scored = counts.scored,
          .unreadable = counts.unreadable,
          .unanswered = counts.unanswered,
          .errors = counts.errors,
          .coverage = statistics.Coverage(),
          .passed = statistics.Passed(),
          .nothing_compared = tally.nothing_compared,
          .read_from_text = tally.read_from_text,
          .of_other_kind = tally.of_other_kind,
          .unexpected_share =
              tally.unexpected_share.Mean(counts.scored - tally.unexpected_share.count()).value_or(0),
          .effective_records = effective_records,
          .over_all = FiguresOver(Over::kAll, statistics, effective_records, sure),
          .over_scored = FiguresOver(Over::kScored, statistics, effective_records, false)};
}

// Returns the figures of answers against the answers of a base, from the remarks on them (kVersusRemarks).
VersusFigures VersusOf(const Tally& tally, double effective_records) {
  std::vector<std::uint64_t> counts = tally.remarks;
  counts.resize(kVersusRemarkCount);  // needed if no record was added
  const auto& outcomes = tally.statistics.counts();
  const std::uint64_t without_answer = outcomes.unreadable + outcomes.unanswered;
  VersusFigures versus{.wins = counts[kWin],
                       .losses = counts[kLoss] + without_answer,
                       .ties = counts[kTied],
                       .identical = counts[kIdenticalAnswer],
                       .order_flips = counts[kOrderFlip]};
  const std::uint64_t decided = versus.wins + versus.losses;
  const std::uint64_t compared = decided + versus.ties;
  if (const std::uint64_t asked = compared - versus.identical - without_answer; asked != 0)
    versus.order_flip_share = static_cast<double>(versus.order_flips) / static_cast<double>(asked);
  if (decided == 0) return versus;
  versus.win_rate = static_cast<double>(versus.wins) / static_cast<double>(decided);
  const bool is_independent = effective_records >= static_cast<double>(tally.statistics.records()) &&
                              compared == outcomes.scored + without_answer;
  if (is_independent) versus.win_interval = ExactInterval(versus.wins, decided);
  return versus;
}

std::optional<JudgeAgreement> AgreementOf(const RatingSums& sums) {
  if (sums.items() == 0) return std::nullopt;
  return JudgeAgreement{sums.items(), sums.Alpha()};
}

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
      overall_(scorer_names_.size()),
      judged_fields_(scorer_names_.size()),
      json_in_texts_(scorer_names_.size()),
      raters_(scorer_names_.size()),
      absent_paths_(scorer_names_.size()),
      class_reports_(scorer_names_.size()),
      final_(scorer_names_.size()),
      not_asked_(scorer_names_.size()),
      reasons_(scorer_names_.size()),
      sees_others_(scorer_names_.size()),
      counts_faults_(scorer_names_.size()),
      remark_names_(scorer_names_.size()),
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
  const std::uint64_t asked = overall.asked() + not_asked_[scorer];
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
  if (answers.front().outcome == Outcome::kNotAsked) {  // true of all answers to the id
    not_asked_[scorer] += answers.size();
    return;
  }
  AddToGroups(scorer, answers, groups, fields, name);
  AddTo(scorer, answers, fields, name, overall_[scorer]);
  for (const RecordScore& record : answers) {
    if (record.outcome != Outcome::kScored) ++reasons_[scorer][{record.outcome, record.reason}];
  }
}

void RunSummary::AddToGroups(std::size_t scorer, std::span<const RecordScore> answers,
                             std::span<const std::uint32_t> groups, std::span<const FieldOutcome> fields,
                             const RecordName& name) {
  if (answers.front().outcome == Outcome::kNotAsked) return;
  for (std::size_t field = 0; field < groups.size(); ++field) {
    Tally& tally = fields_[field].tallies[groups[field] * scorer_names_.size() + scorer];
    AddTo(scorer, answers, fields, name, tally);
    if (!source_place_) continue;
    const std::uint32_t source = groups[*source_place_];
    if (!tally.source) tally.source = source;
    tally.has_other_sources |= source != *tally.source;
  }
}

void RunSummary::AddTo(std::size_t scorer, std::span<const RecordScore> answers,
                       std::span<const FieldOutcome> fields, const RecordName& name, Tally& tally) const {
  if (class_reports_[scorer]) {
    if (!tally.classes) tally.classes.emplace(class_reports_[scorer]->classes.size());
    for (std::size_t f = 0; f + 1 < fields.size(); f += 2) {
      tally.classes->Add(static_cast<std::uint8_t>(fields[f]), static_cast<std::uint8_t>(fields[f + 1]));
    }
    fields = {};
  }
  const std::size_t field_count = judged_fields_[scorer].size();
  const RecordScore& record = answers.front();
  if (answers.size() > 1) {
    tally.statistics.AddRepeated(answers);
  } else if (record.outcome == Outcome::kScored) {
    tally.statistics.AddScored(record.score,
                               record.passed < 0 ? std::nullopt : std::optional(record.passed == 1));
  } else {
    tally.statistics.AddUnscored(record.outcome);
  }
  const bool each_has_fields = fields.size() == answers.size() * field_count;
  for (std::size_t a = 0; a < answers.size(); ++a) {
    tally.causes.Add(
        answers[a],
        each_has_fields ? fields.subspan(a * field_count, field_count) : std::span<const FieldOutcome>(),
        name, answers.size());
  }
  tally.remarks.resize(remark_names_[scorer].size());
  for (const RecordScore& answer : answers) {
    for (std::size_t i = 0; i < tally.remarks.size(); ++i) tally.remarks[i] += answer.remarks >> i & 1;
    tally.nothing_compared += answer.nothing_compared;
    tally.read_from_text += answer.read_from_text;
    tally.of_other_kind += answer.of_other_kind;
    if (answer.unexpected_share > 0) tally.unexpected_share.Add(answer.unexpected_share);
  }
  tally.fields.resize(field_count);
  for (std::size_t f = 0; f < fields.size(); ++f) AddOutcome(fields[f], tally.fields[f % field_count]);
}

void RunSummary::AddCells(const CellRows& cells, std::size_t row, std::span<const std::uint32_t> groups) {
  AddCellsToGroups(cells, row, groups);
  for (const CellRows::Entry& entry : cells.Of(row)) {
    overall_[entry.scorer].cells.Add(cells.name(entry.field), entry.counts);
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
  for (std::size_t s = 0; s < scorer_names_.size(); ++s) {
    part.judged_fields_[s] = judged_fields_[s];
    part.counts_faults_[s] = counts_faults_[s];
    part.remark_names_[s] = remark_names_[s];
    if (class_reports_[s]) part.SetClassReport(s, *class_reports_[s]);
    part.SetFinalWeight(s, final_[s].weight, final_[s].missing_key_ends_record);
  }
  return part;
}

void RunSummary::AddPart(const RunSummary& part) {
  for (std::size_t s = 0; s < scorer_names_.size(); ++s) {
    AddTally(part.overall_[s], overall_[s]);
    not_asked_[s] += part.not_asked_[s];
    for (const auto& [why, records] : part.reasons_[s]) reasons_[s][why] += records;
    final_[s].less += part.final_[s].less;
    final_[s].count_more += part.final_[s].count_more;
  }
}

bool RunSummary::EndsRecord(std::size_t scorer, const RecordScore& score) const {
  if (score.reason == RejectReason::kBadCriteria) return true;
  return final_[scorer].missing_key_ends_record && (score.reason == RejectReason::kTargetKeyNotFound ||
                                                    score.reason == RejectReason::kInvalidExpectedJson);
}

std::size_t RunSummary::EndOfRecord(std::span<const RecordScore> scores) const {
  std::size_t end = 0;
  while (end < scores.size() && (scores[end].outcome == Outcome::kScored || !EndsRecord(end, scores[end])))
    ++end;
  return end;
}

void RunSummary::AddWholeRecord(std::span<const RecordScore> scores) {
  const std::size_t end = EndOfRecord(scores);
  if (end == scores.size()) return;
  for (std::size_t s = 0; s < scores.size(); ++s) {
    if (scores[s].outcome == Outcome::kNotAsked) ++final_[s].count_more;
    if (scores[s].outcome == Outcome::kScored) {
      final_[s].less.Add(s < end ? scores[s].score / 2 : scores[s].score);
    }
  }
}

std::optional<FinalScore> RunSummary::FinalOf(const RunReport& report) const {
  if (std::ranges::none_of(final_, [](const FinalInput& input) { return input.weight.has_value(); })) {
    return std::nullopt;
  }
  FinalScore score;
  double weights = 0;
  for (std::size_t s = 0; s < report.scorers.size(); ++s) {
    const ScorerReport& scorer = report.scorers[s];
    const FinalInput& input = final_[s];
    const double asked = static_cast<double>(overall_[s].statistics.records());
    const double count = asked + static_cast<double>(input.count_more);
    if (count == 0) continue;
    const double less = input.less.Mean().value_or(0) * static_cast<double>(input.less.count());
    const double mean = (scorer.figures.over_all.mean.value_or(0) * asked - less) / count;
    const bool is_mean = less == 0 && input.count_more == 0;
    const double average = scorer.class_figure ? *scorer.class_figure
                           : is_mean           ? scorer.figures.over_all.mean.value_or(0)
                                               : mean;
    score.parts.push_back({scorer.scorer, input.weight.value_or(1), average});
    score.score += score.parts.back().weight * average;
    weights += score.parts.back().weight;
  }
  score.score = weights > 0 ? score.score / weights : 0;
  return score;
}

std::vector<FieldCounts> RunSummary::NamedFields(std::size_t scorer, const Tally& tally) const {
  std::vector<FieldCounts> fields = tally.fields;
  fields.resize(judged_fields_[scorer].size());  // needed if no record was added
  for (std::size_t f = 0; f < fields.size(); ++f) fields[f].field = judged_fields_[scorer][f];
  if (!counts_faults_[scorer]) std::ranges::copy(tally.cells.Fields(), std::back_inserter(fields));
  return fields;
}

std::vector<FaultCount> RunSummary::Faults(std::size_t scorer) const {
  std::vector<FaultCount> faults;
  if (!counts_faults_[scorer]) return faults;
  for (const FieldCounts& counts : overall_[scorer].cells.Fields()) {
    auto [field, rule] = FaultOfName(counts.field);
    faults.push_back({std::move(field), std::move(rule), counts.false_positives});
  }
  std::ranges::stable_sort(faults, std::greater<>(), &FaultCount::count);
  return faults;
}

std::vector<ReasonCount> RunSummary::Reasons(std::size_t scorer) const {
  std::vector<ReasonCount> reasons;
  for (const auto& [why, records] : reasons_[scorer]) reasons.push_back({why.first, why.second, records});
  std::ranges::stable_sort(reasons, std::greater<>(), &ReasonCount::records);
  return reasons;
}

std::vector<RemarkCount> RunSummary::Remarks(std::size_t scorer) const {
  std::vector<RemarkCount> remarks;
  if (std::ranges::equal(remark_names_[scorer], kVersusRemarks)) return remarks;  // VersusOf reports them
  const std::vector<std::uint64_t>& counts = overall_[scorer].remarks;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] != 0) remarks.push_back({remark_names_[scorer][i], counts[i]});
  return remarks;
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
    if (late == late_causes.end()) return tally.causes.Report(judged_fields_[scorer]);
    FailureCauses causes = tally.causes;
    for (const auto& [answer, cause] : late->second) {
      if (!cause) continue;
      causes.AddLate(*cause, {answer->record, answer->id}, answer->score, answer->is_told, answer->answers);
    }
    for (const auto& [answer, cause] : late->second) {
      if (!cause && !answer->is_told) causes.NoteOther({answer->record, answer->id});
    }
    return causes.Report(judged_fields_[scorer]);
  };
  for (std::size_t s = 0; s < scorer_names_.size(); ++s) {
    ScorerReport& scorer = report.scorers.emplace_back();
    scorer.scorer = scorer_names_[s];
    const bool is_versus = std::ranges::equal(remark_names_[s], kVersusRemarks);
    const double effective = EffectiveRecords(overall_[s].statistics, sources);
    scorer.figures = FiguresOf(overall_[s], effective, true);
    if (is_versus) scorer.figures.versus = VersusOf(overall_[s], effective);
    scorer.causes = causes_of(s, overall_[s], fields_.size(), 0);
    scorer.reasons = Reasons(s);
    scorer.remarks = Remarks(s);
    scorer.faults = Faults(s);
    scorer.json_in_texts = json_in_texts_[s];
    scorer.absent_paths = absent_paths_[s];
    scorer.panel_agreement = AgreementOf(raters_[s].models);
    scorer.sample_agreement = AgreementOf(raters_[s].samples);
    scorer.fields = NamedFields(s, overall_[s]);
    const FieldCounts sum = SumOf(scorer.fields);
    scorer.calibration = overall_[s].cells.confidences().Figures(sum.true_positives + sum.false_positives);
    if (class_reports_[s]) {
      const ClassCounts counts = overall_[s].classes.value_or(ClassCounts(class_reports_[s]->classes.size()));
      scorer.aggregates = AggregatesOf(scorer.scorer, *class_reports_[s], counts,
                                       scorer.figures.asked + final_[s].count_more);
      scorer.class_figure = ClassFigureOf(*class_reports_[s], counts);
    }
    scorer.counts_add_up = CountsAddUp(s);
    for (std::size_t field = 0; field < fields_.size(); ++field) {
      const bool sure = std::ranges::find(interval_by_, group_fields_[field]) != interval_by_.end();
      for (const std::uint32_t group : groups[field]) {
        const Tally& tally = GroupTally(s, field, group);
        const double of_group = EffectiveRecords(tally.statistics, tally.has_other_sources ? sources : 1);
        scorer.groups.push_back({group_fields_[field], group_name(field, group), KindOf(group),
                                 FiguresOf(tally, of_group, sure), NamedFields(s, tally),
                                 causes_of(s, tally, field, group)});
        if (is_versus) scorer.groups.back().figures.versus = VersusOf(tally, of_group);
        if (tally.classes) {
          scorer.groups.back().class_figure = ClassFigureOf(*class_reports_[s], *tally.classes);
        }
      }
    }
  }
  report.final_score = FinalOf(report);
  return report;
}

}  // namespace leafscore::internal
