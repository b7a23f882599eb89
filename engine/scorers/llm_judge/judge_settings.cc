#include "engine/scorers/llm_judge/judge_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/config/config_json.h"
#include "engine/json/json_writer.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/value_or_file.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kModelOption{"model", "text", "none; this or panel is required",
                                  "name of the model to ask"};
constexpr OptionSpec kApiOption{
    "api", "openai, anthropic or gemini", "openai",
    "the interface of the service: chat completions, Messages or generateContent"};
constexpr OptionSpec kBaseUrlOption{
    "base_url", "text", "the usual one of the api; for openai, OPENAI_BASE_URL of the environment",
    "URL of the service, up to /chat/completions"};
constexpr OptionSpec kKeyVariableOption{
    "api_key_env", "text",
    "OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY; none where base_url is given",
    "environment variable that holds the API key; the key itself is never accepted here"};
constexpr OptionSpec kKeyCommandOption{
    "api_key_command", "text", "none",
    "command of /bin/sh that prints the API key, run again when the service no longer takes the key"};
constexpr OptionSpec kKeyHeaderOption{"api_key_header", "text",
                                      "the usual one of the api: Authorization, x-api-key or x-goog-api-key",
                                      "header that carries the key (after \"Bearer\" in Authorization)"};

constexpr OptionSpec kOptions[] = {
    kTargetOutputKeyOption,
    kDefaultExpectedOption,
    kTextOfOption,
    kModelOption,
    {"prompt", "text", "ours",
     "the question, with {{ActualOutput}} and {{ExpectedOutput}} in it; {{field:PATH}} is a field of the "
     "record"},
    {"system_prompt", "text", "ours", "system message before the question"},
    {"context", "text", "none",
     "path of the field of a record that the output was asked for with, such as a question"},
    {"rubric", "text", "none", "rules to judge by, which come before the scale"},
    {"rubric_field", "text", "none", "path of the field of a record with its own rules"},
    {"choices", "map of numbers from 0 to 1", "none",
     "named verdicts and their scores, in place of a score: {correct: 1, partial: 0.5, wrong: 0}"},
    {"examples", "list of maps, or path of one", "none",
     "examples for the judge: [{expected: ..., actual: ..., score: 80, justification: ...}]"},
    {"temperature", "number from 0 to 2, or none", "0", "none omits it, for models that reject it"},
    {"max_tokens", "number from 1", "none", "most tokens in the reply"},
    {"seed", "number", "none", "sent with each request; each further sample adds 1"},
    {"samples", "number from 1 to 100", "1", "how often to ask; the score is the median"},
    {"panel", "list of maps", "none", "ask several models instead of one: [{model, base_url, api_key_env}]"},
    {"quorum", "number from 1 to all raters", "all",
     "how many of the raters (models by samples) must give a score for a record to have one"},
    {"structured", "auto, strict or tool", "auto",
     "auto: services without json_schema are asked for JSON in another way; strict: they are errors; tool: "
     "the "
     "model calls a tool with its verdict"},
    {"versus", "bool", "false; true with --versus",
     "compare each answer with the answer of a base, in both orders: 1 for a win in both, 0 for a loss in "
     "both, else 0.5"},
    kThresholdOption.WithDefault("no verdict"),
    kApiOption,
    kBaseUrlOption,
    kKeyVariableOption,
    kKeyCommandOption,
    kKeyHeaderOption,
    {"headers", "map of texts", "none", "additional headers of each request, without keys"},
    {"body", "map", "none", "additional members of each request body"},
    {"prices", "map", "the built-in prices",
     "US dollars per million tokens, for estimates and --max-cost: {gpt-4o: {input: 2.5, output: 10}}"},
    {"max_concurrency", "number from 1 to 1000", "32",
     "concurrent requests; fewer while the service asks for that"},
    {"rpm", "number", "no limit", "requests per minute"},
    {"tpm", "number", "no limit", "tokens per minute"},
    {"timeout_ms", "number from 1 to 86400000", "120000", "time limit for a reply"},
    {"connect_timeout_ms", "number from 1 to 86400000", "10000", "time limit for connecting"},
    {"max_retries", "number from 0 to 100", "5",
     "retries of a request that may succeed later, and of a question whose reply has no score"},
    {"max_failures", "number from 1", "100", "failures in a row after which the judge is stopped"},
};

