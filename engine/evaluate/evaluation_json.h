// engine/evaluate/evaluation_json.h: the reports of an evaluation as JSON, with the members of
// AssetOpsBench's reports, and more. Stateless.
#ifndef LEAFSCORE_ENGINE_EVALUATE_EVALUATION_JSON_H_
#define LEAFSCORE_ENGINE_EVALUATE_EVALUATION_JSON_H_

#include <string>
#include <string_view>

#include "engine/evaluate/evaluation_summary.h"
#include "engine/evaluate/scenarios.h"
#include "engine/evaluate/trajectory.h"
#include "engine/json/json_writer.h"
#include "leafscore/evaluate.h"

namespace leafscore::internal {

// Appends the report of one agent run, on one line without its end:
//   {"scenario_id", "scenario_type", "run_id", "runner", "model", "question", "answer", "file",
//    "score": {"scorer", "revision", "outcome", "passed", "score", "rationale", "details": {...}},
//    "ops": {"turn_count", "tool_call_count", "unique_tools", "tokens_in", "tokens_out", "duration_ms",
//            "est_cost_usd"}}
// Unknown values are null, except counts, which are 0 as in AssetOpsBench's reports, and the list of tools,
// which is empty. `file` is valid UTF-8.
void AppendRunReport(const Scenario& scenario, const Trajectory& run, std::string_view file,
                     const AgentScore& score, const EvaluationSummary::ScorerInfo& scorer, std::string& out);

// Writes the members of _aggregate.json before its results. Means and rates have four decimals.
void WriteAggregate(const EvaluationReport& report, std::string_view generated_at, JsonWriter& json);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_EVALUATION_JSON_H_
