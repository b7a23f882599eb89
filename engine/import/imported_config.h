// engine/import/imported_config.h: what a file of another tool becomes: a configuration of ours, the gold
// records that the file itself holds, and notes on what each part of it will do. Plain values; THREADS: as
// such.
#ifndef LEAFSCORE_ENGINE_IMPORT_IMPORTED_CONFIG_H_
#define LEAFSCORE_ENGINE_IMPORT_IMPORTED_CONFIG_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/config_value.h"

namespace leafscore::internal {

// Whose a file is.
enum class ConfigOrigin : std::uint8_t {
  kLeafscore,
  kUiPath,
  kAgentV,
};

// What becomes of a part of a file.
enum class ImportNoteKind : std::uint8_t {
  kRuns,
  kIgnored,  // without a meaning for scores, there and here
  kDiffers,  // runs, and gives other scores where the note says so
  kSkipped,  // left out, as its tool does, too; the note says why
  kOffline,  // cannot be done here; the note says what to do instead
};

struct ImportNote {
  ImportNoteKind kind;
  std::string file;  // as messages name it
  int line = 0;      // from 1; 0: of the whole file
  std::string what;  // the part: evaluator "Topic" (uipath-exact-match)
  std::string text;  // runs: as what it runs; else a sentence
};

struct ImportedConfig {
  ConfigOrigin origin = ConfigOrigin::kLeafscore;
  ConfigValue config;              // as ParseConfig returns it; its list of scorers may be empty
  std::vector<std::string> gold;   // records, each one line of JSON with `id` and `expected`
  std::vector<ImportNote> notes;   // in the order of the files and lines
  std::vector<std::string> files;  // what was read besides the file itself

  // RETURNS: whether something of it cannot be done here.
  bool lacks_any() const;
  // RETURNS: whether it has a scorer.
  bool scores() const;
};

// RETURNS: the notes of a kind in one line, of many only the first.
std::string NotesOfKind(const ImportedConfig& config, ImportNoteKind kind);

// ERRORS: Error(kUsage) where nothing of a file can be done here.
void CheckAnyRuns(const ImportedConfig& config, const std::string& path);

// RETURNS: "runs", "ignored", "differs", "skipped" or "cannot run here".
std::string_view NameOfKind(ImportNoteKind kind);

// RETURNS: one line for people, without its end, as FILE:LINE: runs: WHAT: TEXT.
std::string TextOfNote(const ImportNote& note);

// RETURNS: "leafscore", "UiPath" or "AgentV".
std::string_view NameOfOrigin(ConfigOrigin origin);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_IMPORTED_CONFIG_H_
