// The expected figures are worked out by hand in the comments.
#include "engine/rank/leaderboard.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "rank/board_testing.h"

namespace leafscore::internal {
namespace {

class LeaderboardTest : public BoardTest {};

TEST_F(LeaderboardTest, FiguresOfAModel) {
  const LeaderboardRow row = RowOf(Scored("1", 1, kPassed) + Scored("2", 0.5, kFailed) +
                                   Unscored("3", "unreadable") + Unscored("4", "error"));
  EXPECT_EQ(row.model, "m");
  EXPECT_EQ(row.scorer, "s");
  EXPECT_EQ(row.rank, 1u);
  EXPECT_EQ(row.asked, 4u);
  EXPECT_EQ(row.samples, std::nullopt);
  EXPECT_EQ(row.scored, 2u);
  EXPECT_EQ(row.unreadable, 1u);
  EXPECT_EQ(row.unanswered, 0u);
  EXPECT_EQ(row.errors, 1u);
  EXPECT_EQ(row.lacking, 0u);
  EXPECT_EQ(row.repeated, 0u);
  EXPECT_EQ(row.coverage, 0.5);
  EXPECT_EQ(row.over_scored.mean, 0.75);
  // The sample variance is 2 * 0.25^2 = 0.125; the root of 0.125 / 2.
  EXPECT_DOUBLE_EQ(*row.over_scored.standard_error, 0.25);
  EXPECT_EQ(row.over_scored.pass_rate, 0.5);
  EXPECT_EQ(row.over_all.mean, 0.375);  // 1.5 / 4
  // 0.625^2 + 0.125^2 + 2 * 0.375^2 = 0.6875; the root of 0.6875 / 3 / 4.
  EXPECT_DOUBLE_EQ(*row.over_all.standard_error, std::sqrt(0.6875 / 12));
  EXPECT_EQ(row.over_all.pass_rate, 0.25);
  // scipy 1.17, stats.binomtest(1, 4).proportion_ci(method="wilson").
  EXPECT_NEAR(row.pass_interval->low, 0.0455872608, 1e-10);
  EXPECT_NEAR(row.pass_interval->high, 0.6993581574, 1e-10);
  EXPECT_EQ(row.clusters, std::nullopt);
  EXPECT_EQ(row.f1, std::nullopt);
  EXPECT_EQ(row.fields, std::nullopt);
  EXPECT_EQ(row.rank_interval, std::nullopt);  // of one model
}

TEST_F(LeaderboardTest, AModelThatAnsweredOneOfFourDoesNotRankFirst) {
  const std::vector<LeaderboardRow> rows = Rank(
      {{"lucky", ScoresFrom0({1})}, {"honest", ScoresFrom0({0.75, 0.75, 0.75, 0.75})}}, {.min_share = 0});
  EXPECT_EQ(rows[0].model, "honest");
  EXPECT_EQ(rows[0].lacking, 0u);
  EXPECT_EQ(rows[1].model, "lucky");
  EXPECT_EQ(rows[1].rank, 2u);
  EXPECT_EQ(rows[1].asked, 4u);
  EXPECT_EQ(rows[1].lacking, 3u);
  EXPECT_EQ(rows[1].coverage, 0.25);
  EXPECT_EQ(rows[1].over_all.mean, 0.25);
  EXPECT_EQ(rows[1].over_scored.mean, 1);
}

TEST_F(LeaderboardTest, UnansweredIdsOfTheGoldCountZeroAndNotPassed) {
  const std::vector<LeaderboardRow> rows =
      Rank({{"lucky", Scored("1", 1, kPassed) + Unscored("2", "unanswered") + Unscored("3", "unanswered")},
            {"silent", Unscored("1", "unanswered")}},
           {.min_share = 0});
  EXPECT_EQ(rows[0].unanswered, 2u);
  EXPECT_EQ(rows[0].lacking, 0u);
  EXPECT_DOUBLE_EQ(*rows[0].over_all.mean, 1.0 / 3);
  EXPECT_DOUBLE_EQ(*rows[0].over_all.pass_rate, 1.0 / 3);
  EXPECT_EQ(rows[0].over_scored.pass_rate, 1);
  // Nothing scored has no mean over it, but fails all.
  EXPECT_EQ(rows[1].over_scored.mean, std::nullopt);
  EXPECT_EQ(rows[1].over_all.mean, 0);
  EXPECT_EQ(rows[1].over_all.pass_rate, 0);
  EXPECT_EQ(rows[1].coverage, 0);
}

TEST_F(LeaderboardTest, LinesOfWhichNothingWasComparedAreCounted) {
  const std::string nothing =
      R"({"id": "1", "scorer": "s", "outcome": "scored", "score": 1, "nothing_compared": true})"
      "\n";
  const LeaderboardRow row = RowOf(nothing + Scored("2", 1));
  EXPECT_EQ(row.scored, 2u);
  EXPECT_EQ(row.nothing_compared, 1u);
}

TEST_F(LeaderboardTest, CausesAreCountedById) {
  constexpr char kProse[] = R"(, "causes": ["prose"])";
  // The second line of id 3 counts as well; a cause that a later version may know is passed over.
  const std::vector<LeaderboardRow> rows =
      Rank({{"m", Scored("1", 1) + Scored("2", 0.25, R"(, "causes": ["fenced", "missing"])") +
                      Scored("3", 0, kProse) + Scored("3", 0.5, kProse) +
                      Unscored("4", "unreadable", R"(, "causes": ["prose", "of_2030"])")}},
           {.repeats = Repeats::kAll});
  const std::vector<CauseFigures>& causes = rows[0].causes;
  ASSERT_EQ(causes.size(), 3u);
  EXPECT_EQ(rows[0].over_all.mean, 0.375);  // (1 + 0.25 + 0.25 + 0) / 4
  EXPECT_EQ(causes[0].cause, AnswerCause::kProse);
  EXPECT_EQ(causes[0].ids, 2u);
  EXPECT_EQ(causes[0].share, 0.5);
  EXPECT_EQ(causes[0].mean_without, 0.625);  // (1 + 0.25) / 2
  EXPECT_EQ(causes[1].ids, 1u);
  EXPECT_EQ(causes[1].mean_without, 1.25 / 3);
  EXPECT_EQ(causes[2].mean_without, causes[1].mean_without);
  const std::string table = RenderLeaderboard(rows, LeaderboardFormat::kTable);
  EXPECT_NE(table.find("\nWhat is wrong with answers\n"
                       "scorer  model  cause    ids   share    mean  mean without\n"
                       "s       m      prose      2  50.00%  0.3750        0.6250\n"),
            std::string::npos)
      << table;
  // Without any other id there is no mean over the others.
  EXPECT_EQ(RowOf(Scored("1", 0, kProse)).causes[0].mean_without, std::nullopt);
  EXPECT_EQ(RowOf(Scored("1", 0)).causes.size(), 0u);
}

TEST_F(LeaderboardTest, EqualMeansShareARankAndAreSortedByName) {
  std::string order;
  for (const LeaderboardRow& row : Rank({{"failed", Unscored("0", "error")},
                                         {"tie-2", ScoresFrom0({1}) + Unscored("1", "unreadable")},
                                         {"low", ScoresFrom0({0.25, 0.25})},
                                         {"tie-1", ScoresFrom0({0.5, 0.5})},
                                         {"best", ScoresFrom0({0.75, 0.75})}},
                                        {.min_share = 0})) {
    order += std::to_string(*row.rank) + ' ' + row.model + '\n';
  }
  EXPECT_EQ(order, "1 best\n2 tie-1\n2 tie-2\n4 low\n5 failed\n");
}

TEST_F(LeaderboardTest, SeveralScorersAreRankedApart) {
  const std::vector<LeaderboardRow> rows = Rank(
      {{"a", Scored("1", 1) + Scored("1", 0.25, ", \"details\": {\"precision\": 0.5, \"f1\": 0.2}", "t")},
       {"b", Scored("1", 0.5, ", \"details\": {\"precision\": 1, \"f1\": null}", "t") + Scored("1", 0)}});
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].scorer + rows[1].scorer + rows[2].scorer + rows[3].scorer, "sstt");
  EXPECT_EQ(rows[0].model + rows[1].model + rows[2].model + rows[3].model, "abba");
  EXPECT_EQ(rows[2].precision, 1.0);
  EXPECT_EQ(rows[2].f1, std::nullopt);
  EXPECT_EQ(rows[3].f1, 0.2);
}

