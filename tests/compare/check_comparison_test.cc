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
      {Lines(0, 400, 0.495), true, true, false},  // equivalent, but lower
  };
  for (const Case& one : cases) {
    const Comparison comparison = Compare(base, {one.now});
    EXPECT_EQ(Passes(comparison, FailOnGate(FailOn::kRegressed)), one.regressed) << one.now;
    EXPECT_EQ(Passes(comparison, FailOnGate(FailOn::kInconclusive)), one.inconclusive) << one.now;
    EXPECT_EQ(Passes(comparison, FailOnGate(FailOn::kAnyDrop)), one.any_drop) << one.now;
  }
}

// 40 of 400 fell by 0.5, so the mean by 0.05; its standard error is 0.0075, so the interval reaches to 0.065.
TEST_F(CheckComparisonTest, ADropMustBeLeftOutByTheInterval) {
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
  EXPECT_THAT(results[0].sentence, ::testing::HasSubstr("59 are needed"));
  const std::string enough = Lines(0, 59, 0.5);
  EXPECT_TRUE(Passes(Compare(enough, {enough}), MaxDrop(0.05)));
  EXPECT_FALSE(Passes(Compare(Scored("a", 1), {Scored("a", 1)}), MaxDrop(0.5)));  // no interval
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
