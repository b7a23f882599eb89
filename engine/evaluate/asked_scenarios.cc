#include "engine/evaluate/asked_scenarios.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <utility>

#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/report/join_summary.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr RecordScore kNotAnswered{.outcome = Outcome::kUnanswered, .reason = RejectReason::kNoAnswer};
constexpr RecordScore kNoScenario{.outcome = Outcome::kError, .reason = RejectReason::kNoGold};

}  // namespace

void AskedScenarios::Add(const std::string& runner_and_model, std::uint32_t scenario,
                         const RecordScore& score) {
  Source& source = sources_[runner_and_model];
  ++source.counts.records;
  ++source.counts.matched;
  std::vector<RecordScore>& scores = source.scores[scenario];
  if (!scores.empty()) {
    const std::string& id = scenarios_.scenarios()[scenario].id;
    if (repeats_ == Repeats::kError) {
      throw Error(ErrorCode::kInput, fmt::format("{} has several runs for the scenario {}",
                                                 QuoteForMessage(runner_and_model), QuoteForMessage(id)));
    }
    AddId(id, source.counts.duplicates);
    if (repeats_ == Repeats::kFirst) return;
    if (repeats_ == Repeats::kLast) scores.clear();
  }
  scores.push_back(score);
}

void AskedScenarios::AddUnmatched(const std::string& runner_and_model, std::string_view scenario_id) {
  Source& source = sources_[runner_and_model];
  ++source.counts.records;
  AddId(scenario_id, source.counts.without_gold);
}

ScorerReport AskedScenarios::ReportOf(std::uint32_t scorer) const {
  struct Asked {
    std::uint32_t scenario;
    std::uint32_t type_group;
    RecordScore unanswered;  // its result without a run
  };
  RunSummary summary({scorers_.sets()[scorer].names()[0]}, {kScenarioTypeField, kRunnerAndModelField},
                     kMaxGroups.default_value);
  summary.interval_by() = summary.group_fields();
  summary.SetSourceField(kRunnerAndModelField);
  std::vector<Asked> asked;
  for (std::uint32_t s = 0; s < scenarios_.scenarios().size(); ++s) {
    const Scenario& scenario = scenarios_.scenarios()[s];
    if (!scenario.selected || scorers_.OfScenario(s) != scorer) continue;
    const std::optional<ScenarioFlaw>& flaw = scorers_.Flaw(s);
    asked.push_back({s, scenario.type.empty() ? kNoneGroup : summary.GroupIndex(0, scenario.type),
                     flaw ? RecordScore{.outcome = Outcome::kError, .reason = flaw->reason} : kNotAnswered});
  }
  const std::size_t unknown = scorer == 0 ? unknown_ids_ : 0;  // they would use the default scorer
  for (const auto& [name, source] : sources_) {
    std::array groups = {kNoneGroup, summary.GroupIndex(1, name)};
    for (std::size_t i = 0; i < unknown; ++i) summary.Add(0, kNoScenario, groups);
    for (const auto& [scenario, type_group, unanswered] : asked) {
      groups[0] = type_group;
      const auto found = source.scores.find(scenario);
      const std::span scores =
          found == source.scores.end() ? std::span(&unanswered, 1) : std::span(std::as_const(found->second));
      summary.Add(0, scores, groups, {}, {scenario + std::uint64_t{1}, scenarios_.scenarios()[scenario].id});
      summary.totals().records_read += scores.size();
    }
    summary.totals().records_read += unknown;
  }
  summary.AddJsonInTexts(0, json_in_texts_[scorer]);
  summary.SetAbsentPaths({absent_paths_[scorer]});
  return summary.Report().scorers[0];
}

std::vector<std::string> AskedScenarios::ScorerNames() const {
  std::vector<std::string> names;
  for (std::uint32_t scorer = 0; scorer < scorers_.sets().size(); ++scorer) {
    bool scores = scorer == 0 && unknown_ids_ != 0;
    for (std::uint32_t s = 0; s < scenarios_.scenarios().size() && !scores; ++s) {
      scores = scenarios_.scenarios()[s].selected && scorers_.OfScenario(s) == scorer;
    }
    if (scores) names.push_back(scorers_.sets()[scorer].names()[0]);
  }
  return names;
}

RunReport AskedScenarios::Report() const {
  RunReport report;
  report.group_fields = {kScenarioTypeField, kRunnerAndModelField};
  for (std::uint32_t scorer = 0; scorer < scorers_.sets().size(); ++scorer) {
    ScorerReport of_scorer = ReportOf(scorer);
    if (of_scorer.figures.asked != 0) report.scorers.push_back(std::move(of_scorer));
  }
  for (const auto& [name, source] : sources_) {
    SourceCounts& counts = report.sources.emplace_back(source.counts);
    counts.source = name;
    for (std::uint32_t s = 0; s < scenarios_.scenarios().size(); ++s) {
      const Scenario& scenario = scenarios_.scenarios()[s];
      if (scenario.selected && !source.scores.contains(s)) AddId(scenario.id, counts.unanswered);
    }
  }
  return report;
}

}  // namespace leafscore::internal
