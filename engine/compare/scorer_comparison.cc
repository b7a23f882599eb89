#include "engine/compare/scorer_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/compare/field_rows.h"
#include "engine/compare/paired_mean.h"
#include "engine/run/parallel.h"
#include "engine/statistics/paired_tests.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// The verdicts of the records of a row.
struct VerdictCounts {
  double base_passes = 0;  // shares of several lines
  double now_passes = 0;
  FlipCounts flips;
};

// What is gathered of a row before its figures are worked out.
struct Row {
  PairedMean mean;
  std::uint64_t say_nothing = 0;
  VerdictCounts verdicts;
};

double PassShare(const IdScore& score) {
  return score.lines == 0 ? 0 : static_cast<double>(score.passes) / score.lines;
}

void AddVerdicts(const IdScore& base, const IdScore& now, VerdictCounts& counts) {
  counts.base_passes += PassShare(base);
  counts.now_passes += PassShare(now);
  const bool passed = base.passed();
  if (now.passed()) {
    ++(passed ? counts.flips.both_pass : counts.flips.fail_to_pass);
  } else {
    ++(passed ? counts.flips.pass_to_fail : counts.flips.both_fail);
  }
}

std::optional<Outcome> OutcomeOf(const IdScore& score) {
  return score.lines == 0 ? std::nullopt : std::optional(score.outcome);
}

class ScorerComparer {
 public:
  ScorerComparer(const ComparedNames& names, const OrderedIds& order, std::uint32_t scorer,
                 const SideScores& base, const SideScores& now, const ComparisonOptions& options)
      : names_(names), order_(order), base_(base), now_(now), options_(options), fields_(base, now) {
    result_.scorer = names.scorers[scorer];
  }

  ScorerComparison Compare() {
    all_.mean.Reserve(order_.clustered() ? names_.clusters.size() + 1 : order_.ids.size());
    for (const std::uint32_t id : order_.ids) Add(id);
    SetRows();
    SetOutcomes();
    SetWorst();
    return std::move(result_);
  }

 private:
  void Add(std::uint32_t id);
  void AddToWorst(std::uint32_t id, double difference);
  void SetRows();
  void SetOutcomes();
  void SetWorst();
  void FillVerdicts(const Row& gathered, ComparedMean& row) const;
  double records() const { return static_cast<double>(all_.mean.records()); }

  const ComparedNames& names_;
  const OrderedIds& order_;
  const SideScores& base_;
  const SideScores& now_;
  const ComparisonOptions& options_;
  ScorerComparison result_;

  Row all_;
  std::map<std::uint32_t, Row> groups_;
  FieldRows fields_;
  std::map<std::pair<std::optional<Outcome>, std::optional<Outcome>>, OutcomeChange> outcomes_;
  double elsewhere_ = 0;  // changes of scores that no field and no outcome accounts for
  double scored_change_ = 0;
  std::uint64_t scored_in_both_ = 0;
  bool base_judges_ = false;  // passes or fails a record
  bool now_judges_ = false;
  // Differences, places and ids: a heap with the least drop on top, of equal ones the last.
  std::vector<std::tuple<double, std::uint64_t, std::uint32_t>> worst_;
};

void ScorerComparer::Add(std::uint32_t id) {
  const IdScore base = base_.Of(id);
  const IdScore now = now_.Of(id);
  if (base.lines == 0 && now.lines == 0) return;
  if (options_.common_only && (base.lines == 0 || now.lines == 0)) return;
  const std::uint32_t unit = order_.UnitOf(id);
  double difference = now.score() - base.score();
  if (std::abs(difference) <= kScoreRounding) difference = 0;
  base_judges_ |= base.has_verdict;
  now_judges_ |= now.has_verdict;
  result_.base_errors += OutcomeOf(base) == Outcome::kError;
  result_.now_errors += OutcomeOf(now) == Outcome::kError;
  result_.nothing_compared += base.nothing_compared || now.nothing_compared;

  const auto says_nothing = [](const IdScore& score) {
    return score.nothing_compared || OutcomeOf(score) == Outcome::kError;
  };
  const auto add_to = [&](Row& row) {
    row.mean.Add(unit, base.score(), now.score());
    row.say_nothing += says_nothing(base) || says_nothing(now);
    AddVerdicts(base, now, row.verdicts);
  };
  add_to(all_);
  if (!options_.by.empty()) {
    add_to(groups_[names_.GroupOf(id)]);
    if (groups_.size() > kMaxGroups.default_value) {
      throw Error(ErrorCode::kInput,
                  fmt::format("the field {} has more than {} values; name one with fewer with --by",
                              QuoteForMessage(options_.by), kMaxGroups.default_value));
    }
  }
  const double by_fields = fields_.Add(id, unit);
  if (OutcomeOf(base) != OutcomeOf(now)) {
    const auto from_to = std::pair(OutcomeOf(base), OutcomeOf(now));
    OutcomeChange& change =
        outcomes_.try_emplace(from_to, OutcomeChange{from_to.first, from_to.second}).first->second;
    ++change.records;
    change.contribution += difference;
  } else {
    elsewhere_ += difference - by_fields;
  }
  if (base.is_scored() && now.is_scored()) {
    ++scored_in_both_;
    scored_change_ += difference;
  }
  if (difference < 0) AddToWorst(id, difference);
}

