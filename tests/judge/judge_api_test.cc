#include "engine/judge/judge_api.h"

#include <gtest/gtest.h>

#include <string>

namespace leafscore::internal {
namespace {

TEST(JudgeApiTest, UrlsAreBelowTheBase) {
  using enum JudgeApi;
  EXPECT_EQ(JudgeUrl(kOpenAi, "https://a/v1", "m"), "https://a/v1/chat/completions");
  EXPECT_EQ(JudgeUrl(kOpenAi, "https://a/v1/chat/completions/", "m"), "https://a/v1/chat/completions");
  EXPECT_EQ(JudgeUrl(kOpenAi, "https://a/v1?api-version=1", "m"),
            "https://a/v1/chat/completions?api-version=1");
  EXPECT_EQ(JudgeUrl(kAnthropic, "https://a/v1/", "m"), "https://a/v1/messages");
  EXPECT_EQ(JudgeUrl(kAnthropic, "https://a/v1/messages", "m"), "https://a/v1/messages");
  EXPECT_EQ(JudgeUrl(kGemini, "https://a/v1beta", "m-1.5"), "https://a/v1beta/models/m-1.5:generateContent");
  EXPECT_EQ(JudgeUrl(kGemini, "https://a/v1beta", "models/m"), "https://a/v1beta/models/m:generateContent");
  EXPECT_EQ(JudgeUrl(kGemini, "https://a/v1beta/models/m:generateContent", "m"),
            "https://a/v1beta/models/m:generateContent");
}

TEST(JudgeApiTest, WhatIsNoUrlHasNone) {
  for (const char* base : {"", "a/v1", "ftp://a", "https://user@a/v1", "https://a/v1?key=1", "https://a/v1#x",
                           "https://a /v1", "https://a/v1?api-version=1&key=2"}) {
    for (const JudgeApi api : {JudgeApi::kOpenAi, JudgeApi::kAnthropic, JudgeApi::kGemini}) {
      EXPECT_EQ(JudgeUrl(api, base, "m"), "") << base;
    }
  }
  EXPECT_EQ(JudgeUrl(JudgeApi::kGemini, "https://a", "../m"), "");
  EXPECT_EQ(JudgeUrl(JudgeApi::kGemini, "https://a", "m?key=1"), "");
}

// As JudgeService writes it, with further members from `body`.
std::string Chat(const std::string& format, const std::string& further = "") {
  return R"({"model":"m","messages":[{"role":"system","content":"S"},{"role":"user","content":"\"U\""}],)"
         R"("temperature":0,"seed":7)" +
         further + (format.empty() ? "" : "," + format) + "}";
}

TEST(JudgeApiTest, AnthropicIsAskedForASchema) {
  const std::string begin =
      R"({"model":"m","max_tokens":4096,"system":"S","messages":[{"role":"user","content":"\"U\""}],)"
      R"("temperature":0)";
  EXPECT_EQ(TranslateRequest(JudgeApi::kAnthropic, Chat(SchemaMembers(R"({"type":"object"})"))),
            begin + R"(,"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}}})");
  EXPECT_EQ(TranslateRequest(JudgeApi::kAnthropic, Chat(ToolMembers(R"({"type":"object"})"))),
            begin + R"(,"tools":[{"name":"submit_evaluation","description":"Submits the evaluation.",)"
                    R"("input_schema":{"type":"object"}}],)"
                    R"("tool_choice":{"type":"tool","name":"submit_evaluation"}})");
  EXPECT_EQ(TranslateRequest(JudgeApi::kAnthropic, Chat(R"("response_format":{"type":"json_object"})")),
            begin + "}");
}

TEST(JudgeApiTest, AnthropicGetsFurtherMembersAndALimit) {
  const std::string further =
      R"(,"max_tokens":99,"top_k":5,"output_config":{"effort":"low"},"metadata":{"user_id":"x"})";
  EXPECT_EQ(TranslateRequest(JudgeApi::kAnthropic, Chat(SchemaMembers("{}"), further)),
            R"({"model":"m","max_tokens":99,"system":"S","messages":[{"role":"user","content":"\"U\""}],)"
            R"("temperature":0,"output_config":{"effort":"low","format":{"type":"json_schema","schema":{}}},)"
            R"("top_k":5,"metadata":{"user_id":"x"}})");
}

TEST(JudgeApiTest, GeminiIsAskedForASchema) {
  const std::string begin =
      R"({"systemInstruction":{"parts":[{"text":"S"}]},"contents":[{"role":"user","parts":[{"text":"\"U\""}]}],)"
      R"("generationConfig":{"temperature":0,"seed":7)";
  EXPECT_EQ(TranslateRequest(JudgeApi::kGemini, Chat(SchemaMembers(R"({"type":"object"})"))),
            begin + R"(,"responseMimeType":"application/json","responseJsonSchema":{"type":"object"}}})");
  EXPECT_EQ(TranslateRequest(JudgeApi::kGemini, Chat(R"("response_format":{"type":"json_object"})")),
            begin + R"(,"responseMimeType":"application/json"}})");
  EXPECT_EQ(TranslateRequest(JudgeApi::kGemini, Chat("")), begin + "}}");
  EXPECT_EQ(TranslateRequest(JudgeApi::kGemini, Chat(ToolMembers(R"({"type":"object"})"))),
            begin + R"(},"tools":[{"functionDeclarations":[{"name":"submit_evaluation",)"
                    R"("description":"Submits the evaluation.","parametersJsonSchema":{"type":"object"}}]}],)"
                    R"("toolConfig":{"functionCallingConfig":{"mode":"ANY"}}})");
}

TEST(JudgeApiTest, GeminiGetsFurtherMembers) {
  const std::string further =
      R"(,"max_completion_tokens":99,"generationConfig":{"thinkingConfig":{"thinkingBudget":0}},"safetySettings":[])";
  EXPECT_EQ(
      TranslateRequest(JudgeApi::kGemini, Chat("", further)),
      R"({"systemInstruction":{"parts":[{"text":"S"}]},"contents":[{"role":"user","parts":[{"text":"\"U\""}]}],)"
      R"("generationConfig":{"temperature":0,"maxOutputTokens":99,"seed":7,"thinkingConfig":{"thinkingBudget":0}},)"
      R"("safetySettings":[]})");
}

TEST(JudgeApiTest, WhatAsksForTheFormCannotBeReplaced) {
  const std::string config =
      R"(,"generationConfig":{"responseMimeType":"text/plain","temperature":2,"topK":4})";
  const std::string gemini = TranslateRequest(JudgeApi::kGemini, Chat(SchemaMembers("{}"), config));
  EXPECT_EQ(gemini.find("text/plain"), gemini.npos) << gemini;
  EXPECT_EQ(gemini.find("\"temperature\":2"), gemini.npos) << gemini;
  EXPECT_NE(gemini.find("\"topK\":4"), gemini.npos) << gemini;
  const std::string anthropic = TranslateRequest(
      JudgeApi::kAnthropic, Chat(SchemaMembers("{}"), R"(,"output_config":{"format":"none"})"));
  EXPECT_EQ(anthropic.find("none"), anthropic.npos) << anthropic;
}

TEST(JudgeApiTest, ChatCompletionsStayAsTheyAre) {
  EXPECT_EQ(TranslateRequest(JudgeApi::kOpenAi, Chat(SchemaMembers("{}"))), Chat(SchemaMembers("{}")));
}

}  // namespace
}  // namespace leafscore::internal
