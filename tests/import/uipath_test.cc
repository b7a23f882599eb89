// UiPath's files: cases of single evaluators, whole evaluation sets, and files that load or do not, with what
// UiPath makes of them. Where we differ on purpose, docs/migrate.md has a table.
#include "engine/import/uipath.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/config/canonical_config.h"
#include "engine/import/config_maker.h"
#include "engine/import/config_yaml.h"
#include "engine/import/import_config.h"
#include "engine/run/scorer_set.h"
#include "import/import_testing.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

constexpr double kTolerance = 1e-9;

const std::string kFiles = std::string(LEAFSCORE_TEST_DATA) + "/origins/uipath/";

Plan PlanOf(const ConfigValue& config) {
  return Plan(std::make_shared<const ScorerSet>(ReadScorerSpecs(config, "test"), "test"));
}

// What `leafscore import` writes of it, read again.
Plan PlanOfYaml(const ConfigValue& config) { return Plan::FromConfig(ConfigAsYaml(config)); }

std::string GoldText(const ImportedConfig& imported) {
  std::string text;
  for (const std::string& record : imported.gold) text += record + '\n';
  return text;
}

class UiPathTest : public RunTest {
 protected:
  // Scores records of one evaluator. RETURNS: the lines by id.
  std::map<std::string, rapidjson::Document> Score(const Plan& plan, const std::string& records) {
    FileOptions options;
    options.details = DetailLevel::kLeaves;
    options.allow_absent_paths = true;
    std::map<std::string, rapidjson::Document> lines;
    for (const std::string& line : RunText(plan, records, options).lines) {
      rapidjson::Document document = ParseLine(line);
      std::string id = document["id"].GetString();
      lines.emplace(std::move(id), std::move(document));
    }
    return lines;
  }
};

// The value of the member of criteria that an evaluator looks at.
const Json* ExpectedOf(const Json& criteria, const std::string& scorer) {
  const char* const name = scorer == "contains"         ? "searchText"
                           : scorer == "classification" ? "expectedClass"
                                                        : "expectedOutput";
  return criteria.IsObject() && criteria.HasMember(name) ? &criteria[name] : nullptr;
}

void ExpectDetails(const std::string& id, const Json& want, const Json& line) {
  if (want.HasMember("details") && line["scorer"] != "JsonAll" && line["scorer"] != "JsonKey" &&
      line["scorer"] != "JsonList") {
    EXPECT_STREQ(line["details"]["expected"].GetString(), want["details"]["expected"].GetString()) << id;
    EXPECT_STREQ(line["details"]["actual"].GetString(), want["details"]["actual"].GetString()) << id;
  } else if (want.HasMember("details")) {
    for (const char* const leaves : {"matched_leaves", "total_leaves"}) {
      EXPECT_NEAR(line["details"][leaves].GetDouble(), want["details"][leaves].GetDouble(), kTolerance) << id;
    }
  }
  if (!want.HasMember("lines")) return;
  const Json& details = line["details"];
  EXPECT_EQ(details["total_lines_actual"].GetDouble(), want["total_lines_actual"].GetDouble()) << id;
  EXPECT_EQ(details["total_lines_expected"].GetDouble(), want["total_lines_expected"].GetDouble()) << id;
  ASSERT_EQ(details["lines"].Size(), want["lines"].Size()) << id;
  for (rapidjson::SizeType i = 0; i < want["lines"].Size(); ++i) {
    EXPECT_EQ(details["lines"][i], want["lines"][i]) << id << " line " << i + 1;
  }
}

// Older files score from 0 to 100, or true and false.
double WantedScore(const Json& want, bool is_older) {
  if (want["score"].IsBool()) return want["score"].GetBool() ? 1 : 0;
  return want["score"].GetDouble() / (is_older ? 100 : 1);
}

