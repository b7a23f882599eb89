#include "engine/judge/judge_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>

#include "engine/json/json_value.h"
#include "engine/json/json_writer.h"

namespace leafscore::internal {
namespace {

constexpr std::array<JudgeApiDefaults, 3> kDefaults = {{
    {"https://api.openai.com/v1", "OPENAI_API_KEY", "Authorization", "/chat/completions", ""},
    {"https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", "x-api-key", "/messages",
     "anthropic-version: 2023-06-01"},
    {"https://generativelanguage.googleapis.com/v1beta", "GEMINI_API_KEY", "x-goog-api-key",
     "/models/MODEL:generateContent", ""},
}};
static_assert(kDefaults.size() == std::size(kJudgeApiNames));

constexpr std::string_view kModelPlace = "MODEL";
constexpr std::string_view kToolDescription = "Submits the evaluation.";

// Anthropic requires a limit on tokens. Reasoning counts towards it; the reply itself takes a few hundred.
constexpr std::string_view kAnthropicTokens = "4096";

// The members of chat completions, which are translated.
constexpr std::string_view kChatMembers[] = {
    "model", "messages",        "temperature", "max_tokens", "max_completion_tokens",
    "seed",  "response_format", "tools",       "tool_choice"};

bool IsModelName(std::string_view model) {
  return !model.empty() && std::ranges::all_of(model, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_';
  });
}

// The parts of a request to chat completions.
class ChatRequest {
 public:
  explicit ChatRequest(const JsonView& root) : root_(root) {}

  JsonView system() const { return root_.Member("messages").Element(0).Member("content"); }
  JsonView user() const { return root_.Member("messages").Element(1).Member("content"); }
  JsonView Member(std::string_view name) const { return root_.Member(name); }
  JsonView tokens() const {
    const JsonView given = root_.Member("max_tokens");
    return given.present() ? given : root_.Member("max_completion_tokens");
  }
  // The schema of the reply; absent if the request has no schema.
  JsonView schema() const { return root_.Member("response_format").Member("json_schema").Member("schema"); }
  bool asks_for_json() const { return root_.Member("response_format").present(); }
  // The tool to be called; absent if the request has no tool.
  JsonView tool() const { return root_.Member("tools").Element(0).Member("function"); }

  // Writes the members that are not in kChatMembers, except for `merged`, which is merged with a member of
  // ours.
  void WriteFurther(JsonWriter& json, std::string_view merged) const {
    root_.ForEachMember([&](std::string_view name, const JsonView& value) {
      if (name == merged || std::ranges::find(kChatMembers, name) != std::end(kChatMembers)) return;
      json.Key(name).Raw(*value.Json());
    });
  }

