// engine/compare/test_planner.h: what a comparison will be able to tell, before it is run: how many records
// find a drop, and which drops some numbers of records find. Stateless.
#ifndef LEAFSCORE_ENGINE_COMPARE_TEST_PLANNER_H_
#define LEAFSCORE_ENGINE_COMPARE_TEST_PLANNER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "leafscore/compare.h"

namespace leafscore::internal {

// What the user wants to find, and how surely.
struct PlanGoal {
  double drop = 0.01;  // of the mean, or of the pass rate
  double power = 0.8;  // the share of runs that find it
  double alpha = 0.05;
  std::uint64_t slices = 1;  // groups that are tested, too: each at alpha / slices
};

// How far two runs of one model differ in a figure, by chance alone: either of `churn` and `sd`.
struct ChanceOfFigure {
  std::string scorer = {};  // empty: of numbers that were given
  bool is_pass_rate = false;
  std::optional<double> churn = {};   // share of the records whose verdict turns
  std::optional<double> sd = {};      // standard deviation of the differences of scores
  bool at_most = false;               // as if the two runs had nothing in common
  std::optional<double> figure = {};  // the pass rate or the mean

  // No figure falls by more than it is.
  bool CanFallBy(double drop) const { return !figure || drop <= *figure; }
  std::uint64_t records = 0;  // of the pilot; 0 where none was run
};

// The drop that so many records find.
struct FoundDrop {
  std::uint64_t records = 0;
  std::optional<double> drop = {};           // none: not even one of 1
  std::optional<double> drop_of_slice = {};  // with as many records in the slice
};

// One way in which a figure may drop.
struct PlannedWay {
  std::string name = {};                      // in JSON
  std::string words = {};                     // for people: "if some answers break"
  std::optional<std::uint64_t> records = {};  // that find the drop that is wanted; none: over kMostPlanned,
                                              // or the figure cannot fall so far
  std::optional<std::uint64_t> slice_records = {};  // of each slice
  std::vector<FoundDrop> drops = {};                // of some usual numbers and TestPlan::records, ascending
};

struct TestPlan {
  ChanceOfFigure chance = {};
  // The number of records that the user asks about, else that of the pilot.
  std::optional<std::uint64_t> records = {};
  std::vector<PlannedWay> ways = {};
};

// Returns the figures of the scorers in a comparison of two runs of one model. A figure of verdicts has a
// churn, others have a spread.
std::vector<ChanceOfFigure> ChancesOf(const Comparison& pilot);

// Returns at most how far two runs like the one in a file differ, by scorer: as far as if they had answered
// different records, and as the 95% interval of the pass rate lets. Where few scores or equal ones tell
// nothing of their spread, it is the most that the interval of their mean lets. ERRORS: as RankFiles.
std::vector<ChanceOfFigure> ChancesAtMost(const std::string& file, const LeaderboardOptions& options);

// Returns the churn of two runs that have nothing in common but their pass rate, which is the most there is.
double MostChurn(double pass_rate);

// Plans the test of a figure. REQUIRES: a churn or a spread; a drop and an alpha above 0, slices > 0.
TestPlan PlanTest(const ChanceOfFigure& chance, const PlanGoal& goal, std::optional<std::uint64_t> records);

std::string PlansAsText(const std::vector<TestPlan>& plans, const PlanGoal& goal);
std::string PlansAsJson(const std::vector<TestPlan>& plans, const PlanGoal& goal);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_TEST_PLANNER_H_
