// engine/evaluate/scenario_scorers.h: the scorers that the scenarios of an evaluation ask for.
// THREADS: does not change once made; any number may read it.
#ifndef LEAFSCORE_ENGINE_EVALUATE_SCENARIO_SCORERS_H_
#define LEAFSCORE_ENGINE_EVALUATE_SCENARIO_SCORERS_H_

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/config/scorer_specs.h"
#include "engine/evaluate/scenarios.h"
#include "engine/run/scorer_set.h"

namespace leafscore::internal {

class ScenarioScorers {
 public:
  // A scoring method is the name of a configured scorer, else a scorer type with its default options.
  // Scenarios without one, or with another name, have the default. ERRORS: Error(kUsage) when the default is
  // neither, or for a wrong option; `config_name` is for messages.
  ScenarioScorers(std::span<const Scenario> scenarios, const std::string& default_scorer,
                  std::span<const ScorerSpec> configured, const std::string& config_name);

  // Sets of one scorer each; number 0 is the default.
  const std::deque<ScorerSet>& sets() const { return sets_; }
  std::uint32_t OfScenario(std::uint32_t scenario) const { return of_scenario_[scenario]; }

  // Tells whether a scenario has no ground truth though its scorer needs some: it is an error, run or not.
  bool LacksGroundTruth(std::uint32_t scenario) const { return lacks_ground_truth_[scenario]; }

  // The methods that are not known, with the number of scenarios that ask for them.
  const std::map<std::string, std::uint64_t>& unknown_methods() const { return unknown_methods_; }

 private:
  std::deque<ScorerSet> sets_;
  std::vector<std::uint32_t> of_scenario_;
  std::vector<bool> lacks_ground_truth_;
  std::map<std::string, std::uint64_t> unknown_methods_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_SCENARIO_SCORERS_H_
