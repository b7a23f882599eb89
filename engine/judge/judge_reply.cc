#include "engine/judge/judge_reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/judge/judge_api.h"

namespace leafscore::internal {
namespace {

// How many positions in a text are tried as the start of an object.
constexpr int kMaxTries = 64;

std::string TextOf(const JsonView& value) {
  return value.IsText() ? value.Text().value_or("") : std::string();
}

// Returns a number of tokens, or 0 if the value cannot be one.
double TokensOf(const JsonView& value) {
  constexpr double kMost = 1e9;
  const double tokens = value.Number().value_or(0);
  return tokens >= 0 && tokens <= kMost ? tokens : 0;
}

// Words with which services refer to the format of a reply, as FoldText returns them.
constexpr std::string_view kFormatWords[] = {"responseformat", "jsonschema",       "jsonobject",
                                             "responseschema", "structuredoutput", "outputformat",
                                             "outputconfig",   "jsonvalidate"};

// Tells whether a message mentions one of the folded words without quoting the prompt. A mention is a quote
// if the prompt contains it together with the text just before it or just after it.
bool SpeaksOf(std::span<const std::string_view> words, std::string_view message, const AskedTexts& asked) {
  constexpr std::size_t kContext = 12;
  constexpr int kMostMentions = 64;
  const std::string folded = FoldText(message);
  const std::string_view text = folded;
  int mentions = 0;
  for (const std::string_view word : words) {
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
      if (++mentions > kMostMentions) return false;
      const std::size_t before = std::min(at, kContext);
      if (!asked.Hold(text.substr(at - before, before + word.size())) &&
          !asked.Hold(text.substr(at, word.size() + kContext))) {
        return true;
      }
    }
  }
  return false;
}

// Anthropic's types of errors and their HTTP statuses (https://docs.claude.com/en/api/errors).
struct ErrorKind {
  std::string_view type;
  double status;
};
constexpr ErrorKind kErrorKinds[] = {{"invalid_request_error", 400},
                                     {"authentication_error", 401},
                                     {"permission_error", 403},
                                     {"not_found_error", 404},
                                     {"request_too_large", 413},
                                     {"rate_limit_error", 429},
                                     {"api_error", 500},
                                     {"timeout_error", 504},
                                     {"overloaded_error", 529}};

// Returns the text of a message. Some services send it as a list of parts; parts with reasoning are left out.
// RETURNS: nullopt if there is no text.
std::optional<std::string> ContentOf(const JsonView& content) {
  if (content.IsText()) return content.Text();
  std::optional<std::string> text;
  content.ForEachChild([&](const JsonView& part) {
    if (TextOf(part.Member("type")) == "text") text = text.value_or("") + TextOf(part.Member("text"));
  });
  return text;
}

// Returns why the model will not answer, if it says so. LiteLLM moves the refusal to another member.
std::string RefusalOf(const JsonView& message) {
  const std::string refusal = TextOf(message.Member("refusal"));
  return refusal.empty() ? TextOf(message.Member("provider_specific_fields").Member("refusal")) : refusal;
}

constexpr char kCutOff[] = "the reply was cut off at the token limit; raise max_tokens";
constexpr char kFiltered[] = "a filter of the service removed the reply";

bool TellsError(const JsonView& object) { return object.Member("error").Is(ValueKind::kObject); }

// Adds a call of the tool; its arguments contain the verdict. If calls differ, no call counts, just as no
// object counts if the objects in a text differ.
void AddCall(const JsonView& name, std::optional<std::string> arguments, Completion& completion) {
  if (TextOf(name) != kJudgeTool || !arguments) return;
  if (completion.is_tool_call && completion.content != *arguments) {
    completion.fault = {RejectReason::kJudgeSchema,
                        "the model calls the tool with several different verdicts"};
  }
  completion.is_tool_call = true;
  completion.content = *std::move(arguments);
}

// Returns the completion with a fault, which says why its text does not count.
Completion WithFault(Completion completion, RejectReason reason, std::string message) {
  completion.fault = {reason, std::move(message)};
  return completion;
}

// Reads a completion of OpenAI's interface. RETURNS: nullopt if the service failed.
std::optional<Completion> ReadChat(const JsonView& root) {
  const JsonView first = root.Member("choices").Element(0);
  const std::string finish = TextOf(first.Member("finish_reason"));
  if (finish == "error" || TellsError(first)) return std::nullopt;
  Completion completion;
  completion.model = TextOf(root.Member("model"));
  const JsonView usage = root.Member("usage");
  completion.prompt_tokens = TokensOf(usage.Member("prompt_tokens"));
  completion.completion_tokens = TokensOf(usage.Member("completion_tokens"));
  const auto fault = [&](RejectReason reason, std::string message) {
    return WithFault(std::move(completion), reason, std::move(message));
  };
  if (!first.present()) return fault(RejectReason::kJudgeBadReply, "the reply has no choices");
  const JsonView message = first.Member("message");
  if (const std::string refusal = RefusalOf(message); !refusal.empty()) {
    return fault(RejectReason::kJudgeRefused, "the model refuses: " + QuoteForMessage(refusal, 200));
  }
  if (finish == "content_filter") return fault(RejectReason::kJudgeRefused, kFiltered);
  if (finish == "length") return fault(RejectReason::kJudgeTruncated, kCutOff);
  message.Member("tool_calls").ForEachChild([&](const JsonView& call) {
    const JsonView function = call.Member("function");
    const JsonView arguments = function.Member("arguments");
    if (arguments.IsText()) AddCall(function.Member("name"), arguments.Text(), completion);
  });
  if (completion.is_tool_call) return completion;
  std::optional<std::string> content = ContentOf(message.Member("content"));
  if (!content) {
    return fault(RejectReason::kJudgeBadReply, "the reply has no text in choices[0].message.content");
  }
  completion.content = *std::move(content);
  return completion;
}

// Reads a reply of Anthropic's Messages. Thinking is no part of its text.
Completion ReadAnthropic(const JsonView& root) {
  Completion completion;
  completion.model = TextOf(root.Member("model"));
  const JsonView usage = root.Member("usage");
  for (const char* const read : {"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"}) {
    completion.prompt_tokens += TokensOf(usage.Member(read));
  }
  completion.completion_tokens = TokensOf(usage.Member("output_tokens"));
  const std::string stop = TextOf(root.Member("stop_reason"));
  if (stop == "refusal") return WithFault(completion, RejectReason::kJudgeRefused, "the model refuses");
  if (stop == "max_tokens" || stop == "model_context_window_exceeded") {
    return WithFault(completion, RejectReason::kJudgeTruncated, kCutOff);
  }
  if (!stop.empty() && stop != "end_turn" && stop != "tool_use" && stop != "stop_sequence") {
    return WithFault(completion, RejectReason::kJudgeBadReply,
                     "the reply ended with " + QuoteForMessage(stop));
  }
  root.Member("content").ForEachChild([&](const JsonView& part) {
    if (TextOf(part.Member("type")) == "tool_use")
      AddCall(part.Member("name"), part.Member("input").Json(), completion);
  });
  if (completion.is_tool_call) return completion;
  std::optional<std::string> content = ContentOf(root.Member("content"));
  if (!content)
    return WithFault(completion, RejectReason::kJudgeBadReply, "the reply has no text in content");
  completion.content = *std::move(content);
  return completion;
}

// Reads a reply of Gemini's generateContent. Thoughts are not part of its text, but they add to its cost.
Completion ReadGemini(const JsonView& root) {
  constexpr std::string_view kFilters[] = {"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"};
  const JsonView first = root.Member("candidates").Element(0);
  Completion completion;
  completion.model = TextOf(root.Member("modelVersion"));
  const JsonView usage = root.Member("usageMetadata");
  completion.prompt_tokens = TokensOf(usage.Member("promptTokenCount"));
  completion.completion_tokens =
      TokensOf(usage.Member("candidatesTokenCount")) + TokensOf(usage.Member("thoughtsTokenCount"));
  const std::string blocked = TextOf(root.Member("promptFeedback").Member("blockReason"));
  if (!blocked.empty()) {
    return WithFault(completion, RejectReason::kJudgeRefused,
                     "a filter of the service refused the prompt: " + QuoteForMessage(blocked));
  }
  const std::string finish = TextOf(first.Member("finishReason"));
  if (std::ranges::find(kFilters, finish) != std::end(kFilters)) {
    return WithFault(completion, RejectReason::kJudgeRefused, kFiltered);
  }
  if (finish == "MAX_TOKENS") return WithFault(completion, RejectReason::kJudgeTruncated, kCutOff);
  if (!finish.empty() && finish != "STOP") {
    return WithFault(completion, RejectReason::kJudgeBadReply,
                     "the reply ended with " + QuoteForMessage(finish));
  }
  std::optional<std::string> content;
  first.Member("content").Member("parts").ForEachChild([&](const JsonView& part) {
    const JsonView thought = part.Member("thought");
    if (thought.present() && !thought.Is(ValueKind::kFalse)) return;
    const JsonView call = part.Member("functionCall");
    AddCall(call.Member("name"), call.Member("args").Json(), completion);
    const JsonView text = part.Member("text");
    if (text.IsText()) content = content.value_or("") + *text.Text();
  });
  if (completion.is_tool_call) return completion;
  if (!content)
    return WithFault(completion, RejectReason::kJudgeBadReply, "the reply has no text in candidates[0]");
  completion.content = *std::move(content);
  return completion;
}

// Tells whether a reply may end so: with nothing, or with the end of a fence.
bool EndsReply(std::string_view text) {
  const auto trim = [&] {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    text.remove_prefix(std::min(begin, text.size()));
  };
  trim();
  const std::size_t marks = std::min(text.find_first_not_of('`'), text.size());
  if (marks >= 3) text.remove_prefix(marks);
  trim();
  return text.empty();
}

// Tells whether everything that counts in a verdict is quoted from the prompt.
bool IsQuote(const JsonView& object, const AskedTexts& asked, std::string_view verdict) {
  if (!object.Member(verdict).present()) return false;
  return std::ranges::all_of(std::array<std::string_view, 3>{"justification", "verdicts", verdict},
                             [&](std::string_view name) {
                               const JsonView member = object.Member(name);
                               return !member.present() || asked.HoldLeaves(name, member);
                             });
}

// Returns where the object that begins at `begin` ends, judging by its braces alone; npos if it does not end.
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
  // A service that fails in the middle of its answer may send a completion and an error, with status 200.
  if (TellsError(root)) return std::nullopt;
  const bool is_chat = root.Member("choices").Is(ValueKind::kArray);
  const bool is_anthropic = TextOf(root.Member("type")) == "message";
  const bool is_gemini = root.Member("candidates").present() || root.Member("promptFeedback").present();
  if (is_chat + is_anthropic + is_gemini != 1) return std::nullopt;
  std::optional<Completion> completion = is_chat        ? ReadChat(root)
                                         : is_anthropic ? std::optional(ReadAnthropic(root))
                                                        : std::optional(ReadGemini(root));
  // If the arguments of a call are JSON in the body, their duplicate keys can be detected only here.
  if (completion && completion->is_tool_call && json_.has_duplicate_keys()) {
    completion->fault = {RejectReason::kJudgeSchema, "what the judge passes to the tool has a key twice"};
  }
  return completion;
}

