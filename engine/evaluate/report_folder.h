// engine/evaluate/report_folder.h: the folder that the reports go to, and nothing outside it.
//
// A report is written beside its place and renamed (engine/io/atomic_file.h), so that under its name there is
// always a whole one, the old or the new; a symbolic link that lies there is replaced, not followed. A lock
// on the folder is held (flock, where the file system has it), so that two evaluations do not write into one
// folder at a time. What was written is listed in the folder (engine/evaluate/report_list.h).
#ifndef LEAFSCORE_ENGINE_EVALUATE_REPORT_FOLDER_H_
#define LEAFSCORE_ENGINE_EVALUATE_REPORT_FOLDER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/file_descriptor.h"
#include "engine/base/text_map.h"
#include "engine/evaluate/report_list.h"
#include "engine/io/file_tree.h"
#include "engine/json/json_writer.h"

namespace leafscore::internal {

inline constexpr std::string_view kAggregateName = "_aggregate.json";
inline constexpr std::string_view kSummaryName = "_summary.json";

// Gives each report a name of its own. THREADS: one at a time.
class ReportNames {
 public:
  // Returns "<run id>.json". Slashes, control characters and a leading dot become "_", a long id is cut, and
  // a name that was given already gets a number: run.json, run-2.json. REQUIRES: valid UTF-8.
  std::string NameFor(std::string_view run_id);

 private:
  // Names given, without .json; with each the highest number behind it that was tried.
  TextMap<std::string, std::uint32_t> taken_ = {{"_aggregate", 1}, {"_summary", 1}, {"_reports", 1}};
};

// What lies in the folder of earlier runs, and was not written again.
struct EarlierReports {
  std::uint64_t there = 0;
  std::uint64_t removed = 0;
};

class ReportFolder {
 public:
  // Opens the folder, and makes it when there is none.
  // ERRORS: Error(kOutput), also when another evaluation is writing into it.
  explicit ReportFolder(const std::string& path);

  // Puts a whole file into the folder. REQUIRES: a name from ReportNames, or one that is in no run's data.
  // ERRORS:  Error(kOutput); what lay under the name is then untouched.
  // RETURNS: what to tell Record.
  // THREADS: safe with different names.
  WrittenReport Write(const std::string& name, std::string_view bytes) const;

  // Says that this run has written a report. THREADS: one at a time, as all that follows.
  void Record(const std::string& name, WrittenReport written);

  // Keeps results for the aggregate outside memory: lines of JSON. ERRORS: Error(kOutput).
  void KeepForAggregate(std::string_view lines);

  // Writes kAggregateName, an object with what `write_members` writes and an array of all "results" kept.
  // ERRORS: as KeepForAggregate.
  void WriteAggregate(const std::function<void(JsonWriter& json)>& write_members);

  // Lists what was recorded and what earlier runs have left; with `clean`, that is removed first, unless
  // somebody has changed it since. ERRORS: Error(kOutput).
  EarlierReports EndList(bool clean);

  const std::string& path() const { return path_; }

  // The unfinished reports that lay in the folder, as a run that was killed leaves them.
  const std::vector<std::string>& leftovers() const { return leftovers_; }
  FolderIdentity identity() const;

 private:
  bool RemoveEarlier(const std::string& name, const WrittenReport& written) const;
  void WriteKept();
  void ForEachKept(const std::function<void(std::string_view line)>& visit);

  std::string path_;
  FileDescriptor folder_;
  std::vector<std::string> leftovers_;
  ReportList earlier_;   // of earlier runs, without what this one has recorded
  ReportList written_;   // by this run
  FileDescriptor kept_;  // a file without a name
  std::string pending_;  // of it, not written yet
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_REPORT_FOLDER_H_
