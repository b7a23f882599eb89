// engine/import/imported_config.h: the result of importing a file of another tool: a configuration of ours,
// the gold records in the file, and notes on what happens to each part. THREADS: as for plain values.
#ifndef LEAFSCORE_ENGINE_IMPORT_IMPORTED_CONFIG_H_
#define LEAFSCORE_ENGINE_IMPORT_IMPORTED_CONFIG_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/config_value.h"

namespace leafscore::internal {

// The tool to which a file belongs.
enum class ConfigOrigin : std::uint8_t {
  kLeafscore,
  kUiPath,
  kAgentV,
};

// How a part of a file is treated.
enum class ImportNoteKind : std::uint8_t {
  kRuns,
  kIgnored,  // does not affect scores, neither there nor here
  kDiffers,  // runs, but gives other scores in the cases that the note describes
  kSkipped,  // left out, as by its tool; the note says why
  kOffline,  // cannot be done here; the note says what to do instead
};

struct ImportNote {
  ImportNoteKind kind;
  std::string file;  // as messages name it
  int line = 0;      // from 1; 0: the whole file
  std::string what;  // the part: evaluator "Topic" (uipath-exact-match)
  std::string text;  // runs: the name of our scorer; else a sentence
};

struct ImportedConfig {
  ConfigOrigin origin = ConfigOrigin::kLeafscore;
  ConfigValue config;              // as from ParseConfig; its list of scorers may be empty
  std::vector<std::string> gold;   // records, each one line of JSON with `id` and `expected`
  std::vector<ImportNote> notes;   // in the order of the files and lines
  std::vector<std::string> files;  // other files that were read

  // RETURNS: whether some part cannot be evaluated here.
  bool lacks_any() const;
  // RETURNS: whether it has a scorer.
  bool scores() const;
};

// RETURNS: the notes of a kind on one line; if there are many, only the first ones.
std::string NotesOfKind(const ImportedConfig& config, ImportNoteKind kind);

// ERRORS: Error(kUsage) if no part of the file can be evaluated here.
void CheckAnyRuns(const ImportedConfig& config, const std::string& path);

// RETURNS: "runs", "ignored", "differs", "skipped" or "cannot run here".
std::string_view NameOfKind(ImportNoteKind kind);

// RETURNS: one line for people, without a line break: FILE:LINE: runs: WHAT: TEXT.
std::string TextOfNote(const ImportNote& note);

// RETURNS: "leafscore", "UiPath" or "AgentV".
std::string_view NameOfOrigin(ConfigOrigin origin);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_IMPORTED_CONFIG_H_
