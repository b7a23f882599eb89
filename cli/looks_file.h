// cli/looks_file.h: the file that keeps what earlier looks at a planned number of records have spent of
// alpha.
#ifndef LEAFSCORE_CLI_LOOKS_FILE_H_
#define LEAFSCORE_CLI_LOOKS_FILE_H_

#include <atomic>
#include <cstdint>
#include <string>

#include "leafscore/compare.h"

namespace leafscore::internal {

// Reads the earlier looks; none where there is no such file.
// ERRORS: Error(kInput) for a file that is no whole file of looks; Error(kUsage) for one of another plan.
LookPlan ReadLooks(const std::string& path, std::uint64_t planned, double alpha);

// Replaces the file by one that has this look, too. The same look again changes nothing.
// ERRORS: Error(kOutput).
void WriteLooks(const std::string& path, const LookPlan& plan, double alpha, const Look& look,
                const std::atomic<bool>* stop);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_LOOKS_FILE_H_
