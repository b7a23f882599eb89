#include "engine/judge/batch_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/json/json_writer.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kAnthropicBatches = "/messages/batches";
constexpr std::string_view kOpenAiBatches = "/batches";
constexpr std::string_view kTokenName = "leafscore";

bool IsBatchId(std::string_view id) {
  constexpr std::size_t kMost = 200;
  return !id.empty() && id.size() <= kMost && std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

std::string TextIn(const JsonView& value) { return value.IsText() ? value.Text().value_or("") : ""; }

// ERRORS: Error(kInput) for an id that cannot be a part of a URL.
std::string CheckedId(std::string id) {
  if (IsBatchId(id)) return id;
  throw Error(ErrorCode::kInput,
              "the batch service gave no id of a file or batch; is base_url that of such a service?");
}

// Returns the number of questions of an Anthropic batch, in whatever state they are.
double CountOfAnthropic(const JsonView& batch) {
  double count = 0;
  batch.Member("request_counts").ForEachChild([&](const JsonView& part) {
    count += part.Number().value_or(0);
  });
  return count;
}

BatchReply ReplyOfOpenAi(const JsonView& line) {
  BatchReply reply{.id = TextIn(line.Member("custom_id"))};
  const JsonView response = line.Member("response");
  if (const std::optional<double> status = response.Member("status_code").Number()) {
    reply.status = *status >= 100 && *status < 600 ? static_cast<long>(*status) : 0;
    reply.body = response.Member("body").Written();
  }
  const JsonView error = line.Member("error");
  reply.why = TextIn(error.Member("message"));
  if (reply.why.empty()) reply.why = TextIn(error.Member("code"));
  return reply;
}

// Anthropic's errors have types in place of statuses (https://docs.claude.com/en/api/errors).
long StatusOfType(std::string_view type) {
  constexpr std::pair<std::string_view, long> kStatuses[] = {
      {"invalid_request_error", 400}, {"authentication_error", 401}, {"permission_error", 403},
      {"not_found_error", 404},       {"request_too_large", 413},    {"rate_limit_error", 429},
      {"overloaded_error", 529}};
  const auto* const known = std::ranges::find(kStatuses, type, &std::pair<std::string_view, long>::first);
  return known == std::end(kStatuses) ? 500 : known->second;
}

BatchReply ReplyOfAnthropic(const JsonView& line) {
  BatchReply reply{.id = TextIn(line.Member("custom_id"))};
  const JsonView result = line.Member("result");
  const std::string type = TextIn(result.Member("type"));
  if (type == "succeeded") {
    reply.status = 200;
    reply.body = result.Member("message").Written();
  } else if (type == "errored") {
    const JsonView error = result.Member("error");
    reply.status = StatusOfType(TextIn(error.Member("error").Member("type")));
    reply.body = error.Written();
  } else {
    reply.why = type;  // canceled, expired
  }
  return reply;
}

}  // namespace

BatchApi::BatchApi(JudgeApi api, const std::string& url, Call call) : api_(api), call_(std::move(call)) {
  const std::string_view path = DefaultsOf(api).path;
  const std::size_t query_at = std::min(url.find('?'), url.size());
  const std::size_t base_bytes = query_at - std::min(query_at, path.size());
  if (api == JudgeApi::kGemini || std::string_view(url).substr(base_bytes, path.size()) != path) {
    throw Error(ErrorCode::kUsage,
                "--batch is for the batch services of OpenAI and Anthropic (api: openai, anthropic)");
  }
  base_ = url.substr(0, base_bytes);
  query_ = url.substr(query_at);
  path_ = path;
}

std::string BatchApi::Get(const std::string& path) {
  return call_({.url = base_ + path + query_, .is_get = true}, /*may_repeat=*/true);
}

std::string BatchApi::Post(const std::string& path, std::string body, bool may_repeat,
                           std::string content_type) {
  HttpRequest request{.url = base_ + path + query_, .body = std::move(body)};
  if (!content_type.empty()) request.content_type = std::move(content_type);
  return call_(std::move(request), may_repeat);
}

