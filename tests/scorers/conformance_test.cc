// The published vectors of the scorers, through the library.
// Lone surrogates are read as U+FFFD, so any two of them compare equal; the one vector that tells two apart
// in the middle of a text and the one that is nothing else have results of ours, stated below. Where we
// differ from an origin on purpose, the vector itself has both: `want`, what the origin gives, and `ours`
// with `why`.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "engine/json/json_reader.h"
#include "leafscore/leafscore.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

constexpr double kTolerance = 1e-9;

// The members of one vector as JSON texts, as they are written in the file.
class Vector {
 public:
  explicit Vector(const std::string& line) : line_(line) {
    ShapeTable shapes;
    LeafTable table;
    JsonReader reader(&shapes);
    reader.Begin(line_, /*lines=*/false, &table);
    const JsonResult result = reader.Read(0, static_cast<std::uint32_t>(line_.size()));
    Collect(table, shapes, result.root, "");
  }

  const std::string& operator[](const std::string& path) const { return texts_.at(path); }
  bool has(const std::string& path) const { return texts_.contains(path); }
  double Number(const std::string& path) const { return std::strtod(texts_.at(path).c_str(), nullptr); }

 private:
  // Takes the members of an object, and those of `want`, `ours` and their `details` as want.NAME and
  // ours.NAME.
  void Collect(const LeafTable& table, const ShapeTable& shapes, NodeId object, const std::string& prefix) {
    NodeId member = object + 1;
    for (const std::string_view key : shapes.Keys(table.shape(object))) {
      const bool quoted = IsString(table.kind(member));
      const std::string_view token = table.token(member);
      const std::string path = prefix + std::string(key);
      texts_[path] = std::string(token.data() - quoted, token.size() + 2 * quoted);
      const std::string kind = path.substr(0, path.find('.'));
      if ((kind == "want" || kind == "ours") && table.kind(member) == ValueKind::kObject) {
        Collect(table, shapes, member, kind + '.');
      }
      if (table.kind(member) == ValueKind::kArray) CountElements(table, member, path);
      member = table.end(member);
    }
  }

  void CountElements(const LeafTable& table, NodeId array, const std::string& path) {
    std::size_t count = 0;
    for (NodeId element = array + 1; element != table.end(array); element = table.end(element)) ++count;
    texts_[path + ".count"] = std::to_string(count);
  }

  std::string line_;
  std::map<std::string, std::string> texts_;
};

ScoreColumns ScoreVector(const Vector& vector) {
  // The configuration of the vector with the scorer's type in front.
  std::string options = vector["config"].substr(1);
  if (options != "}") options.insert(0, ", ");
  const Plan plan = Plan::FromConfig("{\"evaluators\": [{\"type\": " + vector["scorer"] + options + "]}");
  return Runner(plan).ScorePair(vector["expected"], vector["actual"])[0];
}

// With `whole`, the vector names all metrics.
void ExpectWanted(const Vector& vector, bool whole, const std::map<std::string, std::string>& ours) {
  const std::string kind = vector.has("ours") ? "ours." : "want.";
  const auto wanted = [&](const std::string& name) {
    const auto own = ours.find(vector["case"] + name);
    return own != ours.end() ? own->second : vector[kind + name];
  };
  const ScoreColumns scores = ScoreVector(vector);
  if (vector.has(kind + "outcome")) {
    EXPECT_EQ('"' + std::string(OutcomeName(scores.outcome[0])) + '"', wanted("outcome")) << vector["case"];
    ASSERT_EQ(scores.errors.size(), 1u) << vector["case"];
    EXPECT_EQ('"' + std::string(RejectReasonName(scores.errors[0].reason)) + '"', wanted("reason"))
        << vector["case"];
    return;
  }
  ASSERT_EQ(scores.outcome[0], Outcome::kScored) << vector["case"] << ": " << scores.errors[0].message;
  EXPECT_NEAR(scores.score[0], std::strtod(wanted("score").c_str(), nullptr), kTolerance) << vector["case"];
  if (vector.has("want.label")) {
    EXPECT_EQ(scores.passed[0], wanted("label") == "\"pass\"") << vector["case"];
  }
  if (vector.has("want.passed")) {
    EXPECT_EQ(scores.passed[0], wanted("passed") == "true") << vector["case"];
  }
  if (vector.has("want.hits")) {  // the lists themselves are compared through the command
    EXPECT_EQ(MetricOf(scores, "hit_count"), vector.Number("want.hits.count")) << vector["case"];
    EXPECT_EQ(MetricOf(scores, "miss_count"), vector.Number("want.misses.count")) << vector["case"];
    return;
  }
  for (const Metric& metric : scores.metrics) {
    if (!whole && !vector.has(kind + std::string(metric.name))) continue;
    const std::string want = wanted(std::string(metric.name));
    if (want == "null") {
      EXPECT_TRUE(std::isnan(metric.values[0])) << vector["case"] << " " << metric.name;
    } else {
      EXPECT_NEAR(metric.values[0], std::strtod(want.c_str(), nullptr), kTolerance)
          << vector["case"] << " " << metric.name;
    }
  }
}

void ExpectAllWanted(const std::string& file, std::size_t count,
                     const std::map<std::string, std::string>& ours = {}, bool whole = true) {
  std::ifstream lines(LEAFSCORE_TEST_DATA "/" + file);
  std::size_t seen = 0;
  for (std::string line; std::getline(lines, line); ++seen) ExpectWanted(Vector(line), whole, ours);
  EXPECT_EQ(seen, count);
}

TEST(Conformance, FieldAccuracy) { ExpectAllWanted("field_accuracy.jsonl", 195); }
TEST(Conformance, JsonDiff) { ExpectAllWanted("json_diff.jsonl", 119); }

TEST(Conformance, JsonSimilarity) {
  ExpectAllWanted("json_similarity.jsonl", 395,
                  {{"\"js-0061\"score", "1"}, {"\"js-0061\"matched_leaves", "1"}});
}

TEST(Conformance, Levenshtein) {
  ExpectAllWanted(
      "levenshtein.jsonl", 198,
      {{"\"lv-0047\"score", "1"}, {"\"lv-0047\"distance", "0"}, {"\"lv-0047\"label", "\"pass\""}});
}

TEST(Conformance, StaticJson) { ExpectAllWanted("static_json.jsonl", 399); }

void ExpectAllNamed(const std::string& file, std::size_t count) {
  ExpectAllWanted(file, count, {}, /*whole=*/false);
}

TEST(Conformance, Corrections) { ExpectAllNamed("origins/corrections.jsonl", 36); }
TEST(Conformance, UiPath) { ExpectAllNamed("origins/uipath.jsonl", 60); }
TEST(Conformance, UiPathOlderFilesLineByLine) { ExpectAllNamed("origins/uipath_older_lines.jsonl", 73); }
TEST(Conformance, UiPathPublished) { ExpectAllNamed("origins/uipath_published.jsonl", 68); }
TEST(Conformance, AgentV) { ExpectAllNamed("origins/agentv.jsonl", 159); }
TEST(Conformance, AgentVDates) { ExpectAllNamed("origins/agentv_dates.jsonl", 180); }
TEST(Conformance, AgentVPublished) { ExpectAllNamed("origins/agentv_published.jsonl", 10); }
TEST(Conformance, AssetOpsBenchPublished) { ExpectAllNamed("origins/assetopsbench_published.jsonl", 39); }

}  // namespace
}  // namespace leafscore::internal
