#include "engine/report/scorer_summary.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>

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

}  // namespace

void ScorerSummary::Add(std::span<const RecordScore> answers, std::span<const FieldOutcome> fields,
                        const RecordName& name) {
  if (answers.front().outcome == Outcome::kNotAsked) {  // true of all answers to the id
    not_asked_ += answers.size();
    return;
  }
  AddTo(answers, fields, name, overall_);
  for (const RecordScore& record : answers) {
    if (record.outcome != Outcome::kScored) ++reasons_[{record.outcome, record.reason}];
  }
}

void ScorerSummary::AddTo(std::span<const RecordScore> answers, std::span<const FieldOutcome> fields,
                          const RecordName& name, Tally& tally) const {
  if (traits_.class_report) {
    if (!tally.classes) tally.classes.emplace(traits_.class_report->classes.size());
    for (std::size_t f = 0; f + 1 < fields.size(); f += 2) {
      tally.classes->Add(static_cast<std::uint8_t>(fields[f]), static_cast<std::uint8_t>(fields[f + 1]));
    }
    fields = {};
  }
  const std::size_t field_count = traits_.judged_fields.size();
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
  tally.remarks.resize(traits_.remark_names.size());
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

void ScorerSummary::AddPart(const ScorerSummary& part) {
  AddTally(part.overall_, overall_);
  not_asked_ += part.not_asked_;
  for (const auto& [why, records] : part.reasons_) reasons_[why] += records;
  less_ += part.less_;
  count_more_ += part.count_more_;
}

bool ScorerSummary::EndsRecord(const RecordScore& score) const {
  if (score.reason == RejectReason::kBadCriteria) return true;
  return traits_.missing_key_ends_record && (score.reason == RejectReason::kTargetKeyNotFound ||
                                             score.reason == RejectReason::kInvalidExpectedJson);
}

bool ScorerSummary::is_versus() const { return std::ranges::equal(traits_.remark_names, kVersusRemarks); }

Figures ScorerSummary::FiguresOf(const Tally& tally, double effective_records, bool sure) const {
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
          .over_scored = FiguresOver(Over::kScored, statistics, effective_records, false),
          .versus = is_versus() ? std::optional(VersusOf(tally, effective_records)) : std::nullopt};
}

std::vector<FieldCounts> ScorerSummary::NamedFields(const Tally& tally) const {
  std::vector<FieldCounts> fields = tally.fields;
  fields.resize(traits_.judged_fields.size());  // needed if no record was added
  for (std::size_t f = 0; f < fields.size(); ++f) fields[f].field = traits_.judged_fields[f];
  if (!traits_.counts_faults) std::ranges::copy(tally.cells.Fields(), std::back_inserter(fields));
  return fields;
}

std::vector<FaultCount> ScorerSummary::Faults() const {
  std::vector<FaultCount> faults;
  if (!traits_.counts_faults) return faults;
  for (const FieldCounts& counts : overall_.cells.Fields()) {
    auto [field, rule] = FaultOfName(counts.field);
    faults.push_back({std::move(field), std::move(rule), counts.false_positives});
  }
  std::ranges::stable_sort(faults, std::greater<>(), &FaultCount::count);
  return faults;
}

std::vector<ReasonCount> ScorerSummary::Reasons() const {
  std::vector<ReasonCount> reasons;
  for (const auto& [why, records] : reasons_) reasons.push_back({why.first, why.second, records});
  std::ranges::stable_sort(reasons, std::greater<>(), &ReasonCount::records);
  return reasons;
}

std::vector<RemarkCount> ScorerSummary::Remarks() const {
  std::vector<RemarkCount> remarks;
  if (is_versus()) return remarks;  // VersusOf reports them
  const std::vector<std::uint64_t>& counts = overall_.remarks;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] != 0) remarks.push_back({traits_.remark_names[i], counts[i]});
  return remarks;
}

ScorerReport ScorerSummary::Report(const std::string& name, double effective_records) const {
  ScorerReport report;
  report.scorer = name;
  report.figures = FiguresOf(overall_, effective_records, true);
  report.reasons = Reasons();
  report.remarks = Remarks();
  report.faults = Faults();
  report.json_in_texts = json_in_texts_;
  report.absent_paths = absent_paths_;
  report.panel_agreement = AgreementOf(raters_.models);
  report.sample_agreement = AgreementOf(raters_.samples);
  report.fields = NamedFields(overall_);
  const FieldCounts sum = SumOf(report.fields);
  report.calibration = overall_.cells.confidences().Figures(sum.true_positives + sum.false_positives);
  if (const std::optional<ClassReport>& classes = traits_.class_report) {
    const ClassCounts counts = overall_.classes.value_or(ClassCounts(classes->classes.size()));
    report.aggregates = AggregatesOf(name, *classes, counts, report.figures.asked + count_more_);
    report.class_figure = ClassFigureOf(*classes, counts);
  }
  return report;
}

std::optional<FinalPart> ScorerSummary::PartOfFinal(const ScorerReport& report) const {
  const double asked = static_cast<double>(overall_.statistics.records());
  const double count = asked + static_cast<double>(count_more_);
  if (count == 0) return std::nullopt;
  const double less = less_.Mean().value_or(0) * static_cast<double>(less_.count());
  const double mean = (report.figures.over_all.mean.value_or(0) * asked - less) / count;
  const bool is_mean = less == 0 && count_more_ == 0;
  const double average = report.class_figure ? *report.class_figure
                         : is_mean           ? report.figures.over_all.mean.value_or(0)
                                             : mean;
  return FinalPart{report.scorer, traits_.final_weight.value_or(1), average};
}

}  // namespace leafscore::internal
