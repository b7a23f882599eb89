// engine/lint/lint_names.h: the names of findings, for outputs of the linter and for accepting findings.
#ifndef LEAFSCORE_ENGINE_LINT_LINT_NAMES_H_
#define LEAFSCORE_ENGINE_LINT_LINT_NAMES_H_

#include <string_view>
#include <vector>

namespace leafscore::internal {

// Returns the names of all kinds of findings.
std::vector<std::string_view> LintKindNames();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_LINT_NAMES_H_
