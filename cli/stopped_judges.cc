#include "cli/stopped_judges.h"

#include <fmt/format.h>

#include "cli/terminal.h"
#include "engine/base/suggest.h"
#include "engine/report/human_numbers.h"

namespace leafscore::internal {

void TellStoppedJudges(const RunReport& report) {
  for (const ScorerReport& scorer : report.scorers) {
    for (const ReasonCount& why : scorer.reasons) {
      if (why.reason != RejectReason::kJudgeStopped) continue;
      PrintMessage(
          fmt::format("warning: the judge of {} failed too often in a row and was stopped; {} records were "
                      "not judged",
                      QuoteForMessage(scorer.scorer), WithThousands(why.records)));
    }
  }
}

}  // namespace leafscore::internal
