#include "engine/compare/comparison_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/compare/comparison_document.h"
#include "engine/render/document.h"
#include "engine/render/markup.h"

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

// Returns the text cut at the end of a line, with a note that it was cut; empty if the note does not fit.
std::string CutAtLine(std::string text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  constexpr std::string_view kCut = "\nThe rest is left out, to stay short enough.\n";
  if (max_bytes < kCut.size()) return "";
  text.resize(max_bytes - kCut.size());
  text.resize(text.rfind('\n') + 1);  // 0 if there is no line break
  return text + std::string(kCut);
}

constexpr std::size_t kStepLines = 59;
constexpr std::size_t kStepRows = 8;     // rows of a table
constexpr std::size_t kStepFields = 5;   // fields of a scorer
constexpr std::size_t kStepRecords = 3;  // records of a scorer that fell most
constexpr std::size_t kStepNotes = 5;

// Keeps only the first rows and items of a section, and drops the fields of records.
void ShortenForStep(Section* section) {
  const bool is_worst = section->part == kWorstPart;
  std::vector<Section::Item>& items = section->items;
  if (is_worst) std::erase_if(items, [](const Section::Item& item) { return item.depth > 0; });
  const std::size_t shown = is_worst ? kStepRecords : kStepNotes;
  if (items.size() > shown) {
    const std::size_t more = items.size() - shown;
    items.resize(shown);
    items.push_back({0, fmt::format("and {} more", more)});
  }
  std::vector<TextRow>& rows = section->table.rows;
  if (rows.size() <= kStepRows + 1) return;
  items.insert(items.begin(), {0, fmt::format("and {} more", rows.size() - kStepRows - 1)});
  rows.resize(kStepRows + 1);
}

std::size_t LinesOf(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

}  // namespace

std::string ComparisonTable(const Comparison& comparison, std::span<const GateResult> gates, bool colour,
                            std::size_t columns) {
  Document document = DocumentOf(comparison, gates);
  if (colour) {
    std::string& line = document.headline;
    line.insert(std::min(line.find_first_of(":;"), line.size()), "\x1b[0m");
    line.insert(0, ColourOf(comparison.verdict));
  }
  return RenderText(document, colour, columns);
}

std::string ComparisonStepSummary(const Comparison& comparison, std::span<const GateResult> gates,
                                  std::size_t max_bytes) {
  Document document = DocumentOf(comparison, gates, kStepFields);
  // The verdict is the heading, and the reason is a line below it.
  const std::string_view line = document.headline;
  const std::size_t end = std::min(line.find(": "), line.size());
  std::string text = "## ";
  AppendMarkdownCell(text, line.substr(0, end));
  text += '\n';
  if (end < line.size()) {
    text += '\n';
    AppendMarkdownCell(text, line.substr(end + 2));
    text += '\n';
  }
  constexpr std::string_view kShort = "\nIn short; `leafscore compare` prints all of it.\n";
  for (Section& section : document.sections) {
    ShortenForStep(&section);
    std::string with_section = text;
    AppendMarkdownSection(section, with_section);
    if (LinesOf(with_section) + LinesOf(kShort) <= kStepLines) text = std::move(with_section);
  }
  return CutAtLine(text + std::string(kShort), max_bytes);
}

std::string ComparisonMarkdown(const Comparison& comparison, std::span<const GateResult> gates,
                               std::size_t max_bytes) {
  Document document = DocumentOf(comparison, gates);
  std::string text = RenderMarkdown(document);
  if (text.size() <= max_bytes) return text;
  document.sections.insert(document.sections.begin(), Section{.notes = {""}});
  std::string& note = document.sections[0].notes[0];
  for (const std::string_view part : {kWorstPart, kWherePart, kGroupsPart}) {
    std::erase_if(document.sections, [&](const Section& section) { return section.part == part; });
    (note += note.empty() ? "Left out, to stay short enough: " : ", ") += part;
    text = RenderMarkdown(document);
    if (text.size() <= max_bytes) return text;
  }
  return CutAtLine(std::move(text), max_bytes);
}

}  // namespace internal

std::string RenderComparison(const Comparison& comparison, std::span<const GateResult> gates,
                             ComparisonFormat format, bool colour, std::size_t columns) {
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
      return RenderLatex(DocumentOf(comparison, gates));
    default:
      return ComparisonTable(comparison, gates, colour, columns);
  }
}

}  // namespace leafscore
