// UiPath's judges, asking a service that answers with the score of each case: what is asked, and what is made
// of the reply, a call of a tool.
#include <gtest/gtest.h>

#include <string>

#include "engine/config/canonical_config.h"
#include "engine/import/config_maker.h"
#include "engine/import/import_config.h"
#include "http/fake_service.h"
#include "import/import_testing.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

const std::string kJudgeFiles = std::string(LEAFSCORE_TEST_DATA) + "/origins/uipath/";

std::string ScoreStep(const Json& reply) {
  return reply.IsNull() ? "noscore" : "score" + std::to_string(reply["score"].GetDouble());
}

class UiPathJudges : public RunTest {};

TEST_F(UiPathJudges, AskAndScoreAsTheCasesSay) {
  const FakeService service;
  std::size_t checked = 0;
  for (const std::string& line : SplitLines(ReadFile(kJudgeFiles + "judge_cases.jsonl"))) {
    const rapidjson::Document one = ParseLine(line);
    const std::string id = one["case"].GetString();
    ImportedConfig imported = LoadConfig(kJudgeFiles + one["evaluator"].GetString());
    ConfigValue& scorer = imported.config.members[0].value.items[0];
    AddMember("base_url", MakeText(service.Base(ScoreStep(one["reply"]))), scorer);
    AddMember("max_retries", MakeScalar("0", /*quoted=*/false, 1), scorer);
    service.Tell("reset");

    std::string record = "{\"actual\": " + TextOf(one["actual"]);
    if (!one["criteria"].IsNull()) record += ", \"expected\": " + TextOf(one["criteria"]["expectedOutput"]);
    const Plan plan = Plan::FromConfig(CanonicalConfig(ReadScorerSpecs(imported.config, "test")));
    const rapidjson::Document scored = ParseLine(RunText(plan, record + "}\n").lines.at(0));

    const Json& want = one["want"];
    ++checked;
    if (want["kind"] == "error") {
      EXPECT_FALSE(scored.HasMember("score")) << id;
    } else {
      ASSERT_TRUE(scored.HasMember("score")) << id << TextOf(scored);
      EXPECT_NEAR(scored["score"].GetDouble(), want["score"].GetDouble(), 1e-9) << id;
    }
    const rapidjson::Document bodies = service.Tell("bodies");
    if (want["user_message"].IsNull()) {
      EXPECT_EQ(bodies.Size(), 0u) << id;
      continue;
    }
    ASSERT_GE(bodies.Size(), 1u) << id;
    const rapidjson::Document body = ParseLine(bodies[0].GetString());
    EXPECT_EQ(body["model"], want["model"]) << id;
    EXPECT_EQ(body["temperature"].GetDouble(), want["temperature"].GetDouble()) << id;
    EXPECT_EQ(body.HasMember("max_tokens"), !want["max_tokens"].IsNull()) << id;
    if (body.HasMember("max_tokens")) {
      EXPECT_EQ(body["max_tokens"], want["max_tokens"]) << id;
    }
    EXPECT_EQ(body["messages"][1]["content"], want["user_message"]) << id;
    ASSERT_TRUE(body.HasMember("tools")) << id;
    EXPECT_STREQ(body["tools"][0]["function"]["name"].GetString(), "submit_evaluation") << id;
  }
  EXPECT_EQ(checked, 7u);
}

}  // namespace
}  // namespace leafscore::internal
