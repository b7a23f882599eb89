// The scorer `tool_calls`: its vectors, those of its origins, a slow and obvious reference of the pairing,
// and what it does with hostile input.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "engine/json/json_value.h"
#include "engine/scorers/tool_calls/call_reader.h"
#include "engine/scorers/tool_calls/name_pattern.h"
#include "leafscore/leafscore.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

// Makes a plan of the scorer with these options, the inside of a JSON object.
Plan CallsPlan(const std::string& options) {
  return Plan::FromConfig("{\"evaluators\": [{\"type\": \"tool_calls\"" +
                          (options.empty() ? "" : ", " + options) + "}]}");
}

// Reads the calls of a value by themselves.
class ReadCalls {
 public:
  explicit ReadCalls(const std::string& json, CallReading rules = {})
      : rules_(rules), tools_{&shapes_, {}, DetailLevel::kLeaves}, texts_(tools_), reader_(&rules_, tools_) {
    reader_.Begin();
    ParsedText& parsed = texts_.Push();
    parsed.text = json;
    const NodeId root = texts_.Read(parsed).root;
    EXPECT_NE(root, kNoNode) << json;
    reader_.Read({&parsed.table, root}, list);
  }

  // Returns the calls as the vectors write them.
  std::string Json() const {
    std::string text;
    JsonWriter json(text, JsonLayout::kCompact);
    json.StartArray();
    for (const ToolCall& call : list.calls) {
      json.StartObject();
      json.Key("name").String(call.name);
      if (call.has_arguments()) Write(call.arguments, json.Key("arguments").RawValue());
      if (call.output.present()) Write(call.output, json.Key("output").RawValue());
      if (!call.tool_id.empty()) json.Key("tool_id").String(call.tool_id);
      if (call.bad_arguments) json.Key("bad_arguments").Bool(true);
      json.EndObject();
    }
    json.EndArray();
    return text;
  }

  std::vector<std::uint32_t> Steps() const {
    std::vector<std::uint32_t> steps;
    for (const ToolCall& call : list.calls) steps.push_back(call.step);
    return steps;
  }

  CallList list;

 private:
  void Write(ValueRef value, std::string& out) const {
    AppendStandardJson(*value.table, shapes_, value.node, out);
  }

  CallReading rules_;
  ShapeTable shapes_;
  WorkerTools tools_;
  ParsedTexts texts_;
  CallReader reader_;
};

struct CallVector {
  std::string name;
  std::string options;  // the inside of a JSON object
  std::string expected;
  std::string actual;
  rapidjson::Document want;
};

// Calls visit(vector) for each vector of a revision of a scorer. RETURNS: how many there are.
template <class Visit>
std::size_t ForEachCallVector(const std::string& revision, Visit visit,
                              const std::string& scorer = "tool_calls") {
  std::ifstream lines(LEAFSCORE_TEST_DATA "/tool_calls.jsonl");
  std::size_t seen = 0;
  for (std::string line; std::getline(lines, line);) {
    JsonValue value{JsonOptions()};
    const JsonView root = value.Read(line);
    const JsonView config = root.Member("config");
    if (*root.Member("scorer").Text() != scorer) continue;
    if (config.Member("revision").Text().value_or("seed") != revision) continue;
    ++seen;
    const std::string options = *config.Json();
    visit(CallVector{*root.Member("case").Text() + ", " + *root.Member("note").Text(),
                     options.substr(1, options.size() - 2), *root.Member("expected").Json(),
                     *root.Member("actual").Json(), Parsed(*root.Member("want").Json())});
  }
  return seen;
}

void CheckCallVector(const CallVector& vector) {
  const Runner runner(CallsPlan(vector.options));
  const ScoreColumns scores = runner.ScorePair(vector.expected, vector.actual)[0];
  const rapidjson::Value& want = vector.want;
  if (want.HasMember("outcome")) {
    EXPECT_EQ(OutcomeName(scores.outcome[0]), want["outcome"].GetString()) << vector.name;
    return;
  }
  ASSERT_EQ(scores.outcome[0], Outcome::kScored)
      << vector.name << (scores.errors.empty() ? "" : ": " + scores.errors[0].message);
  EXPECT_NEAR(scores.score[0], want["score"].GetDouble(), 1e-9) << vector.name;
  if (want.HasMember("passed")) {
    EXPECT_EQ(scores.passed[0], want["passed"].GetBool()) << vector.name;
  }
  for (const char* const name : {"expected_calls", "actual_calls", "matched_calls", "precision", "recall"}) {
    if (want.HasMember(name)) {
      EXPECT_NEAR(MetricOf(scores, name), want[name].GetDouble(), 1e-9) << vector.name << " " << name;
    }
  }
  if (want.HasMember("nothing_compared") || want.HasMember("lcs")) {
    ScoredPair pair(CallsPlan(vector.options), vector.expected, vector.actual, DetailLevel::kLeaves);
    if (want.HasMember("nothing_compared")) {
      EXPECT_EQ(!pair.batch().nothing_compared().empty(), want["nothing_compared"].GetBool()) << vector.name;
    } else {
      const rapidjson::Document details = Parsed(pair.Details());
      EXPECT_EQ(details["lcs"], want["lcs"]) << vector.name;
    }
  }
  if (want.HasMember("calls")) {
    const CallReading rules = {.scores_incomplete =
                                   vector.options.find("\"incomplete\"") != std::string::npos};
    EXPECT_EQ(want["calls"], Parsed(ReadCalls(vector.actual, rules).Json())) << vector.name;
  }
}

