#include "engine/evaluate/agent_metrics.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "engine/evaluate/trajectory.h"

namespace leafscore::internal {
namespace {

using Names = std::vector<std::string>;

AgentMetrics MetricsOf(const std::string& members) {
  TrajectoryReader reader;
  Trajectory trajectory;
  EXPECT_EQ(reader.Read("{\"answer\": 1, " + members + "}", "stem", trajectory), "") << members;
  return trajectory.metrics;
}

TEST(AgentMetrics, SumsOverTheTurns) {
  const AgentMetrics metrics = MetricsOf(R"("trajectory": {"turns": [
      {"tool_calls": [{"name": "sites", "input": {}}, {"name": ""}, {"input": 1}], "input_tokens": 10,
       "output_tokens": 5, "duration_ms": 100.5},
      {"tool_calls": [{"function": {"name": "assets"}}, {"name": "sites"}], "input_tokens": 12,
       "output_tokens": 7, "duration_ms": 200}]})");
  EXPECT_EQ(metrics.turns, 2);
  EXPECT_EQ(metrics.tool_calls, 3);
  EXPECT_EQ(metrics.unique_tools, (Names{"assets", "sites"}));
  EXPECT_EQ(metrics.tokens_in, 22);
  EXPECT_EQ(metrics.tokens_out, 12);
  EXPECT_EQ(metrics.duration_ms, 300.5);
}

TEST(AgentMetrics, FindsTheToolOfAStep) {
  const AgentMetrics metrics = MetricsOf(R"("trajectory": [
      {"tool": "sites"}, {"tool_name": "assets"}, {"action": "sites"}, {"action": {"tool": "history"}},
      {"tool": "", "action": "unused"}, {"task": "none"}, "no object"])");
  EXPECT_EQ(metrics.turns, 7);
  EXPECT_EQ(metrics.tool_calls, 4);
  EXPECT_EQ(metrics.unique_tools, (Names{"assets", "history", "sites"}));
  EXPECT_EQ(metrics.tokens_in, std::nullopt);
  EXPECT_EQ(metrics.tokens_out, std::nullopt);
  EXPECT_EQ(metrics.duration_ms, std::nullopt);
}

TEST(AgentMetrics, ReadsStepsLikeTurns) {
  EXPECT_EQ(MetricsOf(R"("trajectory": {"steps": [{"action": "a"}]})").tool_calls, 1);
}

TEST(AgentMetrics, InventsNothing) {
  for (const char* const members : {"\"question\": 1", "\"trajectory\": null",
                                    "\"trajectory\": {\"turns\": 5}", "\"trajectory\": \"text\""}) {
    const AgentMetrics metrics = MetricsOf(members);
    EXPECT_EQ(metrics.turns, std::nullopt) << members;
    EXPECT_EQ(metrics.tool_calls, std::nullopt) << members;
    EXPECT_EQ(metrics.tokens_in, std::nullopt) << members;
    EXPECT_EQ(metrics.duration_ms, std::nullopt) << members;
  }
  const AgentMetrics empty = MetricsOf(R"("trajectory": {"turns": []})");
  EXPECT_EQ(empty.turns, 0);
  EXPECT_EQ(empty.tool_calls, 0);
  EXPECT_EQ(empty.tokens_in, std::nullopt);
}

TEST(AgentMetrics, LooksForTokensFurtherOut) {
  EXPECT_EQ(MetricsOf(R"("trajectory": [{"usage": {"prompt_tokens": 3}}, {"usage": {"prompt_tokens": 4}}])")
                .tokens_in,
            7);
  EXPECT_EQ(MetricsOf(R"("trajectory": {"turns": [{}], "usage": {"completion_tokens": 9}})").tokens_out, 9);
  EXPECT_EQ(MetricsOf(R"("trajectory": [{"tool": "x"}], "tokens_in": 390, "tokens_out": 245)").tokens_in,
            390);
  // Zeros in the turns count as not counted, as long as another place says more.
  EXPECT_EQ(MetricsOf(R"("trajectory": [{"input_tokens": 0, "output_tokens": 0}], "tokens_in": 8)").tokens_in,
            8);
  EXPECT_EQ(MetricsOf(R"("trajectory": [{"input_tokens": 0, "output_tokens": 0}])").tokens_in, 0);
  EXPECT_EQ(MetricsOf(R"("trajectory": [{"input_tokens": 2}], "tokens_in": 8)").tokens_in, 2);
}

TEST(AgentMetrics, FallsBackToRawEvents) {
  const AgentMetrics summed = MetricsOf(R"("trajectory": {"turns": [{"input_tokens": 0, "output_tokens": 0}],
      "raw_events": [
        {"part": {"tokens": {"input": 13084, "output": 33, "reasoning": 61, "cache": {"read": 128, "write": 2}}}},
        {"part": {"tokens": {"input": 209, "output": 84, "reasoning": 17, "cache": {"read": 13184}}}}]})");
  EXPECT_EQ(summed.tokens_in, 26607);
  EXPECT_EQ(summed.tokens_out, 195);
  const AgentMetrics largest = MetricsOf(R"("trajectory": {"turns": [], "raw_events": [
      {"usage": {"promptTokens": 5, "completionTokens": 9}}, [{"inputTokens": 7, "outputTokens": 2}]]})");
  EXPECT_EQ(largest.tokens_in, 7);
  EXPECT_EQ(largest.tokens_out, 9);
}

