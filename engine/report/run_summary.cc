#include "engine/report/run_summary.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/report/field_figures.h"

namespace leafscore::internal {
namespace {

void AddTo(ScoreStatistics& statistics, const RecordScore& record) {
  switch (record.outcome) {
    case Outcome::kScored:
      return statistics.AddScored(record.score,
                                  record.passed < 0 ? std::nullopt : std::optional(record.passed == 1));
    case Outcome::kUnreadable:
      return statistics.AddUnreadable();
    case Outcome::kError:
      return statistics.AddError();
  }
}

Figures FiguresOf(const ScoreStatistics& statistics) {
  const OutcomeCounts& counts = statistics.counts();
  return {.records = counts.records(),
          .scored = counts.scored,
          .unreadable = counts.unreadable,
          .errors = counts.errors,
          .mean = statistics.Mean(),
          .mean_unreadable_as_zero = statistics.MeanUnreadableAsZero(),
          .standard_error = statistics.StandardError(),
          .min = statistics.Min(),
          .p5 = statistics.PercentileNearestRank(5),
          .p50 = statistics.PercentileNearestRank(50),
          .p95 = statistics.PercentileNearestRank(95),
          .passed = statistics.Passed(),
          .pass_rate = statistics.PassRate()};
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
      field_counts_(scorer_names_.size()),
      fields_(group_fields_.size()) {
  for (Field& field : fields_) {
    AddGroup(field, "(none)");
    AddGroup(field, "(other)");
  }
}

void RunSummary::AddGroup(Field& field, std::string_view name) {
  field.group_names.emplace_back(name);
  for (std::size_t scorer = 0; scorer < scorer_names_.size(); ++scorer) field.statistics.emplace_back();
}

std::uint32_t RunSummary::GroupIndex(std::size_t field_index, std::string_view value) {
  Field& field = fields_[field_index];
  if (value.size() > kMaxGroupValueBytes) return kOtherGroup;
  const auto found = field.group_of_value.find(value);
  if (found != field.group_of_value.end()) return found->second;
  if (field.group_of_value.size() >= max_groups_) return kOtherGroup;
  const auto group = static_cast<std::uint32_t>(field.group_names.size());
  field.group_of_value.emplace(value, group);
  AddGroup(field, value);
  return group;
}

std::vector<std::uint32_t> RunSummary::GroupsToReport(std::size_t field) const {
  // Every scorer sees every record, so the first one's counts are the groups' sizes.
  const auto size = [&](std::uint32_t group) { return Statistics(0, field, group).counts().records(); };
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

void RunSummary::AddFieldCounts(std::size_t scorer, std::span<const FieldCounts> counts) {
  AddCounts(counts, field_counts_[scorer]);
}

bool RunSummary::CountsAddUp(std::size_t scorer) const {
  const OutcomeCounts& overall = overall_[scorer].counts();
  if (overall.records() != totals_.records_read) return false;
  for (const Field& field : fields_) {
    OutcomeCounts sum;
    for (std::size_t i = scorer; i < field.statistics.size(); i += scorer_names_.size()) {
      sum += field.statistics[i].counts();
    }
    if (sum != overall) return false;
  }
  if (!join_) return true;
  std::uint64_t records = 0;
  std::uint64_t rejected = 0;
  for (const SourceCounts& source : join_->sources) {
    records += source.matched + source.without_gold.count + source.rejected;
    rejected += source.without_gold.count + source.rejected;
  }
  return records == totals_.records_read && rejected == totals_.rejected;
}

bool RunSummary::CountsAddUp() const {
  for (std::size_t scorer = 0; scorer < scorer_names_.size(); ++scorer) {
    if (!CountsAddUp(scorer)) return false;
  }
  return true;
}

void RunSummary::Add(std::size_t scorer, const RecordScore& record, std::span<const std::uint32_t> groups) {
  AddTo(Overall(scorer), record);
  for (std::size_t field = 0; field < groups.size(); ++field) {
    AddTo(Statistics(scorer, field, groups[field]), record);
  }
}

RunReport RunSummary::Report() const {
  RunReport report{.totals = totals_, .group_fields = group_fields_, .device = device_};
  if (join_) {
    report.gold = join_->gold;
    report.sources = join_->sources;
  }
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::size_t field = 0; field < fields_.size(); ++field) groups.push_back(GroupsToReport(field));
  for (std::size_t s = 0; s < scorer_names_.size(); ++s) {
    ScorerReport& scorer = report.scorers.emplace_back();
    scorer.scorer = scorer_names_[s];
    scorer.figures = FiguresOf(Overall(s));
    scorer.fields = field_counts_[s];
    scorer.counts_add_up = CountsAddUp(s);
    for (std::size_t field = 0; field < fields_.size(); ++field) {
      for (const std::uint32_t group : groups[field]) {
        scorer.groups.push_back({group_fields_[field], group_name(field, group), KindOf(group),
                                 FiguresOf(Statistics(s, field, group))});
      }
    }
  }
  return report;
}

}  // namespace leafscore::internal
