// engine/evaluate/scenario_scorers.h: the scorers that the scenarios of an evaluation ask for.
// THREADS: immutable once made; any number may read it.
#ifndef LEAFSCORE_ENGINE_EVALUATE_SCENARIO_SCORERS_H_
#define LEAFSCORE_ENGINE_EVALUATE_SCENARIO_SCORERS_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/scorer_specs.h"
#include "engine/evaluate/scenarios.h"
#include "engine/run/scorer_set.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

// Why a scenario cannot be scored, with or without a run.
struct ScenarioFlaw {
  RejectReason reason;
  std::string text;
};

// Returns the scorer, configured or not, that a scoring method probably means; empty if no name is similar.
std::string NearestMethod(std::string_view method, std::span<const ScorerSpec> configured);

class ScenarioScorers {
 public:
  // A scoring method is the name of a configured scorer, else of a scorer type with its default options.
  // Scenarios without a method use the default scorer. An unknown method is a flaw; with
  // `accept_unknown_methods`, such scenarios use the default scorer, too. `config_name` is for messages.
  // ERRORS: Error(kUsage) for a default scorer that is unknown or lacks its model, or a wrong option.
  ScenarioScorers(std::span<const Scenario> scenarios, const std::string& default_scorer,
                  std::span<const ScorerSpec> configured, const std::string& config_name,
                  bool accept_unknown_methods = false);

  // Sets of one scorer each; number 0 is the default.
  const std::deque<ScorerSet>& sets() const { return sets_; }
  std::uint32_t OfScenario(std::uint32_t scenario) const { return of_each_[scenario].set; }

  // Returns the scorer of a scenario with its own rules: its evaluation_metadata replaces the
  // configuration's; null if the scenario has no rules, or its scorer does not use them.
  const ScorerSet* WithMetadata(std::uint32_t scenario) const { return of_each_[scenario].with_metadata; }
  // Returns whether static_json ignores the scenario's metadata because of its revision.
  bool LeavesMetadata(std::uint32_t scenario) const { return of_each_[scenario].leaves_metadata; }

  // Returns why a scenario cannot be scored, or nullopt if it can be scored. Either its scorer needs ground
  // truth that it does not have, or its rules cannot be read or name an unknown scorer.
  const std::optional<ScenarioFlaw>& Flaw(std::uint32_t scenario) const { return of_each_[scenario].flaw; }

  // Returns whether the scoring method of a scenario is not the name of a scorer.
  bool HasUnknownMethod(std::uint32_t scenario) const { return of_each_[scenario].has_unknown_method; }

  // Checks that each selected scenario whose scoring method asks a model has a scorer of this name.
  // REQUIRES: the scenarios of the constructor. ERRORS: Error(kUsage).
  void CheckJudges(std::span<const Scenario> scenarios) const;
  // Returns whether the scorer of a scenario would ask this model.
  bool IsJudge(std::uint32_t scenario, std::string_view model) const;
  // Returns the model that the scorer of a scenario would ask, if it may be this model under another name:
  // the names differ only in case, in the part up to the last "/" (openai/gpt-4o) or in a date at the end
  // (gpt-4o-2024-08-06, ...-20240806). RETURNS: an empty text otherwise.
  std::string_view LikeJudge(std::uint32_t scenario, std::string_view model) const;

 private:
  struct ScenarioScorer {
    std::uint32_t set = 0;
    const ScorerSet* with_metadata = nullptr;
    bool leaves_metadata = false;
    std::optional<ScenarioFlaw> flaw = {};
    bool lacks_judge = false;
    bool has_unknown_method = false;
  };

  const ScorerSet* AddWithMetadata(const ScorerSet& set, const std::string& scenario,
                                   const ConfigValue& metadata);

  std::deque<ScorerSet> sets_;
  std::deque<ScorerSet> sets_with_metadata_;
  std::vector<std::vector<std::string>> judges_;  // by set: the models that it asks
  std::vector<ScenarioScorer> of_each_;           // by scenario
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_SCENARIO_SCORERS_H_
