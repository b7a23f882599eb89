#include "engine/compare/scorer_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/compare/compared_scores.h"
#include "engine/compare/field_rates.h"
#include "engine/compare/gathered_row.h"
#include "engine/compare/paired_mean.h"
#include "engine/threads/parallel.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Finds the fields that changed between two sides, and how much each contributed to the change in a scorer's
// mean.

// Collects the fields in the details of one scorer's ids. THREADS: one at a time.
class FieldRows {
 public:
  struct Field {
    PairedMean match;
    double change = 0;  // in the sum of all scores
  };

  // REQUIRES: both arguments outlive this.
  FieldRows(const SideScores& base, const SideScores& now) : base_(base), now_(now) {}

  // Adds an id for which at least one side lists fields. On a side without a score, no field matches.
  // RETURNS: the part of the change in its score that comes from the fields. It is the whole change if the
  // fields add up to the score on both sides, else 0.
  double Add(std::uint32_t id, std::uint32_t unit);

  // Returns the fields by number.
  std::map<std::uint32_t, Field>& fields() { return fields_; }

 private:
  const SideScores& base_;
  const SideScores& now_;
  std::map<std::uint32_t, Field> fields_;
};

std::span<const FieldCell> CellsOf(const SideScores& side, std::uint32_t id) {
  const auto cells = std::ranges::equal_range(side.fields, id, {}, &FieldCell::id);
  return {cells.begin(), cells.end()};
}

// Returns whether the contributions of the fields add up to the score.
bool AddUp(std::span<const FieldCell> cells, const IdScore& score) {
  constexpr double kRounding = 1e-9;
  double sum = 0;
  for (const FieldCell& cell : cells) sum += cell.contribution;
  return std::abs(sum - score.score()) <= kRounding;
}

double FieldRows::Add(std::uint32_t id, std::uint32_t unit) {
  const std::span<const FieldCell> base = CellsOf(base_, id);
  const std::span<const FieldCell> now = CellsOf(now_, id);
  if (base.empty() && now.empty()) return 0;
  const IdScore base_score = base_.Of(id);
  const IdScore now_score = now_.Of(id);
  const bool both_scored = base_score.is_scored() && now_score.is_scored();
  // A side with a score but without a list of fields says nothing about them.
  if (both_scored && (base.empty() || now.empty())) return 0;
  const bool add_up = both_scored && AddUp(base, base_score) && AddUp(now, now_score);
  double change = 0;
  auto b = base.begin();
  auto n = now.begin();
  while (b != base.end() || n != now.end()) {
    const bool in_base = b != base.end() && (n == now.end() || b->field <= n->field);
    const bool in_now = n != now.end() && (b == base.end() || n->field <= b->field);
    Field& field = fields_[in_base ? b->field : n->field];
    field.match.Add(unit, in_base ? b->match : 0, in_now ? n->match : 0);
    if (add_up) {
      const double by_field = (in_now ? n->contribution : 0) - (in_base ? b->contribution : 0);
      field.change += by_field;
      change += by_field;
    }
    b += in_base;
    n += in_now;
  }
  return change;
}

std::optional<Outcome> OutcomeOf(const IdScore& score) {
  return score.lines == 0 ? std::nullopt : std::optional(score.outcome);
}

void WorkOut(const std::vector<FigureWork>& work, const ComparisonOptions& options) {
  ParallelFor(work.size(), [&](std::size_t i) {
    const auto figure_of = [&](const auto* data) { return data->Figure(options); };
    *work[i].second = std::visit(figure_of, work[i].first);
  });
}

class ScorerComparer {
 public:
  ScorerComparer(const ComparedNames& names, const OrderedIds& order, std::uint32_t scorer,
                 const SideScores& base, const SideScores& now, const ComparisonOptions& options)
      : names_(names),
        order_(order),
        base_(base),
        now_(now),
        options_(options),
        sides_(base, now),
        all_(sides_, options),
        fields_(base, now),
        rates_(base, now) {
    result_.scorer = names.scorers[scorer];
  }

  ScorerComparison Compare() {
    all_.Reserve(order_.clustered() ? names_.clusters.size() + 1 : order_.ids.size());
    constexpr std::size_t kAhead = 16;  // ids are not in memory order, so each would wait
    const std::vector<std::uint32_t>& ids = order_.ids;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (i + kAhead < ids.size()) {
        __builtin_prefetch(base_.PlaceOf(ids[i + kAhead]));
        __builtin_prefetch(now_.PlaceOf(ids[i + kAhead]));
      }
      Add(ids[i]);
    }
    SetRows();
    SetOutcomes();
    SetCauses();
    SetWorst();
    return std::move(result_);
  }

 private:
  void Add(std::uint32_t id);
  void AddToWorst(std::uint32_t id, double difference);
  void SetRows();
  void SetOutcomes();
  void SetCauses();
  void SetWorst();
  double records() const { return static_cast<double>(all_.records()); }

  const ComparedNames& names_;
  const OrderedIds& order_;
  const SideScores& base_;
  const SideScores& now_;
  const ComparisonOptions& options_;
  ScorerComparison result_;

  const ScorerSides sides_;
  GatheredRow all_;
  std::map<std::uint32_t, GatheredRow> groups_;
  FieldRows fields_;
  FieldRates rates_;
  std::map<std::pair<std::optional<Outcome>, std::optional<Outcome>>, OutcomeChange> outcomes_;
  std::map<AnswerCause, CauseChange> causes_;
  double elsewhere_ = 0;  // changes of scores that are due to no field or outcome
  double scored_change_ = 0;
  std::uint64_t scored_in_both_ = 0;
  // A heap of differences, ranks and ids. The smallest drop is on top; among equal drops, the last one.
  std::vector<std::tuple<double, std::uint64_t, std::uint32_t>> worst_;
};