TEST_F(UiPathTest, CasesOfSingleEvaluators) {
  std::map<std::string, std::vector<rapidjson::Document>> cases;  // by evaluator
  for (const std::string& line : SplitLines(ReadFile(kFiles + "cases.jsonl"))) {
    rapidjson::Document document = ParseLine(line);
    std::string evaluator = document["evaluator"].GetString();
    cases[std::move(evaluator)].push_back(std::move(document));
  }
  std::size_t checked = 0;
  for (const auto& [evaluator, of_evaluator] : cases) {
    const ImportedConfig imported = LoadConfig(kFiles + evaluator);
    ASSERT_EQ(imported.origin, ConfigOrigin::kUiPath) << evaluator;
    ASSERT_FALSE(imported.lacks_any()) << evaluator;
    const bool is_older = evaluator.find("legacy") != std::string::npos;
    const std::string scorer = FindValue(FindValue(imported.config, "evaluators")->items[0], "type")->scalar;
    std::string records;
    for (const rapidjson::Document& one : of_evaluator) {
      records += "{\"id\": \"" + std::string(one["case"].GetString()) + '"';
      if (const Json* const expected = ExpectedOf(one["criteria"], scorer)) {
        records += ", \"expected\": " + TextOf(*expected);
      }
      records += ", \"actual\": " + TextOf(one["actual"]) + "}\n";
    }
    const auto lines = Score(PlanOf(imported.config), records);
    for (const rapidjson::Document& one : of_evaluator) {
      const std::string id = one["case"].GetString();
      const Json& want = one["want"];
      const rapidjson::Document& line = lines.at(id);
      ++checked;
      if (want["kind"] == "error") {
        EXPECT_STRNE(line["outcome"].GetString(), "scored") << id << one["note"].GetString();
        continue;
      }
      ASSERT_STREQ(line["outcome"].GetString(), "scored") << id << TextOf(line);
      EXPECT_NEAR(line["score"].GetDouble(), WantedScore(want, is_older), kTolerance)
          << id << ' ' << one["note"].GetString();
      ExpectDetails(id, want, line);
    }
    EXPECT_EQ(PlanOfYaml(imported.config).config(), PlanOf(imported.config).config()) << evaluator;
  }
  EXPECT_EQ(checked, 91u);
}

TEST_F(UiPathTest, FilesThatLoadOrDoNot) {
  std::size_t checked = 0;
  for (const std::string& line : SplitLines(ReadFile(kFiles + "files.jsonl"))) {
    const rapidjson::Document one = ParseLine(line);
    const std::string text = TextOf(one["file"]);
    const auto load = [&] { PlanOf(ImportConfig(text, "x.json").config); };
    ++checked;
    if (one["want"] == "refused") {
      EXPECT_THROW(load(), Error) << line;
    } else {
      EXPECT_NO_THROW(load()) << line;
    }
  }
  EXPECT_EQ(checked, 18u);
}