constexpr OptionSpec kPanelOptions[] = {kModelOption,       kApiOption,        kBaseUrlOption,
                                        kKeyVariableOption, kKeyCommandOption, kKeyHeaderOption};

// The JSON Schemas of replies: for a score, for verdicts on keys, and for a choice. The schema for a choice
// has a place for the names of the choices.
constexpr std::string_view kScoreSchema =
    R"({"type":"object","properties":{"justification":{"type":"string"},"score":{"type":"number"}},"required":["justification","score"],"additionalProperties":false})";
constexpr std::string_view kVerdictsSchema =
    R"({"type":"object","properties":{"justification":{"type":"string"},"verdicts":{"type":"array","items":{"type":"object","properties":{"key":{"type":"string"},"verdict":{"type":"string","enum":["identical","similar","wrong"]}},"required":["key","verdict"],"additionalProperties":false}},"score":{"type":"number"}},"required":["justification","verdicts","score"],"additionalProperties":false})";
constexpr char kChoiceSchema[] =
    R"({{"type":"object","properties":{{"justification":{{"type":"string"}},"choice":{{"type":"string","enum":{}}}}},"required":["justification","choice"],"additionalProperties":false}})";

// Returns a schema with the bounds for the score that earlier versions gave it.
std::string WithBounds(std::string schema) {
  constexpr std::string_view kScore = R"("score":{"type":"number")";
  return schema.insert(schema.find(kScore) + kScore.size(), R"(,"minimum":0,"maximum":100)");
}

// The estimated tokens of a reply: a sentence or two.
constexpr double kUsualTokens = 150;

// Approximate memory of a question, apart from its texts and prompts.
constexpr std::size_t kQuestionBytes = 1500;

bool IsText(const ConfigValue& value) { return value.kind == ConfigValue::Kind::kScalar; }

