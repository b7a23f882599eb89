#include "engine/scores/score_line.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace leafscore::internal {

JsonView RecordField(JsonView line, std::string_view name) {
  const JsonView group = line.Member("groups").Member(name);
  return group.present() ? group : line.Member(name);
}

namespace {

constexpr std::array<std::string_view, 12> kKeys = {
    "id",    "id_from", "source",           "scorer",        "outcome",          "reason",
    "score", "passed",  "nothing_compared", "of_other_kind", "unexpected_share", "causes"};

using Members = std::array<std::optional<JsonView>, kKeys.size()>;

// Returns the members with these keys, found in one pass over the line, since most lines have few other
// members.
Members MembersOf(JsonView line) {
  Members members;
  line.ForEachMember([&](std::string_view key, JsonView value) {
    const auto known = std::ranges::find(kKeys, key);
    if (known != kKeys.end()) members[static_cast<std::size_t>(known - kKeys.begin())] = value;
  });
  return members;
}

std::optional<std::string> TextOf(const std::optional<JsonView>& member) {
  return member ? member->Text() : std::nullopt;
}

// Returns the known causes in a list; a later version may write others.
AnswerCauses CausesNamed(JsonView list) {
  AnswerCauses causes;
  list.ForEachChild([&](JsonView name) {
    const std::optional<std::string> text = name.Text();
    kAllAnswerCauses.ForEach([&](AnswerCause cause) {
      if (text == AnswerCauseName(cause)) causes.Add(cause);
    });
  });
  return causes;
}

}  // namespace

std::string_view ReadScoreLine(JsonView line, ScoreLine& result) {
  result = {};
  const auto [id_member, id_from, source, scorer, outcome_member, reason, score, passed, nothing_compared,
              of_other_kind, unexpected_share, causes] = MembersOf(line);
  const std::optional<std::string> outcome = TextOf(outcome_member);
  if (!scorer || !outcome) return "it has no \"scorer\" or no \"outcome\"";
  result.scorer = scorer->Text().value_or("null");
  result.id_from = TextOf(id_from).value_or("");
  // With gold, a run writes lines for the ids of the gold, and also for records that answer none of these.
  const bool without_gold = TextOf(reason) == RejectReasonName(RejectReason::kNoGold);
  result.is_asked = !without_gold && !(source && !result.id_from.empty());
  if (!result.is_asked) return "";

  std::optional<std::string> id = TextOf(id_member);
  if (!id) return "it has no \"id\", by which scores are compared";
  result.id = std::move(*id);
  if (causes) result.causes = CausesNamed(*causes);
  for (const Outcome unscored : {Outcome::kUnreadable, Outcome::kUnanswered, Outcome::kError}) {
    if (*outcome != OutcomeName(unscored)) continue;
    result.outcome = unscored;
    return "";
  }
  result.score = score ? score->Number().value_or(-1) : -1;
  if (*outcome != OutcomeName(Outcome::kScored) || !(result.score >= 0 && result.score <= 1)) {
    return "its outcome is unknown, or its score is not from 0 to 1";
  }
  if (passed) result.passed = passed->Is(ValueKind::kTrue);
  result.nothing_compared = nothing_compared && nothing_compared->Is(ValueKind::kTrue);
  result.of_other_kind = of_other_kind && of_other_kind->Is(ValueKind::kTrue);
  if (unexpected_share) result.unexpected_share = unexpected_share->Number().value_or(0);
  if (!(result.unexpected_share >= 0 && result.unexpected_share <= 1)) {
    return "its \"unexpected_share\" is not from 0 to 1";
  }
  return "";
}

}  // namespace leafscore::internal