// An id that only one scorer has a line for is asked of the models of that scorer.
TEST_F(LeaderboardTest, EachScorerHasItsOwnIds) {
  const std::vector<LeaderboardRow> rows = Rank({{"a", Scored("1", 1) + Scored("2", 1, "", "t")}});
  EXPECT_EQ(rows[0].asked, 1u);
  EXPECT_EQ(rows[1].asked, 1u);
}

TEST_F(LeaderboardTest, TheNumber11AndTheText11AreOneId) {
  const std::vector<LeaderboardRow> rows =
      Rank({{"a", Scored("11", 1)}, {"b", Scored("\"11\"", 0)}, {"c", Scored("\"\\u0031\\u0031\"", 0)}});
  EXPECT_EQ(rows[0].asked, 1u);
  EXPECT_EQ(rows[0].lacking, 0u);
}

TEST_F(LeaderboardTest, ARecordNumberIsNotAnId) {
  // One model: two things were asked, not one twice.
  const LeaderboardRow row = RowOf(Scored("1", 1) + Scored("1", 0, kRecord));
  EXPECT_EQ(row.asked, 2u);
  EXPECT_EQ(row.repeated, 0u);
  // Inputs without ids are compared record by record.
  const std::vector<LeaderboardRow> rows =
      Rank({{"a", Scored("1", 1, kRecord) + Scored("2", 1, kRecord)}, {"b", Scored("1", 0.5, kRecord)}},
           {.min_share = 0});
  EXPECT_EQ(rows[1].asked, 2u);
  EXPECT_EQ(rows[1].lacking, 1u);
}

