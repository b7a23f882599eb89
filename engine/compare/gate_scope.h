// engine/compare/gate_scope.h: finds the figures of a comparison to which a gate applies. Stateless.
#ifndef LEAFSCORE_ENGINE_COMPARE_GATE_SCOPE_H_
#define LEAFSCORE_ENGINE_COMPARE_GATE_SCOPE_H_

#include <span>
#include <string_view>

#include "leafscore/compare.h"

namespace leafscore::internal {

// Reads "NAME.mean", "NAME.pass" and "NAME.pass-k" as the mean, the pass rate and pass^k of the scorer NAME,
// unless a scorer has that whole name.
ComparisonScope ResolveScope(ComparisonScope scope, std::span<const std::string_view> scorers);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_GATE_SCOPE_H_
