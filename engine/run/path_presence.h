// engine/run/path_presence.h: finds out which paths in the options of scorers lead somewhere in the expected
// values of a run (BatchScorer::PathPresence). Otherwise a mistyped path could make every answer look right.
// Stateless.
#ifndef LEAFSCORE_ENGINE_RUN_PATH_PRESENCE_H_
#define LEAFSCORE_ENGINE_RUN_PATH_PRESENCE_H_

#include <span>
#include <string>
#include <vector>

#include "engine/run/batch_scorer.h"
#include "engine/run/field_presence.h"

namespace leafscore::internal {

// Returns, for each scorer, the paths that no expected value has. `presence` is the sum of PathPresence over
// the run.
std::vector<std::vector<std::string>> AbsentPaths(const BatchScorer& scorer,
                                                  std::span<const FieldPresence> presence);

// Checks that every path leads somewhere in some expected value. ERRORS: as CheckFieldsAreThere.
void CheckPathsLead(const BatchScorer& scorer, std::span<const FieldPresence> presence);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_PATH_PRESENCE_H_