// The second line of `a` could not be read, and so lost its id 2. It was asked 3 things, not 4, and `b` 3,
// too.
TEST_F(LeaderboardTest, ALineThatLostItsIdStandsForOneThatItsModelLacks) {
  const std::vector<LeaderboardRow> rows =
      Rank({{"a", Scored("1", 1) + Unscored("2", "error", kRecord) + Scored("3", 1)},
            {"b", ScoresFrom0({}) + Scored("1", 0.5) + Scored("2", 0.5) + Scored("3", 0.5)}});
  EXPECT_EQ(rows[0].model, "a");
  EXPECT_EQ(rows[0].asked, 3u);
  EXPECT_EQ(rows[0].errors, 1u);
  EXPECT_EQ(rows[0].lacking, 0u);
  EXPECT_DOUBLE_EQ(*rows[0].over_all.mean, 2.0 / 3);
  EXPECT_EQ(rows[1].asked, 3u);
  EXPECT_NE(rows[0].rank_interval, std::nullopt);
  // Where the model lacks no id, it is one thing more that was asked.
  EXPECT_EQ(RowOf(Scored("1", 1) + Unscored("2", "error", kRecord)).over_all.mean, 0.5);
}

TEST_F(LeaderboardTest, AFieldNamesTheModel) {
  const std::vector<LeaderboardRow> rows =
      Rank({{"file", Scored("1", 0.5, ", \"groups\": {\"model\": \"gr\\u00fcn\"}") +
                         Scored("1", 1, ", \"groups\": {\"model\": 5}") + Unscored("2", "error", kRecord)}},
           {.by = "model"});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].model, "5");
  EXPECT_EQ(rows[1].model, "grün");
  EXPECT_EQ(rows[2].model, "(none)");
}

TEST_F(LeaderboardTest, LinesWithoutANameAreNotAModelOfThatName) {
  const auto named = [](const std::string& json) { return ", \"groups\": {\"model\": " + json + "}"; };
  const LeaderboardOptions options{.by = "model"};
  const std::vector<LeaderboardRow> rows =
      Rank({{"f", Scored("1", 1, named("\"null\"")) + Scored("1", 0, named("null"))}}, options);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].model, "null");
  EXPECT_EQ(rows[1].model, "(none)");
  const std::string refusal = ErrorOf(ErrorCode::kInput, [&] {
    Rank({{"f", Scored("1", 1, named("\"(none)\"")) + Scored("1", 0)}}, options);
  });
  EXPECT_NE(refusal.find("record 2 is not a line of scores: a model is named \"(none)\""), std::string::npos);
}

