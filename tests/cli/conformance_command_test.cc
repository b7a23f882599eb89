// All conformance cases through the command: each line of a case file is itself a record.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "cli/subprocess.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

// A text between two marks of a case line. Cases with lone surrogates are no text for every JSON reader.
std::string Between(const std::string& line, const std::string& before, const std::string& after) {
  const std::size_t begin = line.rfind(before) + before.size();
  return line.substr(begin, line.find(after, begin) - begin);
}

// What the lone-surrogate cases give instead, as each lone surrogate is read as U+FFFD.
const std::map<std::string, std::string> kLoneSurrogates = {
    {"js-0060", R"({"score": 0.6666666666666667, "matched_leaves": 0.6666666666666667, "total_leaves": 1})"},
    {"js-0061", R"({"score": 1, "matched_leaves": 1, "total_leaves": 1})"},
    {"sj-0018",
     R"({"passed": true, "score": 1, "details": {"partial_similarity_score": 1, "f1": 1, "exact_value_matches": 2,)"
     R"( "details": [{"key": "answer.x", "gold_value": "\ufffdx", "model_value": "\ufffdx", "exact": true},)"
     R"( {"key": "answer.y", "gold_value": "1"}]}})"},
    {"lv-0047", R"({"score": 1, "label": "pass", "distance": 0})"},
};

void ExpectSame(const rapidjson::Value& want, const rapidjson::Value& got, const std::string& what) {
  if (want.IsNumber() && got.IsNumber()) {
    EXPECT_NEAR(got.GetDouble(), want.GetDouble(), 1e-9) << what;
  } else if (want.IsArray() && got.IsArray()) {
    ASSERT_EQ(got.Size(), want.Size()) << what;
    for (rapidjson::SizeType i = 0; i < want.Size(); ++i) ExpectSame(want[i], got[i], what);
  } else if (want.IsObject() && got.IsObject()) {
    for (const auto& member : want.GetObject()) {
      ASSERT_TRUE(got.HasMember(member.name)) << what << ": " << member.name.GetString();
      ExpectSame(member.value, got[member.name], what + ": " + member.name.GetString());
    }
  } else {
    EXPECT_EQ(got, want) << what;
  }
}

// What a case wants: what is ours where we differ from an origin on purpose.
std::string Wanted(const std::string& line) {
  if (line.find("\"ours\": {") != std::string::npos) return Between(line, "\"ours\": ", ", \"why\": ");
  return Between(line, "\"want\": ", ", \"note\": ");
}

class ConformanceTest : public ::testing::Test {
 protected:
  void ScoreAll(const std::string& file, std::size_t case_count, std::size_t lone_surrogate_count = 0) {
    // By the scorer and its options, as a configuration has them.
    std::map<std::string, std::vector<std::string>> cases_of_config;
    std::size_t cases = 0;
    std::size_t lone_surrogates = 0;
    for (const std::string& line : SplitLines(ReadFile(LEAFSCORE_TEST_DATA "/" + file))) {
      const std::string options = Between(line, "\"config\": ", ", \"expected\": ").substr(1);
      const std::string type = "\"type\": \"" + Between(line, "\"scorer\": \"", "\"") + "\"";
      cases_of_config["{" + type + (options == "}" ? "" : ", ") + options].push_back(line);
      ++cases;
    }
    EXPECT_EQ(cases, case_count);
    for (const auto& [config, lines] : cases_of_config) {
      const auto has_score = [](const std::string& line) {
        return Wanted(line).find("\"outcome\": ") == std::string::npos;
      };
      if (std::ranges::none_of(lines, has_score)) continue;  // a run without a score fails as a whole
      WriteFile(folder_ / "config.json", "{\"evaluators\": [" + config + "]}");
      std::string input;
      for (const std::string& line : lines) input += line + "\n";
      const SubprocessResult run =
          RunCommand({"score", "-", "--config", folder_ / "config.json", "--id-field", "case", "--details",
                      "leaves", "--quiet", "--allow-absent-paths"},
                     input);
      ASSERT_EQ(run.exit_code, 0) << run.err;
      const std::vector<std::string> results = SplitLines(run.out);
      ASSERT_EQ(results.size(), lines.size());
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const rapidjson::Document result = ParseLine(results[i]);
        const std::string name = result["id"].GetString();
        EXPECT_EQ(name, Between(lines[i], "\"case\": \"", "\""));
        const auto replaced = kLoneSurrogates.find(name);
        lone_surrogates += replaced != kLoneSurrogates.end();
        const rapidjson::Document want =
            ParseLine(replaced != kLoneSurrogates.end() ? replaced->second : Wanted(lines[i]));
        if (want.HasMember("outcome")) {
          ExpectSame(want["outcome"], result["outcome"], name);
          ExpectSame(want["reason"], result["reason"], name);
          continue;
        }
        EXPECT_STREQ(result["outcome"].GetString(), "scored") << name;
        for (const auto& member : want.GetObject()) {
          const bool is_detail = !result.HasMember(member.name);
          ExpectSame(member.value, is_detail ? result["details"][member.name] : result[member.name], name);
        }
      }
    }
    EXPECT_EQ(lone_surrogates, lone_surrogate_count);
  }

  TempDir folder_;
};

TEST_F(ConformanceTest, FieldAccuracy) { ScoreAll("field_accuracy.jsonl", 195); }
TEST_F(ConformanceTest, JsonDiff) { ScoreAll("json_diff.jsonl", 119); }
TEST_F(ConformanceTest, JsonSimilarity) { ScoreAll("json_similarity.jsonl", 395, 2); }
TEST_F(ConformanceTest, Levenshtein) { ScoreAll("levenshtein.jsonl", 198, 1); }
TEST_F(ConformanceTest, StaticJson) { ScoreAll("static_json.jsonl", 399, 1); }
TEST_F(ConformanceTest, Corrections) { ScoreAll("origins/corrections.jsonl", 36); }
TEST_F(ConformanceTest, UiPath) { ScoreAll("origins/uipath.jsonl", 60); }
TEST_F(ConformanceTest, UiPathPublished) { ScoreAll("origins/uipath_published.jsonl", 68); }
TEST_F(ConformanceTest, AgentV) { ScoreAll("origins/agentv.jsonl", 159); }
TEST_F(ConformanceTest, AgentVPublished) { ScoreAll("origins/agentv_published.jsonl", 10); }
TEST_F(ConformanceTest, AssetOpsBenchPublished) { ScoreAll("origins/assetopsbench_published.jsonl", 39); }
TEST_F(ConformanceTest, StaticJsonOf202609) { ScoreAll("origins/static_json_2026_09.jsonl", 357); }
TEST_F(ConformanceTest, StaticJsonOf202609ModeMetadata) {
  ScoreAll("origins/static_json_2026_09_car.jsonl", 11);
}

}  // namespace
}  // namespace leafscore::internal
