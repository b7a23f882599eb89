#include "engine/import/imported_config.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/display.h"

namespace leafscore::internal {

bool ImportedConfig::lacks_any() const {
  return std::ranges::find(notes, ImportNoteKind::kOffline, &ImportNote::kind) != notes.end();
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
