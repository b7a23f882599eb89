// Figures are worked out by hand in the comments, or were computed with SciPy.
#include <algorithm>
#include <random>
#include <sstream>

#include "compare/comparison_testing.h"
#include "leafscore/plan.h"
#include "sanitized.h"

namespace leafscore::internal {
namespace {

using Verdict = ComparisonVerdict;
using CompareFilesTest = ComparisonTest;

std::string Shuffled(const std::string& lines, unsigned seed) {
  std::vector<std::string> all;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) all.push_back(line + '\n');
  std::mt19937 random(seed);
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random() % i]);
  std::string shuffled;
  for (const std::string& line : all) shuffled += line;
  return shuffled;
}

// The example that lm-evaluation-harness publishes for its issue 3831: 220 records, of which an unpaired test
// sees no change (p 0.080), and McNemar's does (p 0.008).
TEST_F(CompareFilesTest, PairingSeesWhatAnUnpairedTestMisses) {
  std::string base;
  std::string now;
  const auto add = [&](std::size_t count, bool passed, bool passes) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::string id = fmt::format("{}-{}-{}", passed, passes, i);
      base += Judged(id, passed);
      now += Judged(id, passes);
    }
  };
  add(110, true, true);
  add(12, true, false);
  add(30, false, true);
  add(68, false, false);
  const ScorerComparison scorer = CompareOne(base, now);
  EXPECT_EQ(scorer.all.records, 220u);
  ASSERT_TRUE(scorer.all.flips);
  EXPECT_EQ(scorer.all.flips->both_pass, 110u);
  EXPECT_EQ(scorer.all.flips->pass_to_fail, 12u);
  EXPECT_EQ(scorer.all.flips->fail_to_pass, 30u);
  EXPECT_EQ(scorer.all.flips->both_fail, 68u);
  EXPECT_NEAR(*scorer.all.flips->p_unpaired, 0.08003160371635956, 1e-12);
  EXPECT_NEAR(*scorer.all.flips->p, 0.007915897334896727, 1e-12);
  EXPECT_EQ(scorer.all.verdict, Verdict::kImproved);
  EXPECT_DOUBLE_EQ(*scorer.all.base_pass_rate, 122.0 / 220);
  EXPECT_DOUBLE_EQ(*scorer.all.now_pass_rate, 140.0 / 220);
  EXPECT_EQ(scorer.all.mean.p_wilcoxon, std::nullopt);  // of verdicts McNemar's test says it all
}

TEST_F(CompareFilesTest, WhatOneSideLacksCountsZeroThere) {
  const std::string base = Scored("a", 1) + Scored("b", 0.5) + Scored("c", 0.5);
  const std::string now = Scored("b", 0.5) + Scored("c", 1) + Scored("d", 1);
  const Comparison comparison = Compare(base, {now});
  const FileComparison& file = comparison.files.at(0);
  EXPECT_EQ(file.records, 4u);
  EXPECT_EQ(file.only_base.count, 1u);
  EXPECT_EQ(file.only_base.first, std::vector<std::string>{"a"});
  EXPECT_EQ(file.only_now.first, std::vector<std::string>{"d"});
  const ScorerComparison& scorer = file.scorers.at(0);
  EXPECT_EQ(scorer.all.mean.base, 0.5);   // (1 + 0.5 + 0.5 + 0) / 4
  EXPECT_EQ(scorer.all.mean.now, 0.625);  // (0 + 0.5 + 1 + 1) / 4
  EXPECT_EQ(scorer.all.mean.difference, 0.125);
  EXPECT_EQ(scorer.all.mean.wins, 2u);
  EXPECT_EQ(scorer.all.mean.ties, 1u);
  EXPECT_EQ(scorer.all.mean.losses, 1u);
  EXPECT_EQ(scorer.all.scored_in_both, 2u);
  EXPECT_EQ(scorer.all.difference_scored, 0.25);
  ASSERT_EQ(scorer.outcomes.size(), 2u);  // the greatest fall first
  EXPECT_EQ(scorer.outcomes[0].from, Outcome::kScored);
  EXPECT_EQ(scorer.outcomes[0].to, std::nullopt);
  EXPECT_EQ(scorer.outcomes[0].contribution, -0.25);
  EXPECT_EQ(scorer.outcomes[1].contribution, 0.25);
  EXPECT_EQ(scorer.elsewhere, 0.125);  // c, whose fields no line lists

  const Comparison common = Compare(base, {now}, {.common_only = true});
  EXPECT_EQ(common.files.at(0).records, 2u);
  EXPECT_EQ(common.files.at(0).only_base.count, 1u);
  EXPECT_EQ(common.files.at(0).scorers.at(0).all.mean.difference, 0.25);
}

