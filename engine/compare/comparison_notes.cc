#include <fmt/format.h>

#include <string>
#include <vector>

#include "engine/compare/comparison_cells.h"
#include "engine/compare/comparison_names.h"
#include "engine/compare/comparison_sections.h"
#include "engine/report/human_numbers.h"
#include "engine/report/look_alikes.h"

namespace leafscore::internal {
namespace {

// Returns a sentence for each p-value family, with what corrects it.
std::string FamiliesText(const Comparison& comparison) {
  constexpr char kIntervals[] = "; intervals are not corrected";
  std::string tests;
  for (const TestFamily& family : comparison.families) {
    tests += fmt::format("{}{} of {}", tests.empty() ? "" : ", ", Counted(family.tests, "test", "tests"),
                         Visible(family.name));
  }
  switch (comparison.correction) {
    case Correction::kHolm:
      return "p-values are corrected by Holm within each family: " + tests + kIntervals;
    case Correction::kBenjaminiHochberg:
      return "p-values are corrected by Benjamini and Hochberg (BH) within each family: " + tests +
             kIntervals;
    default:
      return "p-values are not corrected for being many: " + tests;
  }
}

// Adds lines on names in this comparison that look alike. Fields are named by the user's own keys.
void AddLookAlikes(const Comparison& comparison, std::vector<Section::Line>& lines) {
  std::vector<std::string> scorers;
  std::vector<std::string> groups;
  for (const FileComparison& file : comparison.files) {
    for (const ScorerComparison& scorer : file.scorers) {
      scorers.push_back(scorer.scorer);
      for (const ComparedRow& group : scorer.groups) groups.push_back(group.group.value_or(""));
    }
  }
  for (const std::vector<std::string>* const names : {&scorers, &groups}) {
    std::string notes = LookAlikeNotes(*names);
    for (std::size_t begin = 0, end = 0; (end = notes.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      lines.push_back({0, notes.substr(begin, end - begin)});
    }
  }
}

}  // namespace

Section Notes(const Comparison& comparison) {
  Section section{.kind = Section::Kind::kNotes, .title = "Notes"};
  std::vector<Section::Line>& lines = section.lines;
  lines.push_back({0, fmt::format("margin {:.6g}: the smallest change of a mean that matters; alpha {:.6g}",
                                  comparison.margin, comparison.alpha)});
  if (!comparison.families.empty()) lines.push_back({0, FamiliesText(comparison)});
  if (!comparison.cluster.empty()) {
    lines.push_back({0, "records depend on each other within clusters by " + ShownName(comparison.cluster)});
  }
  if (comparison.common_only) lines.push_back({0, "only ids with a line on both sides are compared"});
  if (!comparison.verified) lines.push_back({0, "not verified, for want of manifests"});
  for (const std::string& warning : comparison.warnings) lines.push_back({0, "warning: " + Visible(warning)});
  AddLookAlikes(comparison, lines);
  return section;
}

}  // namespace leafscore::internal
