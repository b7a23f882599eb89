// engine/evaluate/asked_scenarios.h: the results of the scenarios that were asked for, as figures of
// `leafscore score`. Every selected scenario is asked of every runner and model that any file names, and a
// scenario without a score counts as 0 and not passed. Selected ids without a scenario are asked for, too,
// and are errors; so are scenarios with a flaw (ScenarioFlaw), with or without a run. For each runner and
// model, each scenario with a run takes about 80 bytes. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_EVALUATE_ASKED_SCENARIOS_H_
#define LEAFSCORE_ENGINE_EVALUATE_ASKED_SCENARIOS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/evaluate/scenario_scorers.h"
#include "engine/evaluate/scenarios.h"
#include "engine/report/run_summary.h"
#include "leafscore/files.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// The fields by which the figures of an evaluation are grouped.
inline constexpr char kScenarioTypeField[] = "scenario_type";
inline constexpr char kRunnerAndModelField[] = "runner_and_model";

class AskedScenarios {
 public:
  // `unknown_ids` is the number of selected ids without a scenario. REQUIRES: both outlive this.
  AskedScenarios(const ScenarioSet& scenarios, const ScenarioScorers& scorers, std::size_t unknown_ids,
                 Repeats repeats)
      : scenarios_(scenarios),
        scorers_(scorers),
        unknown_ids_(unknown_ids),
        repeats_(repeats),
        json_in_texts_(scorers.sets().size()),
        absent_paths_(scorers.sets().size()) {}

  // Returns the scorers of the selected scenarios, which the report covers.
  std::vector<std::string> ScorerNames() const;

  // Adds agent runs in the order of their paths: a run of a scenario, or a run whose scenario does not exist.
  // ERRORS: Error(kInput) for a repeated run, if the options make it an error.
  void Add(const std::string& runner_and_model, std::uint32_t scenario, const RecordScore& score);
  void AddUnmatched(const std::string& runner_and_model, std::string_view scenario_id);
  // Records that this runner and model exists, whatever it ran.
  void AddSource(const std::string& runner_and_model) { sources_[runner_and_model]; }

  // Adds the counts for the runs that a scorer scored.
  void AddJsonInTexts(std::uint32_t scorer, const JsonInTexts& texts) {
    json_in_texts_[scorer].parsed += texts.parsed;
    json_in_texts_[scorer].as_texts += texts.as_texts;
  }

  // Sets the paths in the options of a scorer that lead nowhere in any expected value.
  void SetAbsentPaths(std::uint32_t scorer, std::vector<std::string> paths) {
    absent_paths_[scorer] = std::move(paths);
  }

  // Returns the figures of each scorer over the scenarios that it scores, with their groups, and the counts
  // for each runner and model. COST: scenarios times sources.
  RunReport Report() const;

 private:
  struct Source {
    SourceCounts counts;
    std::unordered_map<std::uint32_t, std::vector<RecordScore>>
        scores;  // by scenario: scores of the runs that count
  };

  ScorerReport ReportOf(std::uint32_t scorer) const;

  const ScenarioSet& scenarios_;
  const ScenarioScorers& scorers_;
  std::size_t unknown_ids_;
  Repeats repeats_;
  std::vector<JsonInTexts> json_in_texts_;              // by scorer
  std::vector<std::vector<std::string>> absent_paths_;  // by scorer
  std::map<std::string, Source> sources_;               // by runner and model
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_ASKED_SCENARIOS_H_
