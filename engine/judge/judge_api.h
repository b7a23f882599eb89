// engine/judge/judge_api.h: the interfaces of services that can be judges. A question is written as a request
// to OpenAI's chat completions, and stored in the cache in this form. For a service with another interface,
// the request is translated when it is sent. JudgeReplyReader distinguishes the replies of the interfaces by
// their members.
#ifndef LEAFSCORE_ENGINE_JUDGE_JUDGE_API_H_
#define LEAFSCORE_ENGINE_JUDGE_JUDGE_API_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace leafscore::internal {

enum class JudgeApi : std::uint8_t { kOpenAi, kAnthropic, kGemini };

// The values of the option `api`, in the order of JudgeApi.
inline constexpr std::string_view kJudgeApiNames[] = {"openai", "anthropic", "gemini"};

// The defaults of the options for an interface, and the path of its questions.
struct JudgeApiDefaults {
  std::string_view base_url;
  std::string_view key_variable;
  std::string_view key_header;
  std::string_view path;    // the path of questions, after the base URL
  std::string_view header;  // sent with each request; may be empty
};
const JudgeApiDefaults& DefaultsOf(JudgeApi api);

// Tells whether a text contains ASCII control characters, which are not allowed in URLs and headers.
bool HasControls(std::string_view text);

// Returns the URL for questions to a model: `base`, with the path of questions added unless `base` already
// ends in it. Only a query with an API version is accepted, because Azure requires it; any other query may
// contain a key. RETURNS: empty if `base` is not such a URL or if, for Gemini, `model` cannot be a part of a
// URL.
std::string JudgeUrl(JudgeApi api, std::string_view base, std::string_view model);

// The tool that a model calls to submit its verdict. UiPath uses the same name.
inline constexpr std::string_view kJudgeTool = "submit_evaluation";

// Return the members of a request that ask for a reply according to a JSON Schema. SchemaMembers uses
// `response_format`. ToolMembers asks for a call of the tool, whose arguments are the reply.
std::string SchemaMembers(std::string_view schema);
std::string ToolMembers(std::string_view schema);

// Translates a request to chat completions for an interface: to Anthropic's Messages or Gemini's
// generateContent. Members that chat completions do not have are copied unchanged.
// REQUIRES: `chat` is an object with two messages, first the system's, then the user's.
std::string TranslateRequest(JudgeApi api, std::string_view chat);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_JUDGE_API_H_
