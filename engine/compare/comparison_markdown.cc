#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
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

// Returns the text cut at a line's end, with a note of it; empty where there is no room for that.
std::string CutAtLine(std::string text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  constexpr std::string_view kCut = "\nThe rest is left out, to stay short enough.\n";
  if (max_bytes < kCut.size()) return "";
  text.resize(max_bytes - kCut.size());
  text.resize(text.rfind('\n') + 1);  // 0 where there is none
  return text + std::string(kCut);
}

constexpr std::size_t kStepLines = 59;
constexpr std::size_t kStepRows = 8;     // of a table
constexpr std::size_t kStepFields = 5;   // of a scorer
constexpr std::size_t kStepRecords = 3;  // that fell most, of a scorer
constexpr std::size_t kStepNotes = 5;

// Leaves the first rows and lines of a part; of records what became of them, without their fields.
void ShortenForStep(Section* section) {
  const bool is_worst = section->kind == Section::Kind::kWorst;
  if (is_worst) std::erase_if(section->lines, [](const Section::Line& line) { return line.depth > 0; });
  const std::size_t lines = is_worst ? kStepRecords : kStepNotes;
  if (section->lines.size() > lines) {
    const std::size_t more = section->lines.size() - lines;
    section->lines.resize(lines);
    section->lines.push_back({0, fmt::format("and {} more", more)});
  }
  if (section->rows.size() <= kStepRows + 1) return;
  section->lines.insert(section->lines.begin(),
                        {0, fmt::format("and {} more", section->rows.size() - kStepRows - 1)});
  section->rows.resize(kStepRows + 1);
}

}  // namespace

std::string ComparisonStepSummary(const Comparison& comparison, std::span<const GateResult> gates,
                                  std::size_t max_bytes) {
  // The verdict is the heading, and why is a line below it.
  const std::string line = VerdictLine(comparison, gates);
  const std::size_t end = std::min(line.find(": "), line.size());
  std::string text = "## ";
  AppendMarkdownCell(text, std::string_view(line).substr(0, end));
  text += '\n';
  if (end < line.size()) {
    text += '\n';
    AppendMarkdownCell(text, std::string_view(line).substr(end + 2));
    text += '\n';
  }
  constexpr std::string_view kShort = "\nIn short; `leafscore compare` prints all of it.\n";
  auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n') + std::ranges::count(kShort, '\n'));
  for (Section& section : SectionsOf(comparison, gates, kStepFields)) {
    ShortenForStep(&section);
    const std::string part = SectionText(section);
    const auto more = static_cast<std::size_t>(std::ranges::count(part, '\n'));
    if (lines + more > kStepLines) continue;
    lines += more;
    text += part;
  }
  return CutAtLine(text + std::string(kShort), max_bytes);
}

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
  return CutAtLine(std::move(text), max_bytes);
}

}  // namespace leafscore::internal
