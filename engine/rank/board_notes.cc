#include "engine/rank/board_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/render/cells.h"
#include "engine/render/look_alikes.h"

namespace leafscore::internal {

SourceAnswers AnswersOf(const LeaderboardRow& row) {
  const std::uint64_t answers = row.scored + row.unreadable + row.unanswered + row.errors;
  return {row.model, answers, row.of_other_kind, row.unexpected_share};
}

void AddNamesNote(std::string_view about, const std::vector<std::string>& names, Section& section) {
  if (!names.empty()) section.notes.push_back(fmt::format("{}: {}", about, fmt::join(names, ", ")));
}

Section ModelNotes(std::span<const LeaderboardRow> rows) {
  Section section;
  std::vector<SourceAnswers> answers;
  std::vector<std::string> models;
  std::vector<std::string> unverified;
  for (const LeaderboardRow& row : rows) {
    answers.push_back(AnswersOf(row));
    models.push_back(row.model);
    const std::string name = DisplayName(row.model);
    if (!row.verified && std::ranges::find(unverified, name) == unverified.end()) unverified.push_back(name);
  }
  if (std::string alike = LookAlikeNotes(models); !alike.empty()) {
    alike.pop_back();  // the end of the last line
    section.notes.push_back(std::move(alike));
  }
  AddNamesNote("Not verified, as a manifest is missing", unverified, section);
  if (std::string strange = StrangeAnswersText(answers); !strange.empty()) {
    strange[0] = static_cast<char>(strange[0] - 'a' + 'A');
    section.notes.push_back(std::move(strange));
  }
  return section;
}

std::string RenderBoard(const Document& document, LeaderboardFormat format, std::size_t columns) {
  if (format == LeaderboardFormat::kMarkdown) return RenderMarkdown(document);
  return format == LeaderboardFormat::kLatex ? RenderLatex(document)
                                             : RenderText(document, /*colour=*/false, columns);
}

}  // namespace leafscore::internal
