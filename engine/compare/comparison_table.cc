#include <string>

#include "engine/compare/comparison_formats.h"
#include "engine/compare/comparison_sections.h"
#include "engine/report/edit_marks.h"
#include "engine/report/text_table.h"

namespace leafscore {

using namespace internal;

namespace internal {
namespace {

std::string_view ColourOf(ComparisonVerdict verdict) {
  switch (verdict) {
    case ComparisonVerdict::kRegressed:
      return "\x1b[1;31m";
    case ComparisonVerdict::kInconclusive:
      return "\x1b[1;33m";
    default:
      return "\x1b[1;32m";
  }
}

}  // namespace

std::string ComparisonTable(const Comparison& comparison, std::span<const GateResult> gates, bool colour) {
  std::string text = VerdictLine(comparison, gates) + '\n';
  if (colour) {
    const std::size_t verdict_end = text.find_first_of(":;\n");
    text.insert(verdict_end, "\x1b[0m").insert(0, ColourOf(comparison.verdict));
  }
  for (const Section& section : SectionsOf(comparison, gates)) {
    text += '\n' + section.title + '\n';
    if (!section.rows.empty()) AppendAligned(section.rows, section.left_columns, text);
    for (const Section::Line& line : section.lines) {
      text.append(2 * (line.depth + 1), ' ') += RenderMarks(line.text, colour) + '\n';
    }
  }
  return text;
}

}  // namespace internal

std::string RenderComparison(const Comparison& comparison, std::span<const GateResult> gates,
                             ComparisonFormat format, bool colour) {
  switch (format) {
    case ComparisonFormat::kMarkdown:
      return ComparisonMarkdown(comparison, gates);
    case ComparisonFormat::kJson:
      return ComparisonJson(comparison, gates);
    case ComparisonFormat::kCsv:
      return ComparisonCsv(comparison);
    case ComparisonFormat::kJunit:
      return ComparisonJunit(comparison, gates);
    case ComparisonFormat::kLatex:
      return ComparisonLatex(comparison, gates);
    default:
      return ComparisonTable(comparison, gates, colour);
  }
}

}  // namespace leafscore
