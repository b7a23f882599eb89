// Which models are told apart, by p-values worked out by hand.
#include "engine/rank/model_groups.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rank/board_testing.h"

namespace leafscore::internal {
namespace {

class ModelGroupsTest : public BoardTest {
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
TEST_F(ModelGroupsTest, PairsAreOneFamily) {
  const auto groups = [&](std::size_t ids) {
    return Groups({{"a", Repeated(ids, 0.9)}, {"b", Repeated(ids, 0.8)}, {"c", Repeated(ids, 0.7)}});
  };
  EXPECT_EQ(groups(7), "a:a b:b c:c ");
  EXPECT_EQ(groups(6), "a:a b:a c:a ");
}

// `b` differs from either in four of eight ids, which tells nothing: p is 2 / 16.
TEST_F(ModelGroupsTest, AModelMayBeOfTwoGroups) {
  EXPECT_EQ(Groups({{"a", ScoresFrom0({1, 1, 1, 1, 1, 1, 1, 1})},
                    {"b", ScoresFrom0({1, 1, 1, 1, 0, 0, 0, 0})},
                    {"c", ScoresFrom0({0, 0, 0, 0, 0, 0, 0, 0})}}),
            "a:a b:ab c:b ");
}

TEST_F(ModelGroupsTest, ClustersKeepTogether) {
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

TEST_F(ModelGroupsTest, OnlyModelsThatCanBeComparedHaveThem) {
  EXPECT_EQ(Groups({{"a", Repeated(8, 1)}}), "a:- ");
  EXPECT_EQ(Groups({{"a", Repeated(8, 1)}, {"b", Repeated(8, 0)}, {"x", Scored("\"own\"", 1)}}),
            "a:a b:b x:- ");
}

// Sixteen models are 120 pairs. No p-value of 9,999 flips is below 0.0001, but those of the t-test are: the
// differences of neighbours are 0.01 and, on one of 40 ids, 0.011.
TEST_F(ModelGroupsTest, ManyPairsAreTestedByTheTTest) {
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
}

TEST_F(ModelGroupsTest, AtMost200Models) {
  std::vector<ModelFile> files;
  for (int model = 0; model < 200; ++model) files.push_back({fmt::format("m{}", model), ScoresFrom0({0, 1})});
  EXPECT_EQ(Groups(files).substr(0, 10), "m0:a m1:a ");
  files.push_back({"more", ScoresFrom0({0, 1})});
  EXPECT_EQ(Refusal(files, {.groups = true}),
            "--groups tests all pairs of at most 200 models, and there are 201");
}

TEST_F(ModelGroupsTest, AreAColumnWhereTheyWereAskedFor) {
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
