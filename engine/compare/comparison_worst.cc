#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "engine/base/utf8.h"
#include "engine/compare/comparison_cells.h"
#include "engine/compare/comparison_sections.h"
#include "engine/report/edit_marks.h"
#include "engine/report/human_numbers.h"

namespace leafscore::internal {
namespace {

using Line = Section::Line;
using Text = std::optional<std::string>;

constexpr std::size_t kMaxShownFields = 5;  // of a record

// Returns the text cut as marked texts are; "(none)" for none.
std::string Plain(const Text& text) {
  if (!text) return "(none)";
  const std::string valid = ReplaceInvalidUtf8(*text);
  return MarkEdits(valid, valid).expected;
}

// Adds what was expected, and both answers with the edits between them marked.
void AddTexts(std::size_t depth, const Text& expected, const Text& base, const Text& now,
              std::vector<Line>& lines) {
  const bool as_expected = expected && expected == base;
  if (expected && !as_expected) lines.push_back({depth, "expected: " + Plain(expected)});
  if (!base && !now) return;
  const MarkedTexts shown = base && now ? MarkEdits(ReplaceInvalidUtf8(*base), ReplaceInvalidUtf8(*now))
                                        : MarkedTexts{Plain(base), Plain(now)};
  lines.push_back({depth, (as_expected ? "base, as expected: " : "base: ") + shown.expected});
  lines.push_back({depth, "now: " + shown.actual});
}

std::string_view PassText(std::optional<bool> passed) {
  return !passed ? "" : *passed ? ", passed" : ", failed";
}

// Whether the base has a value there, and the new answer has none.
bool IsLost(const ChangedField& field) { return field.base && !field.now; }

// Returns the names of such fields; none of a single one, which is told with its value.
std::vector<std::string> LostFields(const ChangedRecord& record) {
  std::vector<std::string> names;
  for (const ChangedField& field : record.fields) {
    if (IsLost(field)) names.push_back(ShownName(field.path));
  }
  return names.size() > 1 ? names : std::vector<std::string>();
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
    const std::vector<std::string> lost = LostFields(record);
    if (!lost.empty()) section.lines.push_back({1, fmt::format("no value now: {}", fmt::join(lost, ", "))});
    std::size_t shown = 0;
    for (const ChangedField& field : record.fields) {
      if (!lost.empty() && IsLost(field)) continue;
      if (shown == kMaxShownFields) {
        const std::size_t more = record.fields.size() - lost.size() - shown;
        section.lines.push_back({1, "and " + Counted(more, "field", "fields") + " more; JSON has them"});
        break;
      }
      ++shown;
      section.lines.push_back(
          {1, fmt::format("field {}: {} to {}", ShownName(field.path), FourDecimals(field.base_match),
                          FourDecimals(field.now_match))});
      AddTexts(2, field.expected, field.base, field.now, section.lines);
    }
  }
  return section;
}

}  // namespace leafscore::internal
