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
// Takes the place of kJsonSchema if an endpoint is asked for a tool call.
inline constexpr std::string_view kToolCall = "tool_call";

// Why a reply gives no score.
struct ReplyFault {
  RejectReason reason = RejectReason::kNone;  // kNone: it gives a score
  std::string message = {};
};

// The text that a model wrote, and the tokens that it used.
struct Completion {
  ReplyFault fault = {};
  std::string content = {};
  bool is_tool_call = false;  // the content is the arguments of a call
  std::string model = {};
  double prompt_tokens = 0;  // the service's count; 0 if it is missing or impossible
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
  long status = 0;          // the HTTP status that the error stands for; 0 if unknown
  bool refuses;             // a content filter of the service refused
  bool about_format;        // the service mentions the response_format in its own words
  ParameterSet about = {};  // the parameters that it mentions in its own words
};

// The object that the model was asked for.
struct FoundObject {
  JsonView object;       // absent if no object counts
  bool in_text = false;  // there is other text before or after it
  std::string why = {};  // if no object counts: why, as in "has no JSON object ..."
};

// Reads one reply after another. An object that it found is valid until it reads the next reply.
class JudgeReplyReader {
 public:
  // Reads the body of a reply with status 200. The members of the body show whether it is a completion of
  // OpenAI, Anthropic or Gemini. RETURNS: nullopt if it is not a completion; services do not charge for such
  // replies.
  std::optional<Completion> ReadCompletion(std::string_view body);

  // Returns the status of a failure that a reply with status 200 reports in its body, as proxies do if the
  // service behind them fails; 200 for other bodies.
  long StatusOf(std::string_view body);

  // Reads the body of a reply with another status, to a request whose prompt contained `asked`.
  ServiceError ReadError(std::string_view body, const AskedTexts& asked);

  // Finds the object that a model was asked for; its member `verdict` is a score or a choice. The object is
  // the whole text or, unless `strict`, the last thing in it, apart from the end of a fence. An object quoted
  // from the prompt does not count, because a model may quote an answer. If several objects differ, no object
  // counts. COST: linear in the text, because few objects are tried.
  FoundObject FindObject(std::string_view content, const AskedTexts& asked, bool strict,
                         std::string_view verdict = "score");

  // Tells whether the object that was found, or an object in it, has a duplicate key.
  bool has_duplicate_keys() const { return json_.has_duplicate_keys(); }

 private:
  JsonValue json_{JsonOptions{}};
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_JUDGE_REPLY_H_
