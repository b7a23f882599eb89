// AgentV's suites: files with answers and what AgentV makes of them, and files that it refuses or reads in
// part. Where we differ on purpose, docs/migrate.md has a table.
#include "engine/import/agentv.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/config/config_parser.h"
#include "engine/import/config_maker.h"
#include "engine/import/config_yaml.h"
#include "engine/import/import_config.h"
#include "engine/import/moved_config.h"
#include "engine/run/scorer_set.h"
#include "import/import_testing.h"
#include "run/run_testing.h"
#include "sanitized.h"

namespace leafscore::internal {
namespace {

constexpr double kScoreTolerance = 1e-9;

const std::string kSuiteFiles = std::string(LEAFSCORE_TEST_DATA) + "/origins/agentv/";

// What the configuration is, and what `leafscore import` writes of it, read again.
Plan PlanOfSuite(const ConfigValue& config, const std::string& path, bool through_yaml) {
  const ConfigValue read = through_yaml ? ParseConfig(ConfigAsYaml(config), path) : config;
  return Plan(std::make_shared<const ScorerSet>(ReadScorerSpecs(read, path), path));
}

std::vector<rapidjson::Document> LinesOf(const std::string& name) {
  std::vector<rapidjson::Document> documents;
  for (const std::string& line : SplitLines(ReadFile(kSuiteFiles + name)))
    documents.push_back(ParseLine(line));
  return documents;
}

std::string NotesOf(const ImportedConfig& imported) {
  std::string text;
  for (const ImportNote& note : imported.notes) {
    text += std::to_string(note.line) + ": " + std::string(NameOfKind(note.kind)) + ": " + note.what + ": " +
            note.text + "\n";
  }
  return text;
}

void ExpectAsserts(const std::string& id, const Json& want, const Json& got) {
  ASSERT_EQ(got.Size(), want.Size()) << id;
  for (rapidjson::SizeType i = 0; i < want.Size(); ++i) {
    for (const auto& member : want[i].GetObject()) {
      const std::string name = member.name.GetString();
      ASSERT_TRUE(got[i].HasMember(name.c_str())) << id << ' ' << name;
      const Json& value = got[i][name.c_str()];
      if (name == "children") {
        ExpectAsserts(id, member.value, value);
      } else if (member.value.IsNumber()) {
        EXPECT_NEAR(value.GetDouble(), member.value.GetDouble(), kScoreTolerance) << id << ' ' << name;
      } else {
        EXPECT_STREQ(value.GetString(), member.value.GetString()) << id << ' ' << name;
      }
    }
  }
}

class AgentVTest : public RunTest {
 protected:
  // Scores answers to tests. RETURNS: the lines by id.
  std::map<std::string, rapidjson::Document> Score(const Plan& plan, const ImportedConfig& imported,
                                                   const std::string& answers) {
    FileOptions options;
    options.details = DetailLevel::kBasic;
    options.gold = "suite";
    for (const std::string& record : imported.gold) options.gold_text += record + '\n';
    std::map<std::string, rapidjson::Document> lines;
    for (const std::string& line : RunText(plan, answers, options).lines) {
      rapidjson::Document document = ParseLine(line);
      std::string id = document["id"].GetString();
      lines.emplace(std::move(id), std::move(document));
    }
    return lines;
  }

  ImportedConfig ImportText(const std::string& name, const std::string& text) {
    return LoadConfig(Input(name, text));
  }

  // The score of one answer to the only test of a suite.
  double ScoreOf(const std::string& suite, const std::string& answer) {
    const ImportedConfig imported = ImportText("x.eval.yaml", suite);
    const rapidjson::Document gold = ParseLine(imported.gold.at(0));
    rapidjson::Document record(rapidjson::kObjectType);
    record.AddMember("id", Json(gold["id"], record.GetAllocator()), record.GetAllocator());
    record.AddMember("actual", Json(answer.c_str(), record.GetAllocator()), record.GetAllocator());
    const auto lines =
        Score(PlanOfSuite(imported.config, folder_ / "x.eval.yaml", false), imported, TextOf(record) + "\n");
    const rapidjson::Document& line = lines.begin()->second;
    return line["outcome"] == "scored" ? line["score"].GetDouble() : -1;
  }