// A set, by the file itself and by what is imported of it.
TEST_F(UiPathTest, EvaluationSets) {
  std::size_t results = 0;
  for (const std::string set : {"classes", "lines", "weights"}) {
    const std::string file = kFiles + "evaluations/eval-sets/" + set + ".json";
    const ImportedConfig imported = LoadConfig(file);
    ASSERT_FALSE(imported.lacks_any()) << set;
    FileOptions options;
    options.inputs = {kFiles + "outputs/" + set + ".jsonl"};
    options.actual_field = "output";
    options.details = DetailLevel::kLeaves;
    options.gold = file;
    options.gold_text = GoldText(imported);
    const FinishedRun run = Run(PlanOf(imported.config), options);
    ASSERT_FALSE(run.result.error) << run.result.error->what();

    std::map<std::string, std::string> names;  // of the evaluators, by their ids
    for (const ConfigValue& scorer : FindValue(imported.config, "evaluators")->items) {
      names[FindValue(scorer, "criteria_key")->scalar] = FindValue(scorer, "name")->scalar;
    }
    std::map<std::pair<std::string, std::string>, rapidjson::Document> lines;  // by id and scorer
    for (const std::string& text : run.lines) {
      rapidjson::Document line = ParseLine(text);
      std::pair<std::string, std::string> key(line["id"].GetString(), line["scorer"].GetString());
      lines.emplace(std::move(key), std::move(line));
    }
    const rapidjson::Document want = ParseLine(ReadFile(kFiles + "want/" + set + ".json"));
    for (const Json& evaluation : want["evaluations"].GetArray()) {
      const std::string id = evaluation["id"].GetString();
      std::set<std::string> asked;
      for (const Json& result : evaluation["results"].GetArray()) {
        const std::string name = names.at(result["evaluator"].GetString());
        asked.insert(name);
        ASSERT_TRUE(lines.contains({id, name})) << set << ' ' << id << ' ' << name;
        const rapidjson::Document& line = lines.at({id, name});
        ++results;
        if (result["kind"] == "error") {
          EXPECT_STRNE(line["outcome"].GetString(), "scored") << set << ' ' << id << ' ' << name;
          continue;
        }
        EXPECT_NEAR(line["score"].GetDouble(), result["score"].GetDouble(), kTolerance) << set << ' ' << id;
        ExpectDetails(set + ' ' + id, result, line);
      }
      if (evaluation.HasMember("failed")) continue;
      for (const auto& [key, line] : lines) {
        EXPECT_TRUE(key.first != id || asked.contains(key.second)) << set << ' ' << id << ' ' << key.second;
      }
    }

    const RunReport report = run.result.summary.Report();
    ASSERT_TRUE(report.final_score) << set;
    EXPECT_NEAR(report.final_score->score, want["final_weighted"].GetDouble(), kTolerance) << set;
    ASSERT_EQ(report.final_score->parts.size(), want["evaluator_averages"].MemberCount()) << set;
    for (const FinalPart& part : report.final_score->parts) {
      EXPECT_NEAR(part.average, want["evaluator_averages"][part.scorer.c_str()].GetDouble(), kTolerance)
          << set << ' ' << part.scorer;
    }
    std::size_t aggregates = 0;
    for (const ScorerReport& scorer : report.scorers) {
      if (scorer.class_figure) continue;
      for (const ClassAggregate& aggregate : scorer.aggregates) {
        ++aggregates;
        ASSERT_TRUE(want["dataset_results"].HasMember(aggregate.name.c_str())) << aggregate.name;
        const Json& result = want["dataset_results"][aggregate.name.c_str()];
        EXPECT_NEAR(aggregate.score, result["score"].GetDouble(), kTolerance) << aggregate.name;
        const Json& details = result["details"];
        EXPECT_EQ(aggregate.asked, details["nTotal"].GetUint64());
        EXPECT_EQ(aggregate.scored, details["nScored"].GetUint64());
        for (std::size_t row = 0; row < aggregate.matrix.size(); ++row) {
          for (std::size_t column = 0; column < aggregate.matrix.size(); ++column) {
            EXPECT_EQ(aggregate.matrix[row][column],
                      details["confusionMatrix"][static_cast<unsigned>(row)][static_cast<unsigned>(column)]
                          .GetUint64());
          }
        }
        if (!details.HasMember("perClass")) continue;
        EXPECT_NEAR(aggregate.macro.f_score, details["macro"]["fScore"].GetDouble(), kTolerance);
        EXPECT_NEAR(aggregate.micro.precision, details["micro"]["precision"].GetDouble(), kTolerance);
        EXPECT_NEAR(aggregate.micro.recall, details["micro"]["recall"].GetDouble(), kTolerance);
        EXPECT_NEAR(aggregate.micro.f_score, details["micro"]["fScore"].GetDouble(), kTolerance);
        for (const ClassFigures& figures : aggregate.per_class) {
          const Json& of_class = details["perClass"][figures.label.c_str()];
          EXPECT_EQ(figures.true_positives, of_class["tp"].GetUint64()) << figures.label;
          EXPECT_EQ(figures.true_negatives, of_class["tn"].GetUint64()) << figures.label;
          EXPECT_EQ(figures.false_positives, of_class["fp"].GetUint64()) << figures.label;
          EXPECT_EQ(figures.false_negatives, of_class["fn"].GetUint64()) << figures.label;
          EXPECT_NEAR(figures.figures.f_score, of_class["fScore"].GetDouble(), kTolerance) << figures.label;
        }
      }
    }
    EXPECT_EQ(aggregates, want["dataset_results"].MemberCount()) << set;

    // The imported files give the same bytes.
    FileOptions imported_options = options;
    imported_options.gold_text.clear();
    imported_options.gold = Input("gold.jsonl", GoldText(imported));
    const FinishedRun again = Run(PlanOfYaml(imported.config), imported_options);
    EXPECT_EQ(again.output, run.output) << set;
  }
  EXPECT_EQ(results, 37u);
}

