// Tests of many asserts, and scripts by AgentV's contract.
#include <gtest/gtest.h>

#include <string>

#include "engine/scorers/asserts/assert_list.h"
#include "engine/scorers/asserts/script_judge.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

constexpr char kScorer[] = "type: asserts";

// Returns the test with these asserts, in JSON.
std::string TestOf(const std::string& asserts, const std::string& more = "") {
  return "{\"asserts\": " + asserts + more + "}";
}

double AssertScore(const std::string& assert, const std::string& answer_json) {
  return ScoreOf(kScorer, TestOf("[" + assert + "]"), answer_json);
}

std::string RefusalOf(const std::string& assert) {
  return ErrorOf(kScorer, TestOf("[" + assert + "]"), "\"x\"");
}

TEST(Asserts, TextsAreComparedAsTheyAreOrTrimmed) {
  EXPECT_EQ(AssertScore(R"({"type": "contains", "value": " a"})", R"("x a")"), 1);
  EXPECT_EQ(AssertScore(R"({"type": "contains", "value": " a"})", R"("a")"), 0);
  EXPECT_EQ(AssertScore(R"({"type": "icontains", "value": "ÉTÉ"})", R"("l'Été")"), 1);
  EXPECT_EQ(AssertScore(R"({"type": "starts-with", "value": " a\n"})", R"("\u00a0\ta b")"), 1);
  EXPECT_EQ(AssertScore(R"({"type": "ends-with", "value": "b "})", R"("a b\n")"), 1);
  EXPECT_EQ(AssertScore(R"({"type": "equals", "value": "a"})", R"(" a ")"), 1);
  EXPECT_EQ(AssertScore(R"({"type": "equals", "value": "a"})", R"("A")"), 0);
  EXPECT_EQ(AssertScore(R"({"type": "contains-any", "value": ["x", "a"]})", R"("a")"), 1);
  EXPECT_EQ(AssertScore(R"({"type": "icontains-all", "value": ["X", "a"]})", R"("A x")"), 1);
  EXPECT_EQ(AssertScore(R"({"type": "contains-all", "value": ["x", "a"]})", R"("a")"), 0);
}

TEST(Asserts, AnAnswerThatIsNoTextIsItsJson) {
  EXPECT_EQ(AssertScore(R"({"type": "is-json"})", R"({"a": 1})"), 1);
  EXPECT_EQ(AssertScore(R"({"type": "contains", "value": "\"a\":1"})", R"({"a": 1})"), 1);
  EXPECT_EQ(ScoreOf(kScorer,
                    TestOf(R"([{"type": "field-accuracy", "fields": [{"path": "a", "match": "exact"}]}])",
                           R"(, "expected_output": {"a": 1})"),
                    R"({"a": 1})"),
            1);
}

TEST(Asserts, IsJsonTakesWhatJavaScriptTakes) {
  const std::string is_json = R"({"type": "is-json"})";
  for (const char* const text :
       {R"(" [1] ")", R"("\"x\"")", R"("null")", R"("1e400")", R"("{\"a\":1,\"a\":2}")"}) {
    EXPECT_EQ(AssertScore(is_json, text), 1) << text;
  }
  for (const char* const text :
       {R"("")", R"("NaN")", R"("[-Infinity]")", R"("```json\n{}\n```")", R"("{}{}")", R"("{'a': 1}")"}) {
    EXPECT_EQ(AssertScore(is_json, text), 0) << text;
  }
}

TEST(Asserts, ThresholdsAndGates) {
  const std::string one =
      R"({"type": "contains", "value": "a"}, {"type": "contains", "value": "b", "weight": 3})";
  const ScoreColumns own = Score(kScorer, TestOf("[" + one + "]", R"(, "threshold": 0.75)"), "\"b\"");
  EXPECT_EQ(own.score[0], 0.75);
  EXPECT_EQ(own.passed[0], 1);
  EXPECT_EQ(Score(kScorer, TestOf("[" + one + "]"), "\"b\"").passed[0], 0);
  EXPECT_EQ(Score("type: asserts, threshold: 0.7", TestOf("[" + one + "]"), "\"b\"").passed[0], 1);
  const std::string gate =
      R"({"type": "contains", "value": "a", "required": true}, {"type": "contains", "value": "b"})";
  EXPECT_EQ(ScoreOf(kScorer, TestOf("[" + gate + "]"), "\"b\""), 0);
  EXPECT_EQ(ScoreOf(kScorer, TestOf("[" + gate + "]", R"(, "threshold": 0)"), "\"b\""), 0.5);
  const std::string turned =
      R"({"type": "contains", "value": "a", "negate": true, "required": true, "min_score": 1})";
  EXPECT_EQ(AssertScore(turned, "\"b\""), 1);
  EXPECT_EQ(AssertScore(turned, "\"a\""), 0);
}

TEST(Asserts, DetailsTellEachAssert) {
  EXPECT_EQ(
      DetailsOf(kScorer, TestOf(R"([{"type": "contains", "value": "a", "name": "n", "weight": 2},
                                 {"type": "assert-set", "asserts": [{"type": "is-json", "required": true}]},
                                 {"type": "unavailable", "stands_for": "latency", "reason": "it needs a trace"}])"),
                "\"a\""),
      R"({"asserts": [{"name": "n", "type": "contains", "score": 1, "verdict": "pass", "weight": 2}, )"
      R"({"name": "assert-set", "type": "assert-set", "score": 0, "verdict": "fail", "weight": 1, )"
      R"("children": [{"name": "is-json", "type": "is-json", "score": 0, "verdict": "fail", "weight": 1, )"
      R"("required": true, "reason": "the answer is not JSON: at byte 0, there is no valid value here"}]}, )"
      R"({"name": "unavailable", "type": "latency", "score": 0, "verdict": "fail", "weight": 1, )"
      R"("available": false, "reason": "it needs a trace"}]})");
}

TEST(Asserts, ATestThatIsWrongIsAnErrorOfItsRecord) {
  EXPECT_EQ(ErrorOf(kScorer, "\"x\"", "\"x\""),
            "error, invalid_expected_json: the expected value is not a test: it has no list \"asserts\"");
  EXPECT_TRUE(RefusalOf(R"({"type": "contain", "value": "x"})")
                  .starts_with("error, invalid_expected_json: the test, assert 1: unknown assert type "
                               "\"contain\"; did you mean \"contains\"? valid: "));
  EXPECT_NE(RefusalOf(R"({"type": "contains"})").find("give the text to look for"), std::string::npos);
  EXPECT_NE(RefusalOf(R"({"type": "contains", "value": ["x"]})").find("it is a list"), std::string::npos);
  EXPECT_NE(RefusalOf(R"({"type": "is-json", "weight": -1})").find("weight"), std::string::npos);
  EXPECT_NE(RefusalOf(R"({"type": "is-json", "value": "x"})").find("value"), std::string::npos);
  EXPECT_NE(RefusalOf(R"({"type": "assert-set", "asserts": []})").find("give a list"), std::string::npos);
  EXPECT_NE(RefusalOf(R"({"type": "regex", "value": "(?<=a+)b"})").find("is not supported here"),
            std::string::npos);
  EXPECT_EQ(ErrorOf(kScorer, TestOf("[]"), "\"x\"").substr(0, 28), "error, invalid_expected_json");
  EXPECT_EQ(
      ErrorOf(kScorer, TestOf(R"([{"type": "is-json"}])", R"(, "threshold": 2)"), "\"x\"").substr(0, 28),
      "error, invalid_expected_json");
}

TEST(Asserts, ATestBringsNoProgramOfItsOwn) {
  EXPECT_NE(RefusalOf(R"({"type": "script", "command": "true"})").find("command"), std::string::npos);
  EXPECT_NE(RefusalOf(R"({"type": "script", "script": "s"})").find("a test cannot bring its own"),
            std::string::npos);
}

TEST(Asserts, ASearchWithoutEndIsAnErrorOfItsRecord) {
  const std::string answer = '"' + std::string(60, 'a') + "b\"";
  EXPECT_EQ(ErrorOf(kScorer, TestOf(R"([{"type": "regex", "value": "(a+)+$"}])"), answer).substr(0, 17),
            "error, work_limit");
}

TEST(Asserts, NothingIsComparedWhereNoAssertIsDoneHere) {
  ScoredPair pair(Plan::FromConfig("evaluators: [{type: asserts}]"), TestOf(R"([{"type": "unavailable"}])"),
                  "\"x\"", DetailLevel::kBasic);
  EXPECT_EQ(pair.batch().nothing_compared().size(), 1u);
}

TEST(Asserts, MessagesGiveTheContentOfTheLastAssistant) {
  const std::string fields = R"([{"type": "field-accuracy", "fields": [{"path": "a", "match": "exact"}]}])";
  EXPECT_EQ(
      ScoreOf(kScorer, TestOf(fields, R"(, "expected_output": [{"role": "assistant", "content": {"a": 2}},
                                      {"role": "assistant", "content": "{\"a\": 1}"}, {"role": "user", "content": {"a": 3}}])"),
              R"("{\"a\": 1}")"),
      1);
  EXPECT_EQ(ScoreOf(kScorer, TestOf(fields), R"("{\"a\": 1}")"), 0);  // no expected_output
  EXPECT_EQ(ScoreOf(kScorer, TestOf(fields, R"(, "expected_output": "none")"), R"("{\"a\": 1}")"), 0);
}

TEST(Asserts, ManyTestsOnOneWorkerStayApart) {
  std::string records;
  const Runner runner(Plan::FromConfig("evaluators: [{type: asserts}]"));
  for (int i = 0; i < 3000; ++i) {  // more than a worker keeps
    const std::string value = std::to_string(i % 1500);
    const std::string test =
        TestOf(R"([{"type": "field-accuracy", "fields": [{"path": "a)" + value + R"(", "match": "exact"}]}])",
               R"(, "expected_output": {"a)" + value + R"(": 1})");
    EXPECT_EQ(runner.ScorePair(test, R"({"a)" + value + R"(": 1})")[0].score[0], 1);
  }
}

ScriptVerdict Reply(const std::string& output, int wait_status = 0, const std::string& errors = "") {
  return ReadScriptReply(output, errors, wait_status, "the program ended with exit status 1").value();
}

TEST(ScriptReply, ScoreThenChecksThenPass) {
  EXPECT_EQ(
      Reply(R"({"score": 0.5, "pass": true, "checks": [{"text": "a", "pass": false, "reason": "r"}]})").score,
      0.5);
  EXPECT_TRUE(Reply(R"({"score": 0.5, "pass": true})").passed);
  EXPECT_FALSE(Reply(R"({"score": 0.79})").passed);
  const ScriptVerdict checked = Reply(
      R"({"checks": [{"text": "a", "pass": true, "reason": "r", "score": 5}, {"text": "b", "pass": false, "reason": "r"},
         {"text": "c", "pass": "no", "reason": "r"}, {"pass": true, "reason": "r"}, 7], "reason": "why", "details": {"n": 1}})");
  EXPECT_EQ(checked.score, 0.5);
  EXPECT_EQ(checked.reason, "why");
  EXPECT_EQ(checked.details_json, R"({"n":1})");
  EXPECT_EQ(Reply(R"({"pass": null, "score": null, "checks": {}})").score, 0);
}

TEST(ScriptReply, PlainTextIsJudgedByTheExitStatus) {
  EXPECT_EQ(Reply(" fine \n").reason, "fine");
  EXPECT_TRUE(Reply(" fine \n").passed);
  EXPECT_TRUE(Reply("", 0, "a warning").passed);
  EXPECT_FALSE(Reply("not fine", 256).passed);
  EXPECT_EQ(Reply("not fine", 256).reason, "not fine");
  EXPECT_EQ(Reply("x", 256, "broken\n").reason, "the program ended with exit status 1: broken");
  EXPECT_EQ(Reply("\xFF").reason, "\uFFFD");
}

// Once these replies were plain text, which passes.
TEST(ScriptReply, AnObjectIsReadAsJavaScriptReadsIt) {
  for (const char* const odd : {"123456789012345678901234567890", "1e400", R"("\ud800")"}) {
    const ScriptVerdict verdict = Reply(std::string(R"({"pass": false, "details": {"n": )") + odd + "}}");
    EXPECT_FALSE(verdict.passed) << odd;
    EXPECT_EQ(verdict.score, 0) << odd;
  }
  EXPECT_EQ(Reply(R"({"pass": true, "score": 1e400})").score, 0);
  EXPECT_EQ(Reply(R"({"checks": [{"text": "a", "pass": true, "reason": "r", "score": -1e400}]})").score, 0);
  EXPECT_EQ(Reply(R"({"pass": false, "reason": "a\ud800"})").reason.substr(0, 1), "a");
  EXPECT_EQ(Reply(R"({"pass": false, "n": NaN})").score, 1);  // no JSON
}

TEST(ScriptReply, AnObjectThatIsTooDeepHasNoVerdict) {
  const auto nested = [](int levels) {
    return R"({"pass": false, "n": )" + std::string(static_cast<std::size_t>(levels), '[') +
           std::string(static_cast<std::size_t>(levels), ']') + "}";
  };
  EXPECT_FALSE(Reply(nested(1022)).passed);
  EXPECT_FALSE(Reply(nested(1023)).passed);
  EXPECT_FALSE(ReadScriptReply(nested(1024), "", 0, "").has_value());
}

TEST(ScriptDocumentTest, KeysAreInSnakeCaseThroughout) {
  ShapeTable shapes;
  LeafTable table;
  JsonReader reader(&shapes);
  const std::string text =
      R"({"tierName": {"HTTPServer": 1, "maxItems": [{"aB": null}]}})" + std::string(64, '\0');
  reader.Begin(std::string_view(text).substr(0, text.size() - 64), false, &table);
  const NodeId root = reader.Read(0, static_cast<std::uint32_t>(text.size() - 64)).root;
  const JsonView none(table, shapes, kNoNode);
  const std::string document =
      ScriptDocument("x", std::nullopt, {none, none, none, {table, shapes, root}}, R"({"minWords": 2})");
  EXPECT_NE(document.find(R"("metadata": {
    "tier_name": {
      "HTTPServer": 1,
      "max_items": [
        {
          "a_b": null
        }
      ]
    }
  })"),
            std::string::npos)
      << document;
  EXPECT_NE(document.find("\"min_words\": 2"), std::string::npos);
}

TEST(ScriptDocumentTest, ALongAnswerIsInAFile) {
  EXPECT_FALSE(TakesOutputFile(std::string(49'998, 'a')));  // two quotes more
  EXPECT_TRUE(TakesOutputFile(std::string(49'999, 'a')));
  EXPECT_FALSE(TakesOutputFile(std::string(24'999, '\n')));
  EXPECT_TRUE(TakesOutputFile(std::string(25'000, '\n')));
  const std::string scripts =
      "type: asserts, scripts: {s: {command: \"python3 -c 'import json, sys; d = json.load(sys.stdin); "
      "print(json.dumps({\\\"pass\\\": d[\\\"output\\\"] is None and "
      "len(open(d[\\\"output_path\\\"]).read()) == 60000}))'\"}}";
  EXPECT_EQ(ScoreOf(scripts, TestOf(R"([{"type": "script", "script": "s"}])"),
                    '"' + std::string(60'000, 'a') + '"'),
            1);
}

TEST(Scripts, WhatTakesTooLongIsAnErrorOfItsRecord) {
  const std::string scripts = "type: asserts, timeout_ms: 100, scripts: {s: {command: sleep 60}}";
  EXPECT_EQ(ErrorOf(scripts, TestOf(R"([{"type": "script", "script": "s"}])"), "\"x\""),
            "error, judge_timeout: assert script: the program was killed after 100 ms (timeout_ms)");
}

TEST(Scripts, ScriptsThatAreNotThereAreRefused) {
  EXPECT_NE(ConfigErrorOf("type: asserts, scripts: {s: {command: [no-such-program]}}")
                .find("there is no executable program"),
            std::string::npos);
  EXPECT_NE(
      ConfigErrorOf("type: asserts, scripts: {s: {command: [sh], cwd: nowhere}}").find("there is no folder"),
      std::string::npos);
  EXPECT_NE(ConfigErrorOf("type: asserts, scripts: {s: {}}").find("name the program"), std::string::npos);
  EXPECT_NE(ConfigErrorOf("type: asserts, scripts: {s: {command: x, tiemout: 1}}").find("tiemout"),
            std::string::npos);
}

TEST(AssertNames, AreTheTypeAndTheValue) {
  const ConfigValue text = TextValue("Hello");
  ConfigValue list;
  list.kind = ConfigValue::Kind::kList;
  list.items.assign(3, text);
  const ConfigValue regex = TextValue("0123456789012345678901234😀56789");
  EXPECT_EQ(DefaultAssertName("contains", &text), "contains-Hello");
  EXPECT_EQ(DefaultAssertName("contains-any", &list), "contains-any-3");
  EXPECT_EQ(DefaultAssertName("is-json", nullptr), "is-json");
  EXPECT_EQ(DefaultAssertName("regex", &regex), "regex-0123456789012345678901234😀567");
}

}  // namespace
}  // namespace leafscore::internal
