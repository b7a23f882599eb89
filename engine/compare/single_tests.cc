#include "engine/compare/single_tests.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "engine/compare/gathered_row.h"
#include "engine/compare/verdicts.h"
#include "engine/statistics/pass_rates.h"

namespace leafscore::internal {
namespace {

// A test that may have got worse.
struct Tested {
  SingleTests* scorer;
  std::uint32_t id;
  WorseTest test;
};

struct Flaky {
  double rate;  // the higher rate of the two sides
  std::uint32_t id;
};

// A scorer in a file, with its scores on both sides and its tests.
struct SidesOfScorer {
  const SideScores* base;
  const SideScores* now;
  SingleTests* tests;
  double least_p = 1;  // if a test passed all askings and now fails all
};

class SingleTester {
 public:
  SingleTester(const OrderedIds& order, const ComparisonOptions& options)
      : names_(*order.names), order_(order), options_(options) {}

  void Add(const SideScores& base, const SideScores& now, SingleTests& tests);
  std::size_t Decide();

 private:
  // Caches its results, because the numbers of askings and passes are the same for many tests.
  WorseTest TestOf(const Askings& base, const Askings& now) {
    const auto [found, is_new] = known_.try_emplace({base.passed, base.lines, now.passed, now.lines});
    if (is_new) found->second = TestOfWorse(base, now);
    return found->second;
  }
  RepeatedTest Told(const SidesOfScorer& sides, std::uint32_t id) const;
  void ReportMostFlaky(std::vector<Flaky>& flaky, const SidesOfScorer& sides) const;
  void DecideWhatCouldFail(std::span<const double> least_p);
  void CountPowerless(const SidesOfScorer& sides, std::span<const double> least_p);