// A run whose records each hold the answer of one model: nothing is lacking, and nothing can be compared.
TEST_F(LeaderboardTest, ModelsOfOneFileWithoutCommonIdsWereAskedTheirOwn) {
  const auto of = [](const char* model) { return fmt::format(", \"groups\": {{\"model\": \"{}\"}}", model); };
  for (const std::string from : {"", kRecord}) {
    const std::vector<LeaderboardRow> rows =
        Rank({{"file", Scored("1", 0.5, of("x") + from) + Scored("2", 1, of("y") + from) +
                           Scored("3", 0, of("y") + from) + Scored("4", 0, of("y") + from)}},
             {.by = "model"});
    EXPECT_EQ(rows[0].model, "x");
    EXPECT_EQ(rows[0].asked, 1u);
    EXPECT_EQ(rows[0].lacking, std::nullopt);
    EXPECT_EQ(rows[0].rank, std::nullopt);
    EXPECT_EQ(rows[0].own, 1u);
    EXPECT_EQ(rows[1].own, 3u);
    EXPECT_EQ(rows[0].rank_interval, std::nullopt);
    EXPECT_EQ(rows[0].p_next, std::nullopt);
    EXPECT_EQ(rows[1].asked, 3u);
    EXPECT_DOUBLE_EQ(*rows[1].over_all.mean, 1.0 / 3);
  }
  // With an id in common they were asked the same.
  EXPECT_EQ(Rank({{"file", Scored("1", 0.5, of("x")) + Scored("1", 1, of("y")) + Scored("2", 1, of("y"))}},
                 {.by = "model", .min_share = 0})[1]
                .lacking,
            1u);
}

// Whether models are files or a field names them.
TEST_F(LeaderboardTest, WhoAnswersOneIdOfItsOwnIsNotFirst) {
  const std::vector<LeaderboardRow> rows =
      Rank({{"honest", ScoresFrom0({0.5, 0.5})}, {"lucky", Scored("\"x\"", 1)}, {"z", Scored("\"y\"", 0)}});
  for (const LeaderboardRow& row : rows) {
    EXPECT_EQ(row.rank, std::nullopt);
    EXPECT_EQ(row.own, row.asked);
    EXPECT_EQ(row.lacking, std::nullopt);
  }
  // By name, as means over different questions tell no order.
  EXPECT_EQ(rows[0].model + rows[1].model + rows[2].model, "honestluckyz");
  // Where others have ids in common, these are ranked as if it were not there.
  const std::vector<LeaderboardRow> ranked =
      Rank({{"lucky", Scored("\"x\"", 1)}, {"m", ScoresFrom0({0.25, 0})}, {"n", ScoresFrom0({0.5, 0})}});
  EXPECT_EQ(ranked[0].model + ranked[1].model + ranked[2].model, "nmlucky");
  EXPECT_EQ(ranked[0].rank, 1u);
  EXPECT_EQ(ranked[0].asked, 2u);
  EXPECT_EQ(ranked[0].own, 0u);
  EXPECT_EQ(ranked[0].rank_interval->high, 2);
  EXPECT_EQ(ranked[2].rank, std::nullopt);
  EXPECT_EQ(ranked[2].rank_interval, std::nullopt);
  EXPECT_EQ(ranked[2].own, 1u);
  // Ids and numbers of records have nothing in common either.
  EXPECT_EQ(Rank({{"a", Scored("1", 1)}, {"b", Scored("1", 1, kRecord)}})[0].rank, std::nullopt);
}

