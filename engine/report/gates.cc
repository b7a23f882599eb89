#include <fmt/format.h>

#include <algorithm>

#include "leafscore/report.h"

namespace leafscore {

bool RunReport::CountsAddUp() const { return std::ranges::all_of(scorers, &ScorerReport::counts_add_up); }

std::vector<std::string> FailedGates(const RunReport& report, const Gates& gates) {
  std::vector<std::string> failed;
  if (!gates.fail_under && !gates.min_pass_rate) return failed;
  for (const ScorerReport& scorer : report.scorers) {
    const Figures& figures = scorer.figures;
    if (!figures.mean) failed.push_back(fmt::format("{} scored no record", scorer.scorer));
    if (gates.fail_under && figures.mean && *figures.mean < *gates.fail_under) {
      failed.push_back(fmt::format("the mean of {} is {:.6g}, under {:.6g}", scorer.scorer, *figures.mean,
                                   *gates.fail_under));
    }
    if (gates.min_pass_rate && figures.pass_rate && *figures.pass_rate < *gates.min_pass_rate) {
      failed.push_back(fmt::format("the pass rate of {} is {:.6g}, under {:.6g}", scorer.scorer,
                                   *figures.pass_rate, *gates.min_pass_rate));
    }
  }
  const bool any_pass_rate = std::ranges::any_of(
      report.scorers, [](const ScorerReport& scorer) { return scorer.figures.pass_rate.has_value(); });
  if (gates.min_pass_rate && !any_pass_rate && failed.empty()) {
    throw Error(ErrorCode::kUsage, "--min-pass-rate needs a scorer that passes or fails records");
  }
  return failed;
}

}  // namespace leafscore