  const ComparedNames& names_;
  const OrderedIds& order_;
  const ComparisonOptions& options_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>, WorseTest> known_;
  std::vector<SidesOfScorer> scorers_;
  std::vector<Tested> family_;
};

Askings AskingsOf(const IdScore& score) { return {score.passes, score.lines}; }

bool IsFlaky(const IdScore& score) { return score.passes > 0 && score.passes < score.lines; }

RepeatedTest SingleTester::Told(const SidesOfScorer& sides, std::uint32_t id) const {
  const Askings base = AskingsOf(sides.base->Of(id));
  const Askings now = AskingsOf(sides.now->Of(id));
  RepeatedTest test;
  test.id = names_.IdOf(id);
  if (!options_.by.empty()) test.group = names_.GroupName(names_.GroupOf(id));
  test.base_asked = base.lines;
  test.base_passed = base.passed;
  test.now_asked = now.lines;
  test.now_passed = now.passed;
  test.base_flake_rate = FlakeRate(base);
  test.now_flake_rate = FlakeRate(now);
  return test;
}

void SingleTester::ReportMostFlaky(std::vector<Flaky>& flaky, const SidesOfScorer& sides) const {
  const std::size_t told = std::min(flaky.size(), options_.worst);
  const auto is_before = [&](const Flaky& a, const Flaky& b) {
    return std::tuple(-a.rate, names_.IdOf(a.id), names_.GroupName(names_.GroupOf(a.id))) <
           std::tuple(-b.rate, names_.IdOf(b.id), names_.GroupName(names_.GroupOf(b.id)));
  };
  std::partial_sort(flaky.begin(), flaky.begin() + static_cast<std::ptrdiff_t>(told), flaky.end(), is_before);
  for (const Flaky& test : std::span(flaky).first(told)) {
    sides.tests->most_flaky.push_back(Told(sides, test.id));
  }
}

void SingleTester::Add(const SideScores& base, const SideScores& now, SingleTests& tests) {
  SidesOfScorer& sides = scorers_.emplace_back(&base, &now, &tests);
  std::vector<Flaky> flaky;
  for (const std::uint32_t id : order_.ids) {
    const IdScore base_score = base.Of(id);
    const IdScore now_score = now.Of(id);
    if (!IsCompared(base_score, now_score, options_)) continue;
    const Askings base_askings = AskingsOf(base_score);
    const Askings now_askings = AskingsOf(now_score);
    if (IsFlaky(base_score) || IsFlaky(now_score)) {
      flaky.push_back(
          {std::max(FlakeRate(base_askings).value_or(0), FlakeRate(now_askings).value_or(0)), id});
    }
    const WorseTest test = TestOf(base_askings, now_askings);
    if (test.least_p < 1) family_.push_back({&tests, id, test});
    sides.least_p =
        std::min(sides.least_p, TestOf({base_askings.lines, base_askings.lines}, {0, now_askings.lines}).p);
    tests.most_asked = std::max(tests.most_asked, std::min(base_askings.lines, now_askings.lines));
  }
  tests.flaky = flaky.size();
  ReportMostFlaky(flaky, sides);
}

// Decides for each scorer whether a fall from all passes to no passes could have been significant. The
// correction counts only the tests that could have given a p at least as small.
void SingleTester::DecideWhatCouldFail(std::span<const double> least_p) {
  for (const SidesOfScorer& sides : scorers_) {
    const auto as_small = std::ranges::count_if(
        least_p, [&](double p) { return options_.correction != Correction::kNone && p <= sides.least_p; });
    const auto tests = std::max<double>(1, static_cast<double>(as_small));
    sides.tests->could_fail = tests * sides.least_p < options_.alpha;
    std::uint64_t askings = 1;
    while (tests * TestOfWorse({askings, askings}, {0, askings}).p >= options_.alpha) ++askings;
    sides.tests->asked_to_fail = askings;
  }
}

// Counts the tests that passed in the base, and how many of these would not be significant even if all
// askings failed now. The correction counts the test itself, and others only if they could have given a p at
// least as small.
// REQUIRES: least_p is sorted.
void SingleTester::CountPowerless(const SidesOfScorer& sides, std::span<const double> least_p) {
  constexpr std::size_t kMaxNamed = 5;
  SingleTests& tests = *sides.tests;
  for (const std::uint32_t id : order_.ids) {
    const IdScore base_score = sides.base->Of(id);
    const IdScore now_score = sides.now->Of(id);
    if (base_score.passes == 0 || !IsCompared(base_score, now_score, options_)) continue;
    ++tests.passed_in_base;
    const Askings base = AskingsOf(base_score);
    const Askings now = AskingsOf(now_score);
    const double p = TestOf(base, {0, now.lines}).p;
    const auto as_small = std::ranges::upper_bound(least_p, p) - least_p.begin();
    const bool is_among_them = TestOf(base, now).least_p <= p;
    const auto family = options_.correction == Correction::kNone ? 1 : as_small + (is_among_them ? 0 : 1);
    if (static_cast<double>(family) * p < options_.alpha) continue;
    ++tests.powerless;
    std::vector<std::string>& named = tests.powerless_ids;
    named.emplace(std::ranges::upper_bound(named, names_.IdOf(id)), names_.IdOf(id));
    if (named.size() > kMaxNamed) named.pop_back();
  }
}

std::size_t SingleTester::Decide() {
  std::vector<double> p;
  std::vector<double> least_p;
  for (const Tested& tested : family_) {
    p.push_back(tested.test.p);
    least_p.push_back(tested.test.least_p);
  }
  DecideWhatCouldFail(least_p);
  std::vector<double> sorted = least_p;
  std::ranges::sort(sorted);
  for (const SidesOfScorer& sides : scorers_) CountPowerless(sides, sorted);
  const std::vector<double> corrected = CorrectedP(p, least_p, options_.correction);
  for (const SidesOfScorer& sides : scorers_) {
    std::vector<RepeatedTest>& worse = sides.tests->got_worse;
    for (std::size_t i = 0; i < family_.size(); ++i) {
      if (family_[i].scorer != sides.tests || corrected[i] >= options_.alpha) continue;
      RepeatedTest& test = worse.emplace_back(Told(sides, family_[i].id));
      test.p = p[i];
      test.p_corrected = corrected[i];
    }
    sides.tests->worse = worse.size();
    std::ranges::sort(worse, [](const RepeatedTest& a, const RepeatedTest& b) {
      return std::tie(*a.p, a.id, a.group) < std::tie(*b.p, b.id, b.group);
    });
    if (worse.size() > options_.worst) worse.resize(options_.worst);
  }
  return family_.size();
}

}  // namespace

std::size_t CompareSingleTests(const OrderedIds& order, std::span<const Side> sides,
                               const ComparisonOptions& options, Comparison& comparison) {
  SingleTester tester(order, options);
  const NameTable& names = order.names->scorers;
  for (std::size_t f = 0; f < comparison.files.size(); ++f) {
    for (ScorerComparison& scorer : comparison.files[f].scorers) {
      std::uint32_t number = 0;
      while (names[number] != scorer.scorer) ++number;
      const SideScores& base = sides.front().by_scorer.at(number);
      const SideScores& now = sides[f + 1].by_scorer.at(number);
      if (ScorerSides(base, now).both_judge()) tester.Add(base, now, scorer.single_tests.emplace());
    }
  }
  return tester.Decide();
}

}  // namespace leafscore::internal
