#include "engine/import/imported_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "engine/base/display.h"
#include "engine/import/config_maker.h"
#include "leafscore/error.h"

namespace leafscore::internal {

bool ImportedConfig::lacks_any() const {
  return std::ranges::find(notes, ImportNoteKind::kOffline, &ImportNote::kind) != notes.end();
}

bool ImportedConfig::scores() const {
  const ConfigValue* const scorers = FindValue(config, "evaluators");
  return origin == ConfigOrigin::kLeafscore || (scorers != nullptr && !scorers->items.empty());
}

std::string NotesOfKind(const ImportedConfig& config, ImportNoteKind kind) {
  constexpr std::size_t kMostNotes = 10;
  std::string text;
  std::size_t count = 0;
  for (const ImportNote& note : config.notes) {
    if (note.kind != kind || count++ >= kMostNotes) continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", note.what, note.text);
  }
  return count <= kMostNotes ? text : fmt::format("{}; and {} more", text, count - kMostNotes);
}

void CheckAnyRuns(const ImportedConfig& config, const std::string& path) {
  if (config.scores()) return;
  const std::string missing = NotesOfKind(config, ImportNoteKind::kOffline);
  throw Error(ErrorCode::kUsage,
              fmt::format("nothing in {} can be done here: {}", path,
                          missing.empty() ? NotesOfKind(config, ImportNoteKind::kSkipped) : missing));
}

std::string_view NameOfKind(ImportNoteKind kind) {
  switch (kind) {
    case ImportNoteKind::kRuns:
      return "runs";
    case ImportNoteKind::kIgnored:
      return "ignored";
    case ImportNoteKind::kDiffers:
      return "differs";
    case ImportNoteKind::kSkipped:
      return "skipped";
    case ImportNoteKind::kOffline:
      break;
  }
  return "cannot run here";
}

std::string TextOfNote(const ImportNote& note) {
  const std::string line = note.line == 0 ? "" : fmt::format(":{}", note.line);
  std::string text = DisplayText(
      fmt::format("{}{}: {}: {}: {}", note.file, line, NameOfKind(note.kind), note.what, note.text));
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string_view NameOfOrigin(ConfigOrigin origin) {
  switch (origin) {
    case ConfigOrigin::kUiPath:
      return "UiPath";
    case ConfigOrigin::kAgentV:
      return "AgentV";
    case ConfigOrigin::kLeafscore:
      break;
  }
  return "leafscore";
}

}  // namespace leafscore::internal