// Files from before version 1.0; the id is a GUID, whose case does not matter.
TEST_F(UiPathTest, OlderSetsAskEveryEvaluatorOfEachRecord) {
  std::filesystem::create_directories(folder_ / "evaluators");
  std::filesystem::create_directories(folder_ / "eval-sets");
  for (const std::string name : {"legacy-equal", "legacy-similar"}) {
    std::filesystem::copy(kFiles + "evaluations/evaluators/" + name + ".json", folder_ / "evaluators");
  }
  const std::string set = Input("eval-sets/s.json", R"({"fileName": "s.json", "id": "s", "name": "S",
    "createdAt": "a", "updatedAt": "b", "evaluatorRefs": ["legacy-equal", "legacy-similar"], "evaluations": [
    {"id": "9F0C0A5E-1111-2222-3333-444455556666", "name": "one", "inputs": {}, "evalSetId": "s",
     "createdAt": "a", "updatedAt": "b", "expectedOutput": {"result": {"value": 1}}},
    {"id": "two", "name": "two", "inputs": {}, "evalSetId": "s", "createdAt": "a", "updatedAt": "b",
     "expectedOutput": {"result": {"value": "A"}, "n": 10}}]})");
  const ImportedConfig imported = LoadConfig(set);
  FileOptions options;
  options.inputs = {Input("outputs.jsonl",
                          "{\"id\": \"9f0c0a5e-1111-2222-3333-444455556666\", \"output\": {\"result\": "
                          "{\"value\": 1.0}}}\n"
                          "{\"id\": \"two\", \"output\": {\"result\": {\"value\": \"a\"}, \"n\": 9}}\n")};
  options.actual_field = "output";
  options.gold = set;
  options.gold_text = GoldText(imported);
  const FinishedRun run = Run(PlanOf(imported.config), options);
  const RunReport report = run.result.summary.Report();
  ASSERT_TRUE(report.final_score);
  EXPECT_EQ(report.final_score->parts[0].average, 0.5);                  // of 100 and 0
  EXPECT_NEAR(report.final_score->parts[1].average, 0.725, kTolerance);  // of 100 and 45
}

// The answer without the key once scored 1.
TEST_F(UiPathTest, AnOlderFileLineByLineGivesNothingForAMissingKey) {
  const std::string file = Input("e.json", R"({"fileName": "e.json", "id": "e", "name": "e", "category": 0,
    "type": 1, "targetOutputKey": "answer", "createdAt": "a", "updatedAt": "b",
    "lineByLineEvaluation": true})");
  const auto lines = Score(PlanOf(LoadConfig(file).config), R"(
    {"id": "lacks", "expected": {"answer": "x"}, "actual": {"other": "y"}}
    {"id": "neither", "expected": {"a": "x"}, "actual": {"b": "y"}}
    {"id": "has", "expected": {"answer": "x\ny"}, "actual": {"answer": "x\nz"}})");
  EXPECT_EQ(lines.at("lacks")["score"].GetDouble(), 0);
  EXPECT_EQ(lines.at("neither")["score"].GetDouble(), 0);
  EXPECT_EQ(lines.at("has")["score"].GetDouble(), 0.5);
}

