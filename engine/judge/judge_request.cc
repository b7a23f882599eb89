#include "engine/judge/judge_request.h"

#include <fmt/format.h>

#include <array>

#include "engine/json/json_writer.h"

namespace leafscore::internal {
namespace {

// The ways to ask for a structured reply, tried in order until the service understands one.
constexpr std::array<std::string_view, kReplyForms> kForms = {kJsonSchema, kJsonObject, kByPrompt};

// The distance between the seeds of attempts. It is at least the number of samples.
constexpr std::int64_t kSeedsOfAttempt = 100;

// Returns the members of a request after its messages.
std::string ParametersJson(const JudgeEndpoint& endpoint, std::int64_t seed_offset, ParameterSet left_out) {
  const auto& [temperature, max_tokens, seed] = endpoint.parameters;
  std::string json;
  if (temperature && !left_out[kTemperatureParameter])
    json += fmt::format(",\"temperature\":{}", *temperature);
  if (max_tokens) {
    const bool is_refused = left_out[kMaxTokensParameter];
    json += fmt::format(",\"{}\":{}", is_refused ? "max_completion_tokens" : "max_tokens", *max_tokens);
  }
  if (seed && !left_out[kSeedParameter]) json += fmt::format(",\"seed\":{}", *seed + seed_offset);
  return json + endpoint.body_json;
}

}  // namespace

ParameterSet JudgeParameters::given() const {
  ParameterSet given;
  given[kTemperatureParameter] = temperature.has_value();
  given[kMaxTokensParameter] = max_tokens.has_value();
  given[kSeedParameter] = seed.has_value();
  return given;
}

std::string_view FormName(const JudgeEndpoint& endpoint, std::size_t form) {
  return form == 0 && endpoint.by_tool ? kToolCall : kForms[form];
}

// Anthropic has no JSON mode.
std::size_t NextForm(const JudgeEndpoint& endpoint, std::size_t form) {
  ++form;
  return form + (endpoint.api == JudgeApi::kAnthropic && kForms[form] == kJsonObject);
}

JudgeRequest::JudgeRequest(const JudgeEndpoint& endpoint, const JudgeQuestion& question,
                           std::string_view format)
    : head_bytes_(question.head.size()), seed_offset_(question.sample + kSeedsOfAttempt * question.attempt) {
  JsonWriter json(text_, JsonLayout::kCompact);
  json.StartObject();
  json.Key("url").String(endpoint.url);
  json.Key("headers").StartArray();
  for (const std::string& header : endpoint.headers) json.String(header);
  json.EndArray();
  json.Key("sample").Integer(question.sample);
  if (question.attempt != 0) json.Key("attempt").Integer(question.attempt);
  json.Key("body");
  body_begin_ = json.RawValue().size();
  text_ += question.head;
  text_ += ParametersJson(endpoint, seed_offset_, {});
  format_at_ = text_.size() - body_begin_;
  text_ += ',';
  text_ += format;
  text_ += '}';
  json.EndObject();
}

std::string_view JudgeRequest::body_before_format() const {
  return std::string_view(text_).substr(body_begin_, format_at_);
}

std::string JudgeRequest::Body(const JudgeEndpoint& endpoint, std::size_t form, ParameterSet left_out) const {
  const std::string_view body = std::string_view(text_).substr(body_begin_, text_.size() - body_begin_ - 1);
  std::string text(body.substr(0, head_bytes_));
  text += ParametersJson(endpoint, seed_offset_, left_out);
  if (form == 0) {
    text += body.substr(format_at_);
  } else {
    text += kForms[form] == kJsonObject ? ",\"response_format\":{\"type\":\"json_object\"}}" : "}";
  }
  return TranslateRequest(endpoint.api, text);
}

}  // namespace leafscore::internal