TEST(ToolCalls, AllVectorsOfItsOwnRules) { EXPECT_EQ(ForEachCallVector("seed", CheckCallVector), 214u); }

TEST(ToolCalls, AllVectorsOfItsOrigins) {
  const std::map<std::string, std::size_t> counts = {
      {"uipath-2026-08", 92}, {"adk-2026-10", 51},    {"agentevals-2025-07", 63},
      {"agentv-2026-07", 58}, {"ragas-2026-01", 45},  {"mlflow-2026-11", 19},
      {"tau2-2026-08", 13},   {"promptfoo-2026", 13}, {"bfcl-2026-03", 31}};
  for (const auto& [revision, count] : counts) {
    EXPECT_EQ(ForEachCallVector(revision, CheckCallVector), count) << revision;
  }
}

TEST(ToolCalls, AllVectorsOfTrajectoryAsserts) {
  const auto check = [](const CallVector& vector) {
    const Plan plan = Plan::FromConfig("evaluators:\n- {type: asserts}\n");
    const ScoreColumns scores = Runner(plan).ScorePair(vector.expected, vector.actual)[0];
    ASSERT_EQ(scores.outcome[0], Outcome::kScored) << vector.name;
    EXPECT_EQ(scores.score[0], vector.want["score"].GetDouble()) << vector.name;
  };
  EXPECT_EQ(ForEachCallVector("seed", check, "asserts"), 43u);
}

TEST(ToolCalls, TrajectoryAssertsNeedATrace) {
  const std::string test = R"({"asserts": [{"type": "not-trajectory:tool-used", "value": "a"}]})";
  EXPECT_EQ(ScoreOf("type: asserts", test, "\"All done.\""), 0);
  EXPECT_EQ(ScoreOf("type: asserts", test, R"([{"role": "assistant", "content": "x"}])"), 1);
  // A value of another form fails whichever way it is asked.
  const std::string odd = R"({"asserts": [{"type": "not-trajectory:tool-args-match", "value": "a"}]})";
  EXPECT_EQ(ScoreOf("type: asserts", odd, R"([{"role": "assistant", "content": "x"}])"), 0);
}

// The rules once more over flat arguments, and the best pairing by trying all of them.
struct AllCallPairings {
  struct Call {
    char name;
    std::map<char, int> arguments;
  };
  struct Rules {
    std::string mode;
    std::string args;
    bool each;
    double name_credit;
    double weight_of_a;
  };

  static double Weight(const Rules& rules, const Call& call) {
    return call.name == 'a' ? rules.weight_of_a : 1;
  }

  static double Credit(const Rules& rules, const Call& e, const Call& a) {
    if (e.name != a.name) return 0;
    double matched = 0;
    double counted = 0;
    for (const char key : {'x', 'y', 'z'}) {
      const auto wanted = e.arguments.find(key);
      const auto given = a.arguments.find(key);
      const bool has_e = wanted != e.arguments.end();
      const bool has_a = given != a.arguments.end();
      if (rules.args == "ignore" || (!has_e && !has_a)) continue;
      if (!has_e && rules.args == "superset") continue;
      if (!has_a && rules.args == "subset") continue;
      ++counted;
      matched += has_e && has_a && wanted->second == given->second;
    }
    double share = counted == 0 ? 1 : matched / counted;
    if (!rules.each && share < 1) share = 0;
    return share == 1 ? 1 : rules.name_credit + (1 - rules.name_credit) * share;
  }

  static double Worth(const Rules& rules, const Call& e, const Call& a) {
    return Credit(rules, e, a) * std::min(Weight(rules, e), Weight(rules, a));
  }

  static double Best(const Rules& rules, const std::vector<Call>& e, const std::vector<Call>& a,
                     std::size_t call, unsigned taken, std::size_t behind) {
    if (call == e.size()) return 0;
    double best = Best(rules, e, a, call + 1, taken, behind);
    for (std::size_t i = rules.mode == "in_order" ? behind : 0; i < a.size(); ++i) {
      if ((taken >> i & 1) != 0 || e[call].name != a[i].name) continue;
      best =
          std::max(best, Worth(rules, e[call], a[i]) + Best(rules, e, a, call + 1, taken | 1u << i, i + 1));
    }
    return best;
  }

  static std::string Json(const std::vector<Call>& calls) {
    std::string json = "[";
    for (const Call& call : calls) {
      json += json.size() > 1 ? ", " : "";
      json += std::string("{\"name\": \"") + call.name + "\", \"arguments\": {";
      for (const auto& [key, value] : call.arguments) {
        json += std::string(json.back() == '{' ? "" : ", ") + "\"" + key + "\": " + std::to_string(value);
      }
      json += "}}";
    }
    return json + "]";
  }
};