// Two evaluators, and two evaluations, of one name are told apart, and the notes say so.
TEST_F(UiPathTest, NamesThatComeTwiceAreNoted) {
  std::filesystem::create_directories(folder_ / "evaluators");
  std::filesystem::create_directories(folder_ / "eval-sets");
  for (const std::string id : {"A", "B"}) {
    WriteFile(
        folder_ / ("evaluators/" + id + ".json"),
        R"({"version": "1.0", "evaluatorTypeId": "uipath-contains", "name": "Same", "evaluatorConfig": {}, )"
        R"("id": ")" +
            id + "\"}");
  }
  const std::string set = Input("eval-sets/s.json", R"({"version": "1.0", "id": "s", "name": "S",
    "evaluatorRefs": ["A", "B"], "evaluations": [
    {"id": "1", "name": "n", "inputs": {}, "evaluationCriterias": {"A": {"searchText": "x"}}},
    {"id": "2", "name": "n", "inputs": {}, "evaluationCriterias": {}}]})");
  const ImportedConfig imported = LoadConfig(set);
  EXPECT_EQ(PlanOf(imported.config).scorer_names(), (std::vector<std::string>{"Same (A)", "Same (B)"}));
  EXPECT_EQ(std::ranges::count(imported.notes, ImportNoteKind::kDiffers, &ImportNote::kind), 3);
}

class UiPathFolderTest : public UiPathTest {
 protected:
  UiPathFolderTest() {
    std::filesystem::create_directories(folder_ / "evaluators");
    std::filesystem::create_directories(folder_ / "eval-sets");
  }
  void AddEvaluator(const std::string& file, const std::string& id) {
    WriteFile(
        folder_ / ("evaluators/" + file),
        R"({"version": "1.0", "evaluatorTypeId": "uipath-contains", "name": "N", "id": ")" + id + "\"}");
  }
  std::string Set(const std::string& evaluations, const std::string& evaluators = "\"A\"") {
    return Input("eval-sets/s.json", R"({"version": "1.0", "id": "s", "name": "S", "evaluatorRefs": [)" +
                                         evaluators + R"(], "evaluations": [)" + evaluations + "]}");
  }
  static std::string Refusal(const std::string& set) {
    try {
      LoadConfig(set);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  static std::string NotesOf(const ImportedConfig& imported) {
    std::string notes;
    for (const ImportNote& note : imported.notes) notes += TextOfNote(note) + '\n';
    return notes;
  }
};

TEST_F(UiPathFolderTest, TwoEvaluatorsOfOneIdAreRefused) {
  AddEvaluator("a.json", "A");
  AddEvaluator("b.json", "B");
  AddEvaluator("c.json", "B");  // which the set does not use
  const std::string set = Set("");
  EXPECT_EQ(Refusal(set), "");
  AddEvaluator("z.json", "A");
  const std::string refusal = Refusal(set);
  EXPECT_NE(refusal.find("a.json"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("z.json also has the id \"A\""), std::string::npos) << refusal;
}

TEST_F(UiPathFolderTest, AFileAmongTheEvaluatorsThatCannotBeReadRefusesTheSet) {
  AddEvaluator("a.json", "A");
  const std::string set = Set("");
  for (const std::string text : {"{\"version\": \"1.0\",", "", "[]", "5", "{\"a\": \xFF}"}) {
    WriteFile(folder_ / "evaluators/half.json", text);
    EXPECT_NE(Refusal(set).find("half.json"), std::string::npos) << text;
  }
  WriteFile(folder_ / "evaluators/half.json", "{\"title\": \"no evaluator\"}");
  EXPECT_EQ(Refusal(set), "");
}

TEST_F(UiPathFolderTest, CriteriaThatCannotFitAreNoted) {
  AddEvaluator("a.json", "A");
  WriteFile(folder_ / "evaluators/c.json",
            R"({"version": "1.0", "id": "C", "evaluatorTypeId": "uipath-multiclass-classification",
                "evaluatorConfig": {"name": "kinds", "classes": ["Red", "blue"]}})");
  const std::string notes = NotesOf(LoadConfig(Set(
      R"({"id": "1", "name": "n", "inputs": {}, "evaluationCriterias": {"C": {"expectedClass": "green"}}},
         {"id": "2", "name": "m", "inputs": {}, "evaluationCriterias": {"C": {"expectedClass": "RED"}}},
         {"id": "3", "name": "o", "inputs": {}, "evaluationCriterias": {"C": {"expectedClass": "x"}}},
         {"id": "4", "name": "p", "inputs": {}, "evaluationCriterias": {"C": {"expectedClass": 5}}},
         {"id": "5", "name": "q", "inputs": {}, "evaluationCriterias": {"A": {"other": 5}}})",
      R"("A", "C")")));
  for (const char* const note :
       {"differs: criteria of \"C\": the expected class is not one of the classes; this affects 2 of the "
        "evaluations",
        "differs: criteria of \"C\": \"expectedClass\" must be text; this affects 1 of the evaluations",
        "differs: criteria of \"A\": its criteria have no \"searchText\"; this affects 1 of the "
        "evaluations"}) {
    EXPECT_NE(notes.find(note), std::string::npos) << note << notes;
  }
}

