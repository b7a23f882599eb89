// engine/compare/test_planner.h: what a comparison will be able to detect, before it is run: how many records
// find a drop, and which drops some numbers of records find. Stateless.
#ifndef LEAFSCORE_ENGINE_COMPARE_TEST_PLANNER_H_
#define LEAFSCORE_ENGINE_COMPARE_TEST_PLANNER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "leafscore/compare.h"

namespace leafscore::internal {

// The drop that the user wants to find, and how surely.
struct PlanGoal {
  double drop = 0.01;  // in the mean, or in the pass rate
  double power = 0.8;  // share of the runs that find it
  double alpha = 0.05;
  std::uint64_t slices = 1;  // number of groups that are also tested, each at alpha / slices
};

// How much two runs of one model differ in a figure by chance alone, given by `churn` or `sd`.
struct ChanceOfFigure {
  std::string scorer = {};  // empty: from numbers that were given
  bool is_pass_rate = false;
  std::optional<double> churn = {};   // share of the records whose verdict changes
  std::optional<double> sd = {};      // standard deviation of the score differences
  bool at_most = false;               // upper bound, as if the two runs had nothing in common
  std::optional<double> figure = {};  // the pass rate or the mean

  // No figure falls below 0.
  bool CanFallBy(double drop) const { return !figure || drop <= *figure; }
  std::uint64_t records = 0;  // in the pilot; 0 if there was none
};

// The drop that a number of records finds.
struct FoundDrop {
  std::uint64_t records = 0;
  std::optional<double> drop = {};           // nullopt: not even a drop of 1
  std::optional<double> drop_of_slice = {};  // with this number of records in the slice
};

// One way in which a figure may drop.
struct PlannedWay {
  std::string name = {};                            // name in JSON
  std::string words = {};                           // for people: "if some answers break"
  std::optional<std::uint64_t> records = {};        // find the wanted drop; nullopt: too many, or impossible
  std::optional<std::uint64_t> slice_records = {};  // records in each slice
  std::vector<FoundDrop> drops = {};                // for some usual numbers and TestPlan::records, ascending
};

struct TestPlan {
  ChanceOfFigure chance = {};
  // The number of records in the user's question, else in the pilot.
  std::optional<std::uint64_t> records = {};
  std::vector<PlannedWay> ways = {};
};

// Returns the figures of the scorers in a comparison of two runs of one model. Figures of verdicts have a
// churn, others a spread.
std::vector<ChanceOfFigure> ChancesOf(const Comparison& pilot);

// Returns upper bounds, by scorer, for how much two runs like the one in a file differ: as if they had
// answered different records, and for the pass rates in the 95% interval. If the scores are too few or too
// equal to show their spread, it is the largest spread for the means in their interval. ERRORS: as RankFiles.
std::vector<ChanceOfFigure> ChancesAtMost(const std::string& file, const LeaderboardOptions& options);

// Returns the churn of two runs that have only their pass rate in common, which is the highest possible.
double MostChurn(double pass_rate);

// Plans the test of a figure. REQUIRES: a churn or a spread; a drop and an alpha above 0, slices > 0.
TestPlan PlanTest(const ChanceOfFigure& chance, const PlanGoal& goal, std::optional<std::uint64_t> records);

std::string PlansAsText(const std::vector<TestPlan>& plans, const PlanGoal& goal);
std::string PlansAsJson(const std::vector<TestPlan>& plans, const PlanGoal& goal);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_TEST_PLANNER_H_
