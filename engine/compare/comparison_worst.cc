#include <fmt/format.h>

#include "engine/base/utf8.h"
#include "engine/compare/comparison_cells.h"
#include "engine/compare/comparison_sections.h"
#include "engine/report/edit_marks.h"

namespace leafscore::internal {
namespace {

using Line = Section::Line;
using Text = std::optional<std::string>;

// Returns the text cut as marked texts are.
std::string Plain(const std::string& text) { return MarkEdits(text, text).expected; }

// Adds what was expected, and both answers with the edits between them marked.
void AddTexts(std::size_t depth, const Text& expected, const Text& base, const Text& now,
              std::vector<Line>& lines) {
  if (expected) lines.push_back({depth, "expected: " + Plain(ReplaceInvalidUtf8(*expected))});
  MarkedTexts marked;
  if (base && now) {
    marked = MarkEdits(ReplaceInvalidUtf8(*base), ReplaceInvalidUtf8(*now));
  } else if (base || now) {
    marked = {base ? Plain(ReplaceInvalidUtf8(*base)) : "(none)",
              now ? Plain(ReplaceInvalidUtf8(*now)) : "(none)"};
  } else {
    return;
  }
  lines.push_back({depth, "base: " + marked.expected});
  lines.push_back({depth, "now: " + marked.actual});
}

std::string_view PassText(std::optional<bool> passed) {
  return !passed ? "" : *passed ? ", passed" : ", failed";
}

}  // namespace

Section WorstRecords(const ScorerComparison& scorer, const std::string& of) {
  Section section{.kind = Section::Kind::kWorst, .title = of + ": records that fell most"};
  for (const ChangedRecord& record : scorer.worst) {
    std::string head = "record " + ShownName(record.id);
    if (record.group) head += " of " + ShownName(*record.group);
    head +=
        fmt::format(": {} ({}{}) to {} ({}{})", FourDecimals(record.base), OutcomeText(record.base_outcome),
                    PassText(record.base_passed), FourDecimals(record.now), OutcomeText(record.now_outcome),
                    PassText(record.now_passed));
    section.lines.push_back({0, head});
    AddTexts(1, record.expected, record.base_answer, record.now_answer, section.lines);
    for (const ChangedField& field : record.fields) {
      section.lines.push_back(
          {1, fmt::format("field {}: {} to {}", ShownName(field.path), FourDecimals(field.base_match),
                          FourDecimals(field.now_match))});
      AddTexts(2, field.expected, field.base, field.now, section.lines);
    }
  }
  return section;
}

}  // namespace leafscore::internal
