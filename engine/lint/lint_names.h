// engine/lint/lint_names.h: the names that outputs of the linter use, and people who accept findings.
#ifndef LEAFSCORE_ENGINE_LINT_LINT_NAMES_H_
#define LEAFSCORE_ENGINE_LINT_LINT_NAMES_H_

#include <string_view>
#include <vector>

namespace leafscore::internal {

// Returns the names of all kinds of findings.
std::vector<std::string_view> LintKindNames();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_LINT_NAMES_H_