  std::string RefusalOf(const std::string& suite) {
    try {
      ImportText("x.eval.yaml", suite);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      const std::string what = error.what();
      return what.substr(what.find("x.eval.yaml"));
    }
    return "none";
  }
};

// A suite of one test with these asserts, in YAML.
std::string SuiteOf(const std::string& asserts, const std::string& more = "") {
  return "name: s\nprompts: [p]\n" + more + "tests:\n- id: t\n  vars: {w: alpha}\n  assert: " + asserts +
         "\n";
}

TEST_F(AgentVTest, TellsOfMembersThatNobodyReads) {
  const ImportedConfig imported = ImportText(
      "x.eval.yaml",
      "prompts: [p]\n"
      "default_test:\n"
      "  assert: [{type: contains, value: a, negated: true}]\n"
      "tests:\n"
      "- id: a\n"
      "  asserts: [{type: contains, value: b}]\n"
      "  assert: [{type: equals, value: a, wieght: 5}, {type: script, command: [python3, x.py], limit: 3}]\n"
      "- id: b\n"
      "  description: d\n"
      "  assert:\n"
      "  - {type: field-accuracy, fields: [{path: p, match: exact, requried: false}]}\n"
      "  - {type: llm-rubric, value: v, anything: 1}\n");
  ASSERT_EQ(imported.gold.size(), 2u);
  std::vector<std::string> skipped;
  for (const ImportNote& note : imported.notes) {
    if (note.kind == ImportNoteKind::kSkipped) {
      skipped.push_back(std::to_string(note.line) + " " + note.what + ": " + note.text);
    }
  }
  EXPECT_EQ(skipped,
            (std::vector<std::string>{
                "3 member \"negated\": AgentV has no such member of an assert; did you mean \"negate\"?",
                "6 member \"asserts\": AgentV has no such member of a test; did you mean \"assert\"?",
                "7 member \"wieght\": AgentV has no such member of an assert; did you mean \"weight\"?",
                "11 member \"requried\": AgentV has no such member of a field; did you mean "
                "\"required\"?"}));
}

TEST_F(AgentVTest, CasesOfFiles) {
  std::map<std::string, std::vector<rapidjson::Document>> cases;  // by file
  for (rapidjson::Document& one : LinesOf("cases.jsonl")) {
    const std::string file = one["file"].GetString();
    cases[file].push_back(std::move(one));
  }
  std::size_t checked = 0;
  for (const auto& [file, of_file] : cases) {
    const ImportedConfig imported = LoadConfig(kSuiteFiles + file);
    ASSERT_EQ(imported.origin, ConfigOrigin::kAgentV) << file;
    ASSERT_FALSE(imported.lacks_any()) << file << NotesOf(imported);
    const Plan plans[] = {PlanOfSuite(imported.config, kSuiteFiles + file, false),
                          PlanOfSuite(imported.config, kSuiteFiles + file, true)};
    // A test has several answers, of which a run takes one.
    std::map<std::string, std::size_t> rounds;
    std::map<std::size_t, std::vector<const rapidjson::Document*>> of_round;
    for (const rapidjson::Document& one : of_file)
      of_round[rounds[one["test"].GetString()]++].push_back(&one);
    for (const auto& [round, of_run] : of_round) {
      std::string answers;
      for (const rapidjson::Document* const one : of_run) {
        answers += "{\"id\": " + TextOf((*one)["test"]) + ", \"actual\": " + TextOf((*one)["output"]) + "}\n";
      }
      for (const Plan& plan : plans) {
        const auto lines = Score(plan, imported, answers);
        for (const rapidjson::Document* const one : of_run) {
          const std::string id = (*one)["case"].GetString();
          const Json& want = (*one)["want"];
          const rapidjson::Document& line = lines.at((*one)["test"].GetString());
          ASSERT_STREQ(line["outcome"].GetString(), "scored") << id << TextOf(line);
          EXPECT_NEAR(line["score"].GetDouble(), want["score"].GetDouble(), kScoreTolerance)
              << id << TextOf(line);
          EXPECT_EQ(line["passed"].GetBool(), want["status"] == "ok") << id;
          ExpectAsserts(id, want["asserts"], line["details"]["asserts"]);
          ++checked;
        }
      }
    }
  }
  EXPECT_EQ(checked, 2 * 190);  // as they are, and imported
}

TEST_F(AgentVTest, TestsAndAssertsOfFiles) {
  std::size_t checked = 0;
  for (const rapidjson::Document& one : LinesOf("loaded.jsonl")) {
    const std::string file = one["file"].GetString();
    const ImportedConfig imported = LoadConfig(kSuiteFiles + file);
    const Json& tests = one["tests"];
    ASSERT_EQ(imported.gold.size(), tests.Size()) << file;
    for (rapidjson::SizeType t = 0; t < tests.Size(); ++t) {
      const rapidjson::Document gold = ParseLine(imported.gold[t]);
      EXPECT_EQ(gold["id"], tests[t]["id"]) << file;
      ExpectAsserts(file, tests[t]["asserts"], gold["expected"]["asserts"]);
      ASSERT_EQ(gold["expected"].HasMember("threshold"), tests[t].HasMember("threshold")) << file;
      if (tests[t].HasMember("threshold")) {
        EXPECT_EQ(gold["expected"]["threshold"].GetDouble(), tests[t]["threshold"].GetDouble()) << file;
      }
    }
    const ConfigValue* const threshold =
        FindValue(FindValue(imported.config, "evaluators")->items[0], "threshold");
    EXPECT_EQ(threshold != nullptr, one.HasMember("suite_threshold")) << file;
    std::size_t skipped = 0;
    for (const ImportNote& note : imported.notes) skipped += note.kind == ImportNoteKind::kSkipped;
    EXPECT_EQ(skipped, one["messages"].Size()) << file;
    ++checked;
  }
  EXPECT_EQ(checked, 13);
}

TEST_F(AgentVTest, OddFiles) {
  std::size_t checked = 0;
  for (const rapidjson::Document& one : LinesOf("odd.jsonl")) {
    const std::string id = one["case"].GetString();
    const Json& want = one["want"];
    ++checked;
    if (want["file"] == "refused") {
      EXPECT_NE(RefusalOf(TextOf(one["document"])), "none") << id;
      continue;
    }
    const ImportedConfig imported = ImportText("x.eval.yaml", TextOf(one["document"]));
    if (want["test"] == "skipped") {
      EXPECT_TRUE(imported.gold.empty()) << id;
      EXPECT_NE(NotesOf(imported).find("skipped: test"), std::string::npos) << id;
      continue;
    }
    const std::string answer = "{\"id\": \"t\", \"actual\": " + TextOf(one["output"]) + "}\n";
    const auto lines = Score(PlanOfSuite(imported.config, "x.eval.yaml", true), imported, answer);
    EXPECT_NEAR(lines.at("t")["score"].GetDouble(), want["score"].GetDouble(), kScoreTolerance) << id;
    ExpectAsserts(id, want["asserts"], lines.at("t")["details"]["asserts"]);
    EXPECT_EQ(want.HasMember("said"), NotesOf(imported).find("skipped") != std::string::npos) << id;
  }
  EXPECT_EQ(checked, 34);
}

TEST_F(AgentVTest, AFileIsKnownByItsNameOrItsMembers) {
  EXPECT_TRUE(IsAgentVFile("", "a/b.eval.yaml"));
  EXPECT_TRUE(IsAgentVFile("", "b.eval.jsonl.gz"));
  EXPECT_TRUE(IsAgentVFile("name: x\ntests:\n- id: a\n", "suite.yaml"));
  EXPECT_FALSE(IsAgentVFile("evaluators:\n- type: levenshtein\n", "c.yaml"));
  EXPECT_FALSE(IsAgentVFile("evaluators:\n- {type: code_judge}\ntests: 1\n", "c.yaml"));
  EXPECT_FALSE(IsAgentVFile("{\"tests\": []}", "c.json"));
}

TEST_F(AgentVTest, WhatCannotBeDoneIsToldOnceForEachType) {
  const ImportedConfig imported = ImportText("x.eval.yaml", R"(prompts: [p]
tests:
- id: a
  assert: [{type: latency, threshold: 5}, {type: "trajectory:step-count", value: {type: message, min: 1}}, {type: contains, value: x}]
- id: b
  assert: [is polite, is short, {type: latency, weight: 2}]
)");
  EXPECT_TRUE(imported.lacks_any());
  std::string notes;
  for (const ImportNote& note : imported.notes) {
    if (note.kind == ImportNoteKind::kOffline) notes += note.what + ": " + note.text.substr(0, 24) + "\n";
  }
  EXPECT_EQ(notes,
            "2 asserts: latency needs a trace of\n1 assert: trajectory:step-count co\n"
            "1 assert: llm-rubric needs a model\n");
  const rapidjson::Document gold = ParseLine(imported.gold[1]);
  const Json& asserts = gold["expected"]["asserts"];
  ASSERT_EQ(asserts.Size(), 2u);
  EXPECT_STREQ(asserts[0]["stands_for"].GetString(), "llm-rubric");
  EXPECT_EQ(asserts[0]["weight"].GetDouble(), 2);
  EXPECT_STREQ(asserts[0]["was"]["value"][1].GetString(), "is short");
  EXPECT_EQ(asserts[1]["weight"].GetDouble(), 2);
}

TEST_F(AgentVTest, TrajectoriesAreReadFromTheirField) {
  const ImportedConfig imported = ImportText("x.eval.yaml", R"(prompts: [p]
tests:
- id: a
  assert:
  - {type: "trajectory:tool-used", value: [search, "fe*"]}
  - {type: "not-trajectory:tool-used", value: delete}
  - {type: "trajectory:tool-sequence", value: {mode: exact, steps: [fetch, search]}, weight: 2}
  - {type: "trajectory:tool-args-match", value: {name: search, args: {q: x}}, negate: true}
  - {type: contains, value: Done}
- id: b
  assert: [{type: "trajectory:step-count", value: {type: tool, max: 1}}]
- id: c
  assert: [{type: "not-trajectory:tool-used", value: delete}]
)");
  EXPECT_FALSE(imported.lacks_any());
  EXPECT_NE(NotesOf(imported).find("6 trajectory asserts: give the field"), std::string::npos)
      << NotesOf(imported);
  FileOptions options;
  options.calls_field = "messages";
  options.gold = "suite";
  for (const std::string& record : imported.gold) options.gold_text += record + '\n';
  const std::string messages =
      R"([{"role": "assistant", "tool_calls": [{"name": "search", "arguments": {"q": "x"}}]}, )"
      R"({"role": "assistant", "tool_calls": [{"name": "fetch"}]}])";
  const FinishedRun run =
      RunText(PlanOfSuite(imported.config, folder_ / "x.eval.yaml", false),
              R"({"id": "a", "actual": "Done.", "messages": )" + messages + "}\n" +
                  R"({"id": "b", "actual": "", "messages": )" + messages + "}\n" +
                  R"({"id": "c", "actual": [{"role": "assistant", "content": "x"}]})" + "\n",
              options);
  std::vector<double> scores;
  for (const std::string& line : run.lines) scores.push_back(ParseLine(line)["score"].GetDouble());
  // Without a trace nothing passes, also not what is turned.
  EXPECT_EQ(scores, (std::vector<double>{0.5, 0, 0}));
}

TEST_F(AgentVTest, WhatIsNotDoneHereNeverPassesByNegation) {
  EXPECT_EQ(ScoreOf(SuiteOf("[{type: latency, negate: true}]"), "alpha"), 0);
}

TEST_F(AgentVTest, VariablesAreFilledAndCombined) {
  const ImportedConfig imported = ImportText("x.eval.yaml", R"(prompts: ["{{ a }} {{b.c}}{{ none }}"]
default_test: {vars: {a: [1x, 2x], z: low}, metadata: {from: default}}
tests:
- id: "t-{{a}}-{{ d }}"
  vars: {b: {c: [u, v]}, d: [p, q], z: high}
  assert: [{metric: "{{z}}", type: contains-any, value: ["{{ a }}", "{{ x | upper }}"]}]
)");
  ASSERT_EQ(imported.gold.size(), 4u);
  const std::string ids[] = {"t-1x-p", "t-1x-q", "t-2x-p", "t-2x-q"};
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_STREQ(ParseLine(imported.gold[i])["id"].GetString(), ids[i].c_str());
  const rapidjson::Document gold = ParseLine(imported.gold[2]);
  EXPECT_STREQ(gold["expected"]["input"].GetString(), "2x u,v");
  EXPECT_STREQ(gold["expected"]["metadata"]["from"].GetString(), "default");
  const Json& filled = gold["expected"]["asserts"][0];
  EXPECT_STREQ(filled["name"].GetString(), "high");
  EXPECT_STREQ(filled["value"][0].GetString(), "2x");
  EXPECT_STREQ(filled["value"][1].GetString(), "{{ x | upper }}");
  EXPECT_NE(NotesOf(imported).find("differs: test \"t-1x-p\": only {{ name }} is filled in"),
            std::string::npos);
}

TEST_F(AgentVTest, NumbersAreFilledInAsJavaScriptWritesThem) {
  const ImportedConfig imported = ImportText("x.eval.yaml", R"(prompts: ["x"]
tests:
- id: "{{a}} {{b}} {{c}} {{d}} {{e}} {{f}} {{g}}"
  vars: {a: 5.00, b: 1e3, c: 0x10, d: .5, e: [1.0, True], f: "5.00", g: 123456789012345678901}
  assert: [{type: is-json}]
)");
  EXPECT_STREQ(ParseLine(imported.gold.at(0))["id"].GetString(),
               "5 1000 16 0.5 1,true 5.00 123456789012345680000");
}

TEST_F(AgentVTest, ATextThatIsAVariableAloneBecomesItsValue) {
  const ImportedConfig imported = ImportText("x.eval.yaml", R"(prompts: ["x"]
tests:
- id: "t-{{ vars.n }}"
  vars: {n: 5, l: {all: [a, b]}}
  assert: [{type: contains, value: "{{ n }}"}, {type: contains-all, value: "{{ l.all }}"},
           {type: contains, value: "n{{ vars.n }}"}]
)");
  const rapidjson::Document gold = ParseLine(imported.gold.at(0));
  EXPECT_STREQ(gold["id"].GetString(), "t-5");
  const Json& asserts = gold["expected"]["asserts"];
  ASSERT_EQ(asserts.Size(), 2u);  // a number is no text to look for
  EXPECT_EQ(asserts[0]["value"].Size(), 2u);
  EXPECT_STREQ(asserts[1]["value"].GetString(), "n5");
}

// Once six lists of 30 took all memory.
TEST_F(AgentVTest, CombinationsHaveALimit) {
  const auto suite = [](int first, int second) {
    std::string text = "prompts: [x]\ntests:\n- id: '{{a}} {{b}}'\n  assert: [{type: is-json}]\n  vars:\n";
    for (const auto& [name, size] : {std::pair{"a", first}, std::pair{"b", second}}) {
      text += "    " + std::string(name) + ": [";
      for (int i = 0; i < size; ++i) text += (i == 0 ? "x" : ", x") + std::to_string(i);
      text += "]\n";
    }
    return text;
  };
  const std::string refusal =
      "x.eval.yaml:3: the combinations of the lists in \"vars\" make more than 100000 tests; "
      "give "
      "shorter lists, or split the suite";
  if (!kSanitized) {
    EXPECT_EQ(ImportText("x.eval.yaml", suite(99'999, 1)).gold.size(), 99'999u);
    EXPECT_EQ(ImportText("x.eval.yaml", suite(1000, 100)).gold.size(), 100'000u);
  }
  EXPECT_EQ(RefusalOf(suite(9091, 11)), refusal);  // 100,001
  EXPECT_EQ(RefusalOf(suite(30'000, 30'000)), refusal);
}

TEST_F(AgentVTest, TextsFilledInHaveALimit) {
  const auto suite = [](int copies, int tests) {
    std::string text = "prompts: ['";
    for (int i = 0; i < copies; ++i) text += "{{ long }}";
    text += "']\ntests:\n- id: '{{ n }}'\n  assert: [{type: is-json}]\n  vars:\n    long: ";
    text += std::string(1 << 16, 'x') + "\n    n: [";
    for (int i = 0; i < tests; ++i) text += (i == 0 ? "x" : ", x") + std::to_string(i);
    return text + "]\n";
  };
  const std::string refusal =
      "x.eval.yaml:3: with its variables filled in, the suite takes more than 268435456 bytes; give shorter "
      "texts, or split the suite";
  if (!kSanitized) {
    EXPECT_EQ(ImportText("x.eval.yaml", suite(1000, 4)).gold.size(), 4u);
    EXPECT_EQ(RefusalOf(suite(1000, 5)), refusal);
  }
  EXPECT_EQ(RefusalOf(suite(5000, 1)), refusal);
}

TEST_F(AgentVTest, AnchorsAliasesAndMergeKeys) {
  const std::string suite = R"(prompts: [p]
tests:
- id: t
  vars: {w: x}
  assert:
  - &first {type: contains, value: alpha, weight: 3}
  - {<<: *first, value: beta, weight: 1}
  - *first
)";
  EXPECT_EQ(ScoreOf(suite, "beta"), 1.0 / 7);
  EXPECT_EQ(ScoreOf(suite, "alpha"), 6.0 / 7);
}

TEST_F(AgentVTest, TemplatesAreFoundFromTheSuiteUpward) {
  Input("one.yaml", "assert: [{include: ./two.yaml}, {type: contains, value: '{{ w }}'}]\n");
  Input("two.yaml", "assert: [{type: contains, value: alpha}]\n");
  EXPECT_EQ(ScoreOf(SuiteOf("[{include: one.yaml}]"), "alpha {{ w }}"), 1);  // its texts are not filled
  EXPECT_EQ(ScoreOf(SuiteOf("[{include: one.yaml}]"), "alpha"), 0.5);
  Input("loop.yaml", "assert: [{include: loop.yaml}]\n");
  for (const char* const name : {"loop.yaml", "none.yaml", "none"}) {
    const ImportedConfig imported =
        ImportText("x.eval.yaml", SuiteOf("[{include: " + std::string(name) + "}]"));
    EXPECT_TRUE(imported.gold.empty()) << name;
    EXPECT_NE(NotesOf(imported).find("skipped: test \"t\": "), std::string::npos) << name;
  }
}

TEST_F(AgentVTest, RowsAreTestsWithExpectedOutput) {
  const ImportedConfig imported =
      ImportText("rows.eval.jsonl",
                 "{\"id\": \"a\", \"input\": [{\"role\": \"user\", \"content\": \"q\"}], "
                 "\"assert\": [{\"type\": \"equals\", \"value\": \"x\"}]}\n\n"
                 "{\"id\": \"b\", \"input\": \"q\", \"criteria\": \"good\"}\n");
  ASSERT_EQ(imported.gold.size(), 2u);
  const std::string notes = NotesOf(imported);
  EXPECT_EQ(notes.substr(0, notes.find("; judge")),
            "1: runs: test \"a\": 1 assert\n3: runs: test \"b\": 1 assert\n"
            "3: cannot run here: 1 assert: llm-rubric needs a model");
  EXPECT_EQ(FindValue(FindValue(imported.config, "evaluators")->items[0], "name")->scalar, "rows");
  EXPECT_THROW(ImportText("bad.eval.jsonl", "[]\n"), Error);
}

TEST_F(AgentVTest, WhatIsToldOfARowHasItsLine) {
  const std::string first = "{\"id\": \"a\", \"input\": \"q\", \"assert\": [{\"type\": \"is-json\"}]}\n";
  try {
    ImportText("bad.eval.jsonl", first + "{\"id\": 1,");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("bad.eval.jsonl:2: the row:1: invalid JSON"), std::string::npos)
        << error.what();
  }
  const std::string notes = NotesOf(
      ImportText("rows.eval.jsonl",
                 first + R"({"id": "b", "input": "q", "assert": [{"type": "is-json", "extra": 1}]})"));
  EXPECT_NE(notes.find("2: skipped: member \"extra\""), std::string::npos) << notes;
  EXPECT_EQ(notes.find("1: skipped: "), std::string::npos) << notes;
}

TEST_F(AgentVTest, ScoresThatCannotBeReachedAreNoted) {
  const std::string notes = NotesOf(ImportText("x.eval.yaml", R"(prompts: [p]
tests:
- id: a
  run: {threshold: 1.5}
  assert:
  - {type: contains, value: x, min_score: 1.5}
  - {type: contains, value: x, min_score: 0}
  - type: assert-set
    threshold: -0.1
    assert: [{type: contains, value: x, min_score: 1}]
)"));
  for (const char* const note :
       {"4: ignored: member \"threshold\": AgentV accepts only a number from 0 to 1 here",
        "6: ignored: member \"min_score\": AgentV accepts only a number above 0 and up to 1",
        "7: ignored: member \"min_score\": AgentV accepts only a number above 0 and up to 1",
        "9: ignored: member \"threshold\": AgentV accepts only a number from 0 to 1 here"}) {
    EXPECT_NE(notes.find(note), std::string::npos) << note << notes;
  }
  EXPECT_EQ(notes.find("10: "), std::string::npos) << notes;
}

TEST_F(AgentVTest, RowsAreTakenAsTheyAreWritten) {
  const ImportedConfig imported = ImportText(
      "rows.eval.jsonl",
      R"({"id": "a", "input": "q", "execution": {"threshold": 0.1}, "vars": {"w": ["x", "y"], "expected_output": 1}, "metadata": {"k": 1}, "assert": [{"type": "contains", "value": "{{w}}"}]}
{"id": 7, "input": "q", "assert": [{"type": "is-json"}]}
{"id": "c", "input": "q", "expected_output": "5"}
)");
  ASSERT_EQ(imported.gold.size(), 2u);
  const rapidjson::Document gold = ParseLine(imported.gold[0]);
  const Json& expected = gold["expected"];
  EXPECT_FALSE(expected.HasMember("threshold"));
  EXPECT_FALSE(expected.HasMember("metadata"));
  EXPECT_FALSE(expected.HasMember("expected_output"));
  EXPECT_STREQ(expected["asserts"][0]["value"].GetString(), "{{w}}");
  const rapidjson::Document asked = ParseLine(imported.gold[1]);
  EXPECT_STREQ(asked["expected"]["asserts"][0]["stands_for"].GetString(), "llm-rubric");
  const std::string notes = NotesOf(imported);
  EXPECT_NE(notes.find("1: ignored: test \"a\": AgentV does not read the threshold of a row"), notes.npos)
      << notes;
  EXPECT_NE(notes.find("2: skipped: test \"7\": its id is not a text"), notes.npos) << notes;
}

TEST_F(AgentVTest, ScriptsStandInTheConfigurationOnceEach) {
  Input("judge.sh", "echo '{\"pass\": true}'\n");
  const ImportedConfig imported = ImportText("x.eval.yaml", R"(prompts: [p]
tests:
- id: a
  assert: [{metric: j, type: script, command: [sh, judge.sh]}, {metric: k, type: script, command: [sh, judge.sh]}]
- id: b
  assert:
  - {metric: j, type: script, command: "sh judge.sh", extra: 1, config: {extra: 2}}
  - {metric: gone, type: script, command: [no-such-program-here]}
  - {metric: nowhere, type: script, command: [sh, judge.sh], cwd: no-such-folder}
)");
  const ConfigValue* const scripts = FindValue(FindValue(imported.config, "evaluators")->items[0], "scripts");
  ASSERT_NE(scripts, nullptr);
  ASSERT_EQ(scripts->members.size(), 2u);
  EXPECT_EQ(scripts->members[0].key, "j");
  EXPECT_EQ(scripts->members[1].key, "j-2");
  EXPECT_EQ(FindValue(*FindValue(scripts->members[1].value, "config"), "extra")->scalar, "2");
  EXPECT_EQ(imported.gold[0].find("command"), std::string::npos);
  const rapidjson::Document gold = ParseLine(imported.gold[1]);
  EXPECT_STREQ(gold["expected"]["asserts"][1]["type"].GetString(), "unavailable");
  EXPECT_STREQ(gold["expected"]["asserts"][2]["type"].GetString(), "unavailable");
  const auto lines = Score(PlanOfSuite(imported.config, folder_ / "x.eval.yaml", false), imported,
                           "{\"id\": \"a\", \"actual\": \"x\"}\n{\"id\": \"b\", \"actual\": \"x\"}\n");
  EXPECT_EQ(lines.at("a")["score"].GetDouble(), 1);
  EXPECT_NEAR(lines.at("b")["score"].GetDouble(), 1.0 / 3, kScoreTolerance);
}

TEST_F(AgentVTest, AnImportedConfigurationFindsItsScriptsFromAnotherFolder) {
  ConfigValue config = LoadConfig(kSuiteFiles + "scripts.eval.yaml").config;
  std::filesystem::create_directory(folder_ / "deep");
  MoveScripts(kSuiteFiles + "scripts.eval.yaml", folder_ / "deep/c.yaml", config);
  const ConfigValue& scripts = *FindValue(FindValue(config, "evaluators")->items[0], "scripts");
  for (const ConfigMember& script : scripts.members) {
    const std::string folder = FindValue(script.value, "cwd")->scalar;
    const bool is_graders = script.key == "here";
    EXPECT_TRUE(std::filesystem::exists(std::string(folder_ / "deep") + "/" + folder +
                                        (is_graders ? "/here.py" : "/graders/here.py")))
        << folder;
  }
  EXPECT_NO_THROW(PlanOfSuite(config, folder_ / "deep/c.yaml", true));
}

TEST_F(AgentVTest, WhatIsRefusedIsNamedWithItsLine) {
  EXPECT_EQ(RefusalOf("name: x\n"), "x.eval.yaml:1: an AgentV suite needs \"tests\"");
  EXPECT_EQ(RefusalOf("tests: []\npolicy: x\n"),
            "x.eval.yaml:2: AgentV refuses \"policy\" at the top; AgentV no longer has this member");
  EXPECT_EQ(RefusalOf("tests: other.yaml\n"),
            "x.eval.yaml:1: \"tests\" is not a list; write the tests out, or import their file");
  EXPECT_EQ(RefusalOf("- a\n"), "x.eval.yaml:1: an AgentV suite is a map with \"tests\"");
  EXPECT_EQ(RefusalOf("tests: []\nthreshold: yes\n"),
            "x.eval.yaml:2: \"threshold\" is not a number from 0 to 1");
  EXPECT_EQ(RefusalOf(SuiteOf("[{type: assert-set, assert: [{type: is-json, postprocess: x}]}]")),
            "x.eval.yaml:6: AgentV refuses \"postprocess\" in an assert; give \"transform\"");
}

TEST_F(AgentVTest, ValuesThatAreNoTextsLeaveTheAssertOut) {
  const ImportedConfig imported =
      ImportText("x.eval.yaml", SuiteOf(R"([{type: contains, value: 5}, {type: equals},
    {type: contains-any, value: []}, {type: contains-all, value: x}, {type: regex, value: ""}, {type: 7}, {}, [],
    {type: contains, value: yes}])"));
  const rapidjson::Document gold = ParseLine(imported.gold[0]);
  ASSERT_EQ(gold["expected"]["asserts"].Size(), 1u);
  EXPECT_STREQ(gold["expected"]["asserts"][0]["value"].GetString(), "yes");
}

// Of both it was said only that they run.
TEST_F(AgentVTest, PatternsThatMatchNothingAreTold) {
  const std::string notes = NotesOf(ImportText(
      "x.eval.yaml",
      SuiteOf(R"([{type: regex, value: '\p{Latin}', flags: u}, {type: regex, value: '[\w-]+', flags: v},
    {type: regex, value: '(?<a>x)|(?<a>y)'}, {type: regex, value: '[a--b]', flags: v}])")));
  EXPECT_NE(
      notes.find("the pattern of regex is invalid in JavaScript (an invalid property name), so that assert "
                 "scores 0, as in AgentV"),
      std::string::npos)
      << notes;
  EXPECT_NE(notes.find("invalid in JavaScript (a character without a backslash"), std::string::npos) << notes;
  EXPECT_NE(notes.find("1 assert: regex has a pattern that is not supported here"), std::string::npos)
      << notes;
  EXPECT_EQ(notes.find("one name"), std::string::npos) << notes;
}

TEST_F(AgentVTest, OddValuesSkipTheTestAndAreTold) {
  for (const char* const asserts :
       {"[{type: contains, value: a, weight: .inf}]", "[{type: script, command: ' '}]",
        "[{type: script, command: [python3, 5]}]", "[{type: script, command: [python3, ' ']}]", "['  ']",
        "[5, null]"}) {
    const ImportedConfig imported = ImportText("x.eval.yaml", SuiteOf(asserts));
    EXPECT_TRUE(imported.gold.empty()) << asserts;
    EXPECT_NE(NotesOf(imported).find("skipped: test \"t\": "), std::string::npos) << asserts;
  }
  EXPECT_TRUE(
      ImportText("x.eval.yaml", "prompts: [p]\ntests: [{id: 7, assert: [{type: is-json}]}]\n").gold.empty());
}

TEST_F(AgentVTest, OnlyTextsOfAListCount) {
  const ImportedConfig imported = ImportText(
      "x.eval.yaml", SuiteOf("[polite, '  ', 5, null, {type: contains-any, value: [5, alpha, null]}]"));
  const rapidjson::Document gold = ParseLine(imported.gold.at(0));
  const Json& asserts = gold["expected"]["asserts"];
  ASSERT_EQ(asserts.Size(), 2u);
  EXPECT_EQ(asserts[0]["weight"].GetDouble(), 1);
  ASSERT_EQ(asserts[1]["value"].Size(), 1u);
  EXPECT_STREQ(asserts[1]["value"][0].GetString(), "alpha");
}

TEST_F(AgentVTest, NumbersOfFieldsCountAsTheyAre) {
  const std::string more = "default_test: {vars: {expected_output: {a: 1, n: 5}}}\n";
  const auto score = [&](const std::string& fields) {
    return ScoreOf(SuiteOf("[{type: field-accuracy, fields: [" + fields + "]}]", more),
                   R"({"a": 2, "n": 5})");
  };
  EXPECT_EQ(score("{path: a, match: exact, weight: -1}, {path: n, match: exact, weight: 2}"), 1);  // 2 / 1
  EXPECT_EQ(score("{path: a, match: exact, weight: 2}, {path: n, match: exact, weight: -1}"), 0);  // -1 / 1
  EXPECT_EQ(score("{path: a, match: exact, weight: -1}, {path: n, match: exact}"), 0);             // 1 / 0
  EXPECT_EQ(score("{path: n, match: numeric_tolerance, tolerance: -1}"), 0);
  EXPECT_EQ(score("{path: a, match: numeric_tolerance, tolerance: .inf}"), 1);
  const std::string huge = "[{type: field-accuracy, fields: [{path: a, match: exact, weight: 1.0e308}]}]";
  EXPECT_NE(
      NotesOf(ImportText("x.eval.yaml", SuiteOf(huge))).find("differs: test \"t\": the weight of a field"),
      std::string::npos);
}

}  // namespace
}  // namespace leafscore::internal