TEST(ToolCalls, ThePairingIsTheBestOfAll) {
  std::mt19937 random(20261127);
  const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
  const auto calls = [&](int most) {
    std::vector<AllCallPairings::Call> made(static_cast<std::size_t>(below(static_cast<unsigned>(most) + 1)));
    for (AllCallPairings::Call& call : made) {
      call.name = "ab"[below(2)];
      for (const char key : {'x', 'y', 'z'}) {
        if (below(3) != 0) call.arguments[key] = below(2);
      }
    }
    return made;
  };
  std::size_t cases = 0;
  while (cases < 10000) {
    AllCallPairings::Rules rules;
    rules.mode = std::vector<std::string>{"any_order", "superset", "subset", "in_order"}[below(4)];
    rules.args = std::vector<std::string>{"exact", "superset", "subset", "ignore"}[below(4)];
    rules.each = below(2) == 1;
    rules.name_credit = below(2) * 0.25;
    rules.weight_of_a = std::vector<double>{0, 1, 2.5}[below(3)];
    const Runner runner(CallsPlan(
        "\"mode\": \"" + rules.mode + "\", \"args\": \"" + rules.args + "\", \"argument_credit\": \"" +
        (rules.each ? "each" : "whole") + "\", \"name_credit\": " + std::to_string(rules.name_credit) +
        ", \"tools\": {\"a\": {\"weight\": " + std::to_string(rules.weight_of_a) + "}}"));
    for (int i = 0; i < 100; ++i, ++cases) {
      const std::vector<AllCallPairings::Call> e = calls(7);
      const std::vector<AllCallPairings::Call> a = calls(7);
      const double best = AllCallPairings::Best(rules, e, a, 0, 0, 0);
      const ScoreColumns scores = runner.ScorePair(AllCallPairings::Json(e), AllCallPairings::Json(a))[0];
      ASSERT_EQ(scores.outcome[0], Outcome::kScored);
      ASSERT_NEAR(MetricOf(scores, "matched_calls"), best, 1e-9)
          << rules.mode << " " << rules.args << " " << AllCallPairings::Json(e) << " "
          << AllCallPairings::Json(a);
    }
  }
}

// A chat completion as OpenAI's API reference shows it.
constexpr char kOpenAi[] = R"({"id": "chatcmpl-abc123", "object": "chat.completion", "created": 1699896916,
  "model": "gpt-4o-mini", "choices": [{"index": 0, "message": {"role": "assistant", "content": null,
  "tool_calls": [{"id": "call_abc123", "type": "function", "function": {"name": "get_current_weather",
  "arguments": "{\n\"location\": \"Boston, MA\"\n}"}}]}, "logprobs": null, "finish_reason": "tool_calls"}],
  "usage": {"prompt_tokens": 82, "completion_tokens": 17, "total_tokens": 99}})";
// A message as Anthropic's guide to tool use shows it.
constexpr char kAnthropic[] = R"({"id": "msg_01Aq9w938a90dw8q", "model": "claude-sonnet-4-5",
  "stop_reason": "tool_use", "role": "assistant", "content": [{"type": "text",
  "text": "I'll check the current weather in San Francisco for you."}, {"type": "tool_use",
  "id": "toolu_01A09q90qw90lq917835lq9", "name": "get_weather",
  "input": {"location": "San Francisco, CA", "unit": "celsius"}}]})";
// The messages of a LangChain agent: its multiply tool, as messages_to_dict writes them.
constexpr char kLangChain[] = R"({"messages": [
  {"type": "human", "data": {"content": "What's 5 times forty two", "type": "human", "name": null}},
  {"type": "ai", "data": {"content": "", "type": "ai", "name": null, "tool_calls": [{"name": "multiply",
    "args": {"a": 5, "b": 42}, "id": "call_evFz", "type": "tool_call"}], "invalid_tool_calls": []}},
  {"type": "tool", "data": {"content": "210", "type": "tool", "name": "multiply", "tool_call_id": "call_evFz"}},
  {"type": "ai", "data": {"content": "It is 210.", "type": "ai", "tool_calls": []}}]})";
// Spans by the semantic conventions of OpenTelemetry for generative AI, as an OTLP exporter writes them.
constexpr char kOpenTelemetry[] = R"({"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [
  {"scope": {"name": "agent"}, "spans": [
  {"traceId": "t", "spanId": "2", "name": "execute_tool book", "startTimeUnixNano": "1700000000000000200",
    "endTimeUnixNano": "1700000000000000300", "attributes": [
    {"key": "gen_ai.operation.name", "value": {"stringValue": "execute_tool"}},
    {"key": "gen_ai.tool.call.arguments", "value": {"stringValue": "{\"ok\": true}"}}]},
  {"traceId": "t", "spanId": "1", "name": "execute_tool get_weather",
    "startTimeUnixNano": "1700000000000000100", "endTimeUnixNano": "1700000000000000150", "attributes": [
    {"key": "gen_ai.operation.name", "value": {"stringValue": "execute_tool"}},
    {"key": "gen_ai.tool.name", "value": {"stringValue": "get_weather"}},
    {"key": "gen_ai.tool.call.arguments", "value": {"stringValue": "{\"city\": \"Paris\"}"}},
    {"key": "gen_ai.tool.call.result", "value": {"stringValue": "rainy, 57F"}}]},
  {"traceId": "t", "spanId": "0", "name": "chat gpt-4", "startTimeUnixNano": "1700000000000000000",
    "endTimeUnixNano": "1700000000000000400", "attributes": [
    {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}]}]}]}]})";

