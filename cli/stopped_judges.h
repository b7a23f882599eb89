// cli/stopped_judges.h: says on standard error that a judge was asked no more.
#ifndef LEAFSCORE_CLI_STOPPED_JUDGES_H_
#define LEAFSCORE_CLI_STOPPED_JUDGES_H_

#include "leafscore/report.h"

namespace leafscore::internal {

// Names each scorer with records that its judge was not asked about, since it had failed too often in a row.
void PrintStoppedJudges(const RunReport& report);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_STOPPED_JUDGES_H_
