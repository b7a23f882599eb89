#include "engine/evaluate/trajectory.h"

#include <fmt/format.h>

#include <utility>

#include "engine/evaluate/think_blocks.h"
#include "engine/json/json_text.h"

namespace leafscore::internal {
namespace {

// Returns the answer in the form that scorers and reports use; nullopt if it is missing or null.
std::optional<std::string> AnswerJson(JsonView answer) {
  if (answer.Is(ValueKind::kNull)) return std::nullopt;
  if (!answer.IsText()) return answer.Json();
  std::string json;
  AppendJsonString(json, WithoutThinkBlocks(*answer.Text()));
  return json;
}

}  // namespace

std::string TrajectoryReader::Read(std::string_view text, std::string_view stem, Trajectory& trajectory) {
  shapes_.ClearIfLarge();
  reader_.Begin(text, /*lines=*/false, &table_);
  const JsonResult result = reader_.Read(0, static_cast<std::uint32_t>(text.size()));
  if (result.root == kNoNode) {
    return fmt::format("{}: {} (byte {})", RejectReasonName(result.reason), result.message, result.offset);
  }
  const JsonView record(table_, shapes_, result.root);
  if (!record.Is(ValueKind::kObject)) return "not_an_object: a trajectory must be a JSON object";
  trajectory.run_id = record.Member("run_id").Text();
  const JsonView answer = record.Member(answer_field_);
  if (!trajectory.run_id && !answer.present()) return "it has neither a run_id nor an answer";
  trajectory.answer_json = AnswerJson(answer);
  trajectory.label = record.Member("scenario_id").Text().value_or(std::string(stem));
  trajectory.runner = record.Member("runner").Text();
  trajectory.model = record.Member("model").Text();
  trajectory.question_json = record.Member("question").Json();
  trajectory.metrics = ReadAgentMetrics(record);
  return {};
}

}  // namespace leafscore::internal