// A set of the four evaluators of tool calls, whose runs stand in a field beside the output.
TEST_F(UiPathFolderTest, ToolCallsAreReadFromTheirField) {
  std::string evaluators;
  for (const std::string type : {"order", "count", "args", "output"}) {
    evaluators += (evaluators.empty() ? "\"" : ", \"") + type + "\"";
    WriteFile(folder_ / ("evaluators/" + type + ".json"),
              R"({"version": "1.0", "evaluatorTypeId": "uipath-tool-call-)" + type + R"(", "id": ")" + type +
                  R"(", "evaluatorConfig": {"name": ")" + type + R"(", "strict": )" +
                  (type == "args" ? R"("yes", "subset": true)" : "false") + "}}");
  }
  const std::string set = Set(R"(
      {"id": "1", "name": "one", "inputs": {}, "evaluationCriterias": {
        "order": {"toolCallsOrder": ["search", "fetch", "save"]},
        "count": {"tool_calls_count": {"t-1": [">=", "1"], "save": ["==", 2]}},
        "args": {"toolCalls": [{"name": "find", "args": {"q": "x"}, "id": "t-1"}]},
        "output": {"toolOutputs": [{"name": "fetch", "output": "page"}]}}},
      {"id": "2", "name": "two", "inputs": {}, "evaluationCriterias": {
        "order": {"toolCallsOrder": ["search", 5]},
        "count": {"toolCallsCount": {"search": [">=", 1.5]}},
        "args": {"toolCalls": [{"name": "search"}]},
        "output": {"toolOutputs": [{"name": "fetch", "output": 5}]}}},
      {"id": "3", "name": "three", "inputs": {}, "evaluationCriterias": {"order": {"toolCallsOrder": ["a"]}}})",
                              evaluators);
  const ImportedConfig imported = LoadConfig(set);
  EXPECT_FALSE(imported.lacks_any());
  const std::string notes = NotesOf(imported);
  for (const char* const note :
       {"runs: evaluator \"order\" (uipath-tool-call-order): tool_calls; give the field of the outputs",
        "ignored: evaluator \"args\" (uipath-tool-call-args), \"subset\"",
        "differs: criteria of \"order\": \"toolCallsOrder\" must be a list of names",
        "differs: criteria of \"count\": \"toolCallsCount\" must be",
        "differs: criteria of \"args\":", "differs: criteria of \"output\":"}) {
    EXPECT_NE(notes.find(note), std::string::npos) << note << '\n' << notes;
  }
  FileOptions options;
  options.inputs = {
      Input("outputs.jsonl",
            R"({"id": "1", "output": "Done.", "run": {"spans": [)"
            R"({"name": "execute_tool search", "attributes": {"tool.name": "search", "tool.id": "t-1", )"
            R"("input.value": "{\"q\": \"x\", \"n\": 5}"}}, {"name": "agent", "attributes": {}}, )"
            R"({"name": "fetch", "attributes": {"tool.name": "fetch", )"
            R"("output.value": "{\"content\": \"page\"}"}}]}})"
            "\n"
            R"({"id": "3", "output": "a"})"
            "\n")};
  options.actual_field = "output";
  options.calls_field = "run.spans";
  options.gold = set;
  options.gold_text = GoldText(imported);
  std::map<std::string, std::string> got;
  for (const std::string& line : Run(PlanOf(imported.config), options).lines) {
    const rapidjson::Document document = ParseLine(line);
    const bool is_scored = std::string_view(document["outcome"].GetString()) == "scored";
    got[std::string(document["id"].GetString()) + " " + document["scorer"].GetString()] =
        is_scored ? TextOf(document["score"]) : document["outcome"].GetString();
  }
  const std::map<std::string, std::string> want = {{"1 order", "0.3333333333333333"},
                                                   {"1 count", "0.5"},
                                                   {"1 args", "1"},
                                                   {"1 output", "1"},
                                                   {"2 order", "error"},
                                                   {"2 count", "error"},
                                                   {"2 args", "error"},
                                                   {"2 output", "error"},
                                                   {"3 order", "unanswered"}};
  EXPECT_EQ(got, want);
}