TEST(ToolCalls, ReadsTheExamplesOfFourKits) {
  EXPECT_EQ(ReadCalls(kOpenAi).Json(),
            R"([{"name":"get_current_weather","arguments":{"location":"Boston, MA"}}])");
  EXPECT_EQ(ReadCalls(kAnthropic).Json(),
            R"([{"name":"get_weather","arguments":{"location":"San Francisco, CA","unit":"celsius"}}])");
  EXPECT_EQ(ReadCalls(kLangChain).Json(), R"([{"name":"multiply","arguments":{"a":5,"b":42}}])");
  EXPECT_EQ(ReadCalls(kOpenTelemetry).Json(),
            R"([{"name":"get_weather","arguments":{"city":"Paris"},"output":"rainy, 57F"},)"
            R"({"name":"book","arguments":{"ok":true}}])");
}

TEST(ToolCalls, CallsOfOneMessageAreOneStep) {
  EXPECT_EQ(ReadCalls(R"([{"tool_calls": [{"name": "a"}, {"name": "b"}]}, {"tool_calls": [{"name": "c"}]}])")
                .Steps(),
            (std::vector<std::uint32_t>{0, 0, 1}));
  EXPECT_EQ(ReadCalls(R"(["a", {"name": "b"}])").Steps(), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(ReadCalls("\"[a(x=1), b()]\"").Steps(), (std::vector<std::uint32_t>{0, 0}));
}

TEST(ToolCalls, ReadsCallsInPython) {
  const auto json = [](const std::string& python) {
    std::string quoted;
    AppendJsonString(quoted, python);
    return ReadCalls(quoted).Json();
  };
  EXPECT_EQ(json("f(a=-1, b='x', c=[1, (2, 3)], d={'k': None, 1: True})"),
            R"([{"name":"f","arguments":{"a":-1,"b":"x","c":[1,[2,3]],"d":{"k":null,"1":true}}}])");
  EXPECT_EQ(json("(a.b(x=y + 1), c(z=g(h=1)[0]))"),
            R"([{"name":"a.b","arguments":{"x":"y + 1"}},{"name":"c","arguments":{"z":"g(h=1)[0]"}}])");
  EXPECT_EQ(json("f('x')"), R"([{"name":"f","bad_arguments":true}])");
  for (const char* const prose : {"I called f(a=1).", "f(a=1) g(b=2)", "f(a=1, a=2)", "f(a=)", "f(a=1",
                                  "f(a=x y)", "return f(a=1)", "no calls"}) {
    EXPECT_EQ(json(prose), "[]") << prose;
  }
}

TEST(ToolCalls, RulesOfSingleArguments) {
  const auto score = [](const std::string& field, const std::string& expected, const std::string& actual) {
    return Runner(CallsPlan("\"fields\": [{\"path\": \"v\", " + field + "}]"))
        .ScorePair(R"([{"name": "f", "arguments": {"v": )" + expected + "}}]",
                   R"([{"name": "f", "arguments": {)" + (actual.empty() ? "" : "\"v\": " + actual) + "}}]")[0]
        .score[0];
  };
  const std::string tolerance = R"("match": "numeric_tolerance", "tolerance": 0.5)";
  EXPECT_EQ(score(tolerance, "1", "\"1.4\""), 1);
  EXPECT_EQ(score(tolerance, "1", "1.6"), 0);
  EXPECT_EQ(score(R"("match": "date")", "\"2026-01-02\"", "\"January 2, 2026\""), 1);
  EXPECT_EQ(score(R"("match": "date")", "\"2026-01-02\"", "\"2026-01-03\""), 0);
  EXPECT_EQ(score(R"("match": "fuzzy")", "\"Cooling Tower\"", "\"Cooling Towers\""), 1);
  EXPECT_EQ(score(R"("match": "fuzzy")", "\"Cooling Tower\"", "\"Boiler\""), 0);
  EXPECT_EQ(score(R"("match": "fuzzy", "algorithm": "jaro_winkler")", "\"MARTHA\"", "\"MARHTA\""), 1);
  EXPECT_EQ(score(R"("match": "fuzzy", "array_match": "any_order")", R"(["abcdefgh", "x"])",
                  R"(["x", "abcdefgi"])"),
            1);
  EXPECT_EQ(score(R"("match": "any_of", "values": ["b", 2])", "\"a\"", "2.0"), 1);
  EXPECT_EQ(score(R"("match": "any_of", "values": ["b", 2])", "\"a\"", "3"), 0);
  EXPECT_EQ(score(R"("match": "regex")", "\"^a+$\"", "\"aaa\""), 1);
  EXPECT_EQ(score(R"("match": "regex")", "\"^a+$\"", "7"), 0);
  EXPECT_EQ(score(R"("match": "text")", "\"New  York\"", "\" new york \""), 1);
  EXPECT_EQ(score(R"("match": "text")", "\"New York\"", "\"NewYork\""), 0);
  EXPECT_EQ(score(R"("match": "present")", "1", "null"), 1);
  EXPECT_EQ(score(R"("match": "present")", "1", ""), 0);
  EXPECT_EQ(score(R"("match": "ignore")", "1", ""), 1);
  EXPECT_EQ(score(R"("match": "exact", "required": false)", "1", ""), 1);
  EXPECT_EQ(score(R"("match": "exact", "normalise": ["case"])", "\"A\"", "\"a\""), 1);
}

TEST(ToolCalls, NamesOfToolsMatchAsTheOptionSays) {
  const auto score = [](const std::string& match, const std::string& expected, const std::string& actual) {
    return Runner(CallsPlan("\"name_match\": \"" + match + "\""))
        .ScorePair(R"([{"name": ")" + expected + R"(", "arguments": {}}])",
                   R"([{"name": ")" + actual + R"(", "arguments": {}}])")[0]
        .score[0];
  };
  EXPECT_EQ(score("exact", "get_weather", "get_weather"), 1);
  EXPECT_EQ(score("exact", "get_weather", "Get_Weather"), 0);
  EXPECT_EQ(score("ignore_case", "get_weather", "Get_Weather"), 1);
  EXPECT_EQ(score("ignore_case", "get_weather", "get_whether"), 0);
  EXPECT_EQ(score("pattern", "get_*", "get_weather"), 1);
  EXPECT_EQ(score("pattern", "get_*", "set_weather"), 0);
}

TEST(ToolCalls, RulesInExpectedArguments) {
  const auto score = [](const std::string& rule, const std::string& actual) {
    return Runner(CallsPlan("\"expected_rules\": true"))
        .ScorePair(R"([{"name": "f", "arguments": {"v": )" + rule + "}}]",
                   R"([{"name": "f", "arguments": {)" + (actual.empty() ? "" : "\"v\": " + actual) + "}}]")[0]
        .score[0];
  };
  EXPECT_EQ(score(R"({"$near": [5, 0.5]})", "\"5.5\""), 1);
  EXPECT_EQ(score(R"({"$near": [5, 0.5]})", "5.6"), 0);
  EXPECT_EQ(score(R"({"$optional": 1})", ""), 1);
  EXPECT_EQ(score(R"({"$optional": 1})", "2"), 0);
  EXPECT_EQ(score(R"({"$any": [{"a": {"$regex": "^x"}}, 2]})", R"({"a": "xy"})"), 1);
  EXPECT_EQ(score(R"({"$present": true})", "null"), 1);
  const std::string fault = ErrorOf("type: tool_calls, expected_rules: true",
                                    R"([{"name": "f", "arguments": {"v": {"$near": 5}}}])", "[]");
  EXPECT_NE(fault.find("$near takes a number"), std::string::npos) << fault;
}

TEST(ToolCalls, SaysWhatIsWrong) {
  const std::string scorer = "type: tool_calls";
  EXPECT_EQ(ErrorOf(scorer, "[]", "7").substr(0, 31), "unreadable, invalid_actual_json");
  EXPECT_EQ(ErrorOf(scorer, "[]", "null"), "unanswered, missing_actual: the actual value is null");
  EXPECT_NE(ErrorOf(scorer, "\"search\"", "[]").find("error, invalid_expected_json"), std::string::npos);
  EXPECT_NE(ErrorOf(scorer, R"([{"name": "f", "arguments": [1]}])", "[]").find("not an object with names"),
            std::string::npos);
  const std::string counts = "type: tool_calls, mode: counts";
  EXPECT_NE(ErrorOf(counts, R"({"f": {"min": 3, "max": 1}})", "[]").find("error, invalid_expected_json"),
            std::string::npos);
  EXPECT_NE(ErrorOf(counts, R"({"g": 0, "f": {"max": 1, "min": 3}})", "[]")
                .find("the value of \"f\" is not a count: min is above max"),
            std::string::npos);
  EXPECT_EQ(ErrorOf(counts, R"({"f": {"min": 1, "max": 1}})", "[\"f\"]"), "scored");
  EXPECT_NE(ConfigErrorOf("type: tool_calls, mode: superset, extra_calls: free").find("already decides"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf("type: tool_calls, mode: counts, args: ignore").find("has no effect"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf("type: tool_calls, fields: [{path: a, match: any_of}]").find("list of values"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf("type: tool_calls, fields: [{path: a, match: text, tolerance: 1}]")
                .find("it is for match: numeric_tolerance"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf("type: tool_calls, revision: tau2-2026-08, args: ignore").find("no such option"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf("type: tool_calls, revision: adk-2026-10, mode: superset").find("no such mode"),
            std::string::npos);
}

TEST(ToolCalls, DetailsTellWhatBecameOfEachCall) {
  ScoredPair pair(
      CallsPlan("\"mode\": \"in_order\""),
      R"([{"name": "a", "arguments": {"x": 1}}, {"name": "b", "arguments": {"y": {"z": 1}}}, {"name": "c"},
          {"name": "d"}])",
      R"([{"name": "c"}, {"name": "a", "arguments": {"x": 1}}, {"name": "a", "arguments": {"x": 1}},
          {"name": "b", "arguments": {"y": {"z": 2}}}])",
      DetailLevel::kLeaves);
  const rapidjson::Document details = Parsed(pair.Details());
  const rapidjson::Document want = Parsed(R"([
      {"path": "calls[0].a", "verdict": "matched", "expected": {"name": "a", "arguments": {"x": 1}},
       "actual": {"name": "a", "arguments": {"x": 1}}, "actual_position": 1, "similarity": 1},
      {"path": "calls[1].b", "verdict": "wrong_arguments",
       "expected": {"name": "b", "arguments": {"y": {"z": 1}}},
       "actual": {"name": "b", "arguments": {"y": {"z": 2}}}, "actual_position": 3, "similarity": 0,
       "differing": ["y.z"]},
      {"path": "calls[2].c", "verdict": "out_of_order", "expected": {"name": "c"},
       "actual": {"name": "c"}, "actual_position": 0, "similarity": 0},
      {"path": "calls[3].d", "verdict": "missing", "expected": {"name": "d"}, "similarity": 0},
      {"path": "extra_calls[0].c", "verdict": "extra", "actual": {"name": "c"}, "actual_position": 0,
       "similarity": 0},
      {"path": "extra_calls[2].a", "verdict": "repeated", "actual": {"name": "a", "arguments": {"x": 1}},
       "actual_position": 2, "similarity": 0},
      {"path": "extra_calls[3].b", "verdict": "extra",
       "actual": {"name": "b", "arguments": {"y": {"z": 2}}}, "actual_position": 3, "similarity": 0}])");
  EXPECT_EQ(details["leaves"], want) << pair.Details();
  EXPECT_EQ(details["made"], Parsed(R"([
      {"call": "made[0].c", "verdict": "out_of_order", "expected_position": 2},
      {"call": "made[1].a", "verdict": "matched", "expected_position": 0},
      {"call": "made[2].a", "verdict": "repeated"},
      {"call": "made[3].b", "verdict": "wrong_arguments", "expected_position": 1}])"))
      << pair.Details();
  EXPECT_EQ(pair.Leaves().size(), 7u);
}

TEST(ToolCalls, RemarksOnAnswersThatAreProse) {
  const auto remarks = [](const std::string& options, const std::string& expected,
                          const std::string& actual) {
    ScoredPair pair(CallsPlan(options), expected, actual, DetailLevel::kBasic);
    EXPECT_EQ(pair.batch().remark_names().size(), 1u);
    EXPECT_EQ(pair.batch().remark_names()[0], "prose");
    return static_cast<int>(pair.batch().RemarksOn(0));
  };
  for (const char* const options : {"", "\"revision\": \"adk-2026-10\""}) {
    EXPECT_EQ(remarks(options, "[]", "\"All done.\""), 1) << options;
    EXPECT_EQ(remarks(options, "[]", R"("[{\"name\": \"f\", \"argu")"), 1) << options;  // cut
    EXPECT_EQ(remarks(options, "[]", "[]"), 0) << options;
    EXPECT_EQ(remarks(options, "[]", "\"f(a=1)\""), 0) << options;
  }
  EXPECT_EQ(remarks("\"mode\": \"counts\"", R"({"f": 0})", "\"All done.\""), 1);
  EXPECT_EQ(remarks("\"mode\": \"counts\"", R"({"f": 0})", "[]"), 0);
}

TEST(ToolCalls, CountsTheCallsOfEachToolOverARun) {
  const auto counts = [](const std::string& options, const std::string& expected, const std::string& actual,
                         Outcome outcome = Outcome::kScored) {
    ScoredPair pair(CallsPlan(options), expected, actual, DetailLevel::kBasic, outcome);
    std::vector<NamedCellCounts> tools;
    pair.batch().AppendCellCounts(0, tools);
    std::string text;
    for (const auto& [name, tool] : tools) {
      text += fmt::format("{} {}/{}/{} ", name, tool.right, tool.extra, tool.missing);
    }
    return text;
  };
  const std::string expected =
      R"([{"name": "a", "arguments": {"x": 1}}, {"name": "b", "arguments": {}}, "a"])";
  const std::string actual = R"(["a", {"name": "b", "arguments": {"x": 1}}, "c"])";
  EXPECT_EQ(counts("", expected, actual), "a 1/0/1 b 0/1/1 c 0/1/0 ");
  EXPECT_EQ(counts("\"args\": \"ignore\"", expected, actual), "a 1/0/1 b 1/0/0 c 0/1/0 ");
  EXPECT_EQ(counts("\"ignore_tools\": [\"c\"]", expected, actual), "a 1/0/1 b 0/1/1 ");
  // Some of a call's arguments do not make it right.
  EXPECT_EQ(counts("\"argument_credit\": \"each\"", R"([{"name": "a", "arguments": {"x": 1, "y": 2}}])",
                   R"([{"name": "a", "arguments": {"x": 1, "y": 3}}])"),
            "a 0/1/1 ");
  // Without a readable answer, what is expected is missing.
  EXPECT_EQ(counts("", expected, "null", Outcome::kUnanswered), "a 0/0/2 b 0/0/1 ");
  EXPECT_EQ(counts("", expected, R"([{"role": "assistant", "tool_calls": 7}])", Outcome::kUnreadable),
            "a 0/0/2 b 0/0/1 ");
  EXPECT_EQ(counts("\"mode\": \"counts\"", R"({"a": 1})", actual), "");
}

TEST(ToolCalls, TheOrderOfWeightsDoesNotMoveTheScore) {
  const auto score = [](const std::string& mode, const std::string& expected, const std::string& actual) {
    const Runner runner(CallsPlan("\"mode\": \"" + mode + R"(", "threshold": 0.5, "tools": {
        "f": {"weight": 2}, "g": {"weight": 0.3}, "h": {"weight": 0.1}, "i": {"weight": 0.2}})"));
    const ScoreColumns columns = runner.ScorePair(expected, actual)[0];
    EXPECT_TRUE(columns.passed[0]) << actual;
    return columns.score[0];
  };
  const std::string expected = R"([{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}},
                                   {"name": "g", "arguments": {}}])";
  EXPECT_EQ(score("subset", expected, R"(["f", "f", "g", "g", "g", "g"])"), 0.5);
  EXPECT_EQ(score("subset", expected, R"(["g", "g", "g", "f", "f", "g"])"), 0.5);
  EXPECT_EQ(score("counts", R"({"h": 1, "i": 0, "g": 0})", "[]"),
            score("counts", R"({"g": 0, "i": 0, "h": 1})", "[]"));
}

TEST(ToolCalls, MessagesOfLangChainThatWereCutAreUnreadable) {
  const auto outcome = [](const std::string& inside) {
    std::vector<std::string> outcomes;
    const std::string message = R"({"content": "", "tool_calls": [{"name": "f", "args": {}}])" + inside + "}";
    for (const std::string& actual : {R"({"type": "ai", "data": )" + message + "}",
                                      R"([{"type": "constructor", "kwargs": )" + message + "}]", message}) {
      outcomes.push_back(ErrorOf("type: tool_calls", "[\"f\"]", actual).substr(0, 10));
    }
    return outcomes;
  };
  const std::vector<std::string> unreadable(3, "unreadable");
  EXPECT_EQ(outcome(R"(, "response_metadata": {"finish_reason": "length"})"), unreadable);
  EXPECT_EQ(outcome(R"(, "response_metadata": {"stop_reason": "max_tokens"})"), unreadable);
  EXPECT_EQ(outcome(R"(, "stop_reason": "max_tokens")"), unreadable);
  EXPECT_EQ(outcome(R"(, "response_metadata": {"finish_reason": "tool_calls"})"),
            std::vector<std::string>(3, "scored"));
}

TEST(ToolCalls, DuplicateCallsWithoutArgumentsAndWithNoneAreOne) {
  const Runner runner(CallsPlan("\"duplicates\": \"once\""));
  const auto calls = [&](const std::string& actual) {
    return MetricOf(runner.ScorePair(R"([{"name": "f", "arguments": {}}])", actual)[0], "actual_calls");
  };
  EXPECT_EQ(calls(R"([{"name": "f"}, {"name": "f", "arguments": {}}, {"name": "f", "arguments": ""}])"), 1);
  EXPECT_EQ(calls(R"([{"name": "f", "arguments": {}}, {"name": "f"}])"), 1);
  EXPECT_EQ(calls(R"([{"name": "f"}, {"name": "f", "arguments": [1]}, {"name": "g"}])"), 3);
  // An expected call without arguments takes any, and is another one than that with none.
  EXPECT_EQ(MetricOf(runner.ScorePair(R"([{"name": "f"}, {"name": "f", "arguments": {}}])", "[]")[0],
                     "expected_calls"),
            2);
}

TEST(ToolCalls, SpansOfToolsWithoutANameAreUnreadable) {
  const auto outcome = [](const std::string& name) {
    const std::string rest = R"(", "attributes": {"gen_ai.operation.name": "execute_tool"}}])";
    return ErrorOf("type: tool_calls", "[\"f\"]", R"([{"name": ")" + name + rest).substr(0, 10);
  };
  EXPECT_EQ(outcome("execute_tool"), "unreadable");
  EXPECT_EQ(outcome("execute_tool "), "unreadable");
  EXPECT_EQ(outcome("execute_tool   "), "unreadable");
  EXPECT_EQ(outcome("execute_tool f"), "scored");
}