void ScorerComparer::Add(std::uint32_t id) {
  const IdScore base = base_.Of(id);
  const IdScore now = now_.Of(id);
  if (!IsCompared(base, now, options_)) return;
  const std::uint32_t unit = order_.UnitOf(id);
  double difference = now.score() - base.score();
  if (std::abs(difference) <= kScoreRounding) difference = 0;
  result_.base_errors += OutcomeOf(base) == Outcome::kError;
  result_.now_errors += OutcomeOf(now) == Outcome::kError;
  result_.nothing_compared += base.nothing_compared || now.nothing_compared;

  all_.Add(unit, id, base, now);
  if (!options_.by.empty()) {
    groups_.try_emplace(names_.GroupOf(id), sides_, options_).first->second.Add(unit, id, base, now);
    if (groups_.size() > kMaxGroups.default_value) {
      throw Error(ErrorCode::kInput,
                  fmt::format("the field {} has more than {} values; name one with fewer with --by",
                              QuoteForMessage(options_.by), kMaxGroups.default_value));
    }
  }
  (base.causes | now.causes).ForEach([&](AnswerCause cause) {
    CauseChange& change = causes_.try_emplace(cause, CauseChange{cause}).first->second;
    change.base_records += base.causes.Has(cause);
    change.now_records += now.causes.Has(cause);
    const bool came = now.causes.Has(cause) && !base.causes.Has(cause);
    const bool went = base.causes.Has(cause) && !now.causes.Has(cause);
    if ((came && difference < 0) || (went && difference > 0)) change.contribution += difference;
  });
  const double by_fields = fields_.Add(id, unit);
  rates_.Add(id, unit);
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
  worst_.emplace_back(difference, all_.records(), id);
  std::ranges::push_heap(worst_);
}

void ScorerComparer::SetRows() {
  // Add all rows first, so that they do not move while they are computed.
  std::vector<std::uint32_t> groups;
  for (const auto& [group, row] : groups_) groups.push_back(group);
  std::ranges::sort(groups, [&](std::uint32_t a, std::uint32_t b) {
    const std::string_view name_a = names_.groups[a];
    const std::string_view name_b = names_.groups[b];
    return name_a.empty() != name_b.empty() ? name_b.empty() : name_a < name_b;
  });
  result_.groups.resize(groups.size());
  result_.fields.resize(fields_.fields().size());
  std::vector<FigureWork> work;
  result_.all.scorer = result_.scorer;
  all_.Fill(result_.all, work);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    ComparedRow& row = result_.groups[g];
    row.scorer = result_.scorer;
    row.group = names_.GroupName(groups[g]);
    groups_.at(groups[g]).Fill(row, work);
  }
  std::size_t f = 0;
  for (auto& [number, field] : fields_.fields()) {
    ComparedRow& row = result_.fields[f++];
    row.scorer = result_.scorer;
    row.field = names_.fields[number];
    row.records = field.match.records();
    row.units = field.match.units();
    row.effective_units = field.match.EffectiveUnits();
    row.contribution = field.change / records();
    work.emplace_back(&field.match, &row.mean);
  }
  rates_.Fill(names_, options_, result_.scorer, result_.field_rates, work);
  result_.labels = all_.Corrected();
  result_.all.scored_in_both = scored_in_both_;
  if (scored_in_both_ > 0) {
    result_.all.difference_scored = scored_change_ / static_cast<double>(scored_in_both_);
  }
  result_.elsewhere = elsewhere_ / records();
  WorkOut(work, options_);
  std::ranges::sort(result_.fields, [](const ComparedRow& a, const ComparedRow& b) {
    if (a.contribution != b.contribution) return a.contribution < b.contribution;
    const double change_a = a.mean.difference;
    const double change_b = b.mean.difference;
    return change_a != change_b ? change_a < change_b : a.field < b.field;
  });
}

void ScorerComparer::SetOutcomes() {
  for (auto& [from_to, change] : outcomes_) {
    change.contribution /= records();
    result_.outcomes.push_back(change);
  }
  std::ranges::stable_sort(result_.outcomes, {}, &OutcomeChange::contribution);
}

void ScorerComparer::SetCauses() {
  for (auto& [cause, change] : causes_) {
    change.contribution /= records();
    if (change.contribution != 0) result_.causes.push_back(change);
  }
  std::ranges::stable_sort(result_.causes, {}, &CauseChange::contribution);
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

void PoolGroups(const OrderedIds& order, const Side& base_side, const Side& now_side,
                const std::set<std::string_view>& groups, const ComparisonOptions& options,
                ScorerComparison& scorer) {
  const ComparedNames& names = *order.names;
  std::uint32_t number = 0;
  while (names.scorers[number] != scorer.scorer) ++number;
  const SideScores& base = base_side.by_scorer.at(number);
  const SideScores& now = now_side.by_scorer.at(number);
  std::vector<bool> pooled(names.groups.size());
  for (std::uint32_t group = 0; group < names.groups.size(); ++group) {
    pooled[group] = groups.contains(names.GroupName(group));
  }
  const ScorerSides sides(base, now);
  GatheredRow gathered(sides, options);
  for (const std::uint32_t id : order.ids) {
    if (!pooled[names.GroupOf(id)] || !IsCompared(base.Of(id), now.Of(id), options)) continue;
    gathered.Add(order.UnitOf(id), id, base.Of(id), now.Of(id));
  }
  ComparedRow& row = scorer.groups.emplace_back();
  row.scorer = scorer.scorer;
  row.group = kSmallGroups;
  row.pooled_groups = groups.size();
  std::vector<FigureWork> work;
  gathered.Fill(row, work);
  WorkOut(work, options);
}

}  // namespace leafscore::internal
