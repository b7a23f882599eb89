// engine/compare/gate_scope.h: which figures of a comparison a gate is about. Stateless.
#ifndef LEAFSCORE_ENGINE_COMPARE_GATE_SCOPE_H_
#define LEAFSCORE_ENGINE_COMPARE_GATE_SCOPE_H_

#include <span>
#include <string_view>

#include "leafscore/compare.h"

namespace leafscore::internal {

// Reads "NAME.mean", "NAME.pass" and "NAME.pass-k" as the mean, the pass rate and pass^k of the scorer NAME,
// unless a scorer has the whole as its name.
ComparisonScope ResolveScope(ComparisonScope scope, std::span<const std::string_view> scorers);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_GATE_SCOPE_H_
