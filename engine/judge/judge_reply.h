// engine/judge/judge_reply.h: reads replies of services (judge_api.h) without trusting them: first the
// completion around the model's text, then the JSON object in that text.
#ifndef LEAFSCORE_ENGINE_JUDGE_JUDGE_REPLY_H_
#define LEAFSCORE_ENGINE_JUDGE_JUDGE_REPLY_H_

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "engine/json/json_value.h"
#include "engine/judge/asked_texts.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

// How a structured reply was asked for, strictest first: by a response_format, or by words alone.
inline constexpr std::string_view kJsonSchema = "json_schema";
inline constexpr std::string_view kJsonObject = "json_object";
inline constexpr std::string_view kByPrompt = "prompt";
inline constexpr std::size_t kReplyForms = 3;
// In place of the first, where an endpoint is asked for a call of a tool.
inline constexpr std::string_view kToolCall = "tool_call";

// Why a reply gives no score.
struct ReplyFault {
  RejectReason reason = RejectReason::kNone;  // kNone: it gives a score
  std::string message = {};
};

// The text of a model, and its cost.
struct Completion {
  ReplyFault fault = {};
  std::string content = {};
  bool is_tool_call = false;  // the content is the arguments of a call
  std::string model = {};
  double prompt_tokens = 0;  // as the service counts them; 0 if it does not, or the count is impossible
  double completion_tokens = 0;
};

// Parameters of a request that some models refuse.
enum RequestParameter : std::uint8_t { kTemperatureParameter, kMaxTokensParameter, kSeedParameter };
inline constexpr std::string_view kRequestParameterNames[] = {"temperature", "max_tokens", "seed"};
inline constexpr std::size_t kRequestParameters = std::size(kRequestParameterNames);
using ParameterSet = std::bitset<kRequestParameters>;

// The content of a reply without a completion.
struct ServiceError {
  std::string message;      // for people, on one line
  long status = 0;          // as its code says; 0 if that is no status of HTTP
  bool refuses;             // a content filter of the service refused
  bool about_format;        // the service's own words, not a repeated request, mention the response_format
  ParameterSet about = {};  // the parameters that they mention
};

// The object that the model was asked for.
struct FoundObject {
  JsonView object;       // absent: no object counts
  bool in_text = false;  // there is text around it, or before it
  std::string why = {};  // if no object counts: what the text does, as in "holds no ..."
};

// Reads one reply after another; its results are views into the text that was read last.
class JudgeReplyReader {
 public:
  // Reads the body of a reply with status 200. RETURNS: nullopt if it is not a completion, which is not
  // charged.
  // The members tell OpenAI's, Anthropic's and Gemini's completions apart.
  std::optional<Completion> ReadCompletion(std::string_view body);

  // Returns the status that the body of a reply with status 200 names, as services in front of others do if
  // those fail; 200 for other bodies.
  long StatusOf(std::string_view body);

  // Reads the body of a reply with another status, to a request whose prompt contained `asked`.
  ServiceError ReadError(std::string_view body, const AskedTexts& asked);

  // Finds the object with a `verdict`, a score or a choice, that a model was asked for: the whole of its text
  // or, unless `strict`, the last thing in it (before the end of a fence). An object quoted from the prompt
  // does not count, as a model may quote an answer; nor does one of several that differ. COST: linear in the
  // text, as few objects are tried.
  FoundObject FindObject(std::string_view content, const AskedTexts& asked, bool strict,
                         std::string_view verdict = "score");

  // Tells whether that object, or one in it, has a duplicate key.
  bool has_duplicate_keys() const { return json_.has_duplicate_keys(); }

 private:
  JsonValue json_{JsonOptions{}};
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_JUDGE_REPLY_H_
