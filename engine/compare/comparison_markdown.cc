#include <string>
#include <string_view>
#include <vector>

#include "engine/compare/comparison_formats.h"
#include "engine/compare/comparison_sections.h"
#include "engine/report/edit_marks.h"
#include "engine/report/markdown_text.h"
#include "engine/report/text_table.h"

namespace leafscore::internal {
namespace {

// What is left out, one after the other, of a text that is too long.
struct Part {
  Section::Kind kind;
  std::string_view name;
};
constexpr Part kLeftOut[] = {{Section::Kind::kWorst, "the records that fell most"},
                             {Section::Kind::kWhere, "where the change went"},
                             {Section::Kind::kGroups, "groups"}};

std::string SectionText(const Section& section) {
  std::string text = "\n### ";
  AppendMarkdownCell(text, section.title);
  text += "\n\n";
  AppendMarkdownTable(section.rows, section.left_columns, text);
  if (!section.rows.empty() && !section.lines.empty()) text += '\n';
  for (const Section::Line& line : section.lines) {
    text.append(2 * line.depth, ' ') += "- ";
    AppendMarkdownLine(text, RenderMarks(line.text, /*colour=*/false));
    text += '\n';
  }
  return text;
}

std::string LeftOutNote(std::size_t parts) {
  std::string note;
  for (std::size_t i = 0; i < parts; ++i)
    (note += i == 0 ? "\nLeft out, to stay short enough: " : ", ") += kLeftOut[i].name;
  return parts == 0 ? note : note + '\n';
}

}  // namespace

std::string ComparisonMarkdown(const Comparison& comparison, std::span<const GateResult> gates,
                               std::size_t max_bytes) {
  std::string head = "## ";
  AppendMarkdownCell(head, VerdictLine(comparison, gates));
  head += '\n';
  std::vector<Section> sections = SectionsOf(comparison, gates);
  std::string text;
  for (std::size_t parts = 0; parts <= std::size(kLeftOut); ++parts) {
    if (parts > 0)
      std::erase_if(sections, [&](const Section& s) { return s.kind == kLeftOut[parts - 1].kind; });
    text = head + LeftOutNote(parts);
    for (const Section& section : sections) text += SectionText(section);
    if (text.size() <= max_bytes) return text;
  }
  // What is left is cut at a line's end.
  constexpr std::string_view kCut = "\nThe rest is left out, to stay short enough.\n";
  if (max_bytes < kCut.size()) return "";
  text.resize(max_bytes - kCut.size());
  text.resize(text.rfind('\n') + 1);  // 0 where there is none
  return text + std::string(kCut);
}

}  // namespace leafscore::internal