TEST(AgentMetrics, RawEventsStateCountsInManyWays) {
  const auto metrics_of = [](const std::string& events, const std::string& more = "") {
    return MetricsOf("\"trajectory\": {\"turns\": [{\"input_tokens\": 0}], \"raw_events\": " + events + "}" +
                     more);
  };
  // Texts of whole numbers count; booleans and numbers with a fraction do not.
  EXPECT_EQ(metrics_of(R"([{"tokens": {"input": "12", "cache": {"read": 3.0, "write": true}}}])").tokens_in,
            15);
  EXPECT_EQ(metrics_of(R"([{"tokens": {"input": 2.5, "output": " 7 "}}])").tokens_out, 7);
  // Of an object the first count that is not 0, of all objects the largest.
  const AgentMetrics largest = metrics_of(
      R"([{"input_tokens": 0, "promptTokens": "5"}, {"inputTokens": 4}, {"completion_tokens": 6, "output_tokens": 0}])");
  EXPECT_EQ(largest.tokens_in, 5);
  EXPECT_EQ(largest.tokens_out, 6);
  // The largest counts where the sum is 0, for each direction.
  const AgentMetrics mixed =
      metrics_of(R"([{"tokens": {"input": 9}}, {"input_tokens": 40, "output_tokens": 3}])");
  EXPECT_EQ(mixed.tokens_in, 9);
  EXPECT_EQ(mixed.tokens_out, 3);
  // They come before what the record states, and are a list.
  EXPECT_EQ(metrics_of(R"([{"tokens": {"input": 9}}])", ", \"tokens_in\": 8").tokens_in, 9);
  EXPECT_EQ(metrics_of(R"({"tokens": {"input": 9}})", ", \"tokens_in\": 8").tokens_in, 8);
}

TEST(AgentMetrics, TakesNoImpossibleNumbers) {
  for (const char* const number : {"-1", "1e16", "NaN", "1e400", "true", "\"5\"", "null"}) {
    EXPECT_EQ(MetricsOf("\"trajectory\": [], \"tokens_in\": " + std::string(number)).tokens_in, std::nullopt)
        << number;
  }
  EXPECT_EQ(MetricsOf("\"trajectory\": [], \"tokens_in\": 1e15").tokens_in, 1e15);
}

TEST(AgentMetrics, TakesDurationsFurtherOut) {
  EXPECT_EQ(MetricsOf(R"("trajectory": {"turns": [{}], "duration_ms": 5}, "duration_ms": 6)").duration_ms, 5);
  EXPECT_EQ(MetricsOf(R"("trajectory": [{}], "duration_ms": 6)").duration_ms, 6);
}

TEST(TrajectoryReader, TakesTextsOfAnyValue) {
  TrajectoryReader reader;
  Trajectory run;
  ASSERT_EQ(reader.Read(R"({"run_id": 7, "scenario_id": 11, "runner": "r", "answer": {"a": "\ud800"}})",
                        "stem", run),
            "");
  EXPECT_EQ(run.label, "11");
  EXPECT_EQ(run.run_id, "7");
  EXPECT_EQ(run.runner, "r");
  EXPECT_EQ(run.model, std::nullopt);
  EXPECT_EQ(run.question_json, std::nullopt);
  EXPECT_EQ(run.answer_json, "{\"a\":\"\uFFFD\"}");
  ASSERT_EQ(reader.Read(R"({"scenario_id": null, "answer": "x"})", "34", run), "");
  EXPECT_EQ(run.label, "34");
  EXPECT_EQ(run.run_id, std::nullopt);
}

TEST(TrajectoryReader, TakesThinkBlocksOffAnswersThatAreTexts) {
  TrajectoryReader reader;
  Trajectory run;
  ASSERT_EQ(reader.Read(R"({"run_id": 1, "answer": "<think>\"3\"?</think>\n\"4\" "})", "stem", run), "");
  EXPECT_EQ(run.answer_json, R"("\"4\"")");
  ASSERT_EQ(reader.Read(R"({"run_id": 1, "answer": ["<think>3</think>4"]})", "stem", run), "");
  EXPECT_EQ(run.answer_json, R"(["<think>3</think>4"])");
  ASSERT_EQ(reader.Read(R"({"run_id": 1, "answer": null})", "stem", run), "");
  EXPECT_EQ(run.answer_json, std::nullopt);
}

TEST(TrajectoryReader, TellsWhatIsWrong) {
  TrajectoryReader reader;
  Trajectory run;
  EXPECT_EQ(reader.Read("[1]", "s", run), "not_an_object: a trajectory must be a JSON object");
  EXPECT_EQ(reader.Read("{\"id\": 1}", "s", run), "it has neither a run_id nor an answer");
  EXPECT_TRUE(reader.Read("{bad", "s", run).starts_with("invalid_json: ")) << reader.Read("{bad", "s", run);
  EXPECT_TRUE(reader.Read("", "s", run).starts_with("invalid_json: "));
  EXPECT_TRUE(reader.Read("{\"answer\": \"\xff\"}", "s", run).starts_with("invalid_utf8: "));
  EXPECT_TRUE(reader.Read(std::string(5000, '['), "s", run).starts_with("too_deep: "));
}

}  // namespace
}  // namespace leafscore::internal
