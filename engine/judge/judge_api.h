// engine/judge/judge_api.h: the interfaces of services that can be judges. A question is a request of
// OpenAI's chat completions, which is also what the cache keeps. For a service with another interface it is
// translated when it is sent. JudgeReplyReader tells the replies of all interfaces apart by their members.
#ifndef LEAFSCORE_ENGINE_JUDGE_JUDGE_API_H_
#define LEAFSCORE_ENGINE_JUDGE_JUDGE_API_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace leafscore::internal {

enum class JudgeApi : std::uint8_t { kOpenAi, kAnthropic, kGemini };

// The values of the option `api`, in the order of JudgeApi.
inline constexpr std::string_view kJudgeApiNames[] = {"openai", "anthropic", "gemini"};

// The defaults of the options for an interface, and where its questions go.
struct JudgeApiDefaults {
  std::string_view base_url;
  std::string_view key_variable;
  std::string_view key_header;
  std::string_view path;    // of questions, below the base URL
  std::string_view header;  // sent with each request; may be empty
};
const JudgeApiDefaults& DefaultsOf(JudgeApi api);

// Tells whether a text has control characters of ASCII, which neither URLs nor headers may have.
bool HasControls(std::string_view text);

// Returns the URL of questions to a model, below a base URL, which may itself be that URL. A query is kept if
// it is an API version, as Azure wants it; others may hold a key. RETURNS: empty if the base is not such a
// URL, or the model cannot be a part of one.
std::string JudgeUrl(JudgeApi api, std::string_view base, std::string_view model);

// The tool that a model calls with its verdict, as UiPath names it.
inline constexpr std::string_view kJudgeTool = "submit_evaluation";

// Return the members of a request that ask for a reply that follows a JSON Schema: by a `response_format`, or
// as a call of that tool.
std::string SchemaMembers(std::string_view schema);
std::string ToolMembers(std::string_view schema);

// Returns a request of chat completions as the interface wants it: Anthropic's Messages, or Gemini's
// generateContent. Members that chat completions do not have are sent as they are.
// REQUIRES: the request is an object with a system message and one of the user.
std::string TranslateRequest(JudgeApi api, std::string_view chat);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_JUDGE_API_H_
