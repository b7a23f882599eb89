#include "engine/compare/gate_scope.h"

#include <algorithm>

namespace leafscore::internal {

ComparisonScope ResolveScope(ComparisonScope scope, std::span<const std::string_view> scorers) {
  if (std::ranges::find(scorers, scope.scorer) != scorers.end()) return scope;
  for (const auto& [suffix, part] : {std::pair<std::string_view, ComparedPart>(".mean", ComparedPart::kMean),
                                     {".pass", ComparedPart::kPassRate},
                                     {".pass-k", ComparedPart::kPassK}}) {
    if (!scope.scorer.ends_with(suffix)) continue;
    scope.scorer.resize(scope.scorer.size() - suffix.size());
    scope.part = part;
    break;
  }
  return scope;
}

}  // namespace leafscore::internal
