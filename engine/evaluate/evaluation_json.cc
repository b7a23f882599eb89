#include "engine/evaluate/evaluation_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/base/rounding.h"
#include "engine/json/json_members.h"
#include "engine/json/json_text.h"

namespace leafscore::internal {
namespace {

constexpr int kMeanDecimals = 4;
constexpr int kCostDecimals = 6;

void AppendText(std::string& out, std::string_view member, const std::optional<std::string>& text) {
  out += member;
  if (text) {
    AppendJsonString(out, *text);
  } else {
    out += "null";
  }
}

void AppendFigure(std::string& out, std::string_view member, std::optional<double> number) {
  out += member;
  if (number) {
    AppendJsonNumber(out, *number);
  } else {
    out += "null";
  }
}

std::optional<double> Rounded(std::optional<double> number, int decimals) {
  if (!number) return std::nullopt;
  return RoundToDecimals(*number, decimals);
}

void WriteTexts(PrettyJsonWriter& writer, std::string_view key, const auto& texts) {
  WriteKey(writer, key);
  writer.StartArray();
  for (const std::string& text : texts) WriteText(writer, text);
  writer.EndArray();
}

void WritePasses(PrettyJsonWriter& writer, const PassCounts& passes) {
  WriteCount(writer, "passed", passes.passed);
  WriteFigure(writer, "pass_rate", Rounded(passes.Rate(), kMeanDecimals));
}

void WriteTotals(PrettyJsonWriter& writer, const EvaluationSummary& summary) {
  WriteKey(writer, "totals");
  writer.StartObject();
  WriteCount(writer, "scenarios", summary.passes().total);
  WriteCount(writer, "scored", summary.outcomes().scored);
  WriteCount(writer, "unreadable", summary.outcomes().unreadable);
  WriteCount(writer, "errors", summary.outcomes().errors);
  WritePasses(writer, summary.passes());
  WriteCount(writer, "trajectory_files", summary.trajectory_files);
  WriteCount(writer, "unmatched_trajectories", summary.unmatched_runs.size());
  WriteCount(writer, "not_selected_trajectories", summary.not_selected);
  WriteCount(writer, "skipped_trajectories", summary.skipped_trajectories.size());
  WriteCount(writer, "scenarios_given", summary.scenarios);
  WriteCount(writer, "unmatched_scenarios", summary.unmatched_scenarios.size());
  WriteCount(writer, "skipped_scenario_files", summary.skipped_scenarios.size());
  WriteCount(writer, "duplicate_scenarios", summary.duplicate_scenarios.size());
  WriteKey(writer, "counts_add_up");
  writer.Bool(summary.CountsAddUp());
  writer.EndObject();
}

void WriteOps(PrettyJsonWriter& writer, const OpsSummary& ops) {
  WriteKey(writer, "ops");
  writer.StartObject();
  for (std::size_t i = 0; i < ops.series.size(); ++i) {
    const std::string name(OpsSummary::kNames[i]);
    WriteFigure(writer, name + "_total", Rounded(ops.series[i].Total(), kCostDecimals));
    WriteFigure(writer, name + "_p50", ops.series[i].PercentileInterpolated(50));
    WriteFigure(writer, name + "_p95", ops.series[i].PercentileInterpolated(95));
  }
  writer.EndObject();
}

// The number of keys that only one side has follows from the counts of static_json; so do the lengths of its
// lists, whatever of them was kept.
void WriteKeyTotals(PrettyJsonWriter& writer, const EvaluationSummary& summary, const ScoreGroup& group) {
  const auto sum_of = [&](std::string_view metric) -> std::optional<double> {
    const auto found = std::ranges::find(summary.metric_names(), metric);
    if (found == summary.metric_names().end()) return std::nullopt;
    return group.metrics[static_cast<std::size_t>(found - summary.metric_names().begin())].sum;
  };
  const auto gold = sum_of("total_gold_keys");
  const auto model = sum_of("total_model_keys");
  const auto matched = sum_of("matched_keys");
  if (!gold || !model || !matched) return;
  WriteFigure(writer, "missing_keys_total", *gold - *matched);
  WriteFigure(writer, "extra_keys_total", *model - *matched);
  WriteFigure(writer, "detail_entries_total", *gold + *model - *matched);
}

void WriteGroup(PrettyJsonWriter& writer, const EvaluationSummary& summary, const ScoreGroup& group) {
  const std::uint64_t scored = group.outcomes.scored;
  const std::uint64_t unreadable = group.outcomes.unreadable;
  writer.StartObject();
  WriteCount(writer, "total", group.passes.total);
  WritePasses(writer, group.passes);
  WriteCount(writer, "scored_results", scored);
  WriteCount(writer, "unreadable_results", unreadable);
  WriteCount(writer, "error_results", group.outcomes.errors);
  WriteFigure(writer, "score_avg", Rounded(group.score.Mean(), kMeanDecimals));
  const CountedSum with_unreadable{group.score.sum, scored + unreadable};
  WriteFigure(writer, "score_unreadable_as_zero_avg", Rounded(with_unreadable.Mean(), kMeanDecimals));
  const auto if_scored = [&](double figure) { return scored == 0 ? std::nullopt : std::optional(figure); };
  WriteFigure(writer, "score_min", Rounded(if_scored(group.min), kMeanDecimals));
  WriteFigure(writer, "score_max", Rounded(if_scored(group.max), kMeanDecimals));
  for (std::size_t m = 0; m < group.metrics.size(); ++m) {
    WriteFigure(writer, summary.metric_names()[m] + "_avg", Rounded(group.metrics[m].Mean(), kMeanDecimals));
  }
  WriteKeyTotals(writer, summary, group);
  WriteOps(writer, group.ops);
  writer.EndObject();
}

void WriteSkipped(PrettyJsonWriter& writer, std::string_view key, const std::vector<SkippedFile>& files) {
  WriteKey(writer, key);
  writer.StartArray();
  for (const SkippedFile& file : files) {
    writer.StartObject();
    WriteKey(writer, "file");
    WriteText(writer, file.path);
    WriteKey(writer, "why");
    WriteText(writer, file.why);
    writer.EndObject();
  }
  writer.EndArray();
}

// Everything that was found and has no score.
void WriteLeftOut(PrettyJsonWriter& writer, const EvaluationSummary& summary) {
  WriteKey(writer, "unmatched_trajectories");
  writer.StartArray();
  for (const EvaluationSummary::UnmatchedRun& run : summary.unmatched_runs) {
    writer.StartObject();
    WriteKey(writer, "file");
    WriteText(writer, run.file);
    WriteKey(writer, "scenario_id");
    WriteText(writer, run.label);
    WriteKey(writer, "run_id");
    if (run.run_id) {
      WriteText(writer, *run.run_id);
    } else {
      writer.Null();
    }
    writer.EndObject();
  }
  writer.EndArray();
  WriteTexts(writer, "unmatched_scenarios", summary.unmatched_scenarios);
  WriteTexts(writer, "unknown_selected_ids", summary.unknown_selected_ids);
  WriteTexts(writer, "duplicate_scenarios", summary.duplicate_scenarios);
  WriteKey(writer, "unknown_scoring_methods");
  writer.StartObject();
  for (const auto& [method, scenarios] : summary.unknown_methods) WriteCount(writer, method, scenarios);
  writer.EndObject();
  WriteSkipped(writer, "skipped_trajectories", summary.skipped_trajectories);
  WriteSkipped(writer, "skipped_scenario_files", summary.skipped_scenarios);
}

}  // namespace

void AppendRunReport(const Scenario& scenario, const Trajectory& run, std::string_view file,
                     const RunScore& score, std::string_view scorer_name, std::string& out) {
  AppendText(out, "{\"scenario_id\": ", scenario.id);
  AppendText(out, ", \"scenario_type\": ", scenario.type);
  AppendText(out, ", \"run_id\": ", run.run_id);
  AppendText(out, ", \"runner\": ", run.runner);
  AppendText(out, ", \"model\": ", run.model);
  out += ", \"question\": ";
  out += run.question_json.value_or("null");
  out += ", \"answer\": ";
  out += run.answer_json.value_or("null");
  out += ", \"file\": ";
  AppendJsonString(out, file);
  out += ", \"score\": {\"scorer\": ";
  AppendJsonString(out, scorer_name);
  out += ", \"outcome\": ";
  AppendJsonString(out, OutcomeName(score.outcome));
  out += ", \"passed\": ";
  out += score.passed < 0 ? "null" : score.passed == 1 ? "true" : "false";
  AppendFigure(out, ", \"score\": ", score.score);
  out += ", \"rationale\": ";
  AppendJsonString(out, score.rationale);
  out += ", \"details\": {";
  out += score.details_json;
  out += "}}, \"ops\": {";
  const RunMetrics& ops = run.metrics;
  AppendFigure(out, "\"turn_count\": ", ops.turns);
  AppendFigure(out, ", \"tool_call_count\": ", ops.tool_calls);
  out += ", \"unique_tools\": ";
  out += ops.tool_calls ? "[" : "null";
  for (std::size_t i = 0; i < ops.unique_tools.size(); ++i) {
    if (i > 0) out += ", ";
    AppendJsonString(out, ops.unique_tools[i]);
  }
  if (ops.tool_calls) out += ']';
  AppendFigure(out, ", \"tokens_in\": ", ops.tokens_in);
  AppendFigure(out, ", \"tokens_out\": ", ops.tokens_out);
  AppendFigure(out, ", \"duration_ms\": ", ops.duration_ms);
  AppendFigure(out, ", \"est_cost_usd\": ", ops.cost_usd);
  out += "}}";
}

std::string RenderAggregateHead(const EvaluationSummary& summary, std::string_view generated_at) {
  rapidjson::StringBuffer buffer;
  PrettyJsonWriter writer(buffer);
  writer.SetIndent(' ', 2);
  writer.StartObject();
  WriteKey(writer, "generated_at");
  WriteText(writer, generated_at);
  WriteTexts(writer, "runners", summary.runners());
  WriteTexts(writer, "models", summary.models());
  WriteTotals(writer, summary);
  WriteKey(writer, "by_scenario_type");
  writer.StartObject();
  for (const auto& [type, passes] : summary.by_scenario_type()) {
    WriteKey(writer, type);
    writer.StartObject();
    WriteCount(writer, "total", passes.total);
    WritePasses(writer, passes);
    writer.EndObject();
  }
  writer.EndObject();
  WriteOps(writer, summary.ops());
  WriteKey(writer, "score_summary");
  writer.StartObject();
  for (const auto& [name, group] : summary.by_runner_and_model()) {
    WriteKey(writer, name);
    WriteGroup(writer, summary, group);
  }
  writer.EndObject();
  WriteLeftOut(writer, summary);
  writer.EndObject();
  std::string head(buffer.GetString(), buffer.GetSize());
  head.resize(head.size() - std::string_view("\n}").size());  // open again, for the results
  return head + ",\n  \"results\": [\n    ";
}

}  // namespace leafscore::internal
