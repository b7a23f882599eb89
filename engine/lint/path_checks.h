// engine/lint/path_checks.h: paths of the gold that say little.
#ifndef LEAFSCORE_ENGINE_LINT_PATH_CHECKS_H_
#define LEAFSCORE_ENGINE_LINT_PATH_CHECKS_H_

#include "engine/lint/path_tree.h"
#include "leafscore/lint.h"

namespace leafscore::internal {

// Looks for leaves that never vary and paths that only a few records have.
// REQUIRES: report.answers is known, which tells what the former earn.
void CheckPaths(const PathTree& paths, LintReport& report);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_PATH_CHECKS_H_
