#include "engine/scorers/llm_judge/opinion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/languages/python_text.h"

namespace leafscore::internal {
namespace {

// Converts a score of 0 to 100 to one of 0 to 1 with two decimals, rounded as in Python. A score out of range
// becomes the nearer end of the range.
double RoundedScore(double score) {
  const double share = std::clamp(score / 100 + 0.0, 0.0, 1.0);
  return std::strtod(fmt::format("{:.2f}", share).c_str(), nullptr);
}

// Reads a score as UiPath does: with Python's float, which also accepts texts.
std::optional<double> PythonFloatOf(const JsonView& value) {
  if (!value.IsText()) return value.Number();
  double number = 0;
  return ReadPythonFloat(*value.Text(), &number) ? std::optional(number) : std::nullopt;
}

// Copies the verdicts on the keys that the model was asked about. RETURNS: what is wrong with the verdicts.
ReplyFault ReadVerdicts(const JsonView& object, std::vector<JudgedKey>& keys) {
  std::string wrong;
  std::vector<bool> judged(keys.size());
  const JsonView verdicts = object.Member("verdicts");
  if (!verdicts.Is(ValueKind::kArray)) wrong = "has no list \"verdicts\"";
  verdicts.ForEachChild([&](const JsonView& item) {
    const std::optional<std::string> name = item.Member("key").Text();
    const std::optional<std::string> verdict = item.Member("verdict").Text();
    const auto key = std::ranges::find_if(keys, [&](const JudgedKey& asked) {
      return name && asked.name == *name && asked.verdict != kMissing && asked.verdict != kExtra;
    });
    const auto* const known = std::ranges::find(kStrictVerdictNames, verdict.value_or(""));
    if (key == keys.end()) {
      wrong = fmt::format("judges {}, which was not asked", QuoteForMessage(name.value_or("no key")));
    } else if (known - kStrictVerdictNames.begin() > kWrong) {
      wrong = fmt::format("gives the verdict {}", QuoteForMessage(verdict.value_or("none")));
    } else if (judged[static_cast<std::size_t>(key - keys.begin())]) {
      wrong = fmt::format("judges {} twice", QuoteForMessage(*name));
    } else if (key->is_asked) {  // a verdict on equal values is ignored
      judged[static_cast<std::size_t>(key - keys.begin())] = true;
      key->verdict = static_cast<Verdict>(known - kStrictVerdictNames.begin());
    }
  });
  for (std::size_t k = 0; k < keys.size() && wrong.empty(); ++k) {
    if (keys[k].is_asked && !judged[k])
      wrong = fmt::format("has no verdict on {}", QuoteForMessage(keys[k].name));
  }
  return wrong.empty() ? ReplyFault{} : ReplyFault{RejectReason::kJudgeSchema, wrong};
}

}  // namespace

Opinion OpinionReader::Read(const JudgeAnswer& answer, const AskedTexts& shown,
                            std::span<const JudgedKey> keys) {
  Opinion opinion;
  opinion.fault = answer.fault.reason != RejectReason::kNone ? answer.fault
                                                             : ReadReply(answer.reply, shown, keys, opinion);
  return opinion;
}

// Reads a model's reply. RETURNS: why it gives no score.
ReplyFault OpinionReader::ReadReply(const KeptReply& reply, const AskedTexts& shown,
                                    std::span<const JudgedKey> keys, Opinion& opinion) {
  std::optional<Completion> completion = replies_.ReadCompletion(reply.body);
  if (!completion) return {RejectReason::kJudgeBadReply, "the judge's reply is not a completion"};
  opinion.model = std::move(completion->model);
  opinion.prompt_tokens = completion->prompt_tokens;
  opinion.completion_tokens = completion->completion_tokens;
  if (completion->fault.reason != RejectReason::kNone) return completion->fault;

  const auto breaks = [&](std::string_view how) -> ReplyFault {
    return {RejectReason::kJudgeSchema,
            fmt::format("what the judge wrote, {}, {}", QuoteForMessage(completion->content), how)};
  };
  if (settings_->strict() && reply.asked_with != kJsonSchema) {
    return breaks("was not constrained by a json_schema (structured: strict)");
  }
  if (completion->is_tool_call && reply.asked_with != kToolCall) {
    return breaks("is a call of a tool that was not asked for");
  }
  const FoundObject found =
      replies_.FindObject(completion->content, shown, settings_->strict(), settings_->verdict_member());
  const JsonView& object = found.object;
  if (!object.present()) return breaks(found.why);
  if (replies_.has_duplicate_keys()) return breaks("has a key twice");
  if (found.in_text) {
    opinion.read_as = "text";
  } else if (completion->is_tool_call) {
    opinion.read_as = kToolCall;
  } else if (reply.asked_with == kJsonSchema) {
    opinion.read_as = kJsonSchema;
  } else {
    opinion.read_as = reply.asked_with == kJsonObject ? kJsonObject : "json";
  }
  if (!object.Member("justification").IsText()) return breaks("has no text \"justification\"");
  opinion.justification = *object.Member("justification").Text();
  if (!ReadVerdict(object.Member(settings_->verdict_member()), opinion)) {
    return breaks(settings_->choices.empty() ? "has no \"score\" from 0 to 100"
                                             : "has no \"choice\" that is one of the choices");
  }
  if (settings_->task == JudgeTask::kSimilarity) return {};

  opinion.keys.assign(keys.begin(), keys.end());
  ReplyFault fault = ReadVerdicts(object, opinion.keys);
  if (fault.reason != RejectReason::kNone) return breaks(fault.message);
  return {};
}

// Reads the score or the choice. RETURNS: false if it is not a score or a choice that was asked for.
bool OpinionReader::ReadVerdict(const JsonView& verdict, Opinion& opinion) const {
  if (!settings_->choices.empty()) {
    const auto choice =
        std::ranges::find(settings_->choices, verdict.Text().value_or(""), &JudgeChoice::name);
    if (!verdict.IsText() || choice == settings_->choices.end()) return false;
    opinion.choice = choice->name;
    opinion.score = opinion.model_score = choice->score;
    return true;
  }
  const std::optional<double> score = settings_->rounds_score ? PythonFloatOf(verdict) : verdict.Number();
  if (!score || !std::isfinite(*score)) return false;
  if (!settings_->rounds_score && !(*score >= 0 && *score <= 100)) return false;
  opinion.score = opinion.model_score =
      settings_->rounds_score ? RoundedScore(*score) : *score / 100 + 0.0;  // not -0
  return true;
}

}  // namespace leafscore::internal
