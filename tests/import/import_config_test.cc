#include "engine/import/import_config.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "io/io_test_util.h"
#include "leafscore/import.h"

namespace leafscore::internal {
namespace {

TEST(ImportConfig, LeavesOursAsTheyAre) {
  const ImportedConfig ours = ImportConfig("evaluators: [{type: contains}]", "c.yaml");
  EXPECT_EQ(ours.origin, ConfigOrigin::kLeafscore);
  ASSERT_EQ(ours.config.members.size(), 1u);
  EXPECT_EQ(ours.config.members[0].value.items[0].Find("type")->value.scalar, "contains");
  EXPECT_TRUE(ours.gold.empty());
  EXPECT_TRUE(ours.notes.empty());
}

TEST(ImportConfig, ReportsABrokenFileAsOurs) {
  EXPECT_THROW(ImportConfig("{\"version\": \"1.0\", ", "c.json"), Error);
}

// A test of another tool may be larger than a configuration of ours.
TEST(ImportConfig, ReadsLargeSets) {
  const TempDir folder;
  std::filesystem::create_directories(folder / "evaluators");
  std::filesystem::create_directories(folder / "eval-sets");
  WriteFile(folder / "evaluators/a.json",
            R"({"version": "1.0", "id": "A", "evaluatorTypeId": "uipath-contains", "evaluatorConfig": {}})");
  std::string set = R"({"version": "1.0", "id": "s", "name": "S", "evaluatorRefs": ["A"], "evaluations": [)";
  for (int i = 0; i < 10000; ++i) {
    const std::string id = std::to_string(i);
    set += (i == 0 ? "" : ", ") + std::string(R"({"id": ")") + id + R"(", "name": ")" + id +
           R"(", "inputs": {}, "evaluationCriterias": {"A": {"searchText": "x"}}})";
  }
  WriteFile(folder / "eval-sets/s.json", set + "]}");
  EXPECT_EQ(LoadConfig(folder / "eval-sets/s.json").gold.size(), 10000u);
}

TEST(ImportPlan, HasTheScorersTheGoldAndTheNotes) {
  const std::string set =
      std::string(LEAFSCORE_TEST_DATA) + "/origins/uipath/evaluations/eval-sets/weights.json";
  const ImportedPlan imported = ImportPlan(set);
  const ImportedConfig config = LoadConfig(set);
  EXPECT_EQ(imported.plan.scorer_names(), (std::vector<std::string>{"ExactKey", "JsonAll", "HasKey"}));
  EXPECT_EQ(imported.gold, config.gold);
  ASSERT_EQ(imported.notes.size(), config.notes.size());
  EXPECT_EQ(imported.notes[0], TextOfNote(config.notes[0]));
}

TEST(ImportPlan, RefusesWhatHasNothingToRun) {
  const TempDir folder;
  const std::string path = folder / "judge.json";
  WriteFile(path, R"({"version": "1.0", "id": "t", "name": "T", "evaluatorTypeId":
                      "uipath-llm-judge-trajectory-similarity", "evaluatorConfig": {"name": "T", "model": "m"}})");
  EXPECT_THROW(ImportPlan(path), Error);
  EXPECT_THROW(ImportPlan(folder / "none.json"), Error);
  // Of a list of scorers alone there would be no gold.
  EXPECT_THROW(Plan::FromConfig(ReadFile(path), path), Error);
}

// What is wrong with a file is told of it, and not of a configuration of ours.
TEST(ImportConfig, NamesTheFileThatIsWrong) {
  const TempDir folder;
  const std::string set = folder / "eval-sets/s.json";
  const auto error_of = [&](const std::string& text) {
    try {
      ImportConfig(text, set);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(error_of("{\"version\": \"1.0\", \"id\": \"s\", \"name\": \"S\",\n \"evaluatorRefs\": [\"A\"], "
                     "\"evaluations\": []}"),
            set + ":2: the evaluation set: no evaluator with the id \"A\" is in the folder " +
                std::string(folder / "evaluators"));
  EXPECT_EQ(error_of("{\"version\": 1, \"id\": \"s\", \"name\": \"S\", \"evaluations\": []}"),
            set + ":1: the evaluation set: the only \"version\" that UiPath knows is \"1.0\"");
  EXPECT_EQ(error_of("{\"version\": \"1.0\", \"id\": \"x\",\n\"evaluatorTypeId\": \"uipath-exact-match\", "
                     "\"evaluatorConfig\":\n {\"caseSensitive\": \"maybe\"}}"),
            set + ":3: the evaluator \"x\": \"caseSensitive\" must be true or false");
}

}  // namespace
}  // namespace leafscore::internal
