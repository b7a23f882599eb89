#include "cli/stopped_judges.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

#include "cli/terminal.h"
#include "engine/base/display.h"
#include "engine/base/model_name.h"
#include "engine/base/suggest.h"
#include "engine/render/cells.h"

namespace leafscore::internal {
namespace {

// Warns of replies whose form no schema enforced, because a judge may then write anything.
void PrintReplyForms(const ReplyForms& read_as) {
  const std::uint64_t others = read_as.json_object + read_as.json + read_as.text;
  if (others == 0) return;
  PrintMessage(fmt::format(
      "warning: {} of {} replies of the judges were not read in the form that is asked for first: {} "
      "as "
      "json_object, {} as json in words alone, {} at the end of a text; `structured: strict` takes none of "
      "them",
      WithThousands(others), WithThousands(read_as.all()), WithThousands(read_as.json_object),
      WithThousands(read_as.json), WithThousands(read_as.text)));
}

void PrintLeftOut(const ParametersLeftOut& left_out) {
  const auto tell = [](std::uint64_t replies, const char* parameter, const char* instead) {
    if (replies == 0) return;
    PrintMessage(fmt::format("warning: the service refuses {}, so {} replies came without it{}", parameter,
                             WithThousands(replies), instead));
  };
  tell(left_out.temperature, "temperature", "; `temperature: none` sends none");
  tell(left_out.max_tokens, "max_tokens", "; max_completion_tokens was sent instead");
  tell(left_out.seed, "seed", "");
}

// Warns of models that judge their own answers, which judges tend to favour.
void PrintSelfJudging(const RunReport& report) {
  std::set<std::pair<std::string, std::string>> told;
  for (const ScorerReport& scorer : report.scorers) {
    for (const GroupFigures& group : scorer.groups) {
      for (const std::string& judge : report.judges->models) {
        if (CommonModelName(group.value) != CommonModelName(judge)) continue;
        if (!told.emplace(judge, group.value).second) continue;
        PrintMessage(
            fmt::format("warning: {} judged answers of its own ({} = {}), and judges tend to favour their "
                        "own; take another judge, or measure it with `leafscore judge-check --by {}`",
                        QuoteForMessage(judge), DisplayText(group.field), DisplayText(group.value),
                        DisplayText(group.field)));
      }
    }
  }
}

}  // namespace

void PrintStoppedJudges(const RunReport& report) {
  for (const ScorerReport& scorer : report.scorers) {
    for (const ReasonCount& why : scorer.reasons) {
      if (why.reason != RejectReason::kJudgeStopped) continue;
      PrintMessage(
          fmt::format("warning: the judge of {} failed too often in a row and was stopped; {} records were "
                      "not judged",
                      QuoteForMessage(scorer.scorer), WithThousands(why.records)));
    }
  }
  if (!report.judges) return;
  PrintReplyForms(report.judges->read_as);
  PrintLeftOut(report.judges->left_out);
  PrintSelfJudging(report);
}

}  // namespace leafscore::internal
