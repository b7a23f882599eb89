#include "engine/report/score_line.h"

namespace leafscore::internal {

JsonView RecordField(JsonView line, std::string_view name) {
  const JsonView group = line.Member("groups").Member(name);
  return group.present() ? group : line.Member(name);
}

std::string_view ReadScoreLine(JsonView line, ScoreLine& result) {
  result = {};
  const JsonView scorer = line.Member("scorer");
  std::optional<std::string> outcome = line.Member("outcome").Text();
  if (!scorer.present() || !outcome) return "it has no \"scorer\" or no \"outcome\"";
  result.scorer = scorer.Text().value_or("null");
  result.id_from = line.Member("id_from").Text().value_or("");
  // A run with gold has a line for each of its ids beside those of records that answer none of them.
  const bool with_gold = line.Member("source").present();
  const bool without_gold = line.Member("reason").Text() == RejectReasonName(RejectReason::kNoGold);
  result.is_asked = !without_gold && !(with_gold && !result.id_from.empty());
  if (!result.is_asked) return "";

  std::optional<std::string> id = line.Member("id").Text();
  if (!id) return "it has no \"id\", by which scores are compared";
  result.id = std::move(*id);
  for (const Outcome unscored : {Outcome::kUnreadable, Outcome::kUnanswered, Outcome::kError}) {
    if (*outcome != OutcomeName(unscored)) continue;
    result.outcome = unscored;
    return "";
  }
  result.score = line.Member("score").Number().value_or(-1);
  if (*outcome != OutcomeName(Outcome::kScored) || !(result.score >= 0 && result.score <= 1)) {
    return "its outcome is unknown, or its score is not from 0 to 1";
  }
  if (const JsonView verdict = line.Member("passed"); verdict.present()) {
    result.passed = verdict.Is(ValueKind::kTrue);
  }
  result.nothing_compared = line.Member("nothing_compared").Is(ValueKind::kTrue);
  result.of_other_kind = line.Member("of_other_kind").Is(ValueKind::kTrue);
  return "";
}

}  // namespace leafscore::internal