TEST_F(CompareFilesTest, RecordsWithoutAScoreCountZero) {
  const ScorerComparison scorer =
      CompareOne(Scored("a", 1) + Scored("b", 1) + Unscored("c", "error"),
                 Unscored("a", "unreadable") + Scored("b", 1) + Unscored("c", "error"));
  EXPECT_DOUBLE_EQ(scorer.all.mean.difference, -1.0 / 3);
  ASSERT_EQ(scorer.outcomes.size(), 1u);
  EXPECT_EQ(scorer.outcomes[0].to, Outcome::kUnreadable);
  EXPECT_EQ(scorer.base_errors, 1u);
  EXPECT_EQ(scorer.now_errors, 1u);
}

TEST_F(CompareFilesTest, TheFourVerdicts) {
  const auto verdict = [&](const std::string& base, const std::string& now) {
    return CompareOne(base, now).all.verdict;
  };
  const std::string base = Lines(0, 400, 0.5);
  // 40 of 400 fell, or rose, by 0.5: t = 6.66.
  EXPECT_EQ(verdict(base, Lines(0, 40, 0) + Lines(40, 360, 0.5)), Verdict::kRegressed);
  EXPECT_EQ(verdict(base, Lines(0, 40, 1) + Lines(40, 360, 0.5)), Verdict::kImproved);
  EXPECT_EQ(verdict(base, base), Verdict::kEquivalent);
  EXPECT_EQ(verdict(base, Lines(0, 30, 0) + Lines(30, 30, 1) + Lines(60, 340, 0.5)), Verdict::kInconclusive);
}

// A change that is certain, but smaller than the margin, is none that matters.
TEST_F(CompareFilesTest, ACertainChangeWithinTheMarginIsEquivalent) {
  const std::string base = Lines(0, 400, 0.5);
  const std::string now = Lines(0, 400, 0.4985);
  EXPECT_EQ(CompareOne(base, now).all.verdict, Verdict::kEquivalent);
  EXPECT_EQ(CompareOne(base, now, {.margin = 0.001}).all.verdict, Verdict::kRegressed);
}

// Of few records that agree, nothing follows for others: of the next 100, 1 may differ.
TEST_F(CompareFilesTest, FewRecordsThatAgreeDoNotShowEquivalence) {
  const std::string few = Lines(0, 298, 0.5);
  const ScorerComparison scorer = CompareOne(few, few);
  EXPECT_EQ(scorer.all.verdict, Verdict::kInconclusive);
  const std::string enough = Lines(0, 299, 0.5);
  EXPECT_EQ(CompareOne(enough, enough).all.verdict, Verdict::kEquivalent);
}

TEST_F(CompareFilesTest, OneRecordTellsNothing) {
  const ScorerComparison scorer = CompareOne(Scored("a", 1), Scored("a", 0));
  EXPECT_EQ(scorer.all.verdict, Verdict::kInconclusive);
  EXPECT_EQ(scorer.all.mean.difference, -1);
  EXPECT_EQ(scorer.all.mean.p, 1.0);
  EXPECT_EQ(scorer.all.mean.interval->low, -1);
  EXPECT_EQ(scorer.all.mean.interval->high, 1);
  EXPECT_FALSE(scorer.all.could_fail());
}

// Two that fall by as much have no spread, and still could be chance: p is 2 / 2^2.
TEST_F(CompareFilesTest, FewDifferencesAreTestedExactly) {
  EXPECT_EQ(CompareOne(Lines(0, 2, 1), Lines(0, 2, 0.9)).all.mean.p, 0.5);
  EXPECT_EQ(CompareOne(Lines(0, 6, 1), Lines(0, 6, 0.9)).all.mean.p, 2.0 / 64);
}