std::string RepeatedCalls(std::size_t count, const std::string& arguments) {
  std::string json = "[";
  for (std::size_t i = 0; i < count; ++i) {
    json += i == 0 ? "" : ",";
    json += R"({"name":"f","arguments":{)" + arguments + (arguments.empty() ? "" : std::to_string(i)) + "}}";
  }
  return json + "]";
}

TEST(ToolCalls, MoreCallsThanTheLimitAreAnError) {
  const std::string most = RepeatedCalls(4096, "");
  const Runner runner(CallsPlan("\"mode\": \"exact\""));
  EXPECT_EQ(runner.ScorePair(most, most)[0].score[0], 1);
  const ScoreColumns over = runner.ScorePair(most, RepeatedCalls(4097, ""))[0];
  ASSERT_EQ(over.outcome[0], Outcome::kError);
  EXPECT_EQ(over.errors[0].reason, RejectReason::kWorkLimit);
}

TEST(ToolCalls, ManyEqualCallsArePairedWithoutTryingAll) {
  const std::string expected = RepeatedCalls(2000, "\"x\":");
  const Runner runner(CallsPlan(""));
  const ScoreColumns scores = runner.ScorePair(expected, expected)[0];
  EXPECT_EQ(scores.outcome[0], Outcome::kScored);
  EXPECT_EQ(scores.score[0], 1);
}

