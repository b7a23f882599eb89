// engine/evaluate/report_list.h: lists the reports of agent runs that evaluations have written into a folder,
// with their sizes and checksums, so that a later evaluation can distinguish old reports from new ones, and
// remove only these. The list is a file in the folder: {"leafscore", "reports": [{"name", "bytes",
// "checksum"}]}. Stateless.
#ifndef LEAFSCORE_ENGINE_EVALUATE_REPORT_LIST_H_
#define LEAFSCORE_ENGINE_EVALUATE_REPORT_LIST_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace leafscore::internal {

inline constexpr std::string_view kReportListName = "_reports.json";

struct WrittenReport {
  std::uint64_t bytes = 0;
  std::string checksum = {};  // engine/base/checksum.h
};

using ReportList = std::map<std::string, WrittenReport>;  // by name

// Reads a list. Entries that no evaluation writes are ignored; a name never leads out of the folder.
ReportList ParseReportList(std::string_view json);

// RETURNS: the list as JSON.
std::string ReportListJson(const ReportList& list);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_REPORT_LIST_H_