std::string LowerCase(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

// Tells whether a header or member of this name is meant for a key or another secret.
bool CarriesKeys(const std::string& name) {
  constexpr std::string_view kParts[] = {"authorization",    "api-key",    "apikey",       "cookie",
                                         "subscription-key", "auth-token", "access-token", "security-token",
                                         "access-key",       "secret"};
  std::string plain = LowerCase(name);
  std::ranges::replace(plain, '_', '-');
  return std::ranges::any_of(kParts, [&](std::string_view part) { return plain.find(part) != plain.npos; });
}

// Tells whether a text has only the characters of a header's name (RFC 9110, 5.6.2).
bool IsHeaderName(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

std::vector<std::string> ReadHeaders(const OptionReader& options) {
  std::vector<std::string> headers;
  const std::optional<ConfigValue> given = options.GetMap("headers", "write a map such as {X-Team: tests}");
  if (!given) return headers;
  for (const ConfigMember& header : given->members) {
    if (!IsHeaderName(header.key) || !IsText(header.value) || HasControls(header.value.scalar)) {
      throw options.MakeError("headers",
                              QuoteForMessage(header.key) + " is not a header with a text on one line");
    }
    if (CarriesKeys(header.key)) {
      throw options.MakeError("headers", header.key +
                                             " carries a key, and keys come only from the environment: name "
                                             "the variable in api_key_env, and the header in api_key_header");
    }
    headers.push_back(header.key + ": " + header.value.scalar);
  }
  return headers;
}

// Returns the additional members of a request.
std::string ReadBody(const OptionReader& options) {
  const std::optional<ConfigValue> given = options.GetMap("body", "write a map such as {top_p: 1}");
  if (!given) return {};
  for (const char* const ours :
       {"model", "messages", "response_format", "temperature", "max_tokens", "seed", "stream", "n", "tools",
        "tool_choice", "system", "contents", "systemInstruction", "system_instruction", "toolConfig"}) {
    if (given->Find(ours) != nullptr) {
      throw options.MakeError("body", fmt::format("body cannot set \"{}\"", ours));
    }
  }
  for (const ConfigMember& member : given->members) {
    if (!CarriesKeys(member.key)) continue;
    throw options.MakeError(
        "body",
        fmt::format(
            "\"{}\" carries a key, and keys come only from the environment: name the variable in api_key_env",
            member.key));
  }
  if (given->members.empty()) return {};
  std::string json;
  AppendConfigAsJson(*given, json);
  json.front() = ',';
  json.pop_back();
  return json;
}

JudgeParameters ReadParameters(const OptionReader& options) {
  JudgeParameters parameters;
  const std::optional<ConfigValue> temperature = options.GetAny("temperature");
  if (!temperature || temperature->scalar != "none")
    parameters.temperature = options.GetNumber("temperature", 0, 0, 2);
  constexpr double kMaxInteger = 9007199254740992.0;  // 2^53
  const auto read = [&](const char* name, double least, std::optional<std::int64_t>& value) {
    if (options.GetAny(name))
      value = static_cast<std::int64_t>(options.GetNumber(name, 0, least, kMaxInteger));
  };
  read("max_tokens", 1, parameters.max_tokens);
  read("seed", -kMaxInteger, parameters.seed);
  return parameters;
}

// Reads the connection options of a model; the rest of the endpoint is copied from `like`.
SharedEndpoint ReadEndpoint(const OptionReader& options, JudgeEndpoint like) {
  like.model = options.GetText("model", "");
  if (like.model.empty()) throw options.MakeError("model", "name the model to ask, as in model: gpt-4o-mini");
  like.api = static_cast<JudgeApi>(options.GetChoice("api", 0, kJudgeApiNames));
  const JudgeApiDefaults& usual = DefaultsOf(like.api);
  const bool is_given = options.GetAny("base_url").has_value();
  const char* const of_environment = like.api == JudgeApi::kOpenAi ? std::getenv("OPENAI_BASE_URL") : nullptr;
  const bool has_variable = of_environment != nullptr && *of_environment != '\0';
  const std::string url =
      options.GetText("base_url", has_variable ? of_environment : std::string(usual.base_url));
  like.url = JudgeUrl(like.api, url, like.model);
  if (like.url.empty() && !JudgeUrl(JudgeApi::kOpenAi, url, like.model).empty()) {
    throw options.MakeError("model", fmt::format("{} is no name of a model of this interface (api: {})",
                                                 QuoteForMessage(like.model), options.GetText("api", "")));
  }
  if (like.url.empty()) {
    const bool may_hold_key = url.find_first_of("@?#") != std::string::npos;
    throw options.MakeError(
        "base_url", (may_hold_key ? "the value (not shown, as it may hold a key)" : QuoteForMessage(url)) +
                        " is not a URL such as https://host/v1, without a user, a key or a query (but for "
                        "?api-version=)");
  }
  // A key for one service is not sent to another.
  like.key = {options.GetText("api_key_env", is_given ? "" : std::string(usual.key_variable)),
              options.GetText("api_key_command", "")};
  if (options.Has("api_key_command") && like.key.command.find_first_not_of(" \t\n") == std::string::npos) {
    throw options.MakeError("api_key_command", "give a command that prints the key");
  }
  if (!like.key.command.empty() && options.Has("api_key_env")) {
    throw options.MakeError("api_key_command", "give either api_key_command or api_key_env");
  }
  if (like.key.variable.find_first_not_of(
          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos) {
    throw options.MakeError("api_key_env", "give the name of an environment variable, not the key itself");
  }
  like.api_key_header = options.GetText("api_key_header", std::string(usual.key_header));
  if (!IsHeaderName(like.api_key_header)) {
    throw options.MakeError("api_key_header",
                            QuoteForMessage(like.api_key_header) + " is not the name of a header");
  }
  const std::string_view header_name = usual.header.substr(0, usual.header.find(':'));
  const bool is_set = std::ranges::any_of(like.headers, [&](const std::string& header) {
    return LowerCase(header.substr(0, header.find(':'))) == header_name;
  });
  if (!usual.header.empty() && !is_set) like.headers.emplace_back(usual.header);
  return std::make_shared<const JudgeEndpoint>(std::move(like));
}

JudgeEndpoint ReadCommon(const OptionReader& options) {
  constexpr std::string_view kStructured[] = {"auto", "strict", "tool"};
  JudgeEndpoint common{};
  common.headers = ReadHeaders(options);
  common.parameters = ReadParameters(options);
  common.body_json = ReadBody(options);
  if (const std::optional<ConfigValue> prices = options.GetAny("prices"))
    common.prices = std::make_shared<const PriceTable>(*prices, options.source_name());
  const std::size_t structured = options.GetChoice("structured", 0, kStructured);
  common.strict = structured == 1;
  common.by_tool = structured == 2;
  common.may_fail = options.GetAny("quorum").has_value();
  common.max_failures = options.GetNumber("max_failures", kMaxJudgeFailures);
  LaneLimits& limits = common.limits;
  limits.pace.max_concurrency = static_cast<unsigned>(options.GetNumber("max_concurrency", 32, 1, 1000));
  if (options.GetAny("rpm")) limits.pace.requests_per_minute = options.GetNumber("rpm", 0, 0.001, 1e9);
  if (options.GetAny("tpm")) limits.pace.tokens_per_minute = options.GetNumber("tpm", 0, 0.001, 1e12);
  limits.timeout = options.GetMilliseconds("timeout_ms", 120'000);
  limits.connect_timeout = options.GetMilliseconds("connect_timeout_ms", 10'000);
  limits.max_retries = static_cast<unsigned>(options.GetNumber("max_retries", 5, 0, 100));
  limits.max_reply_bytes = 1 << 20;
  return common;
}

std::vector<SharedEndpoint> ReadEndpoints(const OptionReader& options) {
  const JudgeEndpoint common = ReadCommon(options);
  const std::optional<ConfigValue> panel = options.GetAny("panel");
  if (!panel) return {ReadEndpoint(options, common)};
  if (panel->kind != ConfigValue::Kind::kList || panel->items.size() < 2 || panel->items.size() > 16) {
    throw options.MakeError("panel", "a panel is a list of 2 to 16 models, as in [{model: a}, {model: b}]");
  }
  for (const OptionSpec& of_member : kPanelOptions) {
    if (options.GetAny(of_member.name)) {
      throw options.MakeError(of_member.name, "with a panel, give this in its members");
    }
  }
  std::vector<SharedEndpoint> endpoints;
  for (const ConfigValue& member : panel->items) {
    const std::string name = fmt::format("member {} of the panel", endpoints.size() + 1);
    SharedEndpoint endpoint = ReadEndpoint(options.Nested(member, kPanelOptions, name), common);
    const bool is_there = std::ranges::any_of(endpoints, [&](const SharedEndpoint& other) {
      return other->url == endpoint->url && other->model == endpoint->model;
    });
    if (is_there) {
      throw options.MakeError("panel",
                              fmt::format("{} is listed twice; to ask it several times, give samples",
                                          QuoteForMessage(endpoint->model)));
    }
    endpoints.push_back(std::move(endpoint));
  }
  return endpoints;
}

// Returns the path of the record's field that an option names; nullopt if the option is not given.
std::optional<TargetPath> ReadFieldPath(const OptionReader& options, const char* name) {
  if (!options.GetAny(name)) return std::nullopt;
  return ReadPath(options, name, options.GetText(name, ""),
                  "name a field of the records, as in question or input.question");
}

std::vector<JudgeChoice> ReadChoices(const OptionReader& options) {
  constexpr std::size_t kMostChoices = 50;
  std::vector<JudgeChoice> choices;
  const std::optional<ConfigValue> given = options.GetAny("choices");
  if (!given) return choices;
  if (given->kind != ConfigValue::Kind::kMap || given->members.size() < 2 ||
      given->members.size() > kMostChoices)
    throw options.MakeError("choices", "write 2 to 50 names and their scores, as in {correct: 1, wrong: 0}");
  for (const ConfigMember& choice : given->members) {
    const std::optional<double> score = AsNumber(choice.value);
    if (!score || !(*score >= 0 && *score <= 1))
      throw options.MakeError("choices", fmt::format("the score of {} must be a number from 0 to 1",
                                                     QuoteForMessage(choice.key)));
    choices.push_back({choice.key, *score});
  }
  return choices;
}

// Writes the names as a JSON list.
std::string NamesOf(std::span<const JudgeChoice> choices) {
  std::string json;
  JsonWriter list(json);
  list.Array(choices, [&](const JudgeChoice& choice) { list.LossyString(choice.name); });
  return json;
}

// Returns the examples as JSON, one per line, and adds the file that they come from to settings.files. Each
// example has both outputs and a verdict.
std::string ReadExamples(const OptionReader& options, JudgeSettings& settings) {
  const std::optional<ConfigValue> given = options.GetAny("examples");
  if (!given) return {};
  if (IsFilePath(*given)) settings.files.push_back(given->scalar);
  const ConfigValue examples = ReadValueOrFile(*given);
  if (examples.kind != ConfigValue::Kind::kList || examples.items.empty())
    throw options.MakeError("examples", "write a list of maps, or the path of a file with one");
  std::string lines;
  for (const ConfigValue& example : examples.items) {
    const bool is_map = example.kind == ConfigValue::Kind::kMap;
    for (const std::string_view name :
         {std::string_view("expected"), std::string_view("actual"), settings.verdict_member()}) {
      if (is_map && example.Find(name) != nullptr) continue;
      throw options.MakeError(
          "examples", fmt::format("an example has \"expected\", \"actual\" and \"{}\"; one lacks \"{}\"",
                                  settings.verdict_member(), name));
    }
    if (!lines.empty()) lines += '\n';
    AppendConfigAsJson(example, lines);
  }
  return lines;
}

// Checks that, for each option with a place in prompts, the prompt has this place if and only if the option
// is given. ERRORS: Error(kUsage).
void CheckPlaces(const OptionReader& options, const JudgeSettings& settings) {
  const bool by_field = settings.rubric_field.has_value();
  const std::tuple<const char*, bool, std::string_view> places[] = {
      {"context", settings.context.has_value(), "{{Context}}"},
      {by_field ? "rubric_field" : "rubric", by_field || !settings.rubric.empty(), "{{Rubric}}"},
      {"choices", !settings.choices.empty() && !settings.versus, "{{Choices}}"},
      {"examples", !settings.examples.empty(), "{{Examples}}"}};
  for (const auto& [name, is_given, place] : places) {
    if (is_given == settings.prompt.Has(place)) continue;
    throw options.MakeError(
        "prompt", is_given ? fmt::format("the prompt lacks {}, the placeholder of {}", place, name)
                           : fmt::format("the prompt has {}, but the option {} is not given", place, name));
  }
}

JudgePrompt ReadPrompt(const OptionReader& options, const std::string& default_prompt,
                       JudgePrompt::Places places) {
  JudgePrompt prompt(options.GetText("prompt", default_prompt), places);
  if (const std::string_view missing = prompt.missing_place(); !missing.empty()) {
    throw options.MakeError("prompt",
                            fmt::format("the prompt lacks {}, the placeholder of the output", missing));
  }
  if (!prompt.unknown_place().empty()) {
    throw options.MakeError(
        "prompt",
        fmt::format("{} is not a placeholder{}; valid: {}, and {{{{field:PATH}}}} for a field of the record",
                    QuoteForMessage(prompt.unknown_place()),
                    DidYouMean(prompt.unknown_place(), prompt.place_names()),
                    fmt::join(prompt.place_names(), ", ")));
  }
  return prompt;
}

// The choices between two answers, named by their places in a prompt. Each choice has the score that it gives
// to the first answer.
const std::vector<JudgeChoice> kPairChoices = {{"1", 1}, {"2", 0}, {std::string(kTie), 0.5}};

// ERRORS: Error(kUsage) for an option that does not suit the comparison of two answers.
void CheckSuitsPairs(const OptionReader& options, JudgeTask task, bool is_2026_08) {
  if (task == JudgeTask::kKeys)
    throw options.MakeError("versus", "llm_judge_strict_json judges one answer; llm_judge compares two");
  if (is_2026_08)
    throw options.MakeError("versus", "this revision judges one answer; leave the revision out");
  for (const char* const name : {"choices", "examples"}) {
    if (options.Has(name))
      throw options.MakeError(name,
                              "between two answers (versus), the choices are 1, 2 and tie, without "
                              "examples; say in `rubric` what to judge by");
  }
}

// Sets the members of requests that ask for the form of the reply.
void SetFormat(JudgeSettings& settings) {
  std::string schema(settings.task == JudgeTask::kKeys ? kVerdictsSchema : kScoreSchema);
  if (!settings.choices.empty()) {
    settings.choice_names = NamesOf(settings.choices);
    schema = fmt::format(kChoiceSchema, settings.choice_names);
  }
  const bool by_tool = settings.endpoints[0]->by_tool;
  settings.format = by_tool ? ToolMembers(schema) : SchemaMembers(schema);
  if (!by_tool && settings.choices.empty()) settings.former_format = SchemaMembers(WithBounds(schema));
}

}  // namespace

std::span<const OptionSpec> JudgeOptionSpecs() { return kOptions; }

JudgeSettings ReadJudgeSettings(const OptionReader& options, JudgeTask task) {
  const bool is_2026_08 = task == JudgeTask::kSimilarity &&
                          options.GetChoice(kRevisionOption.name, 0, kSimilarityJudgeRevisions) == 1;
  const SelectionRules rules = is_2026_08 ? SelectionRules::kUiPath : SelectionRules::kOurs;
  const bool versus = options.Has("versus") && options.GetBool("versus", false);
  if (versus) CheckSuitsPairs(options, task, is_2026_08);
  const PromptParts parts{.keys = task == JudgeTask::kKeys,
                          .context = options.Has("context"),
                          .rubric = options.Has("rubric") || options.Has("rubric_field"),
                          .examples = options.Has("examples"),
                          .choices = options.Has("choices")};
  if (parts.keys && parts.choices)
    throw options.MakeError("choices",
                            "llm_judge_strict_json has verdicts of its own; choices are for llm_judge");
  JudgeSettings settings{
      .selection = PairSelectorOptions(options, SelectedSides::kBoth, rules),
      .text_form = ReadTextForm(options),
      .task = task,
      .system_prompt =
          options.GetText("system_prompt", versus ? PairSystemPrompt() : DefaultSystemPrompt(parts)),
      .prompt = ReadPrompt(options, versus ? PairPrompt(parts, /*has_expected=*/true) : DefaultPrompt(parts),
                           versus       ? JudgePrompt::Places::kTwoAnswers
                           : is_2026_08 ? JudgePrompt::Places::kUiPath
                                        : JudgePrompt::Places::kOurs),
      .open_prompt = {},
      .context = ReadFieldPath(options, "context"),
      .rubric_field = ReadFieldPath(options, "rubric_field"),
      .fields = {},
      .rubric = options.GetText("rubric", ""),
      .examples = {},
      .files = {},
      .choices = versus ? kPairChoices : ReadChoices(options),
      .versus = versus,
      .choice_names = {},
      .format = {},
      .former_format = {},
      .endpoints = ReadEndpoints(options),
      .samples = static_cast<unsigned>(options.GetNumber("samples", 1, 1, 100)),
      .quorum = 0,
      .threshold = {},
      .tokens_out = kUsualTokens,
      .question_bytes = 0};
  if (!settings.rubric.empty() && settings.rubric_field)
    throw options.MakeError("rubric", "give either rubric or rubric_field");
  if (versus && !options.Has("prompt")) {
    settings.open_prompt.emplace(PairPrompt(parts, /*has_expected=*/false), JudgePrompt::Places::kTwoAnswers);
  } else if (versus && !settings.prompt.Has("{{ExpectedOutput}}")) {
    settings.open_prompt = settings.prompt;
  }
  SetFormat(settings);
  settings.examples = ReadExamples(options, settings);
  for (const std::string& field : settings.prompt.fields()) {
    settings.fields.push_back(ReadPath(options, "prompt", field,
                                       fmt::format("{} is not the path of a field", QuoteForMessage(field))));
  }
  CheckPlaces(options, settings);
  const auto raters = static_cast<double>(settings.raters());
  settings.quorum = static_cast<std::size_t>(options.GetNumber("quorum", raters, 1, raters));
  settings.rounds_score = is_2026_08;
  if (is_2026_08) settings.text_form = TextForm::kPython;
  if (options.GetAny(kThresholdOption.name)) settings.threshold = ReadThreshold(options);
  settings.question_bytes = settings.raters() * settings.orders() *
                            (kQuestionBytes + 2 * (settings.system_prompt.size() +
                                                   settings.prompt.text_bytes() + settings.examples.size()));
  return settings;
}

}  // namespace leafscore::internal