long JudgeReplyReader::StatusOf(std::string_view body) {
  if (body.find("\"error\"") == body.npos || ReadCompletion(body)) return 200;
  const long status = ReadError(body, AskedTexts()).status;
  return status != 0 ? status : 200;
}

// Reads the errors of OpenAI, Anthropic and Azure (an object `error`), Gemini (the same in a list), vLLM
// (`message`), and FastAPI and Mistral (a list `detail` of problems with their places).
ServiceError JudgeReplyReader::ReadError(std::string_view body, const AskedTexts& asked) {
  JsonView root = json_.Read(body);
  if (root.Is(ValueKind::kArray)) {
    bool is_first = true;
    const JsonView list = root;
    list.ForEachChild([&](const JsonView& item) {
      if (std::exchange(is_first, false)) root = item;
    });
  }
  const JsonView error = root.Member("error");
  const std::string code = TextOf(error.Member("code"));
  std::string message = TextOf(error.Member("message"));
  std::string place = TextOf(error.Member("param"));
  for (const JsonView& other : {error, root.Member("message"), root.Member("detail")}) {
    if (message.empty()) message = TextOf(other);
  }
  for (const JsonView& details : {root.Member("detail"), root.Member("message").Member("detail")}) {
    details.ForEachChild([&](const JsonView& detail) {
      message += (message.empty() ? "" : "; ") + TextOf(detail.Member("msg"));
      place += ' ' + detail.Member("loc").Text().value_or("");
    });
  }
  const bool is_named = place.find("response_format") != place.npos;
  const bool about_format =
      is_named || SpeaksOf(kFormatWords, message, asked) || SpeaksOf(kFormatWords, code, asked);
  ParameterSet about;
  for (std::size_t p = 0; p < about.size(); ++p) {
    const std::string folded = FoldText(kRequestParameterNames[p]);
    const std::string_view word = folded;
    about[p] = place == kRequestParameterNames[p] || SpeaksOf({&word, 1}, message, asked);
  }
  if (message.empty()) message = body.substr(0, 200);
  double status = error.Member("code").Number().value_or(0);
  if (const auto* const kind = std::ranges::find(kErrorKinds, TextOf(error.Member("type")), &ErrorKind::type);
      status == 0 && kind != std::end(kErrorKinds)) {
    status = kind->status;
  }
  return {.message = QuoteForMessage(message, 200),
          .status = status >= 400 && status < 600 ? static_cast<long>(status) : 0,
          .refuses = code == "content_filter" || code == "content_policy_violation",
          .about_format = about_format,
          .about = about};
}

