#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compare/comparison_cells.h"
#include "engine/compare/comparison_document.h"
#include "engine/compare/comparison_names.h"
#include "engine/compare/row_figures.h"
#include "engine/render/cells.h"

namespace leafscore::internal {
namespace {

// A scorer in a file.
struct Judged {
  const FileComparison* file;
  const ScorerComparison* scorer;
};

// Returns for example " by Holm over 2 tests"; empty if p comes from a single test.
std::string CorrectionOf(const Comparison& comparison) {
  const auto family = std::ranges::find(comparison.families, "scorers", &TestFamily::name);
  const bool is_alone = family == comparison.families.end() || family->tests < 2;
  if (is_alone || comparison.correction == Correction::kNone) return "";
  return fmt::format(" by {} over {} tests", ShortNameOf(comparison.correction), family->tests);
}

// Returns how sure a change is: its interval and p.
std::string HowSure(const ComparedFigure& figure, const Comparison& comparison) {
  std::string text;
  if (figure.interval) {
    text = fmt::format("{} interval {} to {}", Confidence(comparison.alpha), Signed(figure.interval->low),
                       Signed(figure.interval->high));
  }
  if (!FinalP(figure)) return text;
  const std::string correction = CorrectionOf(comparison);
  if (figure.interval) text += correction.empty() ? ", " : ", uncorrected; ";
  return text + fmt::format("p {}{}", PValue(FinalP(figure)), correction);
}

std::string NameOfFigure(const ComparedFigure& figure, const ComparedRow& row, const Comparison& comparison) {
  if (&figure == &row.mean) return "mean";
  return row.pass && &figure == &*row.pass ? "pass rate" : fmt::format("pass^{}", comparison.pass_k);
}

// Returns for example "mean rose by +0.0680", "pass rate fell from 100% to 80%".
std::string HowItChanged(const ComparedFigure& figure, const ComparedRow& row, const Comparison& comparison) {
  const std::string_view way = figure.difference > 0 ? "rose" : "fell";
  const std::string how = &figure == &row.mean
                              ? fmt::format("by {}", Signed(figure.difference))
                              : fmt::format("from {} to {}", Percentage(figure.base), Percentage(figure.now));
  return fmt::format("{} {} {}", NameOfFigure(figure, row, comparison), way, how);
}

// Returns for example "exact_match went from 0.9000 to 0.8000, -0.1000 (95% interval -0.1500 to -0.0500, p
// 0.0012), over 100 records". If figures contradict each other, the text names a figure that improved, then
// one that regressed: "mean rose by +0.0680, but the pass rate fell from 100% to 80% (p 0.0010), under
// exact_match, over 100 records".
std::string ChangeOf(const Judged& judged, const Comparison& comparison) {
  const ComparedRow& row = judged.scorer->all;
  std::string name = ShownName(judged.scorer->scorer);
  if (comparison.files.size() > 1) name += " in " + ShownName(judged.file->file);
  const std::string over = ", over " + Counted(row.records, "record", "records");
  if (row.contradiction) {
    const ComparedFigure& fell = *FigureWith(ComparisonVerdict::kRegressed, row);
    return fmt::format("{}, but {}{} ({}), under {}{}",
                       HowItChanged(*FigureWith(ComparisonVerdict::kImproved, row), row, comparison),
                       row.pass_k && &fell == &*row.pass_k ? "" : "the ", HowItChanged(fell, row, comparison),
                       HowSure(fell, comparison), name, over);
  }
  // The first figure that has the verdict of the row.
  const ComparedFigure* const with_verdict = FigureWith(row.verdict, row);
  const ComparedFigure& figure = with_verdict == nullptr ? row.mean : *with_verdict;
  const std::string part =
      &figure == &row.mean ? "" : "the " + NameOfFigure(figure, row, comparison) + " of ";
  std::string text = fmt::format("{}{} went from {} to {}, {}", part, name, FourDecimals(figure.base),
                                 FourDecimals(figure.now), Signed(figure.difference));
  const std::string how_sure = HowSure(figure, comparison);
  if (!how_sure.empty()) text += " (" + how_sure + ")";
  return text + over;
}

// Returns the meaning of a verdict for this change.
std::string Meaning(const ComparedRow& row, const Comparison& comparison) {
  if (row.verdict == ComparisonVerdict::kEquivalent) {
    return fmt::format("; a change of {:.6g} or more is ruled out", comparison.margin);
  }
  if (row.verdict != ComparisonVerdict::kInconclusive) return "";
  if (!row.could_fail()) {
    return fmt::format("; that may be chance: {} {} cannot show anything, at least {} are needed", row.units,
                       comparison.cluster.empty() ? "records" : "clusters", row.units_to_fail);
  }
  if (!row.mean.detectable) return "; that may be chance";
  return fmt::format("; that may be chance: these detect drops of {} in 4 of 5 runs",
                     FourDecimals(row.mean.detectable));
}

// Returns for example "; of the others 1 improved, 2 equivalent".
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

// Returns the groups in which a gate could not have failed, whatever the answers were, and the caveats of
// gates.
std::string PowerlessText(std::span<const GateResult> gates) {
  constexpr std::size_t kMaxNamed = 5;
  std::set<std::string_view> groups;  // several gates may apply to each
  std::set<std::string> powerless;
  std::string caveats;
  for (const GateResult& gate : gates) {
    if (!gate.caveat.empty()) caveats += "; " + gate.caveat;
    if (!gate.group) continue;
    groups.insert(*gate.group);
    if (!gate.could_fail) powerless.insert(ShownName(*gate.group));
  }
  if (powerless.empty()) return caveats;
  std::string names;
  for (const std::string& name : powerless | std::views::take(kMaxNamed)) {
    names += (names.empty() ? "" : ", ") + name;
  }
  if (powerless.size() > kMaxNamed) names += ", ...";
  return fmt::format("; could not have failed on {} of {}, which are too small: {}", powerless.size(),
                     Counted(groups.size(), "group", "groups"), names) +
         caveats;
}

std::string GatesText(std::span<const GateResult> gates) {
  if (gates.empty()) return "";
  const auto failed = std::ranges::count(gates, false, &GateResult::passed);
  if (failed > 0) return fmt::format("; {} of {} failed", failed, Counted(gates.size(), "gate", "gates"));
  return (gates.size() == 1 ? "; the gate holds" : fmt::format("; all {} gates hold", gates.size())) +
         PowerlessText(gates);
}

}  // namespace

std::string VerdictLine(const Comparison& comparison, std::span<const GateResult> gates) {
  std::vector<Judged> all;
  for (const FileComparison& file : comparison.files) {
    for (const ScorerComparison& scorer : file.scorers) all.push_back({&file, &scorer});
  }
  std::string line(NameOf(comparison.verdict));
  // Find the scorer that changed most, among the scorers with the overall verdict.
  const auto size = [&](const Judged& judged) {
    const ComparedRow& row = judged.scorer->all;
    double change = 0;
    ForEachFigure(row, [&](ComparedPart, const ComparedFigure& figure) {
      change = std::max(change, std::abs(figure.difference));
    });
    return row.verdict == comparison.verdict ? change : -1.0;
  };
  const auto told = std::ranges::max_element(all, {}, size);
  if (told != all.end()) {
    line += ": " + ChangeOf(*told, comparison) + Meaning(told->scorer->all, comparison) +
            OthersText(all, told->scorer);
  }
  return line + GatesText(gates);
}

}  // namespace leafscore::internal
