// cli/stopped_judges.h: warnings about the judges of a run, on standard error.
#ifndef LEAFSCORE_CLI_STOPPED_JUDGES_H_
#define LEAFSCORE_CLI_STOPPED_JUDGES_H_

#include "leafscore/report.h"

namespace leafscore::internal {

// Names each scorer whose judge was not asked about some records, because it had failed too often in a row.
// Also warns of replies whose form no schema enforced, of parameters that services refused, and of models
// that judge their own answers.
void PrintStoppedJudges(const RunReport& report);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_STOPPED_JUDGES_H_
