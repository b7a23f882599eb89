// cli/stopped_judges.h: reports on standard error that a judge was no longer asked.
#ifndef LEAFSCORE_CLI_STOPPED_JUDGES_H_
#define LEAFSCORE_CLI_STOPPED_JUDGES_H_

#include "leafscore/report.h"

namespace leafscore::internal {

// Names each scorer whose judge was not asked about some records, because it had failed too often in a row.
void PrintStoppedJudges(const RunReport& report);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_STOPPED_JUDGES_H_
