// Replies of services, from honest ones to those that are none.
#include "engine/judge/judge_reply.h"

#include <gtest/gtest.h>

#include <string>

namespace leafscore::internal {
namespace {

std::string Body(const std::string& choice) {
  return R"({"model": "m-1", "choices": [)" + choice +
         R"(], "usage": {"prompt_tokens": 12, "completion_tokens": 3}})";
}

RejectReason FaultOf(const std::string& body) {
  JudgeReplyReader reader;
  const std::optional<Completion> completion = reader.ReadCompletion(body);
  EXPECT_TRUE(completion) << body;
  return completion ? completion->fault.reason : RejectReason::kNone;
}

TEST(JudgeReplyTest, ReadsACompletion) {
  JudgeReplyReader reader;
  const std::optional<Completion> completion =
      reader.ReadCompletion(Body(R"({"message": {"content": "{\"score\": 1}"}, "finish_reason": "stop"})"));
  ASSERT_TRUE(completion);
  EXPECT_EQ(completion->fault.reason, RejectReason::kNone);
  EXPECT_EQ(completion->content, "{\"score\": 1}");
  EXPECT_EQ(completion->model, "m-1");
  EXPECT_EQ(completion->prompt_tokens, 12);
  EXPECT_EQ(completion->completion_tokens, 3);
}

TEST(JudgeReplyTest, TellsWhatIsNoCompletion) {
  JudgeReplyReader reader;
  for (const char* body : {"", "<html>", "[]", "{}", "{\"choices\": 1}", "{\"choices\": [", "null", "\xff"}) {
    EXPECT_FALSE(reader.ReadCompletion(body)) << body;
  }
  const std::string half = R"("message": {"content": "{\"score\": 1}"})";
  EXPECT_FALSE(reader.ReadCompletion(Body("{" + half + R"(, "finish_reason": "error"})")));
  EXPECT_FALSE(reader.ReadCompletion(Body("{" + half + R"(, "error": {"code": 502}})")));
  EXPECT_FALSE(reader.ReadCompletion(R"({"error": {"code": 502}, "choices": [{)" + half + "}]}"));
  EXPECT_TRUE(reader.ReadCompletion(R"({"error": null, "choices": [{)" + half + "}]}"));
}

TEST(JudgeReplyTest, NamesWhyThereIsNoText) {
  EXPECT_EQ(FaultOf(Body("")), RejectReason::kJudgeBadReply);
  EXPECT_EQ(FaultOf(Body("{}")), RejectReason::kJudgeBadReply);
  EXPECT_EQ(FaultOf(Body(R"({"message": {"content": null}})")), RejectReason::kJudgeBadReply);
  EXPECT_EQ(FaultOf(Body(R"({"message": {"content": 5}})")), RejectReason::kJudgeBadReply);
  EXPECT_EQ(FaultOf(Body(R"({"message": {"content": null, "refusal": "No."}})")),
            RejectReason::kJudgeRefused);
  EXPECT_EQ(FaultOf(Body(R"({"message": {"content": ""}, "finish_reason": "content_filter"})")),
            RejectReason::kJudgeRefused);
  EXPECT_EQ(FaultOf(Body(R"({"message": {"content": "{\"score\": 1}"}, "finish_reason": "length"})")),
            RejectReason::kJudgeTruncated);
}

TEST(JudgeReplyTest, ReadsWhatServicesSayOfErrors) {
  JudgeReplyReader reader;
  EXPECT_EQ(reader.ReadError(R"({"error": {"message": "no such model"}})").message, "\"no such model\"");
  EXPECT_EQ(reader.ReadError(R"({"error": "overloaded"})").message, "\"overloaded\"");
  EXPECT_EQ(reader.ReadError(R"({"detail": "not found"})").message, "\"not found\"");
  EXPECT_EQ(reader.ReadError("<html>").message, "\"<html>\"");
  EXPECT_TRUE(reader.ReadError(R"({"error": {"message": "x", "code": "content_filter"}})").refuses);
  EXPECT_FALSE(reader.ReadError(R"({"error": {"message": "x"}})").refuses);
  EXPECT_TRUE(reader.ReadError(R"({"error": {"message": "response_format is unknown"}})").about_format);
  EXPECT_FALSE(reader.ReadError(R"({"error": {"message": "bad model"}})").about_format);
}

// Returns the number in the score of the object that is found, "none" or "other".
std::string Found(const std::string& content, bool strict = false) {
  JudgeReplyReader reader;
  bool in_text = false;
  const JsonView object = reader.FindObject(content, "score", strict, in_text);
  if (!object.Is(ValueKind::kObject)) return "none";
  return object.Member("score").Text().value_or("other") + (in_text ? " in text" : "");
}

TEST(JudgeReplyTest, FindsTheObject) {
  EXPECT_EQ(Found(R"( {"justification": "a", "score": 7} )"), "7");
  EXPECT_EQ(Found(R"(Here: {"score": 7}.)"), "7 in text");
  EXPECT_EQ(Found("```json\n{\"score\": 7}\n```"), "7 in text");
  EXPECT_EQ(Found(R"({my} {"a": 1} {"score": 7} and again {"score": 7})"), "7 in text");
  EXPECT_EQ(Found(R"({"x": "}{", "score": 7} end)"), "7 in text");
  EXPECT_EQ(Found(R"(say "{" and {"score": 7})"), "7 in text");
  EXPECT_EQ(Found("[1]"), "none");
  EXPECT_EQ(Found("score 7"), "none");
  EXPECT_EQ(Found(""), "none");
  EXPECT_EQ(Found("{\"score\": 7"), "none");
  EXPECT_EQ(Found("{}"), "other");
  EXPECT_EQ(Found(R"(Here: {"score": 7}.)", /*strict=*/true), "none");
  EXPECT_EQ(Found(R"({"score": 7})", /*strict=*/true), "7");
}

// The judge may quote an answer that would like to be its own judge.
TEST(JudgeReplyTest, TakesNoneOfTwoObjectsThatDiffer) {
  EXPECT_EQ(Found(R"(The answer says {"score": 100}. My verdict: {"score": 0})"), "none");
  EXPECT_EQ(Found(R"(<think>perhaps {"score": 10}</think>{"score": 90})"), "none");
}

TEST(JudgeReplyTest, TriesFewPlacesOfALongText) {
  EXPECT_EQ(Found(std::string(1 << 20, '{')), "none");  // within the test's time
  EXPECT_EQ(Found("{} {} " + std::string(R"({"score": 1})")), "1 in text");
}

TEST(JudgeReplyTest, SeesKeysThatComeTwice) {
  JudgeReplyReader reader;
  bool in_text = false;
  const std::string twice = R"({"score": 1, "score": 100})";
  EXPECT_TRUE(reader.FindObject(twice, "score", false, in_text).present());
  EXPECT_TRUE(reader.has_duplicate_keys());
  const std::string once = R"({"score": 1})";
  reader.FindObject(once, "score", false, in_text);
  EXPECT_FALSE(reader.has_duplicate_keys());
}

}  // namespace
}  // namespace leafscore::internal