TEST_F(CompareFilesTest, OfSeveralLinesOfAnIdThoseCountThatRepeatsNames) {
  const std::string base = Scored("a", 0) + Scored("b", 0);
  const std::string now = Scored("a", 1) + Scored("a", 0.5) + Scored("b", 0);
  const auto now_mean = [&](Repeats repeats) {
    ComparisonOptions options;
    options.repeats = repeats;
    return CompareOne(base, now, options).all.mean.now;
  };
  EXPECT_EQ(now_mean(Repeats::kLast), 0.25);
  EXPECT_EQ(now_mean(Repeats::kFirst), 0.5);
  EXPECT_EQ(now_mean(Repeats::kAll), 0.375);
  const Comparison comparison = Compare(base, {now});
  EXPECT_EQ(comparison.files.at(0).now_repeated, 1u);
  ComparisonOptions strict;
  strict.repeats = Repeats::kError;
  EXPECT_THAT(Refusal(base, now, strict), ::testing::HasSubstr("the id \"a\" has several lines"));
}

TEST_F(CompareFilesTest, ALineThatCouldNotBeReadDoesNotReplaceOneThatCould) {
  const std::string broken = Unscored("a", "error", ", \"id_from\": \"line\"");
  const std::string others = Scored("b", 1);
  const std::string good = Scored("a", 1);
  for (const std::string& lines :
       {good + broken, broken + good, broken + good + broken, broken + broken + good}) {
    for (const Repeats repeats : {Repeats::kLast, Repeats::kFirst, Repeats::kAll, Repeats::kError}) {
      ComparisonOptions options;
      options.repeats = repeats;
      const Comparison comparison = Compare(good + others, {lines + others}, options);
      EXPECT_EQ(comparison.files.at(0).scorers.at(0).all.mean.now, 1);
      EXPECT_EQ(comparison.files.at(0).now_repeated, lines.size() > (good + broken).size() ? 2u : 1u);
    }
  }
  // Where there is no other, it counts.
  EXPECT_EQ(CompareOne(good + others, broken + others).all.mean.now, 0.5);
}

TEST_F(CompareFilesTest, GroupsAreJoinedApartAndCorrectedTogether) {
  const auto line = [](std::string_view id, double score, std::string_view model) {
    return Scored(id, score, fmt::format(", \"groups\": {{\"model\": \"{}\"}}", model));
  };
  ComparisonOptions options;
  options.by = "model";
  const std::string base = line("1", 0, "x") + line("1", 1, "y") + Scored("1", 0.5);
  const std::string now = line("1", 1, "x") + line("1", 1, "y") + Scored("1", 0.5);
  const Comparison comparison = Compare(base, {now}, options);
  const ScorerComparison& scorer = comparison.files.at(0).scorers.at(0);
  EXPECT_EQ(scorer.all.records, 3u);
  ASSERT_EQ(scorer.groups.size(), 4u);
  EXPECT_EQ(scorer.groups[0].group, "x");
  EXPECT_EQ(scorer.groups[0].mean.difference, 1);
  EXPECT_EQ(scorer.groups[1].group, "y");
  EXPECT_EQ(scorer.groups[1].mean.difference, 0);
  EXPECT_EQ(scorer.groups[2].group, "(none)");
  EXPECT_EQ(scorer.groups[3].group, kSmallGroups);
  EXPECT_EQ(scorer.groups[3].records, 3u);
  EXPECT_EQ(scorer.groups[3].pooled_groups, 3u);
  ASSERT_EQ(comparison.families.size(), 2u);
  EXPECT_EQ(comparison.families[0].tests, 1u);
  EXPECT_EQ(comparison.families[1].name, "groups");
  EXPECT_EQ(comparison.families[1].tests, 2u);  // of the group that changed, and of all together
  EXPECT_THAT(Refusal(Scored("1", 1), Scored("1", 1), options),
              ::testing::HasSubstr("has the field \"model\""));
}