TEST(ToolCalls, ManyCallsOfOneNameArePairedGreedily) {
  const auto pairing = [](std::size_t count) {
    ScoredPair pair(CallsPlan("\"args\": \"superset\""), RepeatedCalls(count, "\"x\":"),
                    RepeatedCalls(count, "\"y\":"), DetailLevel::kBasic);
    return std::string(Parsed(pair.Details())["pairing"].GetString());
  };
  EXPECT_EQ(pairing(256), "exact");
  EXPECT_EQ(pairing(257), "greedy");
}

TEST(ToolCalls, ComparingArgumentsIsBounded) {
  // Each pair of calls is compared, and each comparison goes through all of both.
  std::string arguments;
  for (int i = 0; i < 60; ++i) arguments += "\"k" + std::to_string(i) + "\":[0],";
  const std::string expected = RepeatedCalls(1200, arguments + "\"x\":");
  const std::string actual = RepeatedCalls(1200, arguments + "\"y\":");
  const ScoreColumns scores =
      Runner(CallsPlan("\"argument_credit\": \"each\"")).ScorePair(expected, actual)[0];
  ASSERT_EQ(scores.outcome[0], Outcome::kError);
  EXPECT_EQ(scores.errors[0].reason, RejectReason::kWorkLimit);
}

// Origins compare each call with each, whatever that takes.
TEST(ToolCalls, ComparingArgumentsByTheRulesOfOriginsIsBounded) {
  std::string list = "[0";
  for (int i = 0; i < 100; ++i) list += ",0";
  const std::string expected = RepeatedCalls(1000, "\"k\":" + list + "],\"x\":");
  const std::string actual = RepeatedCalls(1000, "\"k\":" + list + "],\"y\":");
  for (const char* const options :
       {"\"revision\": \"uipath-2026-08\", \"mode\": \"superset\", \"args\": \"superset\"",
        "\"revision\": \"adk-2026-10\", \"mode\": \"any_order\"",
        "\"revision\": \"agentevals-2025-07\", \"mode\": \"superset\"",
        "\"revision\": \"agentv-2026-07\", \"mode\": \"superset\"", "\"revision\": \"tau2-2026-08\""}) {
    const ScoreColumns scores = Runner(CallsPlan(options)).ScorePair(expected, actual)[0];
    ASSERT_EQ(scores.outcome[0], Outcome::kError) << options;
    EXPECT_EQ(scores.errors[0].reason, RejectReason::kWorkLimit) << options;
  }
  // The longest sequences of names are no trouble.
  const std::string most = RepeatedCalls(4096, "");
  EXPECT_EQ(Runner(CallsPlan("\"revision\": \"uipath-2026-08\", \"mode\": \"in_order\""))
                .ScorePair(most, most)[0]
                .score[0],
            1);
}