FoundObject JudgeReplyReader::FindObject(std::string_view content, const AskedTexts& asked, bool strict,
                                         std::string_view verdict) {
  constexpr char kQuotes[] = "repeats an object from the question, which is not a verdict";
  const auto none = [&](const char* why) {
    return FoundObject{.object = json_.Read(""), .in_text = true, .why = why};
  };
  const JsonView whole = json_.Read(content);
  if (whole.Is(ValueKind::kObject))
    return IsQuote(whole, asked, verdict) ? none(kQuotes) : FoundObject{.object = whole};
  if (strict) return none("is not a JSON object");
  // Some services do not separate a model's reasoning from its answer: it comes first, and may contain drafts
  // of the object.
  constexpr std::string_view kReasoning = "<think>";
  constexpr std::string_view kEndOfReasoning = "</think>";
  if (const std::size_t reasoned = content.rfind(kEndOfReasoning); reasoned != content.npos)
    content.remove_prefix(reasoned + kEndOfReasoning.size());
  const std::size_t begun = content.find_first_not_of(" \t\r\n");
  if (begun != content.npos && content.substr(begun).starts_with(kReasoning)) {
    return none("ends within its reasoning");
  }
  bool quotes = false;
  std::string_view found;
  std::size_t found_end = 0;
  std::size_t begin = content.find('{');
  for (int tries = 0; begin != content.npos && tries < kMaxTries; ++tries) {
    const std::size_t end = EndOfObject(content, begin);
    const std::string_view text =
        end == content.npos ? std::string_view() : content.substr(begin, end - begin);
    const JsonView object = json_.Read(text);
    // Objects within an object are not verdicts, whatever they contain.
    const std::size_t next = object.Is(ValueKind::kObject) ? end : begin + 1;
    if (IsQuote(object, asked, verdict)) {
      quotes = true;
    } else if (object.Member(verdict).present()) {
      if (!found.empty() && text != found) {
        return none("has several different JSON objects with a verdict");
      }
      found = text;
      found_end = end;
    }
    begin = content.find('{', next);
  }
  if (found.empty()) return none(quotes ? kQuotes : "has no JSON object with a verdict");
  if (!EndsReply(content.substr(found_end))) {
    return none("continues after its JSON object, which may be a quote");
  }
  return {.object = json_.Read(found), .in_text = true};
}

}  // namespace leafscore::internal
