#include "engine/evaluate/evaluation_json.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/base/rounding.h"
#include "engine/json/json_writer.h"

namespace leafscore::internal {
namespace {

constexpr int kMeanDecimals = 4;
constexpr int kCostDecimals = 6;

std::optional<double> Rounded(std::optional<double> number, int decimals) {
  if (!number) return std::nullopt;
  return RoundToDecimals(*number, decimals);
}

void WriteText(JsonWriter& json, std::string_view key, const std::optional<std::string>& text) {
  json.Key(key);
  if (text) {
    json.String(*text);
  } else {
    json.Null();
  }
}

void WriteTexts(JsonWriter& json, std::string_view key, const auto& texts) {
  json.Key(key).StartArray();
  for (const std::string& text : texts) json.LossyString(text);
  json.EndArray();
}

void WritePasses(JsonWriter& json, const PassCounts& passes) {
  json.Key("passed").Integer(passes.passed);
  json.Key("pass_rate").Number(Rounded(passes.Rate(), kMeanDecimals));
}

void WriteTotals(JsonWriter& json, const EvaluationSummary& summary) {
  json.Key("totals").StartObject();
  json.Key("scenarios").Integer(summary.passes().total);
  json.Key("scored").Integer(summary.outcomes().scored);
  json.Key("unreadable").Integer(summary.outcomes().unreadable);
  json.Key("errors").Integer(summary.outcomes().errors + summary.outcomes().unanswered);
  WritePasses(json, summary.passes());
  json.Key("trajectory_files").Integer(summary.trajectory_files);
  json.Key("unmatched_trajectories").Integer(summary.unmatched_trajectories.size());
  json.Key("not_selected_trajectories").Integer(summary.not_selected);
  json.Key("skipped_trajectories").Integer(summary.skipped_trajectories.size());
  json.Key("scenarios_given").Integer(summary.scenarios);
  json.Key("unmatched_scenarios").Integer(summary.unmatched_scenarios.size());
  json.Key("skipped_scenario_files").Integer(summary.skipped_scenarios.size());
  json.Key("duplicate_scenarios").Integer(summary.duplicate_scenarios.size());
  json.Key("counts_add_up").Bool(summary.CountsAddUp());
  json.EndObject();
}

void WriteOps(JsonWriter& json, const OpsSummary& ops) {
  json.Key("ops").StartObject();
  for (std::size_t i = 0; i < ops.series.size(); ++i) {
    const std::string name(OpsSummary::kNames[i]);
    json.Key(name + "_total").Number(Rounded(ops.series[i].Total(), kCostDecimals));
    json.Key(name + "_p50").Number(ops.series[i].PercentileInterpolated(50));
    json.Key(name + "_p95").Number(ops.series[i].PercentileInterpolated(95));
  }
  json.EndObject();
}

// The number of keys that only one side has follows from the counts of static_json; so do the lengths of its
// lists, whatever of them was kept.
void WriteKeyTotals(JsonWriter& json, const EvaluationSummary& summary, const ScoreGroup& group) {
  const auto sum_of = [&](std::string_view metric) -> std::optional<double> {
    const auto found = std::ranges::find(summary.metric_names(), metric);
    if (found == summary.metric_names().end()) return std::nullopt;
    return group.metrics[static_cast<std::size_t>(found - summary.metric_names().begin())].sum;
  };
  const auto gold = sum_of("total_gold_keys");
  const auto model = sum_of("total_model_keys");
  const auto matched = sum_of("matched_keys");
  if (!gold || !model || !matched) return;
  json.Key("missing_keys_total").Number(*gold - *matched);
  json.Key("extra_keys_total").Number(*model - *matched);
  json.Key("detail_entries_total").Number(*gold + *model - *matched);
}

void WriteGroup(JsonWriter& json, const EvaluationSummary& summary, const ScoreGroup& group) {
  const std::uint64_t scored = group.outcomes.scored;
  const std::uint64_t unreadable = group.outcomes.unreadable;
  json.StartObject();
  json.Key("total").Integer(group.passes.total);
  WritePasses(json, group.passes);
  json.Key("scored_results").Integer(scored);
  json.Key("unreadable_results").Integer(unreadable);
  json.Key("error_results").Integer(group.outcomes.errors + group.outcomes.unanswered);
  json.Key("score_avg").Number(Rounded(group.score.Mean(), kMeanDecimals));
  const CountedSum with_unreadable{group.score.sum, scored + unreadable};
  json.Key("score_unreadable_as_zero_avg").Number(Rounded(with_unreadable.Mean(), kMeanDecimals));
  const auto if_scored = [&](double figure) { return scored == 0 ? std::nullopt : std::optional(figure); };
  json.Key("score_min").Number(Rounded(if_scored(group.min), kMeanDecimals));
  json.Key("score_max").Number(Rounded(if_scored(group.max), kMeanDecimals));
  for (std::size_t m = 0; m < group.metrics.size(); ++m) {
    json.Key(summary.metric_names()[m] + "_avg").Number(Rounded(group.metrics[m].Mean(), kMeanDecimals));
  }
  WriteKeyTotals(json, summary, group);
  WriteOps(json, group.ops);
  json.EndObject();
}

void WriteSkipped(JsonWriter& json, std::string_view key, const std::vector<SkippedFile>& files) {
  json.Key(key).StartArray();
  for (const SkippedFile& file : files) {
    json.StartObject();
    json.Key("file").LossyString(file.path);
    json.Key("why").LossyString(file.why);
    json.EndObject();
  }
  json.EndArray();
}

// Everything that was found and has no score.
void WriteLeftOut(JsonWriter& json, const EvaluationSummary& summary) {
  json.Key("unmatched_trajectories").StartArray();
  for (const EvaluationSummary::UnmatchedTrajectory& run : summary.unmatched_trajectories) {
    json.StartObject();
    json.Key("file").LossyString(run.file);
    json.Key("scenario_id").String(run.label);
    WriteText(json, "run_id", run.run_id);
    json.EndObject();
  }
  json.EndArray();
  WriteTexts(json, "unmatched_scenarios", summary.unmatched_scenarios);
  WriteTexts(json, "unknown_selected_ids", summary.unknown_selected_ids);
  WriteTexts(json, "duplicate_scenarios", summary.duplicate_scenarios);
  json.Key("unknown_scoring_methods").StartObject();
  for (const auto& [method, scenarios] : summary.unknown_methods) json.Key(method).Integer(scenarios);
  json.EndObject();
  WriteSkipped(json, "skipped_trajectories", summary.skipped_trajectories);
  WriteSkipped(json, "skipped_scenario_files", summary.skipped_scenarios);
}

}  // namespace

void AppendRunReport(const Scenario& scenario, const Trajectory& run, std::string_view file,
                     const AgentScore& score, std::string_view scorer_name, std::string& out) {
  JsonWriter json(out);
  json.StartObject();
  json.Key("scenario_id").String(scenario.id);
  json.Key("scenario_type").String(scenario.type);
  WriteText(json, "run_id", run.run_id);
  WriteText(json, "runner", run.runner);
  WriteText(json, "model", run.model);
  json.Key("question").Raw(run.question_json.value_or("null"));
  json.Key("answer").Raw(run.answer_json.value_or("null"));
  json.Key("file").String(file);

  json.Key("score").StartObject();
  json.Key("scorer").String(scorer_name);
  json.Key("outcome").String(OutcomeName(score.outcome));
  json.Key("passed");
  if (score.passed < 0) {
    json.Null();
  } else {
    json.Bool(score.passed == 1);
  }
  json.Key("score").Number(score.score);
  json.Key("rationale").String(score.rationale);
  json.Key("details").Raw(score.details_json);
  json.EndObject();

  const AgentMetrics& ops = run.metrics;
  json.Key("ops").StartObject();
  json.Key("turn_count").Number(ops.turns);
  json.Key("tool_call_count").Number(ops.tool_calls);
  if (ops.tool_calls) {
    WriteTexts(json, "unique_tools", ops.unique_tools);
  } else {
    json.Key("unique_tools").Null();
  }
  json.Key("tokens_in").Number(ops.tokens_in);
  json.Key("tokens_out").Number(ops.tokens_out);
  json.Key("duration_ms").Number(ops.duration_ms);
  json.Key("est_cost_usd").Number(ops.cost_usd);
  json.EndObject();
  json.EndObject();
}

void WriteAggregate(const EvaluationSummary& summary, std::string_view generated_at, JsonWriter& json) {
  json.Key("generated_at").String(generated_at);
  WriteTexts(json, "runners", summary.runners());
  WriteTexts(json, "models", summary.models());
  WriteTotals(json, summary);
  json.Key("by_scenario_type").StartObject();
  for (const auto& [type, passes] : summary.by_scenario_type()) {
    json.Key(type).StartObject();
    json.Key("total").Integer(passes.total);
    WritePasses(json, passes);
    json.EndObject();
  }
  json.EndObject();
  WriteOps(json, summary.ops());
  json.Key("score_summary").StartObject();
  for (const auto& [name, group] : summary.by_runner_and_model()) {
    json.Key(name);
    WriteGroup(json, summary, group);
  }
  json.EndObject();
  WriteLeftOut(json, summary);
}

}  // namespace leafscore::internal
