// engine/run/scorer_set.h: the configured scorers of a run, in order.
// THREADS: does not change once made; any number may read it.
#ifndef LEAFSCORE_ENGINE_RUN_SCORER_SET_H_
#define LEAFSCORE_ENGINE_RUN_SCORER_SET_H_

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/config/scorer_specs.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

struct NamedScorer {
  std::string name;
  std::unique_ptr<Scorer> scorer;
};

class ScorerSet {
 public:
  // ERRORS: Error(kUsage) with source and line for an unknown type (and the nearest one) or a wrong option,
  // and
  //         for a LEAFSCORE_ISA that cannot be honoured.
  ScorerSet(std::span<const ScorerSpec> specs, const std::string& source_name);

  std::span<const NamedScorer> scorers() const { return scorers_; }
  std::vector<std::string> names() const;

 private:
  std::vector<NamedScorer> scorers_;
};

// Returns specs of scorers with default options, named by their types.
std::vector<ScorerSpec> DefaultScorerSpecs(std::span<const std::string> types);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_SCORER_SET_H_
