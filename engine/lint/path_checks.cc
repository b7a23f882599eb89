#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "engine/lint/checks.h"
#include "engine/lint/easy_answers.h"
#include "engine/render/cells.h"
#include "engine/report/join_summary.h"

namespace leafscore::internal {
namespace {

// In gold with at least this many records, a path in at most 1 of 100 is rare.
constexpr std::uint64_t kLeastForRare = 100;
constexpr std::uint64_t kRareOneOf = 100;

// Returns the result of the answer made of constant leaves under the scorer that gives it the highest mean;
// null if there is no such answer.
const LintAnswer* MostForConstants(const LintReport& report) {
  const LintAnswer* most = nullptr;
  for (const LintAnswer& answer : report.answers) {
    const bool is_it = answer.answer == "constant_leaves";
    if (is_it && (most == nullptr || *answer.mean > *most->mean)) most = &answer;
  }
  return most;
}

void CheckConstants(const PathTree& paths, LintReport& report) {
  LintFinding finding;
  std::uint64_t leaves = 0;
  for (std::uint32_t place = 0; place < paths.places().size(); ++place) {
    if (!paths.IsConstant(place)) continue;
    leaves += paths.places()[place].leaves;
    AddId(paths.Text(place), finding.paths);
  }
  if (leaves == 0) return;
  const double share = static_cast<double>(leaves) / static_cast<double>(paths.leaves());
  finding.kind = LintKind::kConstantPath;
  finding.numbers = {{"share_of_leaves", share}};
  finding.message =
      fmt::format("The leaves at {} path{} never vary: {:.1f}% of all leaves",
                  WithThousands(finding.paths.count), finding.paths.count == 1 ? "" : "s", 100 * share);
  if (const LintAnswer* const most = MostForConstants(report)) {
    if (*most->mean >= kNotedMean) finding.severity = LintSeverity::kWarning;
    finding.scorer = most->scorer;
    finding.numbers.emplace_back("mean", *most->mean);
    finding.message += fmt::format("; an answer with nothing else scores {:.4f} on average", *most->mean);
  }
  finding.message += '.';
  finding.advice = "Leave them out of the score (ignore_paths, fields), or compare every mean with this one.";
  report.findings.push_back(std::move(finding));
}

void CheckRare(const PathTree& paths, LintReport& report) {
  if (paths.records() < kLeastForRare) return;
  const std::vector<PathTree::Place>& places = paths.places();
  const auto is_rare = [&](std::uint32_t place) {
    return places[place].records * kRareOneOf <= paths.records();
  };
  LintFinding finding;
  for (std::uint32_t place = 1; place < places.size(); ++place) {
    // Report only the root of a rare subtree.
    if (is_rare(place) && !is_rare(places[place].parent)) AddId(paths.Text(place), finding.paths);
  }
  if (finding.paths.count == 0) return;
  finding.kind = LintKind::kRarePath;
  finding.numbers = {{"records", static_cast<double>(paths.records())}};
  finding.message =
      fmt::format("{} path{} in no more than 1% of the records.", WithThousands(finding.paths.count),
                  finding.paths.count == 1 ? " is" : "s are");
  finding.advice = "Look for mistyped keys, and for keys that are data and should be values.";
  report.findings.push_back(std::move(finding));
}

}  // namespace

void CheckPaths(const PathTree& paths, LintReport& report) {
  CheckConstants(paths, report);
  CheckRare(paths, report);
}

}  // namespace leafscore::internal