// Scores that come in clusters are as sure as their clusters are many.
TEST_F(CompareFilesTest, ClustersAreTheUnits) {
  const auto lines = [](double score_of_first) {
    std::string text;
    for (int i = 0; i < 60; ++i) {
      text +=
          Scored(std::to_string(i), i < 30 ? score_of_first : 0.5, fmt::format(", \"document\": {}", i / 30));
    }
    return text;
  };
  ComparisonOptions options;
  options.cluster = "document";
  const ComparedRow alone = CompareOne(lines(0.5), lines(0.4)).all;
  EXPECT_EQ(alone.units, 60u);
  EXPECT_EQ(alone.verdict, Verdict::kRegressed);
  const ComparedRow clustered = CompareOne(lines(0.5), lines(0.4), options).all;
  EXPECT_EQ(clustered.units, 2u);
  EXPECT_EQ(clustered.mean.p, 1.0);  // one of two clusters differs
  EXPECT_EQ(clustered.verdict, Verdict::kInconclusive);
  EXPECT_THAT(Refusal(Scored("1", 1, ", \"document\": 1"), Scored("1", 1, ", \"document\": 2"), options),
              ::testing::HasSubstr("the id \"1\" is in the cluster \"2\", and in \"1\" on another line"));
}

std::string Leaves(std::string_view id, double first, double second, double name) {
  return Scored(
      id, (first + second + 2 * name) / 4,
      fmt::format(
          ", \"details\": {{\"leaves\": [{{\"path\": \"items[0].price\", \"expected\": 1, \"actual\": "
          "2, \"similarity\": {}}}, {{\"path\": \"items[1].price\", \"expected\": 1, "
          "\"similarity\": {}}}, {{\"path\": \"name\", \"expected\": \"x\", \"actual\": \"y\", "
          "\"similarity\": {}, \"weight\": 2}}]}}",
          first, second, name));
}

TEST_F(CompareFilesTest, TheChangeOfTheMeanIsSplitExactly) {
  const std::string base =
      Leaves("a", 1, 1, 1) + Leaves("b", 1, 0.5, 1) + Leaves("c", 1, 1, 1) + Scored("d", 0.5);
  const std::string now =
      Leaves("a", 1, 0, 0.5) + Leaves("b", 1, 1, 1) + Unscored("c", "unreadable") + Scored("d", 1);
  const ScorerComparison scorer = CompareOne(base, now);
  ASSERT_EQ(scorer.fields.size(), 2u);
  // Of a: -1/4 in the prices, -1 * 2/4 * 0.5 in the name; of b: +0.5/4 in the prices.
  EXPECT_EQ(scorer.fields[0].field, "name");
  EXPECT_DOUBLE_EQ(*scorer.fields[0].contribution, -0.25 / 4);
  EXPECT_EQ(scorer.fields[1].field, "items[*].price");
  EXPECT_DOUBLE_EQ(*scorer.fields[1].contribution, -0.125 / 4);
  // The match of the field itself: 1, 0.75 and 1 before; 0.5, 1 and, as nothing could be read, 0 now.
  EXPECT_EQ(scorer.fields[1].records, 3u);
  EXPECT_DOUBLE_EQ(scorer.fields[1].mean.base, 2.75 / 3);
  EXPECT_DOUBLE_EQ(scorer.fields[1].mean.now, 1.5 / 3);
  ASSERT_EQ(scorer.outcomes.size(), 1u);
  EXPECT_EQ(scorer.outcomes[0].contribution, -0.25);
  EXPECT_EQ(scorer.elsewhere, 0.125);
  double sum = scorer.elsewhere + scorer.outcomes[0].contribution;
  for (const ComparedRow& field : scorer.fields) sum += *field.contribution;
  EXPECT_NEAR(sum, scorer.all.mean.difference, 1e-15);
}