TEST(ToolCalls, DeepAndOddInputIsRead) {
  std::string deep = "1";
  for (int i = 0; i < 1000; ++i) deep = (i % 2 == 0 ? "[" + deep + "]" : R"({"messages":[)" + deep + "]}");
  EXPECT_NE(ErrorOf("type: tool_calls", "[]", deep).find("unreadable"), std::string::npos);
  std::string nested = "1";
  for (int i = 0; i < 900; ++i) nested = "[" + nested + "]";
  const std::string call = R"([{"name": "f", "arguments": {"x": )" + nested + "}}]";
  EXPECT_EQ(Score("type: tool_calls, argument_credit: each", call, call).score[0], 1);
  std::string quoted;
  AppendJsonString(quoted, "f(a=" + std::string(5000, '(') + ")");
  EXPECT_EQ(ReadCalls(quoted).Json(), "[]");
}

TEST(ToolCalls, PatternsOfNames) {
  EXPECT_TRUE(FitsNamePattern("get_user", "get_*"));
  EXPECT_TRUE(FitsNamePattern("get", "g?t"));
  EXPECT_TRUE(FitsNamePattern("gét", "g?t"));
  EXPECT_TRUE(FitsNamePattern("", "*"));
  EXPECT_TRUE(FitsNamePattern("aXbXc", "a*b*c"));
  EXPECT_FALSE(FitsNamePattern("aXbX", "a*b*c"));
  EXPECT_FALSE(FitsNamePattern("get", "get?"));
}

}  // namespace
}  // namespace leafscore::internal