void ScorerComparer::AddToWorst(std::uint32_t id, double difference) {
  if (options_.worst == 0) return;
  if (worst_.size() == options_.worst) {
    if (difference >= std::get<0>(worst_.front())) return;
    std::ranges::pop_heap(worst_);
    worst_.pop_back();
  }
  worst_.emplace_back(difference, all_.mean.records(), id);
  std::ranges::push_heap(worst_);
}

void ScorerComparer::FillVerdicts(const Row& gathered, ComparedMean& row) const {
  const VerdictCounts& counts = gathered.verdicts;
  const auto records = static_cast<double>(gathered.mean.records());
  if (base_judges_) row.base_pass_rate = counts.base_passes / records;
  if (now_judges_) row.now_pass_rate = counts.now_passes / records;
  if (!base_judges_ || !now_judges_ || options_.repeats == Repeats::kAll) return;
  FlipCounts& flips = row.flips.emplace(counts.flips);
  if (order_.clustered()) return;
  flips.p = McNemarTest(flips.fail_to_pass, flips.pass_to_fail);
  flips.p_unpaired = UnpairedRatesTest(flips.both_pass + flips.pass_to_fail,
                                       flips.both_pass + flips.fail_to_pass, gathered.mean.records());
}

void ScorerComparer::SetRows() {
  // First all rows, so that they stay where they are while they are worked out.
  std::vector<std::pair<PairedMean*, ComparedMean*>> work = {{&all_.mean, &result_.all}};
  std::vector<std::uint32_t> groups;
  for (const auto& [group, row] : groups_) groups.push_back(group);
  std::ranges::sort(groups, [&](std::uint32_t a, std::uint32_t b) {
    const std::string& name_a = names_.groups[a];
    const std::string& name_b = names_.groups[b];
    return name_a.empty() != name_b.empty() ? name_b.empty() : name_a < name_b;
  });
  result_.groups.resize(groups.size());
  result_.fields.resize(fields_.fields().size());
  result_.all.scorer = result_.scorer;
  result_.all.say_nothing = all_.say_nothing;
  FillVerdicts(all_, result_.all);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    ComparedMean& row = result_.groups[g];
    row.scorer = result_.scorer;
    row.group = names_.GroupName(groups[g]);
    row.say_nothing = groups_[groups[g]].say_nothing;
    FillVerdicts(groups_[groups[g]], row);
    work.emplace_back(&groups_[groups[g]].mean, &row);
  }
  std::size_t f = 0;
  for (auto& [number, field] : fields_.fields()) {
    ComparedMean& row = result_.fields[f++];
    row.scorer = result_.scorer;
    row.field = names_.fields[number];
    row.contribution = field.change / records();
    work.emplace_back(&field.match, &row);
  }
  result_.all.scored_in_both = scored_in_both_;
  if (scored_in_both_ > 0) {
    result_.all.difference_scored = scored_change_ / static_cast<double>(scored_in_both_);
  }
  result_.elsewhere = elsewhere_ / records();
  ParallelFor(work.size(), [&](std::size_t i) {
    work[i].first->Finish(options_.margin, options_.alpha, *work[i].second);
  });
  std::ranges::sort(result_.fields, [](const ComparedMean& a, const ComparedMean& b) {
    if (a.contribution != b.contribution) return a.contribution < b.contribution;
    return a.difference != b.difference ? a.difference < b.difference : a.field < b.field;
  });
}

void ScorerComparer::SetOutcomes() {
  for (auto& [from_to, change] : outcomes_) {
    change.contribution /= records();
    result_.outcomes.push_back(change);
  }
  std::ranges::stable_sort(result_.outcomes, {}, &OutcomeChange::contribution);
}

void ScorerComparer::SetWorst() {
  std::ranges::sort(worst_);
  for (const auto& [difference, place, id] : worst_) {
    const IdScore base = base_.Of(id);
    const IdScore now = now_.Of(id);
    ChangedRecord& record = result_.worst.emplace_back();
    record.id = names_.IdOf(id);
    if (!options_.by.empty()) record.group = names_.GroupName(names_.GroupOf(id));
    record.base_outcome = OutcomeOf(base);
    record.now_outcome = OutcomeOf(now);
    record.base = base.score();
    record.now = now.score();
    if (base.has_verdict) record.base_passed = base.passed();
    if (now.has_verdict) record.now_passed = now.passed();
  }
}

}  // namespace

ScorerComparison CompareScorer(const ComparedNames& names, const OrderedIds& order, std::uint32_t scorer,
                               const Side& base, const Side& now, const ComparisonOptions& options) {
  return ScorerComparer(names, order, scorer, base.by_scorer.at(scorer), now.by_scorer.at(scorer), options)
      .Compare();
}

}  // namespace leafscore::internal