TEST_F(CompareFilesTest, TheWorstRecordsShowWhatChanged) {
  const std::string base = Leaves("a", 1, 1, 1) + Leaves("b", 1, 1, 1) + Leaves("c", 1, 1, 1);
  const std::string now = Leaves("a", 1, 0.5, 0) + Leaves("b", 1, 1, 1) + Leaves("c", 0, 0, 0);
  WriteFile(folder_ / "old.jsonl", "{\"id\": \"a\", \"expected\": {\"x\": 1}, \"actual\": \"old\"}\n");
  WriteFile(folder_ / "new.jsonl", "{\"id\": \"a\", \"expected\": {\"x\": 1}, \"actual\": {\"x\": 2}}\n");
  ComparisonOptions options;
  options.records = {folder_ / "old.jsonl", folder_ / "new.jsonl"};
  const ScorerComparison scorer = CompareOne(base, now, options);
  ASSERT_EQ(scorer.worst.size(), 2u);  // the others did not fall
  EXPECT_EQ(scorer.worst[0].id, "c");
  const ChangedRecord& record = scorer.worst[1];
  EXPECT_EQ(record.id, "a");
  EXPECT_EQ(record.base, 1);
  EXPECT_DOUBLE_EQ(record.now, 0.375);
  ASSERT_EQ(record.fields.size(), 2u);
  EXPECT_EQ(record.fields[0].path, "name");
  EXPECT_EQ(record.fields[0].expected, "\"x\"");
  EXPECT_EQ(record.fields[0].base_match, 1.0);
  EXPECT_EQ(record.fields[0].now_match, 0.0);
  EXPECT_EQ(record.fields[1].path, "items[1].price");
  EXPECT_EQ(record.fields[1].now, std::nullopt);
  EXPECT_EQ(record.expected, "{\"x\":1}");
  EXPECT_EQ(record.base_answer, "\"old\"");
  EXPECT_EQ(record.now_answer, "{\"x\":2}");
  EXPECT_EQ(scorer.worst[0].base_answer, std::nullopt);  // no record has its id
  options.worst = 1;
  EXPECT_EQ(CompareOne(base, now, options).worst.size(), 1u);
}

TEST_F(CompareFilesTest, OtherScorersAreRefusedUnlessAccepted) {
  const std::string both = Scored("a", 1) + Scored("a", 1, "", "t");
  EXPECT_THAT(Refusal(both, Scored("a", 1)), ::testing::HasSubstr("has no line of the scorer \"t\""));
  ComparisonOptions options;
  options.accept_differences = true;
  const Comparison comparison = Compare(both, {Scored("a", 1)}, options);
  EXPECT_EQ(comparison.files.at(0).scorers.size(), 1u);
  ASSERT_EQ(comparison.warnings.size(), 1u);
  EXPECT_THAT(comparison.warnings[0], ::testing::HasSubstr("left out"));
  EXPECT_EQ(Compare(both, {Scored("a", 1)}, {.scorers = {"s"}}).files.at(0).scorers.size(), 1u);
  EXPECT_THAT(Refusal(both, both, {.scorers = {"u"}}), ::testing::HasSubstr("unknown scorer \"u\""));
}

// Sums in another order differ by some 10^-17, which is no change.
TEST_F(CompareFilesTest, NeitherTheOrderOfRepeatedLinesNorOfSumsIsAChange) {
  std::string base;
  std::string now;
  for (int i = 0; i < 40; ++i) {
    const std::string id = std::to_string(i);
    base += Scored(id, 0.1) + Scored(id, 0.2) + Scored(id, 0.3);
    now += Scored(id, 0.3) + Scored(id, 0.2) + Scored(id, 0.1);
  }
  ComparisonOptions options;
  options.repeats = Repeats::kAll;
  EXPECT_EQ(CompareOne(base, now, options).all.mean.ties, 40u);
  EXPECT_EQ(CompareOne(Lines(0, 10, 0.3), Lines(0, 10, 0.1 + 0.2)).all.mean.ties, 10u);
}

