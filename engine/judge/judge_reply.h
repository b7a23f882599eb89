// engine/judge/judge_reply.h: what a service of chat completions replies, read without trusting it: first the
// completion around what the model wrote, then the JSON object in that.
#ifndef LEAFSCORE_ENGINE_JUDGE_JUDGE_REPLY_H_
#define LEAFSCORE_ENGINE_JUDGE_JUDGE_REPLY_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/json/json_value.h"
#include "engine/judge/asked_texts.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

// How a structured reply was asked for, from the strictest way on: by a response_format, or by words alone.
inline constexpr std::string_view kJsonSchema = "json_schema";
inline constexpr std::string_view kJsonObject = "json_object";
inline constexpr std::string_view kByPrompt = "prompt";
inline constexpr std::size_t kReplyForms = 3;

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
  bool about_format;    // the service itself, not a request that it repeats, speaks of the response_format
};

// The object that a model was asked for.
struct FoundObject {
  JsonView object;       // absent: none counts
  bool in_text = false;  // it stands in a text, or behind one
  std::string why = {};  // where none counts: what the text does, as in "holds no ..."
};

// Reads one reply after the other; what it returns views the text that was read last.
// THREADS: one at a time.
class JudgeReplyReader {
 public:
  // Reads the body of a reply with status 200. RETURNS: nothing for what is no completion, which nobody pays.
  std::optional<Completion> ReadCompletion(std::string_view body);

  // Reads the body of a reply with another status to a request that asked about these texts.
  ServiceError ReadError(std::string_view body, const AskedTexts& asked);

  // Finds the object with a "score" that a model was asked for: the whole of what it wrote or, unless
  // `strict`, the last thing in it but for the end of a fence. One that is a part of what was asked about is
  // none, as a model may quote an answer, and so is one of several that differ. COST: linear in the text, as
  // few objects are tried.
  FoundObject FindObject(std::string_view content, const AskedTexts& asked, bool strict);

  // Tells whether that object, or one in it, has a key twice.
  bool has_duplicate_keys() const { return json_.has_duplicate_keys(); }

 private:
  JsonValue json_{JsonOptions{}};
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_JUDGE_REPLY_H_
