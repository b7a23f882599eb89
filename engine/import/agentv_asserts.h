// engine/import/agentv_asserts.h: turns the asserts of AgentV's tests into asserts for our scorer `asserts`.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_IMPORT_AGENTV_ASSERTS_H_
#define LEAFSCORE_ENGINE_IMPORT_AGENTV_ASSERTS_H_

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/config/config_value.h"
#include "engine/import/imported_config.h"

namespace leafscore::internal {

// Thrown if a test is left out, as by AgentV; says why.
struct SkippedTest {
  int line;
  std::string message;
};

// The number of asserts of some kind.
struct PlacedAsserts {
  std::size_t count = 0;
  int line = 0;  // of the first
};

// Asserts of one type that cannot be evaluated here.
struct OfflineAsserts : PlacedAsserts {
  std::string advice;
};

class AgentVAsserts {
 public:
  // `path` is the path of the suite.
  explicit AgentVAsserts(std::string path) : path_(std::move(path)) {}

  // Replaces each {include: NAME} in a list with the asserts of that file. ERRORS: SkippedTest.
  ConfigValue WithIncluded(const ConfigValue& list) { return WithIncluded(list, path_, 0); }

  // Converts the asserts of a list, and appends them to `asserts`. Leaves out what AgentV leaves out, with a
  // note about `test`. ERRORS: SkippedTest.
  void Append(const ConfigValue& list, const std::string& test, ConfigValue& asserts);

  // Notes the members of a map whose names AgentV does not read, once for each place.
  void NoteUnknown(const ConfigValue& map, std::string_view what, std::span<const std::string_view> known);

  // Notes a member of a map whose value AgentV ignores, once for each place; `taken` says which values AgentV
  // accepts.
  void NoteUnused(const ConfigValue& map, std::string_view key, std::string_view taken);

  // Returns a map of the programs of script asserts by name, for the tests that were kept.
  const ConfigValue& scripts() const { return scripts_; }
  const std::map<std::string, OfflineAsserts>& offline() const { return offline_; }
  // How many asserts look at the calls of a run.
  const PlacedAsserts& trajectories() const { return trajectories_; }
  std::vector<ImportNote>& notes() { return notes_; }
  // Returns the templates that were read.
  const std::set<std::string>& templates() const { return templates_; }

 private:
  ConfigValue WithIncluded(const ConfigValue& list, const std::string& from, int depth);
  ConfigValue ReadTemplate(const ConfigValue& name, const std::string& from, std::string* file);
  void AppendOne(const ConfigValue& item, const ConfigValue* set_config, ConfigValue& asserts);
  void AppendMembers(const ConfigValue& list, const ConfigValue* set_config, ConfigValue& asserts);
  bool AddValue(const ConfigValue& item, std::string_view type, ConfigValue& out);
  void AddTrajectory(const ConfigValue& item, std::string_view type, ConfigValue& out);
  void CopyNumber(const ConfigValue& from, std::string_view key, ConfigValue& to);
  bool AddFields(const ConfigValue& item, const std::string& name, ConfigValue& out);
  bool AddScript(const ConfigValue& item, const ConfigValue* set_config, const std::string& name,
                 ConfigValue& out);
  bool AddMembers(const ConfigValue& item, ConfigValue& out);
  std::string KeepScript(const std::string& name, ConfigValue script);
  void MakeUnavailable(const ConfigValue& item, std::string_view type, std::string_view advice,
                       ConfigValue& out);
  bool LeaveOut(int line, std::string text);

  std::string path_;
  std::string test_;
  ConfigValue scripts_;
  std::map<std::string, std::string> script_names_;  // by definition
  std::map<std::string, OfflineAsserts> offline_;
  PlacedAsserts trajectories_;
  std::vector<ImportNote> notes_;
  std::set<std::string> templates_;
  std::set<std::pair<int, std::string>> unknown_;  // lines and names of members that have a note
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_AGENTV_ASSERTS_H_