// Uploads the questions as a file. RETURNS: its id.
std::string BatchApi::SubmitFile(const std::string& token, std::span<const BatchQuestion> questions) {
  // No line of JSON begins with dashes.
  const std::string boundary = "----leafscore" + token;
  std::string form = fmt::format(
      "--{0}\r\nContent-Disposition: form-data; "
      "name=\"purpose\"\r\n\r\nbatch\r\n--{0}\r\nContent-Disposition: "
      "form-data; name=\"file\"; filename=\"leafscore.jsonl\"\r\nContent-Type: application/jsonl\r\n\r\n",
      boundary);
  for (const BatchQuestion& question : questions) {
    form += fmt::format(R"({{"custom_id":"{}","method":"POST","url":"/v1{}","body":{}}})", question.id, path_,
                        question.body);
    form += '\n';
  }
  form += fmt::format("\r\n--{}--\r\n", boundary);
  const std::string reply =
      Post("/files", std::move(form), /*may_repeat=*/true, "multipart/form-data; boundary=" + boundary);
  return CheckedId(TextIn(Parse(reply).Member("id")));
}

std::string BatchApi::Submit(const std::string& token, std::span<const BatchQuestion> questions) {
  std::string body;
  if (api_ == JudgeApi::kAnthropic) {
    body = R"({"requests":[)";
    for (const BatchQuestion& question : questions) {
      if (body.back() == '}') body += ',';
      body += fmt::format(R"({{"custom_id":"{}","params":{}}})", question.id, question.body);
    }
    body += "]}";
  } else {
    body = fmt::format(
        R"({{"input_file_id":"{}","endpoint":"/v1{}","completion_window":"24h","metadata":{{"{}":"{}"}}}})",
        SubmitFile(token, questions), path_, kTokenName, token);
  }
  const std::string reply =
      Post(std::string(api_ == JudgeApi::kAnthropic ? kAnthropicBatches : kOpenAiBatches), std::move(body),
           /*may_repeat=*/false);
  return CheckedId(TextIn(Parse(reply).Member("id")));
}

std::optional<std::string> BatchApi::Find(const std::string& token, std::size_t questions,
                                          const std::set<std::string>& known) {
  const bool is_anthropic = api_ == JudgeApi::kAnthropic;
  const std::string list =
      call_({.url = base_ + std::string(is_anthropic ? kAnthropicBatches : kOpenAiBatches) + query_ +
                    (query_.empty() ? "?" : "&") + "limit=100",
             .is_get = true},
            /*may_repeat=*/true);
  std::optional<std::string> found;
  Parse(list).Member("data").ForEachChild([&](const JsonView& batch) {
    const std::string id = TextIn(batch.Member("id"));
    if (found || !IsBatchId(id) || known.contains(id)) return;
    const bool is_it = is_anthropic ? CountOfAnthropic(batch) == static_cast<double>(questions)
                                    : TextIn(batch.Member("metadata").Member(kTokenName)) == token;
    if (is_it) found = id;
  });
  return found;
}

BatchState BatchApi::Look(const std::string& batch) {
  BatchState state;
  if (api_ == JudgeApi::kAnthropic) {
    const std::string path = std::string(kAnthropicBatches) + "/" + CheckedId(batch);
    const std::string reply = Get(path);
    state.has_ended = TextIn(Parse(reply).Member("processing_status")) == "ended";
    state.ending = "completed";
    state.results.push_back(path + "/results");
    return state;
  }
  const std::string reply = Get(std::string(kOpenAiBatches) + "/" + CheckedId(batch));
  const JsonView view = Parse(reply);
  state.ending = TextIn(view.Member("status"));
  constexpr std::string_view kEndings[] = {"completed", "failed", "expired", "cancelled"};
  state.has_ended = std::ranges::find(kEndings, state.ending) != std::end(kEndings);
  if (state.ending == "failed") {
    state.failure = TextIn(view.Member("errors").Member("data").Element(0).Member("message"));
    if (state.failure.empty()) state.failure = "no reason was given";
  }
  for (const char* const file : {"output_file_id", "error_file_id"}) {
    const JsonView id = view.Member(file);
    if (id.IsText()) state.results.push_back("/files/" + CheckedId(TextIn(id)) + "/content");
  }
  return state;
}

void BatchApi::Read(const std::string& path, const std::function<void(BatchReply)>& take) {
  const std::string lines = Get(path);
  JsonValue line_json{JsonOptions{}};
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    const JsonView line = line_json.Read(std::string_view(lines).substr(at, end - at));
    if (line.Is(ValueKind::kObject))
      take(api_ == JudgeApi::kAnthropic ? ReplyOfAnthropic(line) : ReplyOfOpenAi(line));
    at = end + 1;
  }
}

}  // namespace leafscore::internal
