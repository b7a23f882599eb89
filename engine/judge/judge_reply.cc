#include "engine/judge/judge_reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/suggest.h"

namespace leafscore::internal {
namespace {

// How many places in a text are tried for where an object begins.
constexpr int kMaxTries = 64;

std::string TextOf(const JsonView& value) {
  return value.IsText() ? value.Text().value_or("") : std::string();
}

// Returns a number of tokens, and 0 for what cannot be one.
double TokensOf(const JsonView& value) {
  constexpr double kMost = 1e9;
  const double tokens = value.Number().value_or(0);
  return tokens >= 0 && tokens <= kMost ? tokens : 0;
}

bool Mentions(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

// Returns where the object that begins at `begin` ends, by its braces alone; npos when it does not.
std::size_t EndOfObject(std::string_view text, std::size_t begin) {
  int open = 0;
  bool in_string = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++open;
    } else if (c == '}' && --open == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::optional<Completion> JudgeReplyReader::ReadCompletion(std::string_view body) {
  const JsonView root = json_.Read(body);
  const JsonView choices = root.Member("choices");
  if (!choices.Is(ValueKind::kArray)) return std::nullopt;
  std::optional<JsonView> first;
  choices.ForEachChild([&](const JsonView& choice) {
    if (!first) first = choice;
  });
  const std::string finish = first ? TextOf(first->Member("finish_reason")) : "";
  // A service that fails in the middle of its answer may tell both, with the status of success.
  const auto tells_error = [](const JsonView& object) {
    return object.Member("error").Is(ValueKind::kObject);
  };
  if (finish == "error" || tells_error(root) || (first && tells_error(*first))) return std::nullopt;
  Completion completion;
  completion.model = TextOf(root.Member("model"));
  const JsonView usage = root.Member("usage");
  completion.prompt_tokens = TokensOf(usage.Member("prompt_tokens"));
  completion.completion_tokens = TokensOf(usage.Member("completion_tokens"));
  const auto fault = [&](RejectReason reason, std::string message) {
    completion.fault = {reason, std::move(message)};
    return completion;
  };
  if (!first) return fault(RejectReason::kJudgeBadReply, "the reply has no choices");
  const JsonView message = first->Member("message");
  if (const std::string refusal = TextOf(message.Member("refusal")); !refusal.empty()) {
    return fault(RejectReason::kJudgeRefused, "the model refuses: " + QuoteForMessage(refusal, 200));
  }
  if (finish == "content_filter") {
    return fault(RejectReason::kJudgeRefused, "a filter of the service has taken the reply away");
  }
  if (finish == "length") {
    return fault(RejectReason::kJudgeTruncated,
                 "the reply was cut off at the limit of tokens; give more max_tokens");
  }
  if (!message.Member("content").IsText()) {
    return fault(RejectReason::kJudgeBadReply, "the reply has no text in choices[0].message.content");
  }
  completion.content = TextOf(message.Member("content"));
  return completion;
}

ServiceError JudgeReplyReader::ReadError(std::string_view body) {
  const JsonView root = json_.Read(body);
  const JsonView error = root.Member("error");
  const std::string code = TextOf(error.Member("code"));
  std::string message = TextOf(error.Member("message"));
  for (const JsonView& other : {error, root.Member("message"), root.Member("detail")}) {
    if (message.empty()) message = TextOf(other);
  }
  if (message.empty()) message = body.substr(0, 200);
  return {.message = QuoteForMessage(message, 200),
          .refuses = code == "content_filter" || code == "content_policy_violation",
          .about_format = Mentions(body, "response_format") || Mentions(body, kJsonSchema) ||
                          Mentions(body, kJsonObject)};
}

JsonView JudgeReplyReader::FindObject(std::string_view content, std::string_view member, bool strict,
                                      bool& in_text) {
  in_text = false;
  const JsonView whole = json_.Read(content);
  if (whole.Is(ValueKind::kObject) || strict) return whole;
  in_text = true;
  int tries = 0;
  std::string_view found;
  for (std::size_t begin = content.find('{'); begin != std::string_view::npos && tries < kMaxTries; ++tries) {
    const std::size_t end = EndOfObject(content, begin);
    std::size_t next = begin + 1;
    if (end != std::string_view::npos) {
      const std::string_view text = content.substr(begin, end - begin);
      if (json_.Read(text).Member(member).present()) {
        if (!found.empty() && text != found) return json_.Read("");
        found = text;
        next = end;
      }
    }
    begin = content.find('{', next);
  }
  return json_.Read(found);
}

}  // namespace leafscore::internal