// Where more records than the margin are in error, they could hide a change that matters.
TEST_F(CompareFilesTest, NothingIsEquivalentWhereRecordsSayNothing) {
  std::string few;
  std::string many;
  for (int i = 0; i < 1000; ++i) {
    few += i < 10 ? Unscored(std::to_string(i), "error") : Scored(std::to_string(i), 0.5);
    many += i < 11 ? Scored(std::to_string(i), 0.5, ", \"nothing_compared\": true")
                   : Scored(std::to_string(i), 0.5);
  }
  EXPECT_EQ(CompareOne(few, few).all.verdict, Verdict::kEquivalent);
  const Comparison comparison = Compare(many, {many});
  EXPECT_EQ(comparison.verdict, Verdict::kInconclusive);
  EXPECT_EQ(comparison.files.at(0).scorers.at(0).all.say_nothing, 11u);
  ASSERT_EQ(comparison.warnings.size(), 1u);
  EXPECT_THAT(comparison.warnings[0], ::testing::HasSubstr("11 of 1000 records"));
}

// 2 / 2^6 is the first p below 0.05.
TEST_F(CompareFilesTest, FewUnitsAreToldHowManyAnExactTestNeeds) {
  EXPECT_EQ(CompareOne(Lines(0, 2, 1), Lines(0, 2, 0)).all.units_to_fail, 6u);
  EXPECT_EQ(CompareOne(Lines(0, 6, 1), Lines(0, 6, 0)).all.verdict, Verdict::kRegressed);
}

std::string PassedLine(std::size_t id, double score, bool passed, std::string_view group = "g") {
  return Scored(std::to_string(id), score,
                fmt::format(", \"passed\": {}, \"groups\": {{\"topic\": \"{}\"}}", passed, group));
}

// "improved" was said of a mean that rose by 0.068 while the pass rate fell from 100% to 80%.
TEST_F(CompareFilesTest, APassRateThatFellIsARegression) {
  std::string base;
  std::string now;
  for (std::size_t i = 0; i < 100; ++i) {
    base += PassedLine(i, 0.8, true);
    now += i < 20 ? PassedLine(i, 0.5, false) : PassedLine(i, 0.96, true);
  }
  const ScorerComparison scorer = CompareOne(base, now);
  EXPECT_NEAR(scorer.all.mean.difference, 0.068, 1e-12);
  EXPECT_EQ(scorer.all.mean.verdict, Verdict::kImproved);
  ASSERT_TRUE(scorer.all.pass);
  EXPECT_DOUBLE_EQ(scorer.all.pass->difference, -0.2);
  EXPECT_EQ(scorer.all.pass->verdict, Verdict::kRegressed);
  EXPECT_EQ(scorer.all.verdict, Verdict::kRegressed);
  EXPECT_TRUE(scorer.all.contradiction);
  const std::string text = RenderComparison(Compare(base, {now}), {}, ComparisonFormat::kTable);
  EXPECT_TRUE(
      text.starts_with("regressed: mean rose by +0.0680, but the pass rate fell from 100% to 80% (95% "))
      << text;
}

TEST_F(CompareFilesTest, VerdictsThatAreTheScoresHaveNoRowOfTheirOwn) {
  EXPECT_FALSE(CompareOne(Judged("a", true), Judged("a", false)).all.pass);
  EXPECT_TRUE(CompareOne(PassedLine(1, 0.9, true), PassedLine(1, 0.9, true)).all.pass);
  EXPECT_FALSE(CompareOne(Scored("a", 0.5), Scored("a", 0.5)).all.pass);  // nothing passes or fails
}

// Each of eight topics of five records is too small to fail; together they fell.
TEST_F(CompareFilesTest, GroupsTooSmallToFailArePooled) {
  std::string base;
  std::string now;
  for (std::size_t i = 0; i < 140; ++i) {
    const std::string topic = i < 40 ? fmt::format("small-{}", i / 5) : "large";
    base += PassedLine(i, 1, true, topic);
    now += i < 40 && i % 5 < 2 ? PassedLine(i, 0, false, topic) : PassedLine(i, 1, true, topic);
  }
  ComparisonOptions options;
  options.by = "topic";
  const ScorerComparison scorer = CompareOne(base, now, options);
  ASSERT_EQ(scorer.groups.size(), 10u);
  EXPECT_TRUE(scorer.groups[0].could_fail());  // "large"
  EXPECT_EQ(scorer.groups[0].pooled_groups, 0u);
  EXPECT_FALSE(scorer.groups[1].could_fail());
  EXPECT_EQ(scorer.groups[1].verdict, Verdict::kInconclusive);
  const ComparedRow& pool = scorer.groups[9];
  EXPECT_EQ(pool.group, kSmallGroups);
  EXPECT_EQ(pool.pooled_groups, 8u);
  EXPECT_EQ(pool.records, 40u);
  EXPECT_EQ(pool.mean.losses, 16u);
  EXPECT_EQ(pool.verdict, Verdict::kRegressed);
}

