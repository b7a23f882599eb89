#include "engine/scores/human_labels.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "engine/json/json_value.h"
#include "io/io_test_util.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

class HumanLabelsTest : public ::testing::Test {
 protected:
  HumanLabels Labels(const std::string& lines, bool several_models = false) const {
    WriteFile(folder_ / "labels.jsonl", lines);
    return {folder_ / "labels.jsonl", several_models};
  }
  std::string Fault(const std::string& lines) const {
    try {
      Labels(lines);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInput);
      return error.what();
    }
    return "";
  }

  static std::optional<bool> On(const HumanLabels& labels, const std::string& json,
                                const std::string& model = "m") {
    JsonValue value{kScoreLineJson};
    const JsonView view = value.Read(json);
    ScoreLine line;
    EXPECT_EQ(ReadScoreLine(view, line), "");
    return labels.VerdictOn(view, line, "scores.jsonl", model);
  }
  static std::string Line(const std::string& id, const std::string& more = "") {
    return R"({"scorer": "s", "id": )" + id + R"(, "outcome": "scored", "score": 0.50, "passed": true)" +
           more + "}";
  }

  TempDir folder_;
};

TEST_F(HumanLabelsTest, AreAboutTheAnswersWithTheirFields) {
  const HumanLabels labels = Labels(
      "{\"id\": 1, \"label\": true}\n{\"id\": \"b\", \"label\": 0, \"answer\": \"x\"}\n"
      "{\"id\": \"c\", \"label\": true, \"score\": 0.5}\n{\"id\": \"d\", \"label\": 1, \"score\": 0.4}\n"
      "{\"id\": \"e\", \"label\": false, \"groups\": {\"team\": null}}\n{\"id\": \"nobody\", \"label\": "
      "true}\n");
  EXPECT_EQ(On(labels, Line("1")), true);
  EXPECT_EQ(On(labels, Line("\"1\"")), true);
  EXPECT_EQ(On(labels, Line("\"b\"", R"(, "groups": {"answer": "x"})")), false);
  EXPECT_EQ(On(labels, Line("\"b\"", R"(, "groups": {"answer": "y"})")), std::nullopt);
  EXPECT_EQ(On(labels, Line("\"c\"")), true);
  EXPECT_EQ(On(labels, Line("\"d\"")), std::nullopt);  // another score, so another answer
  EXPECT_EQ(On(labels, Line("\"e\"", R"(, "groups": {"team": null})")), false);
  EXPECT_EQ(On(labels, Line("\"e\"", R"(, "groups": {"team": "null"})")), std::nullopt);
  EXPECT_EQ(On(labels, Line("\"f\"")), std::nullopt);
  // A record without an id has its number in place of one.
  EXPECT_EQ(On(labels, Line("1", R"(, "id_from": "record")")), std::nullopt);
  EXPECT_EQ(labels.Notes(),
            (std::vector<std::string>{
                "1 of 6 labels have an id that no line of scores has; the first is of \"nobody\" (record 6)",
                "1 of 6 labels are about other answers than these, as another field differs; the first is of "
                "\"d\" (record 4)"}));
}

TEST_F(HumanLabelsTest, TellWhatTheyDoNotShow) {
  const HumanLabels labels = Labels("{\"id\": 1, \"label\": true, \"answer\": \"x\"}\n");
  EXPECT_EQ(On(labels, Line("1")), true);
  const std::vector<std::string> notes = labels.Notes();
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_NE(notes[0].find("fields that the scores lack, which show nothing: \"answer\""), std::string::npos);
  EXPECT_NE(notes[1].find("joined by id alone"), std::string::npos);
}

TEST_F(HumanLabelsTest, SayWhichModelTheyMean) {
  const HumanLabels labels = Labels(
      "{\"id\": 1, \"label\": true, \"model\": \"a\"}\n{\"id\": 1, \"label\": false, \"model\": \"b\"}\n"
      "{\"id\": 2, \"label\": true}\n{\"id\": 3, \"label\": true, \"passed\": true, \"scorer\": \"s\"}\n",
      /*several_models=*/true);
  EXPECT_EQ(On(labels, Line("1"), "a"), true);
  EXPECT_EQ(On(labels, Line("1"), "b"), false);
  EXPECT_EQ(On(labels, Line("1"), "c"), std::nullopt);
  EXPECT_THROW(On(labels, Line("2"), "a"), Error);
  EXPECT_THROW(On(labels, Line("3"), "a"), Error);  // many answers pass
}

TEST_F(HumanLabelsTest, AreAboutTheAnswersOfOneModel) {
  const std::string of_b = R"(, "groups": {"model": "b"})";
  EXPECT_EQ(On(Labels("{\"id\": 1, \"label\": false, \"model\": \"b\"}\n", true), Line("1", of_b), "a"),
            false);
  // The scores of two models are often equal.
  const HumanLabels labels =
      Labels("{\"id\": 1, \"label\": true, \"score\": 0.5}\n", /*several_models=*/true);
  EXPECT_EQ(On(labels, Line("1"), "a"), true);
  EXPECT_EQ(On(labels, Line("1"), "a"), true);  // another scorer
  EXPECT_THROW(On(labels, Line("1"), "b"), Error);
}

TEST_F(HumanLabelsTest, AreOneForEachAnswer) {
  const HumanLabels labels =
      Labels("{\"id\": 1, \"label\": true}\n{\"id\": 1, \"label\": true, \"score\": 0.5}\n");
  EXPECT_THROW(On(labels, Line("1")), Error);
}

TEST_F(HumanLabelsTest, AreRefusedIfTheyAreNone) {
  EXPECT_NE(Fault("").find("has no labels"), std::string::npos);
  EXPECT_NE(Fault("[1]\n").find("record 1 is not a JSON object"), std::string::npos);
  EXPECT_NE(
      Fault("{\"id\": 1, \"label\": true}\n{\"id\": 2, \"label\": 0.5}\n").find("record 2 has no \"label\""),
      std::string::npos);
  EXPECT_NE(Fault("{\"id\": 1, \"label\": \"yes\"}\n").find("no \"label\""), std::string::npos);
  EXPECT_NE(Fault("{\"id\": null, \"label\": true}\n").find("no \"id\""), std::string::npos);
  EXPECT_NE(Fault("{\"id\": [1], \"label\": true}\n").find("no \"id\""), std::string::npos);
  EXPECT_NE(Fault("{\"id\": 1, \"label\": true, \"label\": false}\n").find("each key once"),
            std::string::npos);
}

}  // namespace
}  // namespace leafscore::internal
