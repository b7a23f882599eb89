// engine/judge/judge_reply.h: what a service of chat completions replies, read without trusting it: first the
// completion around what the model wrote, then the JSON object in that.
#ifndef LEAFSCORE_ENGINE_JUDGE_JUDGE_REPLY_H_
#define LEAFSCORE_ENGINE_JUDGE_JUDGE_REPLY_H_

#include <optional>
#include <string>
#include <string_view>

#include "engine/json/json_value.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

// How a structured reply was asked for, from the strictest way on: by a response_format, or by words alone.
inline constexpr std::string_view kJsonSchema = "json_schema";
inline constexpr std::string_view kJsonObject = "json_object";
inline constexpr std::string_view kByPrompt = "prompt";

// Why a reply gives no score.
struct ReplyFault {
  RejectReason reason = RejectReason::kNone;  // kNone: it does
  std::string message = {};
};

// What a model wrote, and what it took.
struct Completion {
  ReplyFault fault = {};
  std::string content = {};
  std::string model = {};
  double prompt_tokens = 0;  // as the service counts them; 0 where it does not, or cannot have
  double completion_tokens = 0;
};

// What a service says that has no completion.
struct ServiceError {
  std::string message;  // for people, on one line
  bool refuses;         // a filter of the service refuses the content
  bool about_format;    // it does not know the response_format
};

// Reads one reply after the other; what it returns views the text that was read last.
// THREADS: one at a time.
class JudgeReplyReader {
 public:
  // Reads the body of a reply with status 200. RETURNS: nothing for what is no completion, which nobody pays.
  std::optional<Completion> ReadCompletion(std::string_view body);

  // Reads the body of a reply with another status.
  ServiceError ReadError(std::string_view body);

  // Finds the object that a model was asked for: the whole of what it wrote or, unless `strict`, the object
  // in the text that has the member; `in_text` tells which.
  // RETURNS: an absent view when there is none, or when two differ: one may be quoted from an answer.
  // COST:    linear in the text, as few objects are tried.
  JsonView FindObject(std::string_view content, std::string_view member, bool strict, bool& in_text);

  // Tells whether that object, or one in it, has a key twice.
  bool has_duplicate_keys() const { return json_.has_duplicate_keys(); }

 private:
  JsonValue json_{JsonOptions{}};
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_JUDGE_REPLY_H_
