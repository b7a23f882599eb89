// cli/looks_file.h: the file that records the looks at a planned number of records, and how much of alpha
// each look and all before it have spent.
#ifndef LEAFSCORE_CLI_LOOKS_FILE_H_
#define LEAFSCORE_CLI_LOOKS_FILE_H_

#include <atomic>
#include <cstdint>
#include <string>

#include "leafscore/compare.h"

namespace leafscore::internal {

// Reads the earlier looks. Without such a file, there are no earlier looks.
// ERRORS: Error(kInput) if it is not a complete file of looks; Error(kUsage) if it belongs to another plan.
LookPlan ReadLooks(const std::string& path, std::uint64_t planned, double alpha);

// Replaces the file by one that also has this look. Writing the same look again changes nothing.
// ERRORS: Error(kOutput).
void WriteLooks(const std::string& path, const LookPlan& plan, double alpha, const Look& look,
                const std::atomic<bool>* stop);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_LOOKS_FILE_H_
