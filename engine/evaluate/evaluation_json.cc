#include "engine/evaluate/evaluation_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/rounding.h"
#include "engine/json/json_writer.h"
#include "engine/render/figures.h"
#include "engine/scorers/static_json/revision_2026_09.h"

namespace leafscore::internal {
namespace {

constexpr int kMeanDecimals = 4;
constexpr int kCostDecimals = 6;

std::optional<double> Rounded(std::optional<double> number, int decimals) {
  if (!number) return std::nullopt;
  return RoundToDecimals(*number, decimals);
}

void WritePasses(JsonWriter& json, const EvaluatedRuns& runs) {
  json.Key("passed").Integer(runs.passed);
  json.Key("pass_rate").Number(Rounded(runs.pass_rate, kMeanDecimals));
}

void WriteTotals(JsonWriter& json, const EvaluationReport& report) {
  json.Key("totals").StartObject();
  json.Key("scenarios").Integer(report.matched.runs);
  json.Key("scored").Integer(report.matched.scored);
  json.Key("unreadable").Integer(report.matched.unreadable);
  json.Key("unanswered").Integer(report.matched.unanswered);
  json.Key("errors").Integer(report.matched.errors);
  WritePasses(json, report.matched);
  json.Key("trajectory_files").Integer(report.trajectory_files);
  json.Key("unmatched_trajectories").Integer(report.unmatched_runs.size());
  json.Key("not_selected_trajectories").Integer(report.not_selected);
  json.Key("skipped_trajectories").Integer(report.skipped_trajectories.size());
  json.Key("scenarios_given").Integer(report.scenarios);
  json.Key("unmatched_scenarios").Integer(report.unmatched_scenarios.size());
  json.Key("skipped_scenario_files").Integer(report.skipped_scenarios.size());
  json.Key("duplicate_scenarios").Integer(report.duplicate_scenarios.size());
  json.Key("counts_add_up").Bool(report.counts_add_up);
  json.EndObject();
}

// In AssetOpsBench's totals, figures that no run states are 0, except durations and costs.
void WriteOps(JsonWriter& json, const EvaluatedRuns& runs) {
  json.Key("ops").StartObject();
  for (const OperationalFigures& figures : runs.operational) {
    const bool may_be_null = figures.name == "duration_ms" || figures.name.ends_with("cost_usd");
    const std::optional<double> total = may_be_null ? figures.total : figures.total.value_or(0);
    json.Key(figures.name + "_total").Number(Rounded(total, kCostDecimals));
    json.Key(figures.name + "_p50").Number(figures.p50);
    json.Key(figures.name + "_p95").Number(figures.p95);
  }
  json.EndObject();
}

// Returns the dollars for each of `count`; nullopt without a cost or a count.
std::optional<double> CostPer(std::optional<double> cost, std::uint64_t count) {
  if (!cost || count == 0) return std::nullopt;
  return RoundToDecimals(*cost / static_cast<double>(count), kCostDecimals);
}

void WriteCosts(JsonWriter& json, const EvaluatedRuns& runs) {
  const auto cost = std::ranges::find(runs.operational, "est_cost_usd", &OperationalFigures::name)->total;
  json.Key("est_cost_per_scenario_usd").Number(CostPer(cost, runs.runs));
  json.Key("est_cost_per_pass_usd").Number(CostPer(cost, runs.passed));
}

// Writes all of AssetOpsBench's means first, then the other metrics of the scorers.
void WriteMetrics(JsonWriter& json, const EvaluatedRuns& runs) {
  const auto metric = [&](std::string_view name) {
    return std::ranges::find(runs.metrics, name, &RunMetric::name);
  };
  std::vector<std::string_view> of_origin;
  for (const auto& [name, shown] : kMetrics202609) {
    if (shown == MeanShown::kOnRequest) continue;
    of_origin.push_back(name);
    const auto found = metric(name);
    const std::optional<double> mean = found == runs.metrics.end() ? std::nullopt : found->mean;
    json.Key(fmt::format("{}_avg", name)).Number(Rounded(mean, kMeanDecimals));
  }
  for (const RunMetric& further : runs.metrics) {
    if (std::ranges::find(of_origin, further.name) != of_origin.end() ||
        std::ranges::find(kKeyListLengths, further.name) != kKeyListLengths.end()) {
      continue;
    }
    json.Key(further.name + "_avg").Number(Rounded(further.mean, kMeanDecimals));
  }
  for (const std::string_view name : kKeyListLengths) {
    const auto found = metric(name);
    json.Key(fmt::format("{}_total", name)).Number(found == runs.metrics.end() ? 0 : found->total);
  }
}

void WriteGroup(JsonWriter& json, const EvaluatedRuns& runs) {
  json.StartObject();
  json.Key("total").Integer(runs.runs);
  WritePasses(json, runs);
  WriteOps(json, runs);
  WriteCosts(json, runs);
  json.Key("scored_results").Integer(runs.scored);
  json.Key("unreadable_results").Integer(runs.unreadable);
  json.Key("unanswered_results").Integer(runs.unanswered);
  json.Key("error_results").Integer(runs.errors);
  json.Key("score_avg").Number(Rounded(runs.mean, kMeanDecimals));
  json.Key("score_min").Number(Rounded(runs.min, kMeanDecimals));
  json.Key("score_max").Number(Rounded(runs.max, kMeanDecimals));
  WriteMetrics(json, runs);
  json.EndObject();
}

void WriteLeftOut(JsonWriter& json, std::string_view key, const std::vector<LeftOut>& files) {
  const FigureList<LeftOut> figures = {{"", "file", "", At<&LeftOut::path>},
                                       {"", "why", "", At<&LeftOut::why>}};
  WriteObjects(figures, files, json.Key(key));
}

// Writes everything that was found but has no score.
void WriteAllLeftOut(JsonWriter& json, const EvaluationReport& report) {
  const FigureList<UnmatchedRun> figures = {{"", "file", "", At<&UnmatchedRun::file>},
                                            {"", "scenario_id", "", At<&UnmatchedRun::scenario_id>},
                                            {"", "run_id", "", At<&UnmatchedRun::run_id>}};
  WriteObjects(figures, report.unmatched_runs, json.Key("unmatched_trajectories"));
  json.Key("unmatched_scenarios").LossyStrings(report.unmatched_scenarios);
  json.Key("unknown_selected_ids").LossyStrings(report.unknown_scenario_ids);
  json.Key("duplicate_scenarios").LossyStrings(report.duplicate_scenarios);
  json.Key("unknown_scoring_methods").StartObject();
  for (const auto& [method, scenarios] : report.unknown_methods) json.Key(method).Integer(scenarios);
  json.EndObject();
  WriteLeftOut(json, "skipped_trajectories", report.skipped_trajectories);
  WriteLeftOut(json, "skipped_scenario_files", report.skipped_scenarios);
  WriteLeftOut(json, "failed_reports", report.failed_reports);
  WriteLeftOut(json, "self_judged", report.self_judged);
}

}  // namespace

void AppendRunReport(const Scenario& scenario, const Trajectory& run, std::string_view file,
                     const AgentScore& score, const EvaluationSummary::ScorerInfo& scorer, std::string& out) {
  JsonWriter json(out);
  json.StartObject();
  json.Key("scenario_id").String(scenario.id);
  json.Key("scenario_type").String(scenario.type);
  json.Key("run_id").LossyStringOrNull(run.run_id);
  json.Key("runner").LossyStringOrNull(run.runner);
  json.Key("model").LossyStringOrNull(run.model);
  json.Key("question").Raw(run.question_json.value_or("null"));
  json.Key("answer").Raw(run.answer_json.value_or("null"));
  json.Key("file").String(file);

  json.Key("score").StartObject();
  json.Key("scorer").String(scorer.name);
  json.Key("revision").String(scorer.revision);
  json.Key("outcome").String(OutcomeName(score.outcome));
  WriteValue(score.passed < 0 ? Value() : Value(score.passed == 1), json.Key("passed"));
  json.Key("score").Number(score.score);
  json.Key("rationale").String(score.rationale);
  json.Key("details").Raw(score.details_json);
  json.EndObject();

  const AgentMetrics& ops = run.metrics;
  json.Key("ops").StartObject();
  json.Key("turn_count").Number(ops.turns.value_or(0));
  json.Key("tool_call_count").Number(ops.tool_calls.value_or(0));
  json.Key("unique_tools").LossyStrings(ops.unique_tools);
  json.Key("tokens_in").Number(ops.tokens_in.value_or(0));
  json.Key("tokens_out").Number(ops.tokens_out.value_or(0));
  json.Key("duration_ms").Number(ops.duration_ms);
  json.Key("est_cost_usd").Number(ops.cost_usd);
  json.EndObject();
  json.EndObject();
}

void WriteAggregate(const EvaluationReport& report, std::string_view generated_at, JsonWriter& json) {
  json.Key("generated_at").String(generated_at);
  json.Key("runners").LossyStrings(report.runners);
  json.Key("models").LossyStrings(report.models);
  WriteTotals(json, report);
  json.Key("by_scenario_type").StartObject();
  for (const EvaluatedRuns& runs : report.by_scenario_type) {
    json.Key(runs.name).StartObject();
    json.Key("total").Integer(runs.runs);
    WritePasses(json, runs);
    json.EndObject();
  }
  json.EndObject();
  WriteOps(json, report.matched);
  json.Key("score_summary").StartObject();
  for (const EvaluatedRuns& runs : report.by_runner_and_model) {
    json.Key(runs.name);
    WriteGroup(json, runs);
  }
  json.EndObject();
  WriteAllLeftOut(json, report);
  json.Key("prices").LossyString(report.prices);
}

}  // namespace leafscore::internal
