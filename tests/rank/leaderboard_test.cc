// The expected figures are worked out by hand in the comments.
#include "engine/rank/leaderboard.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/io_test_util.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

std::string Scored(const std::string& scorer, double score, const std::string& more = "") {
  return "{\"id\": 1, \"scorer\": \"" + scorer +
         "\", \"outcome\": \"scored\", \"score\": " + std::to_string(score) + more + "}\n";
}

constexpr char kUnreadable[] =
    "{\"id\": 1, \"scorer\": \"s\", \"outcome\": \"unreadable\", \"reason\": \"invalid_json\"}\n";
constexpr char kError[] =
    "{\"id\": 1, \"scorer\": \"s\", \"outcome\": \"error\", \"reason\": \"invalid_json\"}\n";

class LeaderboardTest : public ::testing::Test {
 protected:
  // Adds a score file of a model.
  void Add(Leaderboard& board, const std::string& model, const std::string& lines) {
    WriteFile(folder_ / model, lines);
    board.AddFile(folder_ / model, model, /*accept_unverified=*/true);
  }

  std::string Refusal(const std::string& lines) {
    Leaderboard board({});
    return ErrorOf(ErrorCode::kInput, [&] { Add(board, "m", lines); });
  }

  TempDir folder_;
};

// With z = 1.959964 and z^2 = 3.841459, for 8 of 10: centre 0.8 + 3.841459 / 20 = 0.992073, reach
// z * sqrt(0.8 * 0.2 / 10 + 3.841459 / 400) = 0.313682, both over 1.3841459.
TEST(WilsonInterval, IsAsByHand) {
  EXPECT_NEAR(WilsonInterval(8, 10).low, 0.490162, 1e-6);
  EXPECT_NEAR(WilsonInterval(8, 10).high, 0.943318, 1e-6);
  // None of 10: from 0 to z^2 / 10 / (1 + z^2 / 10).
  EXPECT_EQ(WilsonInterval(0, 10).low, 0);
  EXPECT_NEAR(WilsonInterval(0, 10).high, 0.277533, 1e-6);
  EXPECT_NEAR(WilsonInterval(10, 10).low, 0.722467, 1e-6);
  EXPECT_DOUBLE_EQ(WilsonInterval(10, 10).high, 1);
}

TEST_F(LeaderboardTest, FiguresOfAModel) {
  Leaderboard board({});
  Add(board, "m",
      Scored("s", 1, ", \"passed\": true") + Scored("s", 0.5, ", \"passed\": false") + kUnreadable + kError);
  const std::vector<LeaderboardRow> rows = board.Rows();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].model, "m");
  EXPECT_EQ(rows[0].scorer, "s");
  EXPECT_EQ(rows[0].rank, 1u);
  EXPECT_EQ(rows[0].scored, 2u);
  EXPECT_EQ(rows[0].unreadable, 1u);
  EXPECT_EQ(rows[0].errors, 1u);
  EXPECT_EQ(rows[0].mean, 0.75);
  EXPECT_EQ(rows[0].mean_of_all, 0.375);  // 1.5 / 4
  // The sample variance is 2 * 0.25^2 = 0.125; the root of 0.125 / 2.
  EXPECT_DOUBLE_EQ(*rows[0].standard_error, 0.25);
  EXPECT_EQ(rows[0].pass_rate, 0.5);
  // 0.5 -+ z * sqrt(0.125 + 3.841459 / 16) / 2.920730.
  EXPECT_NEAR(rows[0].pass_interval->low, 0.094531, 1e-6);
  EXPECT_NEAR(rows[0].pass_interval->high, 0.905469, 1e-6);
  EXPECT_EQ(rows[0].clusters, std::nullopt);
  EXPECT_EQ(rows[0].f1, std::nullopt);
}

TEST_F(LeaderboardTest, EqualMeansShareARankAndNothingScoredComesLast) {
  Leaderboard board({});
  Add(board, "failed", kError);
  Add(board, "low", Scored("s", 0.25));
  Add(board, "tie-1", Scored("s", 0.5));
  // Unreadable answers count as 0 in the order.
  Add(board, "tie-2", Scored("s", 1) + kUnreadable);
  Add(board, "best", Scored("s", 0.75));
  std::string order;
  for (const LeaderboardRow& row : board.Rows()) order += std::to_string(row.rank) + ' ' + row.model + '\n';
  EXPECT_EQ(order, "1 best\n2 tie-1\n2 tie-2\n4 low\n5 failed\n");
}

TEST_F(LeaderboardTest, SeveralScorersAreRankedApart) {
  Leaderboard board({});
  Add(board, "a", Scored("s", 1) + Scored("t", 0.25, ", \"details\": {\"precision\": 0.5, \"f1\": 0.2}"));
  Add(board, "b", Scored("t", 0.5, ", \"details\": {\"precision\": 1, \"f1\": null}") + Scored("s", 0));
  const std::vector<LeaderboardRow> rows = board.Rows();
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].scorer + rows[1].scorer + rows[2].scorer + rows[3].scorer, "sstt");
  EXPECT_EQ(rows[0].model + rows[1].model + rows[2].model + rows[3].model, "abba");
  EXPECT_EQ(rows[2].precision, 1.0);
  EXPECT_EQ(rows[2].f1, std::nullopt);
  EXPECT_EQ(rows[3].f1, 0.2);
}

