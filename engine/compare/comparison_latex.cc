#include <string>
#include <string_view>

#include "engine/compare/comparison_formats.h"
#include "engine/compare/comparison_sections.h"
#include "engine/report/text_table.h"

namespace leafscore::internal {
namespace {

// Appends a cell; a minus in front of a number is one, and no hyphen.
void AppendCell(std::string_view cell, std::string& text) {
  if (cell.size() > 1 && cell[0] == '-') {
    text += "$-$";
    cell.remove_prefix(1);
  }
  AppendLatexCell(text, cell);
}

void AppendTable(const Section& section, std::string& text) {
  text += "\\begin{tabular}{" + std::string(section.left_columns, 'l') +
          std::string(section.rows[0].size() - section.left_columns, 'r') + "}\n\\toprule\n";
  for (std::size_t r = 0; r < section.rows.size(); ++r) {
    for (std::size_t c = 0; c < section.rows[r].size(); ++c) {
      if (c > 0) text += " & ";
      if (c < section.left_columns) {
        AppendLatexCell(text, section.rows[r][c]);
      } else {
        AppendCell(section.rows[r][c], text);
      }
    }
    text += r == 0 ? " \\\\\n\\midrule\n" : " \\\\\n";
  }
  text += "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace

std::string ComparisonLatex(const Comparison& comparison, std::span<const GateResult> gates) {
  std::string text = "% " + VerdictLine(comparison, gates) + "\n% needs \\usepackage{booktabs}\n";
  for (const Section& section : SectionsOf(comparison, gates)) {
    if (section.kind == Section::Kind::kNotes) {
      text += '\n';
      for (const Section::Line& line : section.lines) text += "% " + line.text + '\n';
    }
    if (section.rows.empty()) continue;
    text += "\n% " + section.title + '\n';
    AppendTable(section, text);
  }
  return text;
}

}  // namespace leafscore::internal
