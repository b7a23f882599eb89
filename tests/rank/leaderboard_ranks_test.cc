// How sure ranks are, what clusters do to them, and the fields of models. The expected figures are worked out
// by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/base/random.h"
#include "engine/statistics/pass_rates.h"
#include "rank/board_testing.h"

namespace leafscore::internal {
namespace {

class LeaderboardRanksTest : public BoardTest {
 protected:
  // Returns each row's rank, interval and ties.
  static std::string Text(const std::vector<LeaderboardRow>& rows) {
    std::string text;
    for (const LeaderboardRow& row : rows) {
      text += fmt::format("{} {}", row.rank.value_or(0), row.model);
      if (row.rank_interval) text += fmt::format(" [{}-{}]", row.rank_interval->low, row.rank_interval->high);
      for (const std::string& model : row.tied_with) text += " =" + model;
      text += '\n';
    }
    return text;
  }
};

// Of the choices of signs for n wins, 2 of 2^n are as far: 0.0625 for five, 0.03125 for six.
TEST_F(LeaderboardRanksTest, NeighboursThatATestCannotTellApartAreTied) {
  const auto rank = [&](std::size_t ids) {
    return Rank({{"a", ScoresFrom0(std::vector<double>(ids, 0.9))},
                 {"b", ScoresFrom0(std::vector<double>(ids, 0.8))}});
  };
  EXPECT_EQ(Text(rank(5)), "1 a [1-2] =b\n2 b [1-2] =a\n");  // though all resamples show one order
  EXPECT_EQ(rank(5)[0].p_next, 0.0625);
  EXPECT_EQ(rank(5)[1].p_next, std::nullopt);
  EXPECT_EQ(Text(rank(6)), "1 a [1-1]\n2 b [2-2]\n");
  EXPECT_EQ(rank(6)[0].p_next, 0.03125);
  EXPECT_EQ(Text(rank(1)), "1 a\n2 b\n");  // one id says nothing
}

// `b` cannot be told from either neighbour, though `a` wins all ids against `c`.
TEST_F(LeaderboardRanksTest, AModelMayBeTiedWithBothNeighbours) {
  const std::vector<LeaderboardRow> rows = Rank({{"a", ScoresFrom0({1, 1, 1, 1, 1, 1})},
                                                 {"b", ScoresFrom0({1, 1, 1, 0, 0, 0})},
                                                 {"c", ScoresFrom0({0, 0, 0, 0, 0, 0})}});
  EXPECT_EQ(rows[0].tied_with, std::vector<std::string>{"b"});
  EXPECT_EQ(rows[1].tied_with, (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(rows[0].p_next, 0.25);  // three wins, the rest equal: 2 of 8
}

TEST_F(LeaderboardRanksTest, EqualMeansAreTied) {
  EXPECT_EQ(Text(Rank({{"b", ScoresFrom0({0.5, 0.5})}, {"a", ScoresFrom0({0.5, 0.5})}})),
            "1 a [1-2] =b\n1 b [1-2] =a\n");
}

// As in the mean that ranks go by, an id without a score is 0: `b` equals `a` where it answered, but did not
// on six ids.
TEST_F(LeaderboardRanksTest, LackingIdsCountInTheTest) {
  const std::vector<LeaderboardRow> rows = Rank(
      {{"a", ScoresFrom0(std::vector<double>(8, 0.5))}, {"b", ScoresFrom0({0.5, 0.5})}}, {.min_share = 0});
  EXPECT_EQ(rows[0].p_next, 0.03125);
  EXPECT_EQ(rows[1].tied_with, std::vector<std::string>{});
}

// Of six differences that agree p is 2 / 64 = 0.03125. Against one model that is less than 0.05, but of two
// tests Holm's method doubles it.
TEST_F(LeaderboardRanksTest, WhatIsAsGoodAsTheBestIsTestedAsAFamily) {
  const auto best = [&](const std::vector<ModelFile>& files) {
    std::string text;
    for (const LeaderboardRow& row : Rank(files, {.mark_best = true})) text += row.best ? row.model : "-";
    return text;
  };
  const ModelFile a{"a", ScoresFrom0(std::vector<double>(6, 0.9))};
  const ModelFile b{"b", ScoresFrom0(std::vector<double>(6, 0.8))};
  const ModelFile c{"c", ScoresFrom0(std::vector<double>(6, 0.7))};
  EXPECT_EQ(best({a, b}), "a-");
  EXPECT_EQ(best({a, b, c}), "abc");
  EXPECT_EQ(best({a, {"b", a.lines}}), "ab");
  EXPECT_EQ(best({a}), "-");                                      // of one model none is the best
  EXPECT_EQ(best({a, b, {"x", Scored("\"other\"", 1)}}), "a--");  // nor one that was asked other ids
}

TEST_F(LeaderboardRanksTest, ClusteredErrors) {
  std::string lines;
  for (int i = 0; i < 4; ++i) {
    lines += Scored(std::to_string(i), i < 2 ? 1 : 0,
                    fmt::format(", \"passed\": {}, \"record\": {}, \"groups\": {{\"document\": {}}}", i < 2,
                                i, i < 2 ? "7" : "\"8\""));
  }
  // Two clusters with the residuals 0.5 + 0.5 and -0.5 - 0.5: sqrt(2 / 1 * (1 + 1)) / 4.
  const LeaderboardRow row = RowOf(lines, {.cluster = "document"});
  EXPECT_DOUBLE_EQ(*row.over_all.standard_error, 0.5);
  EXPECT_DOUBLE_EQ(*row.over_scored.standard_error, 0.5);
  EXPECT_EQ(row.clusters, 2u);
  // The pass rate is as sure as that of 0.25 / 0.5^2 = 1 independent id.
  EXPECT_NEAR(row.pass_interval->low, WilsonInterval(0.5, 1).low, 1e-12);
  // A cluster for each id is the ordinary error: the root of (4 * 0.25 / 3) / 4.
  EXPECT_DOUBLE_EQ(*RowOf(lines, {.cluster = "record"}).over_all.standard_error, 0.28867513459481287);
  EXPECT_DOUBLE_EQ(*RowOf(lines).over_all.standard_error, 0.28867513459481287);
  // One cluster says nothing of the spread between clusters.
  EXPECT_EQ(RowOf(lines, {.cluster = "scorer"}).over_all.standard_error, std::nullopt);
  EXPECT_EQ(RowOf(lines, {.cluster = "scorer"}).pass_interval, std::nullopt);
}

// Six wins in two documents are two wins: 2 of 4 choices of signs are as far.
TEST_F(LeaderboardRanksTest, ClustersStayTogetherInTheTest) {
  std::string a;
  std::string b;
  for (int i = 0; i < 6; ++i) {
    const std::string document = fmt::format(", \"groups\": {{\"document\": {}}}", i % 2);
    a += Scored(std::to_string(i), 1, document);
    b +=
        i < 3 ? Scored(std::to_string(i), 0, document) : "";  // the cluster of an id that is lacking is known
  }
  const std::vector<LeaderboardRow> rows =
      Rank({{"a", a}, {"b", b}}, {.cluster = "document", .min_share = 0});
  EXPECT_EQ(rows[0].p_next, 0.5);
  EXPECT_EQ(Text(rows), "1 a [1-2] =b\n2 b [1-2] =a\n");
  EXPECT_EQ(rows[1].clusters, 2u);
}

TEST_F(LeaderboardRanksTest, AnIdInTwoClustersIsRefused) {
  const std::string a = Scored("1", 1, ", \"groups\": {\"document\": \"x\"}");
  const std::string b = Scored("1", 1, ", \"groups\": {\"document\": \"y\"}");
  EXPECT_EQ(
      Refusal({{"a", a}, {"b", b}}, {.cluster = "document"}),
      folder_ / "b" +
          ": record 1: the id 1 is in the cluster \"y\", and in \"x\" on another line; name a field that "
          "depends on the id alone");
}

std::string Fields(int tp, int fp, int fn, int tn, int fields) {
  return fmt::format(
      ", \"details\": {{\"hit_count\": {}, \"miss_count\": {}, \"true_positives\": {}, "
      "\"false_positives\": {}, \"false_negatives\": {}, \"true_negatives\": {}}}",
      tp + tn, fields - tp - tn, tp, fp, fn, tn);
}

// Of the three fields, ids 1 and 2 expect two and id 3 expects one. The second field of id 2 is wrong in `a`.
TEST_F(LeaderboardRanksTest, FieldsThatAModelDidNotAnswerAreMissing) {
  const std::vector<LeaderboardRow> rows =
      Rank({{"a", Scored("1", 1, Fields(2, 0, 0, 1, 3)) + Scored("2", 0.6, Fields(1, 1, 1, 1, 3)) +
                      Unscored("3", "error")},
            {"b", Unscored("1", "unanswered") + Scored("3", 0.5, Fields(1, 1, 0, 1, 3))}},
           {.min_share = 0});
  const FieldCounts a = rows[0].fields.value();
  EXPECT_EQ(a.true_positives, 3u);
  EXPECT_EQ(a.false_positives, 1u);
  EXPECT_EQ(a.false_negatives, 1u);  // an error is left out, as in the report of a run
  EXPECT_EQ(a.true_negatives, 2u);
  // What was expected of the ids 1 (unanswered) and 2 (lacking) is missing, as `a` tells.
  const FieldCounts b = rows[1].fields.value();
  EXPECT_EQ(b.true_positives, 1u);
  EXPECT_EQ(b.false_positives, 1u);
  EXPECT_EQ(b.false_negatives, 4u);
  EXPECT_EQ(b.true_negatives, 3u);
  const std::string table = RenderLeaderboard(rows, LeaderboardFormat::kJson);
  // Precision 3/4 and recall 3/4; 1/2, 1/5 and 2 / (2 + 1 + 4).
  EXPECT_NE(table.find("\"fields\": {\"true_positives\": 3, \"false_positives\": 1, \"false_negatives\": 1, "
                       "\"true_negatives\": 2, \"precision\": 0.75, \"recall\": 0.75, \"f1\": 0.75}"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("\"precision\": 0.5, \"recall\": 0.2, \"f1\": 0.2857142857142857}"), std::string::npos)
      << table;
}

// Scores that sums would round differently, in clusters, with samples and lines of every outcome.
TEST_F(LeaderboardRanksTest, TheOrderOfLinesAndFilesDoesNotMatter) {
  std::vector<std::pair<std::string, std::vector<std::string>>> models;
  SplitMix64 random(1, 2);
  for (const std::string model : {"a", "b", "c"}) {
    std::vector<std::string> lines;
    for (int i = 0; i < 60; ++i) {
      const std::string id = fmt::format("\"q{}\"", random.Below(30));
      const std::string more = fmt::format(
          ", \"passed\": {}, \"groups\": {{\"document\": \"d{}\"}}, \"details\": "
          "{{\"f1\": {}}}",
          i % 2 == 0, id.size() + static_cast<std::size_t>(id[2]) % 5, 1.0 / (i + 3));
      lines.push_back(i % 10 == 0 ? Unscored(id, "unanswered")
                                  : Scored(id, static_cast<double>(random.Below(100)) / 99, more));
    }
    models.emplace_back(model, lines);
  }
  const auto json = [&] {
    std::vector<ModelFile> files;
    for (const auto& [model, lines] : models) {
      files.push_back({model, ""});
      for (const std::string& line : lines) files.back().lines += line;
    }
    std::string text;
    for (const std::string cluster : {"", "document"}) {
      text += RenderLeaderboard(
          Rank(files, {.cluster = cluster, .repeats = Repeats::kAll, .pass_k = {2}, .min_share = 0.5}),
          LeaderboardFormat::kJson);
    }
    return text;
  };
  const std::string before = json();
  for (int round = 0; round < 3; ++round) {
    std::ranges::reverse(models);
    for (auto& [model, lines] : models) {
      for (std::size_t i = lines.size(); i > 1; --i) std::swap(lines[i - 1], lines[random.Below(i)]);
    }
    EXPECT_EQ(json(), before);
  }
}

}  // namespace
}  // namespace leafscore::internal
