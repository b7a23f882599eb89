// Google ADK's tool_trajectory_avg_score (google-adk 2.13.0), with one turn per record.
#include "engine/scorers/tool_calls/origins.h"

namespace leafscore::internal {
namespace {

constexpr CallMode kAdkModes[] = {CallMode::kExact, CallMode::kInOrder, CallMode::kAnyOrder};
constexpr std::string_view kAdkOptions[] = {"args"};

OriginScore ScoreAdk(const OriginSides& sides) {
  const auto& e = sides.expected;
  const auto& a = sides.actual;
  const bool compares = sides.rules->args.front().mode != ArgsMode::kIgnore;
  const auto fits = [&](std::size_t i, std::size_t j) {
    if (e[i].name != a[j].name) return false;
    if (!compares) return true;
    if (e[i].bad_arguments || a[j].bad_arguments) return false;
    if (!e[i].has_arguments() || !a[j].has_arguments()) return e[i].has_arguments() == a[j].has_arguments();
    return sides.PyEqual(e[i].arguments, a[j].arguments);
  };
  bool passes = true;
  if (sides.rules->mode == CallMode::kExact) {
    passes = e.size() == a.size();
    for (std::size_t i = 0; i < e.size() && passes; ++i) passes = fits(i, i);
  } else if (sides.rules->mode == CallMode::kInOrder) {
    std::size_t next = 0;
    for (std::size_t j = 0; j < a.size() && next < e.size(); ++j) next += fits(next, j);
    passes = next == e.size();
  } else {
    passes = CountGreedily(e.size(), a.size(), fits) == e.size();
  }
  return {.score = passes ? 1.0 : 0.0};
}

}  // namespace

constinit const Origin kAdkOrigin = {kAdkModes, kAdkOptions, false, ScoreAdk};

}  // namespace leafscore::internal