// Two clusters with the residuals 0.5 + 0.5 and -0.5 - 0.5: sqrt(2 / 1 * (1 + 1)) / 4.
TEST_F(LeaderboardTest, ClusteredErrors) {
  std::string lines;
  for (int i = 0; i < 4; ++i) {
    lines += Scored("s", i < 2 ? 1 : 0,
                    ", \"record\": " + std::to_string(i) +
                        ", \"groups\": {\"document\": " + (i < 2 ? "7" : "\"8\"") + "}");
  }
  const auto row_with = [&](const std::string& cluster) {
    Leaderboard board({.by = "", .cluster = cluster});
    Add(board, "m", lines);
    return board.Rows().at(0);
  };
  EXPECT_DOUBLE_EQ(*row_with("document").standard_error, 0.5);
  EXPECT_EQ(row_with("document").clusters, 2u);
  // A cluster for each record is the ordinary error: the root of (4 * 0.25 / 3) / 4.
  EXPECT_DOUBLE_EQ(*row_with("record").standard_error, 0.28867513459481287);
  EXPECT_DOUBLE_EQ(*row_with("").standard_error, 0.28867513459481287);
  // One cluster says nothing of the spread between clusters.
  EXPECT_EQ(row_with("scorer").standard_error, std::nullopt);
}

TEST_F(LeaderboardTest, AFieldNamesTheModel) {
  Leaderboard board({.by = "model", .cluster = ""});
  Add(board, "file",
      Scored("s", 0.5, ", \"groups\": {\"model\": \"gr\\u00fcn\"}") + kError +
          Scored("s", 1, ", \"groups\": {\"model\": 5}"));
  const std::vector<LeaderboardRow> rows = board.Rows();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].model, "5");
  EXPECT_EQ(rows[1].model, "grün");
  EXPECT_EQ(rows[2].model, "(none)");
}

TEST_F(LeaderboardTest, AFieldThatNoLineHasIsRefused) {
  Leaderboard board({.by = "", .cluster = "document"});
  Add(board, "m", Scored("s", 1));
  EXPECT_EQ(
      ErrorOf(ErrorCode::kInput, [&] { board.Rows(); }),
      "no line of scores has the field \"document\"; score with --group-by document so that they have it");
}

TEST_F(LeaderboardTest, BrokenLinesAreNamed) {
  const std::string good = Scored("s", 1);
  EXPECT_EQ(Refusal(good + good + "{\"scorer\": }\n"),
            folder_ / "m" +
                ": record 3 is no line of scores: no valid value stands here; give files that leafscore "
                "score wrote as JSON Lines");
  for (const std::string line : {"[1]", "7", "{\"scorer\": \"s\"}", "{\"outcome\": \"scored\"}"}) {
    EXPECT_NE(Refusal(line).find("record 1 is no line of scores: it has no \"scorer\" or no \"outcome\""),
              std::string::npos)
        << line;
  }
  for (const std::string score : {"1.5", "-0.1", "\"1\"", "null", "NaN"}) {
    const std::string line = "{\"scorer\": \"s\", \"outcome\": \"scored\", \"score\": " + score + "}";
    EXPECT_NE(Refusal(line).find("its score is not from 0 to 1"), std::string::npos) << score;
  }
  EXPECT_EQ(Refusal(""), folder_ / "m" + " holds no scores");
}

TEST_F(LeaderboardTest, TextsInEveryFormat) {
  Leaderboard board({});
  Add(board, "a|b", Scored("s", 1, ", \"passed\": true") + Scored("t", 0.5));
  Add(board, "c,\"d\x1b", Scored("s", 0.5, ", \"passed\": false"));
  const std::vector<LeaderboardRow> rows = board.Rows();
  EXPECT_EQ(RenderLeaderboard(rows, LeaderboardFormat::kTable),
            "s\n"
            "model  rank  n  scored  unread.  errors    mean  mean of all    pass  95% from      to\n"
            "a|b       1  1       1        0       0  1.0000       1.0000  1.0000    0.2065  1.0000\n"
            "c,\"d\uFFFD     2  1       1        0       0  0.5000       0.5000  0.0000    0.0000  0.7935\n"
            "\n"
            "t\n"
            "model  rank  n  scored  unread.  errors    mean  mean of all\n"
            "a|b       1  1       1        0       0  0.5000       0.5000\n");
  EXPECT_EQ(RenderLeaderboard(std::span(rows).subspan(2), LeaderboardFormat::kMarkdown),
            "### t\n\n"
            "| model | rank | n | scored | unread. | errors | mean | mean of all |\n"
            "|---|---:|---:|---:|---:|---:|---:|---:|\n"
            "| a\\|b | 1 | 1 | 1 | 0 | 0 | 0.5000 | 0.5000 |\n");
  const std::string csv = RenderLeaderboard(rows, LeaderboardFormat::kCsv);
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "scorer,model,rank,records,scored,unreadable,errors,mean,standard_error,clusters,mean_of_all,"
            "pass_rate,pass_rate_low,pass_rate_high,precision,recall,f1,verified");
  EXPECT_NE(csv.find("\ns,\"c,\"\"d\x1b\",2,1,1,0,0,0.5,,,0.5,0,0,0.79"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\nt,a|b,1,1,1,0,0,0.5,,,0.5,,,,,,,true\n"), std::string::npos) << csv;
  EXPECT_EQ(RenderLeaderboard(std::span(rows).subspan(2), LeaderboardFormat::kJson),
            "[\n  {\"scorer\": \"t\", \"model\": \"a|b\", \"rank\": 1, \"records\": 1, \"scored\": 1, "
            "\"unreadable\": 0, \"errors\": 0, \"mean\": 0.5, \"standard_error\": null, \"clusters\": null, "
            "\"mean_of_all\": 0.5, \"pass_rate\": null, \"pass_rate_low\": null, \"pass_rate_high\": null, "
            "\"precision\": null, \"recall\": null, \"f1\": null, "
            "\"verified\": true}\n]\n");
}

}  // namespace
}  // namespace leafscore::internal