TEST_F(UiPathFolderTest, CriteriaOfUnknownEvaluatorsAreNoted) {
  AddEvaluator("a.json", "A");
  const std::string notes = NotesOf(LoadConfig(Set(
      R"({"id": "1", "name": "n", "inputs": {}, "evaluationCriterias": {"A": null, "a": null}},
         {"id": "2", "name": "m", "inputs": {}, "evaluationCriterias": {"a": null}})")));
  EXPECT_NE(
      notes.find("skipped: criteria of \"a\": no evaluator of the set has this id; this affects 2 of the "
                 "evaluations\n"),
      std::string::npos)
      << notes;
}

TEST_F(UiPathFolderTest, IdsOfEvaluationsThatComeTwiceOrChangeAreNoted) {
  AddEvaluator("a.json", "A");
  const std::string upper = "9F0C0A5E-1111-2222-3333-444455556666";
  const std::string lower = "9f0c0a5e-1111-2222-3333-444455556666";
  const auto evaluation = [](const std::string& id, const std::string& name) {
    return R"({"inputs": {}, "evaluationCriterias": {}, "id": ")" + id + R"(", "name": ")" + name + "\"}";
  };
  const std::string none = NotesOf(LoadConfig(Set(evaluation("UP", "n") + "," + evaluation(lower, "m"))));
  EXPECT_EQ(none.find("differs"), std::string::npos) << none;
  const std::string notes = NotesOf(LoadConfig(Set(evaluation(upper, "n") + "," + evaluation(lower, "m"))));
  EXPECT_NE(notes.find("differs: evaluation \"" + lower + "\": several have this id"), std::string::npos)
      << notes;
  EXPECT_NE(notes.find("differs: ids of evaluations: UiPath and the gold use GUIDs in lower case, but 1 in"),
            std::string::npos)
      << notes;
}

}  // namespace
}  // namespace leafscore::internal
