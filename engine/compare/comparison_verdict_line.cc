#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/compare/comparison_cells.h"
#include "engine/compare/comparison_names.h"
#include "engine/compare/comparison_sections.h"

namespace leafscore::internal {
namespace {

// A scorer in a file.
struct Judged {
  const FileComparison* file;
  const ScorerComparison* scorer;
};

// Returns for example " by Holm over 2 tests"; empty where p is that of one test alone.
std::string CorrectionOf(const Comparison& comparison) {
  const auto family = std::ranges::find(comparison.families, "scorers", &TestFamily::name);
  const bool is_alone = family == comparison.families.end() || family->tests < 2;
  if (is_alone || comparison.correction == Correction::kNone) return "";
  return fmt::format(" by {} over {} tests", ShortNameOf(comparison.correction), family->tests);
}

// Returns for example "exact_match went from 0.9000 to 0.8000, -0.1000 (95% interval -0.1500 to -0.0500,
// p 0.0012), over 100 records".
std::string ChangeOf(const Judged& judged, const Comparison& comparison) {
  const ComparedMean& mean = judged.scorer->all;
  std::string text = ShownName(judged.scorer->scorer);
  if (comparison.files.size() > 1) text += " in " + ShownName(judged.file->file);
  text += fmt::format(" went from {} to {}, {}", FourDecimals(mean.base), FourDecimals(mean.now),
                      Signed(mean.difference));
  std::string how_sure;
  if (mean.interval) {
    how_sure = fmt::format("{} interval {} to {}", Confidence(comparison.alpha), Signed(mean.interval->low),
                           Signed(mean.interval->high));
  }
  if (FinalP(mean)) {
    const std::string correction = CorrectionOf(comparison);
    if (mean.interval) how_sure += correction.empty() ? ", " : ", uncorrected; ";
    how_sure += fmt::format("p {}{}", PValue(FinalP(mean)), correction);
  }
  if (!how_sure.empty()) text += " (" + how_sure + ")";
  return text + ", over " + Counted(mean.records, "record", "records");
}

// Returns what a verdict means for this change.
std::string Meaning(const ComparedMean& mean, const Comparison& comparison) {
  if (mean.verdict == ComparisonVerdict::kEquivalent) {
    return fmt::format("; a change of {:.6g} or more is ruled out", comparison.margin);
  }
  if (mean.verdict != ComparisonVerdict::kInconclusive) return "";
  const std::string_view one = comparison.cluster.empty() ? "record" : "cluster";
  const std::string several = std::string(one) + 's';
  return fmt::format("; that may be chance, and {}",
                     mean.more_units
                         ? fmt::format("about {} more would decide", Counted(*mean.more_units, one, several))
                         : "more " + several + " like these would not decide");
}

// Returns for example "; of the other scorers 1 improved, 2 equivalent".
std::string OthersText(const std::vector<Judged>& all, const ScorerComparison* told) {
  std::string text;
  for (const NamedChoice<ComparisonVerdict>& verdict : kVerdictNames) {
    const auto count = std::ranges::count_if(all, [&](const Judged& judged) {
      return judged.scorer != told && judged.scorer->all.verdict == verdict.choice;
    });
    if (count > 0)
      text += fmt::format("{} {} {}", text.empty() ? "; of the others" : ",", count, verdict.name);
  }
  return text;
}

std::string GatesText(std::span<const GateResult> gates) {
  if (gates.empty()) return "";
  const auto failed = std::ranges::count(gates, false, &GateResult::passed);
  if (failed == 0)
    return gates.size() == 1 ? "; the gate holds" : fmt::format("; all {} gates hold", gates.size());
  return fmt::format("; {} of {} failed", failed, Counted(gates.size(), "gate", "gates"));
}

}  // namespace

std::string VerdictLine(const Comparison& comparison, std::span<const GateResult> gates) {
  std::vector<Judged> all;
  for (const FileComparison& file : comparison.files) {
    for (const ScorerComparison& scorer : file.scorers) all.push_back({&file, &scorer});
  }
  std::string line(NameOf(comparison.verdict));
  // The one that changed most of those whose verdict is that of all.
  const auto size = [&](const Judged& judged) {
    const ComparedMean& mean = judged.scorer->all;
    return mean.verdict == comparison.verdict ? std::abs(mean.difference) : -1.0;
  };
  const auto told = std::ranges::max_element(all, {}, size);
  if (told != all.end()) {
    line += ": " + ChangeOf(*told, comparison) + Meaning(told->scorer->all, comparison) +
            OthersText(all, told->scorer);
  }
  return line + GatesText(gates);
}

}  // namespace leafscore::internal
