// engine/evaluate/trajectory.h: one agent run, as read from its trajectory file. Nothing else of the file is
// kept.
#ifndef LEAFSCORE_ENGINE_EVALUATE_TRAJECTORY_H_
#define LEAFSCORE_ENGINE_EVALUATE_TRAJECTORY_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/evaluate/agent_metrics.h"
#include "engine/json/json_reader.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"

namespace leafscore::internal {

// A value that is a string is kept as its text, any other value as its compact JSON (the number 11 is "11").
struct Trajectory {
  std::string label;  // `scenario_id`; the file's stem if that is missing or null
  std::optional<std::string> run_id;
  std::optional<std::string> runner;
  std::optional<std::string> model;
  std::optional<std::string> question_json;  // JSON values
  std::optional<std::string> answer_json;    // a text without think blocks; nullopt for null
  AgentMetrics metrics;

  // The name by which figures are grouped, with "unknown" for missing parts.
  std::string RunnerAndModel() const { return runner.value_or("unknown") + '_' + model.value_or("unknown"); }
};

// Reads trajectory files one after the other. THREADS: one at a time.
class TrajectoryReader {
 public:
  // `answer_field` is the member that holds the answer.
  explicit TrajectoryReader(std::string answer_field = "answer")
      : reader_(&shapes_), answer_field_(std::move(answer_field)) {}

  // Reads the text of a file. An object with neither `run_id` nor an answer is not a trajectory.
  // RETURNS: what is wrong with it, in words; empty if `trajectory` was filled.
  // COST: linear in the text.
  std::string Read(std::string_view text, std::string_view stem, Trajectory& trajectory);

 private:
  ShapeTable shapes_;
  JsonReader reader_;
  std::string answer_field_;
  LeafTable table_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_TRAJECTORY_H_