 private:
  JsonView root_;
};

void WriteIfPresent(std::string_view name, const JsonView& value, JsonWriter& json) {
  if (value.present()) json.Key(name).Raw(*value.Json());
}

// Writes the members of `object`, which comes from the user's `body`, into an object of ours. Leaves out the
// members that we write ourselves (`ours`).
void WriteMembers(const JsonView& object, std::initializer_list<std::string_view> ours, JsonWriter& json) {
  object.ForEachMember([&](std::string_view name, const JsonView& value) {
    if (std::ranges::find(ours, name) == ours.end()) WriteIfPresent(name, value, json);
  });
}

// https://docs.claude.com/en/api/messages
void WriteAnthropic(const ChatRequest& chat, JsonWriter& json) {
  constexpr std::string_view kOutput = "output_config";
  json.Key("model").Raw(*chat.Member("model").Json());
  json.Key("max_tokens").Raw(chat.tokens().Json().value_or(std::string(kAnthropicTokens)));
  json.Key("system").Raw(*chat.system().Json());
  json.Key("messages").StartArray();
  json.Object([&] {
    json.Key("role").String("user");
    json.Key("content").Raw(*chat.user().Json());
  });
  json.EndArray();
  WriteIfPresent("temperature", chat.Member("temperature"), json);
  if (chat.schema().present() || chat.Member(kOutput).present()) {
    json.Key(kOutput).Object([&] {
      WriteMembers(chat.Member(kOutput), {"format"}, json);
      if (!chat.schema().present()) return;
      json.Key("format").Object([&] {
        json.Key("type").String("json_schema");
        json.Key("schema").Raw(*chat.schema().Json());
      });
    });
  }
  if (chat.tool().present()) {
    json.Key("tools").StartArray();
    json.Object([&] {
      json.Key("name").String(kJudgeTool);
      json.Key("description").String(kToolDescription);
      json.Key("input_schema").Raw(*chat.tool().Member("parameters").Json());
    });
    json.EndArray();
    json.Key("tool_choice").Object([&] {
      json.Key("type").String("tool");
      json.Key("name").String(kJudgeTool);
    });
  }
  chat.WriteFurther(json, kOutput);
}

void WriteGeminiParts(const JsonView& text, JsonWriter& json) {
  json.Key("parts").StartArray();
  json.Object([&] { json.Key("text").Raw(*text.Json()); });
  json.EndArray();
}

// https://ai.google.dev/api/generate-content
void WriteGemini(const ChatRequest& chat, JsonWriter& json) {
  constexpr std::string_view kGeneration = "generationConfig";
  json.Key("systemInstruction").Object([&] { WriteGeminiParts(chat.system(), json); });
  json.Key("contents").StartArray();
  json.Object([&] {
    json.Key("role").String("user");
    WriteGeminiParts(chat.user(), json);
  });
  json.EndArray();
  json.Key(kGeneration).Object([&] {
    WriteIfPresent("temperature", chat.Member("temperature"), json);
    WriteIfPresent("maxOutputTokens", chat.tokens(), json);
    WriteIfPresent("seed", chat.Member("seed"), json);
    if (chat.asks_for_json()) json.Key("responseMimeType").String("application/json");
    WriteIfPresent("responseJsonSchema", chat.schema(), json);
    WriteMembers(chat.Member(kGeneration),
                 {"temperature", "maxOutputTokens", "seed", "responseMimeType", "responseSchema",
                  "responseJsonSchema"},
                 json);
  });
  if (chat.tool().present()) {
    json.Key("tools").StartArray();
    json.Object([&] {
      json.Key("functionDeclarations").StartArray();
      json.Object([&] {
        json.Key("name").String(kJudgeTool);
        json.Key("description").String(kToolDescription);
        json.Key("parametersJsonSchema").Raw(*chat.tool().Member("parameters").Json());
      });
      json.EndArray();
    });
    json.EndArray();
    json.Key("toolConfig").Object([&] {
      json.Key("functionCallingConfig").Object([&] { json.Key("mode").String("ANY"); });
    });
  }
  chat.WriteFurther(json, kGeneration);
}

}  // namespace

const JudgeApiDefaults& DefaultsOf(JudgeApi api) { return kDefaults[static_cast<std::size_t>(api)]; }

bool HasControls(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
}

std::string JudgeUrl(JudgeApi api, std::string_view base, std::string_view model) {
  std::string path(DefaultsOf(api).path);
  if (const std::size_t place = path.find(kModelPlace); place != path.npos) {
    constexpr std::string_view kFolder = "models/";
    if (model.starts_with(kFolder)) model.remove_prefix(kFolder.size());
    if (!IsModelName(model)) return {};
    path.replace(place, kModelPlace.size(), model);
  }
  const std::size_t query_at = std::min(base.find('?'), base.size());
  std::string_view url = base.substr(0, query_at);
  const std::string_view query = base.substr(query_at);
  const bool is_version = query.starts_with("?api-version=") && query.find_first_of("&;") == query.npos;
  const bool is_url = url.starts_with("https://") || url.starts_with("http://");
  if (!is_url || HasControls(base) || base.find_first_of("@# ") != base.npos ||
      !(query.empty() || is_version)) {
    return {};
  }
  const auto trim = [&] {
    while (url.ends_with('/')) url.remove_suffix(1);
  };
  trim();
  if (url.ends_with(path)) url.remove_suffix(path.size());
  trim();
  return fmt::format("{}{}{}", url, path, query);
}

std::string SchemaMembers(std::string_view schema) {
  return fmt::format(
      R"("response_format":{{"type":"json_schema","json_schema":{{"name":"evaluation_response","strict":true,)"
      R"("schema":{}}}}})",
      schema);
}

std::string ToolMembers(std::string_view schema) {
  return fmt::format(
      R"("tools":[{{"type":"function","function":{{"name":"{0}","description":"{1}","parameters":{2}}}}}],)"
      R"("tool_choice":{{"type":"function","function":{{"name":"{0}"}}}})",
      kJudgeTool, kToolDescription, schema);
}

std::string TranslateRequest(JudgeApi api, std::string_view chat) {
  if (api == JudgeApi::kOpenAi) return std::string(chat);
  JsonValue value{JsonOptions{}};
  const ChatRequest request(value.Read(chat));
  std::string text;
  JsonWriter json(text, JsonLayout::kCompact);
  json.Object([&] {
    if (api == JudgeApi::kAnthropic) {
      WriteAnthropic(request, json);
    } else {
      WriteGemini(request, json);
    }
  });
  return text;
}

}  // namespace leafscore::internal
