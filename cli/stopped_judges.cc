#include "cli/stopped_judges.h"

#include <fmt/format.h>

#include "cli/terminal.h"
#include "engine/base/suggest.h"
#include "engine/render/cells.h"

namespace leafscore::internal {
namespace {

// Warns of replies that no schema has held to their form, as a judge may then write anything else, too.
void TellReplyForms(const ReplyForms& read_as) {
  if (read_as.json_schema == read_as.all()) return;
  PrintMessage(fmt::format(
      "warning: {} of {} replies of the judges were not read in the json_schema that is asked for first: {} "
      "as "
      "json_object, {} as json in words alone, {} at the end of a text; `structured: strict` takes none of "
      "them",
      WithThousands(read_as.all() - read_as.json_schema), WithThousands(read_as.all()),
      WithThousands(read_as.json_object), WithThousands(read_as.json), WithThousands(read_as.text)));
}

}  // namespace

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
  if (report.judges) TellReplyForms(report.judges->read_as);
}

}  // namespace leafscore::internal
