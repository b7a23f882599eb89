#include "engine/evaluate/scenarios.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/limits.h"
#include "engine/evaluate/scenario_scorers.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class ScenariosTest : public ::testing::Test {
 protected:
  std::string Put(const std::string& path, const std::string& bytes) {
    fs::create_directories(fs::path(folder_ / path).parent_path());
    WriteFile(folder_ / path, bytes);
    return folder_ / path;
  }
  static ScenarioSet Load(const Names& paths, std::size_t max_file_bytes = kMaxFileBytes.default_value) {
    return ScenarioSet(paths, max_file_bytes, {});
  }
  static Names Ids(const ScenarioSet& set) {
    Names ids;
    for (const Scenario& scenario : set.scenarios()) ids.push_back(scenario.id);
    return ids;
  }

  TempDir folder_;
};

TEST_F(ScenariosTest, ReadsFolders) {
  Put("s/scenario_11/groundtruth.txt", "\n {'energy': 14, \"m\": 48}\r\n");
  Put("s/deep/scenario_x y/groundtruth.txt", "34");
  Put("s/12/groundtruth.txt", "\"quoted\"");
  Put("s/scenario_11/data.json", "{\"id\": 5}");
  Put("s/scenario_11/more/data.jsonl", "broken");
  Put("s/scenario_13/groundtruth.txt", " \n");
  Put("s/scenario_14/groundtruth.txt", "\xff");
  const ScenarioSet set = Load({folder_ / "s"});
  EXPECT_EQ(Ids(set), (Names{"12", "x y", "11", "13", "14"}));
  for (const Scenario& scenario : set.scenarios()) EXPECT_EQ(scenario.type, "structured");
  EXPECT_EQ(set.scenarios()[2].expected_json, R"("{'energy': 14, \"m\": 48}")");
  EXPECT_EQ(set.scenarios()[0].expected_json, R"("\"quoted\"")");
  ASSERT_EQ(set.skipped().size(), 2u);
  EXPECT_EQ(set.skipped()[0].path, folder_ / "s/scenario_13/groundtruth.txt");
  EXPECT_EQ(set.skipped()[0].why, "it is empty");
  EXPECT_EQ(set.skipped()[1].why, "invalid_utf8: byte 0");
  EXPECT_EQ(set.scenarios()[3].expected_json, std::nullopt);
  EXPECT_EQ(set.scenarios()[4].expected_json, std::nullopt);
}

TEST_F(ScenariosTest, FoldersWithoutGroundTruthAreAskedForAndTold) {
  Put("s/scenario_1/groundtruth.txt", "x");
  Put("s/scenario_2/data.json", "{\"id\": 5}");  // beside one that has it
  Put("s/3/question.txt", "how many?");          // as the origin has them
  Put("s/scenario_4/GroundTruth.txt", "x");      // not seen, as its name is another
  Put("t/deep/scenario_5/ground_truth.md", "x");
  Put("t/deep/scenario_5/more/question.txt", "data");
  fs::create_directories(folder_ / "s/scenario_6");
  const ScenarioSet set = Load({folder_ / "s", folder_ / "t"});
  EXPECT_EQ(Ids(set), (Names{"3", "2", "4", "6", "1", "5"}));
  const std::vector<SkippedFile>& skipped = set.skipped();
  ASSERT_EQ(skipped.size(), 5u);
  EXPECT_EQ(set.without_ground_truth(), 5u);
  EXPECT_EQ(skipped[0].path, folder_ / "s/3");
  EXPECT_EQ(skipped[0].why, "it has no groundtruth.txt");
  EXPECT_EQ(skipped[1].path, folder_ / "s/scenario_2");
  EXPECT_EQ(skipped[2].why, "it has no groundtruth.txt; is \"GroundTruth.txt\" meant?");
  EXPECT_EQ(skipped[4].why, "it has no groundtruth.txt; is \"ground_truth.md\" meant?");
  for (const Scenario& scenario : set.scenarios()) {
    EXPECT_EQ(scenario.expected_json.has_value(), scenario.id == "1");
    EXPECT_EQ(scenario.type, "structured");
  }
}

TEST_F(ScenariosTest, FoldersOfScenariosAndOfTheirFilesAreNone) {
  Put("s/scenario_sets/scenario_1/groundtruth.txt", "x");
  Put("s/scenario_sets/scenario_1/question.txt", "?");
  Put("s/scenario_sets/scenario_1/scenario_data/a.txt", "?");
  Put("s/scenario_sets/readme.txt", "");
  Put("t/scenario_files/list.json", R"([{"id": 2, "expected_answer": 1}])");
  Put("t/shared/data.txt", "");
  const ScenarioSet set = Load({folder_ / "s", folder_ / "t"});
  EXPECT_EQ(Ids(set), (Names{"1", "2"}));
  EXPECT_TRUE(set.skipped().empty());
}

TEST_F(ScenariosTest, TakesAScenarioFolderWithoutGroundTruthItself) {
  Put("scenario_7/groundtruth.TXT", "x");
  const ScenarioSet set = Load({folder_ / "scenario_7"});
  EXPECT_EQ(Ids(set), Names{"7"});
  EXPECT_EQ(set.without_ground_truth(), 1u);
}

TEST_F(ScenariosTest, AMethodThatCannotBeReadIsNotTheDefaultOne) {
  for (const std::string number : {"1", "2", "3", "4"}) Put("s/scenario_" + number + "/groundtruth.txt", "x");
  Put("s/scenario_1/scenario_meta.json", R"({"scoring_method": "exact_ma)");
  Put("s/scenario_2/scenario_meta.json", R"({"scoring_method": 5})");
  Put("s/scenario_3/scenario_meta.json", R"({"scoring_method": null})");
  Put("s/scenario_4/scenario_meta.json", R"({"scoring_method": "exact_match"})");
  const ScenarioSet set = Load({folder_ / "s"});
  std::vector<bool> broken;
  for (const Scenario& scenario : set.scenarios()) broken.push_back(scenario.method_is_broken);
  EXPECT_EQ(broken, (std::vector{true, true, false, false}));
  ASSERT_EQ(set.skipped().size(), 2u);
  EXPECT_EQ(set.skipped()[1].why, "its scoring_method must be a text");
  EXPECT_EQ(set.scenarios()[3].scoring_method, "exact_match");
  const ScenarioScorers scorers(set.scenarios(), "exact_match", {}, "");
  ASSERT_TRUE(scorers.Flaw(1));
  EXPECT_EQ(scorers.Flaw(1)->text, "the scoring_method of the scenario cannot be read");
  EXPECT_EQ(scorers.Flaw(1)->reason, RejectReason::kBadCriteria);
  EXPECT_FALSE(scorers.Flaw(2));
}

TEST_F(ScenariosTest, MetadataThatAreAFolderOrNamedOtherwiseAreTold) {
  Put("s/scenario_1/groundtruth.txt", "x");
  fs::create_directories(folder_ / "s/scenario_1/groundtruth_eval.json");
  Put("s/scenario_2/groundtruth.txt", "x");
  Put("s/scenario_2/Groundtruth_Eval.json", "{}");
  const ScenarioSet set = Load({folder_ / "s"});
  EXPECT_FALSE(set.scenarios()[0].method_is_broken);
  EXPECT_EQ(Ids(set), (Names{"1", "2"}));
  EXPECT_TRUE(set.scenarios()[0].metadata_is_broken);
  EXPECT_FALSE(set.scenarios()[1].metadata_is_broken);
  ASSERT_EQ(set.skipped().size(), 2u);
  EXPECT_EQ(set.skipped()[0].path, folder_ / "s/scenario_1/groundtruth_eval.json");
  EXPECT_EQ(set.skipped()[0].why, "it is a folder, not a file");
  EXPECT_EQ(set.skipped()[1].path, folder_ / "s/scenario_2/Groundtruth_Eval.json");
  EXPECT_EQ(set.skipped()[1].why, "it is not used; is groundtruth_eval.json meant?");
}

TEST_F(ScenariosTest, AMethodThatIsNoFileOrNamedOtherwiseIsTold) {
  for (const std::string number : {"1", "2", "3", "4"}) Put("s/scenario_" + number + "/groundtruth.txt", "x");
  fs::create_directories(folder_ / "s/scenario_1/scenario_meta.json");
  const std::string method = Put("method.json", R"({"scoring_method": "contains"})");
  fs::create_symlink(method, folder_ / "s/scenario_2/scenario_meta.json");
  ASSERT_EQ(mkfifo((folder_ / "s/scenario_3/scenario_meta.json").c_str(), 0600), 0);
  Put("s/scenario_4/Scenario_Meta.json", R"({"scoring_method": "contains"})");
  const ScenarioSet set = Load({folder_ / "s"});
  std::vector<bool> broken;
  for (const Scenario& scenario : set.scenarios()) broken.push_back(scenario.method_is_broken);
  EXPECT_EQ(broken, (std::vector{true, true, true, false}));
  EXPECT_FALSE(set.scenarios()[0].metadata_is_broken);
  Names why;
  for (const SkippedFile& skipped : set.skipped()) why.push_back(skipped.why);
  EXPECT_EQ(why, (Names{"it is a symbolic link; these are not followed", "it is not a regular file",
                        "it is a folder, not a file", "it is not used; is scenario_meta.json meant?"}));
}

TEST_F(ScenariosTest, TrimsGroundTruthAsPythonDoes) {
  Put("s/1/groundtruth.txt", "\u00a0\f 34\u3000\n");
  Put("s/2/groundtruth.txt", "\u00a0\n");
  const ScenarioSet set = Load({folder_ / "s"});
  EXPECT_EQ(set.scenarios()[0].expected_json, "\"34\"");
  EXPECT_EQ(set.scenarios()[1].expected_json, std::nullopt);
}

TEST_F(ScenariosTest, FallBackToTheCharacteristicFormOfAnEmptyAnswer) {
  const ScenarioSet set = Load({Put("s.json", R"([
      {"id": 1, "expected_answer": "", "characteristic_form": "form"},
      {"id": 2, "expected_answer": "", "characteristic_form": ""},
      {"id": 3, "expected_answer": " ", "characteristic_form": "form"},
      {"id": 4, "expected_answer": [], "characteristic_form": "form"}])")});
  EXPECT_EQ(set.scenarios()[0].expected_json, "\"form\"");
  EXPECT_EQ(set.scenarios()[1].expected_json, std::nullopt);
  EXPECT_EQ(set.scenarios()[2].expected_json, "\" \"");
  EXPECT_EQ(set.scenarios()[3].expected_json, "[]");
}

TEST_F(ScenariosTest, TakesAScenarioFolderItself) {
  Put("scenario_7/groundtruth.txt", "x");
  EXPECT_EQ(Ids(Load({folder_ / "scenario_7"})), Names{"7"});
  EXPECT_EQ(Ids(Load({folder_ / "scenario_7/groundtruth.txt"})), Names{"7"});
}

TEST_F(ScenariosTest, ReadsFilesOfScenarios) {
  const std::string list = Put("list.json", R"([
      {"id": 1, "expected_answer": {"a": [1]}, "characteristic_form": "unused", "type": "iot",
       "scoring_method": "exact_match"},
      {"id": "two", "expected_answer": null, "characteristic_form": "form"},
      {"text": "no id"}, 5])");
  const std::string one = Put("one.json", R"({"id": 9, "expected_answer": 0.50})");
  const std::string lines = Put("lines.jsonl", "{\"id\": 21}\n\n{broken\n{\"type\": \"x\"}");
  const ScenarioSet set = Load({list, one, lines});
  EXPECT_EQ(Ids(set), (Names{"1", "two", "3", "9", "21"}));
  EXPECT_EQ(set.scenarios()[0].expected_json, "{\"a\":[1]}");
  EXPECT_EQ(set.scenarios()[0].type, "iot");
  EXPECT_EQ(set.scenarios()[0].scoring_method, "exact_match");
  EXPECT_EQ(set.scenarios()[1].expected_json, "\"form\"");
  // The scenario without an id in the third line has the position 3, and so the id of the third of the list.
  EXPECT_EQ(set.duplicates(), Names{"3"});
  EXPECT_EQ(set.scenarios()[2].type, "x");
  EXPECT_EQ(set.scenarios()[3].expected_json, "0.50");
  EXPECT_EQ(set.scenarios()[4].expected_json, std::nullopt);
  ASSERT_EQ(set.skipped().size(), 5u);
  EXPECT_EQ(set.without_ground_truth(), 3u);
  EXPECT_EQ(set.skipped()[0].path, list + "[2]");
  EXPECT_EQ(set.skipped()[0].why, "the scenario has no expected_answer and no characteristic_form");
  EXPECT_EQ(set.skipped()[1].path, list + "[3]");
  EXPECT_EQ(set.skipped()[2].path, lines + ":1");
  EXPECT_EQ(set.skipped()[3].path, lines + ":3");
  EXPECT_EQ(set.skipped()[4].path, lines + ":4");
}

TEST_F(ScenariosTest, WantsIdsInFilesThatItFindsItself) {
  Put("s/a.json", R"([{"id": 1}, {"text": "metadata"}])");
  const ScenarioSet set = Load({folder_ / "s"});
  EXPECT_EQ(Ids(set), Names{"1"});
  ASSERT_EQ(set.skipped().size(), 2u);
  EXPECT_EQ(set.skipped()[1].why, "the scenario has no id");
}

TEST_F(ScenariosTest, HasOneIdForNumbersAndTexts) {
  Put("s/scenario_11/groundtruth.txt", "first");
  const std::string file = Put("later.jsonl", "{\"id\": 11, \"expected_answer\": \"second\"}\n");
  const ScenarioSet set = Load({folder_ / "s", file});
  EXPECT_EQ(Ids(set), Names{"11"});
  EXPECT_EQ(set.scenarios()[0].expected_json, "\"second\"");
  EXPECT_EQ(set.duplicates(), Names{"11"});
  EXPECT_EQ(set.Find("11"), 0u);
  EXPECT_EQ(set.Find("011"), ScenarioSet::kNone);
}

TEST_F(ScenariosTest, Selects) {
  ScenarioSet set = Load({Put("s.jsonl", "{\"id\": 1}\n{\"id\": 2}\n{\"id\": 3}\n")});
  EXPECT_EQ(set.Select(Names{"3", "1", "4"}), Names{"4"});
  EXPECT_TRUE(set.scenarios()[0].selected);
  EXPECT_FALSE(set.scenarios()[1].selected);
  EXPECT_TRUE(set.scenarios()[2].selected);
}

TEST_F(ScenariosTest, NeedsOneScenario) {
  Put("s/readme.txt", "x");
  const Names paths = {folder_ / "s"};
  EXPECT_NE(ErrorOf(ErrorCode::kInput, [&] { Load(paths); }).find("no scenario was found in "),
            std::string::npos);
  Put("s/big.json", "{\"id\": 1}");
  EXPECT_NE(ErrorOf(ErrorCode::kInput, [&] { Load(paths, 9 - 1); }).find("--max-file-bytes"),
            std::string::npos);
  EXPECT_EQ(Ids(Load(paths, 9)), Names{"1"});
  EXPECT_THROW(Load({folder_ / "none"}), Error);
}

}  // namespace
}  // namespace leafscore::internal