// Groups of ten were said to be large enough with --anytime, whose p of ten falls is 0.0027: of 20 that all
// fell, none would have regressed.
TEST_F(CompareFilesTest, AnytimeNeedsMoreRecordsToFail) {
  std::string base;
  std::string now;
  for (std::size_t i = 0; i < 200; ++i) {
    const std::string topic = fmt::format("topic-{:02}", i / 10);
    base += PassedLine(i, 1, true, topic);
    now += PassedLine(i, 0, false, topic);
  }
  ComparisonOptions options;
  options.by = "topic";
  const ScorerComparison exact = CompareOne(base, now, options);
  ASSERT_EQ(exact.groups.size(), 20u);
  EXPECT_EQ(exact.groups[0].units_to_fail, 10u);
  EXPECT_EQ(exact.groups[0].verdict, Verdict::kRegressed);
  options.anytime = true;
  const ScorerComparison anytime = CompareOne(base, now, options);
  ASSERT_EQ(anytime.groups.size(), 21u);  // and all of them together
  EXPECT_EQ(anytime.groups[0].units_to_fail, 11u);
  EXPECT_FALSE(anytime.groups[0].could_fail());
  EXPECT_EQ(anytime.groups[0].verdict, Verdict::kInconclusive);
  EXPECT_EQ(anytime.groups[20].verdict, Verdict::kRegressed);
}

// Who scored all models in one run had to score them again, one by one.
TEST_F(CompareFilesTest, TwoModelsOfOneFileAreCompared) {
  const auto line = [](std::string_view id, double score, std::string_view model) {
    return Scored(id, score, fmt::format(", \"source\": \"{}\"", model));
  };
  std::string lines;
  for (int i = 0; i < 20; ++i) {
    const std::string id = std::to_string(i);
    lines += line(id, 1, "a,1") + line(id, i < 8 ? 0 : 1, "b") + line(id, 1, "c");
  }
  ComparisonOptions options;
  options.unverified = true;
  options.base = folder_ / "all.jsonl";
  options.between = "source";
  options.values = {"a,1", "b", "c"};
  WriteFile(options.base, lines);
  const Comparison comparison = CompareFiles(options);
  EXPECT_EQ(comparison.base, "a,1");
  ASSERT_EQ(comparison.files.size(), 2u);
  EXPECT_EQ(comparison.files[0].file, "b");
  EXPECT_EQ(comparison.files[0].records, 20u);
  EXPECT_EQ(comparison.files[0].scorers.at(0).all.mean.difference, -0.4);
  EXPECT_EQ(comparison.files[1].scorers.at(0).all.mean.difference, 0);
  options.values = {"a,1", "bb"};
  EXPECT_THAT(ErrorOf(ErrorCode::kInput, [&] { CompareFiles(options); }),
              ::testing::AllOf(::testing::HasSubstr("unknown source \"bb\""), ::testing::HasSubstr("\"b\"")));
}

TEST_F(CompareFilesTest, FilesWithoutACommonIdAreNotCompared) {
  EXPECT_THAT(Refusal(Scored("a", 1), Scored("b", 1)), ::testing::HasSubstr("have no id in common"));
  EXPECT_THAT(Refusal(Scored("a", 1), Scored("b", 1), {.common_only = true}),
              ::testing::HasSubstr("have no id in common"));
}

TEST_F(CompareFilesTest, OptionsOutOfRangeAreRefused) {
  for (const double margin : {0.0, -0.1, 1.1, std::nan("")}) {
    EXPECT_THAT(Refusal("", "", {.margin = margin}, ErrorCode::kUsage),
                ::testing::HasSubstr("the margin is"));
  }
  for (const double alpha : {0.0, 1e-300, 0.5, std::nan("")}) {
    EXPECT_THAT(Refusal("", "", {.alpha = alpha}, ErrorCode::kUsage), ::testing::HasSubstr("alpha is"));
  }
}

