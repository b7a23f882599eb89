// engine/evaluate/report_folder.h: the folder for the reports; nothing outside it is written.
//
// A report is written beside its place and renamed (engine/io/atomic_file.h), so that under its name there is
// always a complete one, old or new; a symbolic link in its place is replaced, not followed. The folder is
// locked (flock, if the file system supports it), so that two evaluations do not write into it at the same
// time.
//
// The reports that were written are listed in the folder with their sizes and checksums, so that a later
// evaluation can distinguish old reports from new ones, and remove only these. The list is a file:
// {"leafscore", "reports": [{"name", "bytes", "checksum"}]}.
#ifndef LEAFSCORE_ENGINE_EVALUATE_REPORT_FOLDER_H_
#define LEAFSCORE_ENGINE_EVALUATE_REPORT_FOLDER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/file_descriptor.h"
#include "engine/base/text_map.h"
#include "engine/io/file_tree.h"
#include "engine/json/json_writer.h"

namespace leafscore::internal {

inline constexpr std::string_view kAggregateName = "_aggregate.json";
inline constexpr std::string_view kSummaryName = "_summary.json";
inline constexpr std::string_view kReportListName = "_reports.json";

struct WrittenReport {
  std::uint64_t bytes = 0;
  std::string checksum = {};  // engine/base/checksum.h
};

using ReportList = std::map<std::string, WrittenReport>;  // by name

// Reads a list of reports. Entries that no evaluation writes are ignored, so a name never leads out of the
// folder.
ReportList ParseReportList(std::string_view json);

// RETURNS: the list as JSON.
std::string ReportListJson(const ReportList& list);

// Gives each report a unique name. THREADS: one at a time.
class ReportNames {
 public:
  // Returns "<run id>.json". Slashes, control characters and a leading dot become "_", a long id is cut, and
  // a repeated name gets a number: run.json, run-2.json. REQUIRES: valid UTF-8.
  std::string NameFor(std::string_view run_id);

 private:
  // The names given, without .json, each with the highest number that was tried after it.
  TextMap<std::string, std::uint32_t> taken_ = {{"_aggregate", 1}, {"_summary", 1}, {"_reports", 1}};
};

// The counts of the reports that earlier runs left in the folder and this run did not write again.
struct EarlierReports {
  std::uint64_t there = 0;
  std::uint64_t removed = 0;
};

class ReportFolder {
 public:
  // Opens the folder, and makes it if it does not exist.
  // ERRORS: Error(kOutput), also if another evaluation is writing into it.
  explicit ReportFolder(const std::string& path);

  // Writes a complete file into the folder. REQUIRES: a name from ReportNames, or one that cannot come from
  // the data of a run.
  // RETURNS: the argument for Record.
  // ERRORS: Error(kOutput); an existing file of this name is then untouched.
  // THREADS: safe with different names.
  WrittenReport Write(const std::string& name, std::string_view bytes) const;

  // Records that this run has written a report. THREADS: one at a time, as for all functions below.
  void Record(const std::string& name, WrittenReport written);

  // Stores results for the aggregate outside memory, as lines of JSON. ERRORS: Error(kOutput).
  void KeepForAggregate(std::string_view lines);

  // Writes kAggregateName, an object with the members from `write_members` and an array "results" of
  // everything stored.
  // ERRORS: as KeepForAggregate.
  void WriteAggregate(const std::function<void(JsonWriter& json)>& write_members);

  // Lists the recorded reports and the reports of earlier runs. With `clean`, first removes the earlier
  // reports that nobody has changed since. ERRORS: Error(kOutput).
  EarlierReports EndList(bool clean);

  const std::string& path() const { return path_; }

  // The unfinished reports in the folder, which killed runs have left.
  const std::vector<std::string>& leftovers() const { return leftovers_; }
  FolderIdentity identity() const;

 private:
  bool RemoveEarlier(const std::string& name, const WrittenReport& written) const;
  void WriteKept();
  void ForEachKept(const std::function<void(std::string_view line)>& visit);

  std::string path_;
  FileDescriptor folder_;
  std::vector<std::string> leftovers_;
  ReportList earlier_;   // reports of earlier runs, without the names that this run has recorded
  ReportList written_;   // by this run
  FileDescriptor kept_;  // a file without a name
  std::string pending_;  // its end, not written yet
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_REPORT_FOLDER_H_
