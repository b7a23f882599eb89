#include <algorithm>

#include "compare/comparison_testing.h"

namespace leafscore::internal {
namespace {

class CheckComparisonTest : public ComparisonTest {
 protected:
  // Whether all gates pass.
  static bool Passes(const Comparison& comparison, const ComparisonGates& gates) {
    return std::ranges::all_of(CheckComparison(comparison, gates), &GateResult::passed);
  }
};

ComparisonGates FailOnGate(FailOn what) { return {.fail_on = {{.scope = {}, .what = what}}}; }
ComparisonGates MaxDrop(double most, const ComparisonScope& scope = {}) {
  return {.max_drop = {{.scope = scope, .most = most}}};
}
ComparisonGates MaxFlips(double most) { return {.max_flips = {{.scope = {}, .most = most}}}; }

// What each gate says of a comparison: fails on regressed, inconclusive, any drop.
TEST_F(CheckComparisonTest, Verdicts) {
  const std::string base = Lines(0, 400, 0.5);
  struct Case {
    std::string now;
    bool regressed;
    bool inconclusive;
    bool any_drop;
  };
  const Case cases[] = {
      {base, true, true, true},
      {Lines(0, 40, 1) + Lines(40, 360, 0.5), true, true, true},     // improved
      {Lines(0, 40, 0) + Lines(40, 360, 0.5), false, false, false},  // regressed
      {Lines(0, 30, 0) + Lines(30, 30, 1) + Lines(60, 340, 0.5), true, false, true},
      {Lines(0, 400, 0.4985), true, true, false},  // equivalent, but lower
  };
  for (const Case& one : cases) {
    const Comparison comparison = Compare(base, {one.now});
    EXPECT_EQ(Passes(comparison, FailOnGate(FailOn::kRegressed)), one.regressed) << one.now;
    EXPECT_EQ(Passes(comparison, FailOnGate(FailOn::kInconclusive)), one.inconclusive) << one.now;
    EXPECT_EQ(Passes(comparison, FailOnGate(FailOn::kAnyDrop)), one.any_drop) << one.now;
  }
}

// 40 of 400 fell by 0.5, so the mean by 0.05. With the worst that one unseen record could do beside them, the
// one-sided bound at 5% lies between 0.06 and 0.07.
TEST_F(CheckComparisonTest, ADropMustBeLeftOutByTheBound) {
  const Comparison comparison = Compare(Lines(0, 400, 0.5), {Lines(0, 40, 0) + Lines(40, 360, 0.5)});
  EXPECT_FALSE(Passes(comparison, MaxDrop(0.05)));
  EXPECT_FALSE(Passes(comparison, MaxDrop(0.06)));
  EXPECT_TRUE(Passes(comparison, MaxDrop(0.07)));
}

TEST_F(CheckComparisonTest, FewRecordsThatAgreeLeaveNoDropOut) {
  const std::string few = Lines(0, 58, 0.5);
  const std::vector<GateResult> results = CheckComparison(Compare(few, {few}), MaxDrop(0.05));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_FALSE(results[0].passed);
  EXPECT_THAT(results[0].sentence,
              ::testing::HasSubstr("the drop may be up to 0.050"));  // 1 - 0.05^(1/58) is 0.0503
  const std::string enough = Lines(0, 59, 0.5);
  EXPECT_TRUE(Passes(Compare(enough, {enough}), MaxDrop(0.05)));
  EXPECT_FALSE(Passes(Compare(Scored("a", 1), {Scored("a", 1)}), MaxDrop(0.5)));
}

TEST_F(CheckComparisonTest, Flips) {
  const std::string base = Judged("a", true) + Judged("b", true) + Judged("c", false);
  const std::string now = Judged("a", false) + Judged("b", false) + Judged("c", true);
  const Comparison comparison = Compare(base, {now});
  EXPECT_FALSE(Passes(comparison, MaxFlips(1)));
  EXPECT_TRUE(Passes(comparison, MaxFlips(2)));
  EXPECT_FALSE(Passes(Compare(Scored("a", 1), {Scored("a", 1)}), MaxFlips(2)));  // no verdicts to go by
}

TEST_F(CheckComparisonTest, ErrorsOfEitherSideFailAnyGate) {
  const std::string good = Lines(0, 400, 0.5);
  const std::string bad = Lines(1, 399, 0.5) + Unscored("0", "error");
  const ComparisonGates gates = FailOnGate(FailOn::kRegressed);
  EXPECT_TRUE(Passes(Compare(good, {good}), gates));
  EXPECT_FALSE(Passes(Compare(bad, {good}), gates));
  EXPECT_FALSE(Passes(Compare(good, {bad}), gates));
  ComparisonGates lenient = gates;
  lenient.max_errors = ErrorLimit{.count = 1, .share = {}};
  EXPECT_TRUE(Passes(Compare(bad, {good}), lenient));
  lenient.max_errors = ErrorLimit{.count = 0, .share = 0.001};
  EXPECT_FALSE(Passes(Compare(bad, {good}), lenient));
  EXPECT_TRUE(CheckComparison(Compare(bad, {good}), {}).empty());  // no gate was asked for
  // Records that the base lacks count 0 there, so that they hide a drop.
  EXPECT_FALSE(Passes(Compare(good, {good + Scored("new", 1)}), gates));
  EXPECT_TRUE(Passes(Compare(good, {good + Scored("new", 1)}, {.common_only = true}), gates));
  const std::string nothing = Lines(1, 399, 0.5) + Scored("0", 0.5, ", \"nothing_compared\": true");
  EXPECT_FALSE(Passes(Compare(good, {nothing}), gates));
}

// A gate of five records could not fail, whatever they were, and said "holds".
TEST_F(CheckComparisonTest, AGateThatCouldNotHaveFailedFails) {
  const ComparisonGates gate = FailOnGate(FailOn::kRegressed);
  const std::vector<GateResult> results = CheckComparison(Compare(Lines(0, 5, 1), {Lines(0, 5, 0)}), gate);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_FALSE(results[0].passed);
  EXPECT_FALSE(results[0].could_fail);
  EXPECT_THAT(results[0].sentence, ::testing::HasSubstr("could not have failed: 5 "));
  EXPECT_THAT(results[0].sentence, ::testing::HasSubstr("at least 6 are needed"));
  EXPECT_TRUE(Passes(Compare(Lines(0, 6, 1), {Lines(0, 6, 1)}), gate));
  EXPECT_FALSE(Passes(Compare(Lines(0, 6, 1), {Lines(0, 6, 0)}), gate));
}

std::string OfTopic(std::size_t id, double score, std::string_view topic) {
  return Scored(std::to_string(id), score, fmt::format(", \"groups\": {{\"topic\": \"{}\"}}", topic));
}

TEST_F(CheckComparisonTest, AGateOnSomeGroupsTooSmallIsDecidedByTheOthers) {
  std::string lines;
  for (std::size_t i = 0; i < 105; ++i) lines += OfTopic(i, 1, i < 100 ? "large" : "small");
  ComparisonOptions options;
  options.by = "topic";
  const Comparison comparison = Compare(lines, {lines}, options);
  const std::vector<GateResult> results = CheckComparison(comparison, FailOnGate(FailOn::kRegressed));
  ASSERT_EQ(results.size(), 3u);  // over all, large, small
  EXPECT_TRUE(std::ranges::all_of(results, &GateResult::passed));
  EXPECT_FALSE(results[2].could_fail);
  const std::string text = RenderComparison(comparison, results, ComparisonFormat::kTable);
  EXPECT_THAT(text,
              ::testing::HasSubstr("; all 3 gates hold; could not have failed on 1 of 2 groups, which are "
                                   "too small: small\n"));
  EXPECT_FALSE(Passes(comparison, FailOnGate(FailOn::kPowerless)));
}

TEST_F(CheckComparisonTest, MeansAndPassRatesHaveGatesOfTheirOwn) {
  std::string base;
  std::string now;
  for (std::size_t i = 0; i < 100; ++i) {
    const std::string id = std::to_string(i);
    base += Scored(id, 0.8, ", \"passed\": true");
    now += i < 20 ? Scored(id, 0.5, ", \"passed\": false") : Scored(id, 0.96, ", \"passed\": true");
  }
  const Comparison comparison = Compare(base, {now});
  const auto passes = [&](const std::string& scorer) {
    return Passes(comparison, {.fail_on = {{.scope = {.scorer = scorer}, .what = FailOn::kRegressed}}});
  };
  EXPECT_FALSE(passes("s"));
  EXPECT_TRUE(passes("s.mean"));
  EXPECT_FALSE(passes("s.pass"));
  EXPECT_TRUE(Passes(comparison, MaxDrop(0.1)));
  EXPECT_FALSE(Passes(comparison, {.max_pass_drop = {{.scope = {}, .most = 0.2}}}));
  EXPECT_TRUE(Passes(comparison, {.max_pass_drop = {{.scope = {}, .most = 0.3}}}));
  const Comparison unjudged = Compare(Lines(0, 400, 1), {Lines(0, 400, 1)});
  EXPECT_FALSE(Passes(unjudged, {.max_pass_drop = {{.scope = {}, .most = 0.3}}}));
  // Verdicts that are the scores are the mean.
  const Comparison same = Compare(Judged("a", true), {Judged("a", true)});
  EXPECT_TRUE(Passes(same, {.max_pass_drop = {{.scope = {}, .most = 1}}}));
}

TEST_F(CheckComparisonTest, ScopesNameScorersGroupsAndFields) {
  const auto line = [](int id, double match) {
    return Scored(
        std::to_string(id), match,
        fmt::format(
            ", \"groups\": {{\"g\": {}}}, \"details\": {{\"fields\": [{{\"path\": \"name\", \"score\": "
            "{}}}]}}",
            id % 2, match));
  };
  std::string base;
  std::string now;
  for (int i = 0; i < 100; ++i) {
    base += line(i, 1);
    now += line(i, i % 2 == 0 && i < 50 ? 0 : 1);
  }
  ComparisonOptions options;
  options.by = "g";
  const Comparison comparison = Compare(base, {now}, options);
  const auto count = [&](const ComparisonScope& scope) {
    const std::vector<GateResult> results = CheckComparison(comparison, MaxDrop(0.01, scope));
    return std::pair(results.size(), std::ranges::count(results, false, &GateResult::passed));
  };
  // The scorer, and the groups 0, which fell, and 1, of 50 records that agree, which are too few.
  EXPECT_EQ(count({}), std::pair(std::size_t{3}, std::ptrdiff_t{3}));
  EXPECT_EQ(count({.scorer = "s", .field = "*"}), std::pair(std::size_t{1}, std::ptrdiff_t{1}));
  EXPECT_EQ(count({.scorer = "", .field = "name"}), std::pair(std::size_t{1}, std::ptrdiff_t{1}));
  const auto refusal = [&](const ComparisonScope& scope) {
    return ErrorOf(ErrorCode::kUsage, [&] { CheckComparison(comparison, MaxDrop(0.01, scope)); });
  };
  EXPECT_THAT(refusal({.scorer = "t", .field = ""}), ::testing::HasSubstr("unknown scorer \"t\""));
  EXPECT_THAT(refusal({.scorer = "", .field = "nam"}), ::testing::HasSubstr("did you mean \"name\""));
}

}  // namespace
}  // namespace leafscore::internal