TEST_F(CompareFilesTest, LinesThatAreNoScoresAreRefused) {
  EXPECT_THAT(Refusal(Scored("a", 1), Scored("a", 1) + "{\"id\": 1}\n"),
              ::testing::HasSubstr("record 2 is not a line"));
  EXPECT_THAT(Refusal(Scored("a", 1), Scored("a", 1.5)), ::testing::HasSubstr("not from 0 to 1"));
  EXPECT_THAT(Refusal(Scored("a", 1), "not JSON\n"), ::testing::HasSubstr("record 1 is not a line"));
  EXPECT_THAT(Refusal(Scored("a", 1), ""), ::testing::HasSubstr("has no scores"));
}

// 10,000 records are several blocks of the bootstrap and several chunks of lines.
TEST_F(CompareFilesTest, OrderAndThreadsDoNotChangeABit) {
  std::string base;
  std::string now;
  for (int i = 0; i < Rounds(10000); ++i) {
    const std::string more = fmt::format(", \"g\": {}, \"c\": {}", i % 3, i % 700);
    base += Scored(std::to_string(i), (i * 7919 % 1000) / 1000.0, more);
    now += Scored(std::to_string(i), (i * 7919 % 997) / 1000.0, more);
  }
  for (const char* cluster : {"", "c"}) {
    ComparisonOptions options;
    options.by = "g";
    options.cluster = cluster;
    options.threads = 1;
    const std::string first = RenderComparison(Compare(base, {now}, options), {}, ComparisonFormat::kJson);
    for (const unsigned threads : {1u, 2u, 5u}) {
      options.threads = threads;
      const Comparison other = Compare(Shuffled(base, threads), {Shuffled(now, threads + 9)}, options);
      EXPECT_EQ(RenderComparison(other, {}, ComparisonFormat::kJson), first) << threads;
    }
  }
}

class ScoredFilesTest : public ComparisonTest {
 protected:
  // Scores pairs of a text and itself or another, and returns the file of scores.
  std::string Score(const std::string& name, const std::string& records, const Plan& plan,
                    const std::string& ending) {
    WriteFile(folder_ / (name + ".in.jsonl"), records);
    FileOptions options;
    options.inputs = {folder_ / (name + ".in.jsonl")};
    options.output = folder_ / (name + ending);
    ScoreFiles(plan, options);
    return options.output;
  }
};

TEST_F(ScoredFilesTest, ManifestsDecideWhatCanBeCompared) {
  const std::string records =
      "{\"id\": 1, \"expected\": \"a\", \"actual\": \"a\"}\n{\"id\": 2, \"expected\": \"b\", "
      "\"actual\": \"c\"}\n";
  const Plan plan({"exact_match"});
  ComparisonOptions options;
  options.base = Score("base", records, plan, ".jsonl");
  options.news = {Score("same", records, plan, ".jsonl.gz")};
  EXPECT_TRUE(CompareFiles(options).verified);

  options.news = {Score("strict", records,
                        Plan::FromConfig("scorers: [{type: exact_match, case_sensitive: true}]"), ".jsonl")};
  EXPECT_THAT(ErrorOf(ErrorCode::kInput, [&] { CompareFiles(options); }),
              ::testing::HasSubstr("--accept-differences"));
  options.accept_differences = true;
  const Comparison accepted = CompareFiles(options);
  ASSERT_FALSE(accepted.warnings.empty());
  EXPECT_THAT(accepted.warnings[0], ::testing::HasSubstr("case_sensitive"));

  options.accept_differences = false;
  options.news = {Score("cut", records, plan, ".jsonl")};
  WriteFile(options.news[0], Scored("1", 1));
  EXPECT_THAT(ErrorOf(ErrorCode::kInput, [&] { CompareFiles(options); }),
              ::testing::HasSubstr("was cut short"));
}

}  // namespace
}  // namespace leafscore::internal
