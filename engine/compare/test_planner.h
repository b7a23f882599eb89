// engine/compare/test_planner.h: plans a comparison before it is run. Computes how many records are needed to
// find a given drop, and which drop is found with a given number of records. Stateless.
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
  double power = 0.8;  // share of the runs that find the drop
  double alpha = 0.05;
  std::uint64_t slices = 1;  // number of groups that are also tested, each at alpha / slices
};

// How much two runs of one model differ in a figure by chance alone, given by `churn` or `sd`.
struct ChanceOfFigure {
  std::string scorer = {};  // empty if the user gave the numbers
  bool is_pass_rate = false;
  std::optional<double> churn = {};   // share of the records whose verdict changes
  std::optional<double> sd = {};      // standard deviation of the score differences
  bool at_most = false;               // upper bounds, as if the runs had nothing in common
  std::optional<double> figure = {};  // the pass rate or the mean

  // Returns whether a drop does not take the figure below 0.
  bool CanFallBy(double drop) const { return !figure || drop <= *figure; }
  std::uint64_t records = 0;  // in the pilot; 0 without a pilot
};

// The drop that a number of records finds.
struct FoundDrop {
  std::uint64_t records = 0;
  std::optional<double> drop = {};           // nullopt if no possible drop is found
  std::optional<double> drop_of_slice = {};  // if the slice has this number of records
};

// One way in which a figure may drop.
struct PlannedWay {
  std::string name = {};                            // name in JSON
  std::string words = {};                           // for people: "if some answers break"
  std::optional<std::uint64_t> records = {};        // needed for the drop; nullopt if too many or impossible
  std::optional<std::uint64_t> slice_records = {};  // needed in each slice
  std::vector<FoundDrop> drops = {};                // for usual numbers and TestPlan::records, ascending
};

struct TestPlan {
  ChanceOfFigure chance = {};
  // The number of records that the user asked about, else the number in the pilot.
  std::optional<std::uint64_t> records = {};
  std::vector<PlannedWay> ways = {};
};

// Returns the figures of the scorers in a comparison of two runs of one model. A pass rate has a churn, and a
// mean of scores has a standard deviation.
std::vector<ChanceOfFigure> ChancesOf(const Comparison& pilot);

// Returns, by scorer, upper bounds for the difference between two runs that are like the run in `file`. The
// bounds treat the two runs as independent, as if each had answered other records. For a pass rate, the bound
// is the highest for any rate in its 95% interval. For a mean, the bound comes from the spread of the scores.
// If the scores are too few or all equal, the bound is the highest for any mean in its 95% interval. ERRORS:
// as RankFiles.
std::vector<ChanceOfFigure> ChancesAtMost(const std::string& file, const LeaderboardOptions& options);

// Returns the highest churn of two runs with this pass rate: the churn if the two runs are independent.
double MostChurn(double pass_rate);

// Plans the test of a figure. REQUIRES: a churn or a spread; a drop and an alpha above 0, slices > 0.
TestPlan PlanTest(const ChanceOfFigure& chance, const PlanGoal& goal, std::optional<std::uint64_t> records);

std::string PlansAsText(const std::vector<TestPlan>& plans, const PlanGoal& goal);
std::string PlansAsJson(const std::vector<TestPlan>& plans, const PlanGoal& goal);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_TEST_PLANNER_H_
