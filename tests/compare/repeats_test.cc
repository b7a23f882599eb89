// Tests that are asked several times: flake rates, pass^k, the noise of asking, single tests that got worse.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "compare/comparison_testing.h"

namespace leafscore::internal {
namespace {

using ::testing::HasSubstr;

// Returns the lines of a test that passes `passed` of `asked` askings.
std::string Asked(std::string_view id, int passed, int asked) {
  std::string lines;
  for (int i = 0; i < asked; ++i) lines += Judged(id, i < passed);
  return lines;
}

// Returns tests that all pass whenever they are asked.
std::string Sound(int tests, int asked) {
  std::string lines;
  for (int i = 0; i < tests; ++i) lines += Asked(fmt::format("sound-{}", i), asked, asked);
  return lines;
}

ComparisonOptions AllRepeats(std::uint32_t pass_k = 0) {
  ComparisonOptions options;
  options.repeats = Repeats::kAll;
  options.pass_k = pass_k;
  return options;
}

class RepeatsTest : public ComparisonTest {
 protected:
  // Returns what the gate on single tests says.
  GateResult TestGate(const std::string& base, const std::string& now) {
    const std::vector<GateResult> results =
        CheckComparison(Compare(base, {now}, AllRepeats()), {.fail_on_test = true});
    EXPECT_EQ(results.size(), 1u);
    return results.at(0);
  }
};

TEST_F(RepeatsTest, AFlakyTestPassesSomeOfItsAskings) {
  const std::string base = Asked("a", 2, 4) + Asked("b", 4, 4) + Asked("c", 1, 1) + Asked("d", 3, 4);
  const std::string now = Asked("a", 3, 4) + Asked("b", 1, 4) + Asked("c", 1, 1) + Asked("d", 4, 4);
  const ScorerComparison scorer = CompareOne(base, now, AllRepeats());
  const RepeatFigures& repeats = scorer.all.repeats.value();
  EXPECT_NEAR(repeats.base_flake_rate.value(), (2.0 / 3 + 0.5) / 3, 1e-12);  // of a, b and d
  EXPECT_NEAR(repeats.now_flake_rate.value(), (0.5 + 0.5) / 3, 1e-12);
  const SingleTests& tests = scorer.single_tests.value();
  EXPECT_EQ(tests.flaky, 3u);
  ASSERT_EQ(tests.most_flaky.size(), 3u);
  EXPECT_EQ(tests.most_flaky[0].id, "a");
  EXPECT_EQ(tests.most_flaky[1].id, "b");  // as flaky as d, and before it by name
  EXPECT_EQ(tests.most_flaky[2].id, "d");
  EXPECT_EQ(tests.most_flaky[1].base_flake_rate, 0);
  EXPECT_EQ(tests.most_flaky[1].now_flake_rate, 0.5);
  EXPECT_EQ(tests.most_flaky[1].now_passed, 1u);
  EXPECT_EQ(tests.most_flaky[1].now_asked, 4u);
}

TEST_F(RepeatsTest, AsManyTestsAreListedAsWorstSays) {
  std::string lines;
  for (int i = 10; i < 40; ++i) lines += Asked(fmt::format("t-{}", i), 1, 2);
  ComparisonOptions options = AllRepeats();
  options.worst = 2;
  const SingleTests tests = CompareOne(lines, lines, options).single_tests.value();
  EXPECT_EQ(tests.flaky, 30u);
  ASSERT_EQ(tests.most_flaky.size(), 2u);
  EXPECT_EQ(tests.most_flaky[0].id, "t-10");
  EXPECT_EQ(tests.most_flaky[1].id, "t-11");
}

// By hand: of 2 tests, with scores 0.2, 0.6 and 0.5, 0.5 in the base, and 0.4, 0.4 and 0.7, 0.9 now, the
// means differ by 0 and 0.3. The standard error is 0.15, and asking adds (0.08 / 2 + 0.02 / 2) / 2^2.
TEST_F(RepeatsTest, TheNoiseOfAskingIsAShareOfTheSquaredStandardError) {
  const std::string base = Scored("a", 0.2) + Scored("a", 0.6) + Scored("b", 0.5) + Scored("b", 0.5);
  const std::string now = Scored("a", 0.4) + Scored("a", 0.4) + Scored("b", 0.7) + Scored("b", 0.9);
  const ScorerComparison scorer = CompareOne(base, now, AllRepeats());
  EXPECT_NEAR(scorer.all.mean.standard_error.value(), 0.15, 1e-9);
  EXPECT_NEAR(scorer.all.repeats->asking_noise.value(), 0.0125 / 0.0225, 1e-6);
  EXPECT_EQ(scorer.all.repeats->base_flake_rate, std::nullopt);  // nothing passes or fails
  EXPECT_FALSE(scorer.single_tests);
  const ScorerComparison once = CompareOne(Lines(0, 5, 1), Lines(0, 5, 0), AllRepeats());
  EXPECT_EQ(once.all.repeats->asking_noise, std::nullopt);
  EXPECT_FALSE(CompareOne(Lines(0, 5, 1), Lines(0, 5, 0)).all.repeats);
}

// p of passing 5 of 5 and then none is 1 / C(10, 5), and no other of the tests could give one as small.
TEST_F(RepeatsTest, ASingleTestGotWorseBeyondChance) {
  const std::string base = Sound(100, 5) + Asked("broken", 5, 5);
  const std::string now = Sound(100, 5) + Asked("broken", 0, 5);
  const SingleTests tests = CompareOne(base, now, AllRepeats()).single_tests.value();
  EXPECT_EQ(tests.worse, 1u);
  ASSERT_EQ(tests.got_worse.size(), 1u);
  EXPECT_EQ(tests.got_worse[0].id, "broken");
  EXPECT_NEAR(tests.got_worse[0].p.value(), 1.0 / 252, 1e-12);
  EXPECT_NEAR(tests.got_worse[0].p_corrected.value(), 1.0 / 252, 1e-12);
  EXPECT_TRUE(tests.could_fail);
  const GateResult gate = TestGate(base, now);
  EXPECT_FALSE(gate.passed);
  EXPECT_EQ(gate.sentence, "1 single test got worse: broken (5 of 5 passed, now 0 of 5)");
  EXPECT_TRUE(TestGate(now, base).passed);  // it is one-sided
  EXPECT_TRUE(TestGate(base, base).passed);
}

// As many fallen tests as that could all be by chance: 13 / 252 is above 0.05.
TEST_F(RepeatsTest, TestsThatCouldHaveFallenCountInTheFamily) {
  for (const int fallen : {12, 13}) {
    std::string base;
    std::string now;
    for (int i = 0; i < fallen; ++i) {
      base += Asked(std::to_string(i), 5, 5);
      now += Asked(std::to_string(i), 0, 5);
    }
    const SingleTests tests = CompareOne(base, now, AllRepeats()).single_tests.value();
    EXPECT_EQ(tests.worse, fallen == 12 ? 12u : 0u);
    EXPECT_EQ(tests.could_fail, fallen == 12);
    EXPECT_EQ(tests.asked_to_fail, fallen == 12 ? 5u : 6u);
    ComparisonOptions uncorrected = AllRepeats();
    uncorrected.correction = Correction::kNone;
    EXPECT_EQ(CompareOne(base, now, uncorrected).single_tests->worse, static_cast<std::uint64_t>(fallen));
  }
}

// Three askings a side have a least p of 0.05, which is not below it.
TEST_F(RepeatsTest, AGateOnTestsThatCouldNotHaveFailedFails) {
  const GateResult gate = TestGate(Sound(10, 3) + Asked("t", 3, 3), Sound(10, 3) + Asked("t", 0, 3));
  EXPECT_FALSE(gate.passed);
  EXPECT_FALSE(gate.could_fail);
  EXPECT_EQ(gate.sentence,
            "could not have failed: tests were asked up to 3 times in both runs, at least 4 are needed");
}

// One asking of a test is not enough to find it, whatever it was in the base; so is none, which counts as one
// that failed. A gate that is blind for most tests said that it holds.
TEST_F(RepeatsTest, AGateThatIsBlindForMostTestsFails) {
  const auto run = [](int whole) {
    std::string lines;
    for (int i = 0; i < 20; ++i)
      lines += Asked(fmt::format("t-{:02}", i), i < whole ? 5 : 1, i < whole ? 5 : 1);
    return lines;
  };
  const GateResult blind = TestGate(run(20), run(9));
  EXPECT_FALSE(blind.passed);
  EXPECT_EQ(blind.sentence,
            "no single test got worse; it could not have failed on 11 of 20 tests, asked too few times or "
            "not answered: t-09, t-10, t-11, t-12, t-13, …");
  const GateResult half = TestGate(run(20), run(10));
  EXPECT_TRUE(half.passed);
  EXPECT_EQ(half.caveat.substr(0, 39), "could not have failed on 10 of 20 tests");
  EXPECT_EQ(TestGate(run(20), run(20)).caveat, "");
  // Tests that never passed cannot get worse.
  EXPECT_TRUE(TestGate(Sound(3, 5) + Asked("never", 0, 5), Sound(3, 5) + Asked("never", 0, 1)).passed);
}

TEST_F(RepeatsTest, AGateOnTestsNeedsTestsThatPassOrFail) {
  const auto refusal = [&](const std::string& lines, const ComparisonOptions& options) {
    const Comparison comparison = Compare(lines, {lines}, options);
    return ErrorOf(ErrorCode::kUsage, [&] { CheckComparison(comparison, {.fail_on_test = true}); });
  };
  EXPECT_THAT(refusal(Lines(0, 5, 1), AllRepeats()), HasSubstr("nothing passes or fails on both sides"));
  EXPECT_THAT(refusal(Judged("a", true), {}), HasSubstr("give --repeats all"));
  ComparisonOptions anytime = AllRepeats();
  anytime.anytime = true;
  EXPECT_THAT(refusal(Judged("a", true), anytime), HasSubstr("leave out --anytime"));
}

// Each of 20 tests passes 4 of 4, and then 3 of 4: the pass rate falls by a quarter, pass^4 from 1 to 0.
TEST_F(RepeatsTest, PassHatKIsAFigureWithAGateOfItsOwn) {
  std::string base;
  std::string now;
  for (int i = 0; i < 20; ++i) {
    base += Asked(std::to_string(i), 4, 4);
    now += Asked(std::to_string(i), 3, 4);
  }
  const Comparison comparison = Compare(base, {now}, AllRepeats(4));
  const ComparedRow& row = comparison.files[0].scorers[0].all;
  ASSERT_TRUE(row.pass_k);
  EXPECT_EQ(row.pass_k->base, 1);
  EXPECT_EQ(row.pass_k->now, 0);
  EXPECT_EQ(row.pass_k->verdict, ComparisonVerdict::kRegressed);
  EXPECT_EQ(row.verdict, ComparisonVerdict::kRegressed);
  EXPECT_EQ(row.repeats->short_tests, 0u);
  EXPECT_EQ(comparison.families[0].tests,
            2u);  // verdicts are the scores, so mean and pass rate are one figure
  const auto passes = [&](const std::string& scorer, const ComparisonGates& gates) {
    return CheckComparison(comparison, gates).at(0).passed && !scorer.empty();
  };
  EXPECT_FALSE(passes("s", {.fail_on = {{.scope = {.scorer = "s.pass-k"}, .what = FailOn::kRegressed}}}));
  EXPECT_TRUE(passes("s", {.max_drop = {{.scope = {.scorer = "s.mean"}, .most = 0.5}}}));
  EXPECT_FALSE(passes("s", {.max_drop = {{.scope = {.scorer = "s.pass-k"}, .most = 0.5}}}));
  const std::string text = RenderComparison(comparison, {}, ComparisonFormat::kTable);
  EXPECT_THAT(text, HasSubstr("s, pass^4"));
}

// Consistency may fall while the mean rises: 30 tests passed 2 of 2 or none, and now 11 more pass once.
TEST_F(RepeatsTest, PassHatKMayContradictTheMean) {
  std::string base;
  std::string now;
  for (int i = 0; i < 60; ++i) {
    base += Asked(std::to_string(i), i < 20 ? 2 : 0, 2);
    now += Asked(std::to_string(i), 1, 2);
  }
  const Comparison comparison = Compare(base, {now}, AllRepeats(2));
  const ComparedRow& row = comparison.files[0].scorers[0].all;
  EXPECT_EQ(row.mean.verdict, ComparisonVerdict::kImproved);
  EXPECT_EQ(row.pass_k->verdict, ComparisonVerdict::kRegressed);
  EXPECT_TRUE(row.contradiction);
  EXPECT_TRUE(RenderComparison(comparison, {}, ComparisonFormat::kTable)
                  .starts_with("regressed: mean rose by +0.1667, but pass^2 fell from 33.3% to 0%"));
}

TEST_F(RepeatsTest, AskingsThatATestLacksCountAsFailed) {
  const std::string base = Asked("a", 3, 3) + Asked("b", 2, 2);
  const Comparison comparison = Compare(base, {base}, AllRepeats(3));
  const ComparedRow& row = comparison.files[0].scorers[0].all;
  EXPECT_EQ(row.pass_k->base, 0.5);
  EXPECT_EQ(row.repeats->short_tests, 1u);
  ASSERT_EQ(comparison.warnings.size(), 1u);
  EXPECT_THAT(comparison.warnings[0], HasSubstr("1 of 2 tests"));
  const Comparison unjudged = Compare(Lines(0, 5, 1), {Lines(0, 5, 1)}, AllRepeats(3));
  EXPECT_EQ(unjudged.warnings.at(0), "nothing passes or fails on both sides, so there is no pass^k");
}

TEST_F(RepeatsTest, PassHatKNeedsAllRepeatsAndTwoAskings) {
  for (ComparisonOptions options : {AllRepeats(1), ComparisonOptions{.pass_k = 3}}) {
    EXPECT_THAT(Refusal(Lines(0, 5, 1), Lines(0, 5, 1), options, ErrorCode::kUsage),
                HasSubstr("give --repeats all, and k from 2"));
  }
}

TEST_F(RepeatsTest, NeitherTheOrderOfLinesNorThreadsChangeAFigure) {
  std::string base;
  std::string now;
  std::string reversed;
  for (int i = 0; i < 50; ++i) {
    const std::string id = fmt::format("t-{}", i);
    base += Asked(id, i % 6, 5);
    const std::string lines = Asked(id, i * 7 % 6, 5);
    now += lines;
    reversed = lines + reversed;
  }
  const auto json = [&](const std::string& lines, unsigned threads) {
    ComparisonOptions options = AllRepeats(2);
    options.threads = threads;
    return RenderComparison(Compare(base, {lines}, options), {}, ComparisonFormat::kJson);
  };
  const std::string once = json(now, 1);
  EXPECT_EQ(json(reversed, 1), once);
  EXPECT_EQ(json(now, 2), once);
}

}  // namespace
}  // namespace leafscore::internal