// A run with gold has a line for each of its ids, and beside them lines that answer none of them.
TEST_F(LeaderboardTest, LinesThatAnswerNothingInTheGoldAreNotAsked) {
  const std::string source = ", \"source\": \"s\"";
  const std::string no_gold =
      R"({"id": 7, "source": "s", "scorer": "s", "outcome": "error", "reason": "no_gold"})"
      "\n";
  const std::string broken =
      Unscored("2", "error", source + ", \"id_from\": \"line\"") + Unscored("3", "error", source + kRecord);
  const std::string gold = Scored("1", 1, source) + Unscored("2", "unanswered", source);
  for (const Repeats repeats : {Repeats::kLast, Repeats::kFirst, Repeats::kAll, Repeats::kError}) {
    const std::vector<LeaderboardRow> rows =
        Rank({{"a", no_gold + broken + gold}, {"b", gold}}, {.repeats = repeats});
    EXPECT_EQ(rows[0].model, "a");
    EXPECT_EQ(rows[0].asked, 2u);
    EXPECT_EQ(rows[0].unanswered, 1u);
    EXPECT_EQ(rows[0].errors, 0u);
    EXPECT_EQ(rows[0].repeated, 0u);
    EXPECT_EQ(rows[0].not_asked, 3u);
    EXPECT_EQ(rows[0].rank, 1u);
    EXPECT_NE(rows[0].rank_interval, std::nullopt);
    EXPECT_EQ(rows[1].rank, 1u);
    EXPECT_EQ(rows[1].not_asked, 0u);
  }
}

TEST_F(LeaderboardTest, AtMost4096ModelsAndScorers) {
  const auto error = [&](int count, const std::string& line) {
    std::string lines;
    for (int i = 0; i < count; ++i) lines += fmt::format(fmt::runtime(line), i);
    WriteFile(folder_ / "m", lines);
    Leaderboard board({.by = "model"});
    return ErrorOf(ErrorCode::kInput, [&] {
      board.AddFile(folder_ / "m", "m", true);
      throw Error(ErrorCode::kInput, "none");
    });
  };
  const std::string models = R"({{"id": 1, "scorer": "s", "outcome": "error", "model": {}}})"
                             "\n";
  const std::string scorers = R"({{"id": 1, "scorer": {}, "outcome": "error", "model": "m"}})"
                              "\n";
  for (const std::string& line : {models, scorers}) {
    EXPECT_EQ(error(4095, line), "none");
    EXPECT_EQ(error(4096, line), "none");
  }
  EXPECT_NE(error(4097, models).find("record 4097: there are more than 4096 models; is"), std::string::npos);
  EXPECT_NE(error(4097, scorers).find("record 4097: there are more than 4096 scorers; is"),
            std::string::npos);
}

TEST_F(LeaderboardTest, AFieldThatNoLineHasIsRefused) {
  EXPECT_EQ(
      Refusal({{"m", Scored("1", 1)}}, {.cluster = "document"}),
      "no line of scores has the field \"document\"; score with --group-by document so that they have it");
}

TEST_F(LeaderboardTest, BrokenLinesAreNamed) {
  const auto refusal = [&](const std::string& lines) { return Refusal({{"m", lines}}); };
  const std::string good = Scored("1", 1);
  EXPECT_EQ(refusal(good + good + "{\"scorer\": }\n"),
            folder_ / "m" +
                ": record 3 is not a line of scores: there is no valid value here; give files that leafscore "
                "score wrote as JSON Lines");
  for (const std::string line : {"[1]", "7", "{\"scorer\": \"s\"}", "{\"outcome\": \"scored\"}"}) {
    EXPECT_NE(refusal(line).find("record 1 is not a line of scores: it has no \"scorer\" or no \"outcome\""),
              std::string::npos)
        << line;
  }
  for (const std::string line : {R"({"scorer": "s", "outcome": "scored", "score": 1})",
                                 R"({"id": null, "scorer": "s", "outcome": "scored", "score": 1})"}) {
    EXPECT_NE(refusal(line).find("it has no \"id\", by which"), std::string::npos) << line;
  }
  for (const std::string score : {"1.5", "-0.1", "\"1\"", "null", "NaN"}) {
    const std::string line = R"({"id": 1, "scorer": "s", "outcome": "scored", "score": )" + score + "}";
    EXPECT_NE(refusal(line).find("its score is not from 0 to 1"), std::string::npos) << score;
  }
  EXPECT_EQ(refusal(""), folder_ / "m" + " has no scores");
}

}  // namespace
}  // namespace leafscore::internal
