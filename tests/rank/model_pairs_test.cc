// Which models are told apart, by p-values worked out by hand.
#include "engine/rank/model_pairs.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/base/random.h"
#include "engine/statistics/families.h"
#include "rank/board_testing.h"

namespace leafscore::internal {
namespace {

class ModelPairsTest : public BoardTest {
 protected:
  // Returns the letters of the models, the best first.
  std::string Groups(const std::vector<ModelFile>& files, LeaderboardOptions options = {}) {
    options.groups = true;
    std::string text;
    for (const LeaderboardRow& row : Rank(files, options)) {
      text += row.model + ':' + row.group.value_or("-") + ' ';
    }
    return text;
  }
};

std::string Repeated(std::size_t ids, double score) { return ScoresFrom0(std::vector<double>(ids, score)); }

// Seven ids that agree have p = 2 / 128 = 0.0156, which Holm's method makes 0.047 for three pairs; six have
// 2 / 64, and 0.094.
TEST_F(ModelPairsTest, PairsAreOneFamily) {
  const auto groups = [&](std::size_t ids) {
    return Groups({{"a", Repeated(ids, 0.9)}, {"b", Repeated(ids, 0.8)}, {"c", Repeated(ids, 0.7)}});
  };
  EXPECT_EQ(groups(7), "a:a b:b c:c ");
  EXPECT_EQ(groups(6), "a:a b:a c:a ");
}

// Of two pairs that could not have given p = 2 / 64 = 0.03125 neither counts against the third, which could.
TEST_F(ModelPairsTest, PairsThatCouldNotHaveToldDoNotCount) {
  const std::vector<LeaderboardRow> rows = Rank({{"a", ScoresFrom0({1, 1, 1, 1, 1, 1})},
                                                 {"b", ScoresFrom0({1, 1, 1, 0, 0, 0})},
                                                 {"c", ScoresFrom0({0, 0, 0, 0, 0, 0})}});
  EXPECT_EQ(rows[0].tied_with, std::vector<std::string>{"b"});
  EXPECT_EQ(rows[2].tied_with, std::vector<std::string>{"b"});
  EXPECT_EQ(rows[0].rank_interval->high, 2);
  EXPECT_EQ(rows[1].rank_interval->high, 3);
  EXPECT_EQ(rows[2].rank_interval->low, 2);
}

// Three models that no test tells apart are tied with each other, not only with their neighbours.
TEST_F(ModelPairsTest, TiesAreToldOfAllModelsNotOfNeighboursAlone) {
  const std::vector<LeaderboardRow> rows =
      Rank({{"a", Repeated(6, 0.9)}, {"b", Repeated(6, 0.8)}, {"c", Repeated(6, 0.7)}});
  EXPECT_EQ(rows[0].tied_with, (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(rows[1].tied_with, (std::vector<std::string>{"a", "c"}));
  for (const LeaderboardRow& row : rows) {
    EXPECT_EQ(row.rank_interval->low, 1);
    EXPECT_EQ(row.rank_interval->high, 3);
  }
  EXPECT_EQ(rows[0].p_next, 0.03125);  // not corrected
}

// `b` differs from either in four of eight ids, which tells nothing: p is 2 / 16.
TEST_F(ModelPairsTest, AModelMayBeOfTwoGroups) {
  EXPECT_EQ(Groups({{"a", ScoresFrom0({1, 1, 1, 1, 1, 1, 1, 1})},
                    {"b", ScoresFrom0({1, 1, 1, 1, 0, 0, 0, 0})},
                    {"c", ScoresFrom0({0, 0, 0, 0, 0, 0, 0, 0})}}),
            "a:a b:ab c:b ");
}

TEST_F(ModelPairsTest, ClustersKeepTogether) {
  const auto lines = [](double score) {
    std::string text;
    for (int id = 0; id < 8; ++id) {
      text += Scored(std::to_string(id), score, fmt::format(", \"doc\": {}", id % 2));
    }
    return text;
  };
  EXPECT_EQ(Groups({{"a", lines(1)}, {"b", lines(0)}}), "a:a b:b ");
  EXPECT_EQ(Groups({{"a", lines(1)}, {"b", lines(0)}}, {.cluster = "doc"}), "a:a b:a ");
}

TEST_F(ModelPairsTest, OnlyModelsThatCanBeComparedHaveThem) {
  EXPECT_EQ(Groups({{"a", Repeated(8, 1)}}), "a:- ");
  EXPECT_EQ(Groups({{"a", Repeated(8, 1)}, {"b", Repeated(8, 0)}, {"x", Scored("\"own\"", 1)}}),
            "a:a b:b x:- ");
}

// Sixteen models are 120 pairs. The differences of neighbours are 0.01 and, on one of 40 ids, 0.011.
TEST_F(ModelPairsTest, ManyPairsAreTestedByTheSameTest) {
  std::vector<ModelFile> files;
  std::string wanted;
  for (int model = 0; model < 16; ++model) {
    std::vector<double> scores(40, 0.9 - 0.01 * model);
    scores[0] -= 0.001 * model;
    const char letter = static_cast<char>('a' + model);
    files.push_back({std::string(1, letter), ScoresFrom0(scores)});
    wanted += fmt::format("{}:{} ", letter, letter);
  }
  EXPECT_EQ(Groups(files), wanted);
  for (const LeaderboardRow& row : Rank(files)) {
    EXPECT_EQ(row.rank_interval->low, *row.rank);
    EXPECT_EQ(row.rank_interval->high, *row.rank);
  }
}

// Each bound leads to the decision that the p-value itself leads to.
TEST(BoundedTests, DecideAsTheTestsThemselvesDo) {
  SplitMix64 random(29, 0);
  std::size_t bounded = 0;
  for (int family = 0; family < 60; ++family) {
    constexpr std::size_t kTests = 12;
    std::vector<double> p[2];
    std::vector<double> least_p[2];
    for (std::size_t test = 0; test < kTests; ++test) {
      std::vector<Unit> units(1 + random.Below(60));
      const double drop = static_cast<double>(random.Below(60)) / 100;
      for (Unit& unit : units) unit.sum = static_cast<double>(random.Below(1001)) / 1000 - drop;
      const SignFlipResult exact = SignFlipTest(units);
      const SignFlipResult quick = BoundedTest(units, kTests);
      EXPECT_EQ(quick.least_p, exact.least_p);
      bounded += quick.p != exact.p;
      if (exact.p >= kRankAlpha) {
        EXPECT_LE(quick.p, exact.p);
        EXPECT_GE(quick.p, kRankAlpha);
      } else {
        EXPECT_GE(quick.p, exact.p);
      }
      for (const auto& [i, result] : {std::pair(0, exact), std::pair(1, quick)}) {
        p[i].push_back(result.p);
        least_p[i].push_back(result.least_p);
      }
    }
    const std::vector<double> exact = HolmAttainableCorrected(p[0], least_p[0]);
    const std::vector<double> quick = HolmAttainableCorrected(p[1], least_p[1]);
    for (std::size_t test = 0; test < kTests; ++test) {
      EXPECT_EQ(exact[test] < kRankAlpha, quick[test] < kRankAlpha) << exact[test] << ' ' << quick[test];
    }
  }
  EXPECT_GT(bounded, 300u);  // of 720
}

TEST_F(ModelPairsTest, AtMost200Models) {
  std::vector<ModelFile> files;
  for (int model = 0; model < 200; ++model) files.push_back({fmt::format("m{}", model), ScoresFrom0({0, 1})});
  EXPECT_EQ(Groups(files).substr(0, 10), "m0:a m1:a ");
  files.push_back({"more", ScoresFrom0({0, 1})});
  EXPECT_EQ(Refusal(files, {.groups = true}),
            "--groups tests all pairs of at most 200 models, but there are 201");
}

TEST_F(ModelPairsTest, AreAColumnWhereTheyWereAskedFor) {
  const std::vector<ModelFile> files = {{"a", Repeated(8, 1)}, {"b", Repeated(8, 0)}};
  const std::vector<LeaderboardRow> rows = Rank(files, {.groups = true});
  const std::string table = RenderLeaderboard(rows, LeaderboardFormat::kTable);
  EXPECT_NE(table.find("  group\na "), std::string::npos) << table;
  EXPECT_TRUE(table.ends_with("      b\n")) << table;
  const std::string csv = RenderLeaderboard(rows, LeaderboardFormat::kCsv);
  EXPECT_TRUE(csv.starts_with("scorer,model,tied_with,group,rank,")) << csv;
  EXPECT_NE(csv.find("\ns,b,,b,2,"), std::string::npos) << csv;
  EXPECT_NE(RenderLeaderboard(rows, LeaderboardFormat::kJson).find("\"tied_with\": [], \"group\": \"b\", "),
            std::string::npos);
  EXPECT_EQ(RenderLeaderboard(Rank(files), LeaderboardFormat::kJson).find("group"), std::string::npos);
}

}  // namespace
}  // namespace leafscore::internal
