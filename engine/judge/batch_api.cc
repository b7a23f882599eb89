#include "engine/judge/batch_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/json/json_writer.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kTokenName = "leafscore";

// The differences between the batch services.
struct BatchService {
  std::string_view batches;     // the path of the list of batches, and of a batch before its id
  std::string_view list_query;  // asks for the latest 100
  std::string_view list;        // the member with the batches
  std::string_view id;          // the member with the id of a batch
  std::size_t most_bytes;
};
constexpr BatchService kBatchServices[] = {
    {"/batches", "limit=100", "data", "id", 100 << 20},            // the service allows 200 MB
    {"/messages/batches", "limit=100", "data", "id", 100 << 20},   // the service allows 256 MB
    {"/batches", "pageSize=100", "operations", "name", 16 << 20},  // 20 MB with the text around questions
};
static_assert(std::size(kBatchServices) == std::size(kJudgeApiNames));

const BatchService& ServiceOf(JudgeApi api) { return kBatchServices[static_cast<std::size_t>(api)]; }

bool IsBatchId(std::string_view id) {
  constexpr std::size_t kMost = 200;
  return !id.empty() && id.size() <= kMost && std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

std::string TextIn(const JsonView& value) { return value.IsText() ? value.Text().value_or("") : ""; }

// RETURNS: the id. ERRORS: Error(kInput) if it cannot be a part of a URL.
std::string CheckedId(std::string id) {
  if (IsBatchId(id)) return id;
  throw Error(ErrorCode::kInput,
              "the batch service gave no id of a file or batch; does base_url lead to such a service?");
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

BatchReply ReplyOfAnthropic(const JsonView& line, JudgeReplyReader& errors) {
  BatchReply reply{.id = TextIn(line.Member("custom_id"))};
  const JsonView result = line.Member("result");
  const std::string type = TextIn(result.Member("type"));
  if (type == "succeeded") {
    reply.status = 200;
    reply.body = result.Member("message").Written();
  } else if (type == "errored") {
    reply.body = result.Member("error").Written();
    reply.status = errors.ReadError(reply.body, AskedTexts()).status;
    if (reply.status == 0) reply.status = 500;
  } else {
    reply.why = type;  // canceled, expired
  }
  return reply;
}

// Returns the HTTP status for an error code of Google's (https://cloud.google.com/apis/design/errors).
long StatusOfGoogleCode(double code) {
  constexpr long kStatuses[] = {200, 499, 500, 400, 504, 404, 409, 403, 429,
                                400, 409, 400, 501, 500, 503, 500, 401};
  if (code >= 100 && code < 600) return static_cast<long>(code);
  return code > 0 && code < static_cast<double>(std::size(kStatuses))
             ? kStatuses[static_cast<std::size_t>(code)]
             : 500;
}

BatchReply ReplyOfGemini(const JsonView& result) {
  BatchReply reply{.id = TextIn(result.Member("metadata").Member("key"))};
  if (const JsonView error = result.Member("error"); error.present()) {
    reply.status = StatusOfGoogleCode(error.Member("code").Number().value_or(0));
    reply.body = fmt::format(R"({{"error":{}}})", error.Written());
  } else if (const JsonView response = result.Member("response"); response.present()) {
    reply.status = 200;
    reply.body = response.Written();
  }
  return reply;
}

}  // namespace

BatchApi::BatchApi(JudgeApi api, const std::string& url, Call call) : api_(api), call_(std::move(call)) {
  const std::size_t query_at = std::min(url.find('?'), url.size());
  // Gemini's path contains the model.
  std::size_t path_at = url.rfind("/models/", query_at);
  if (api != JudgeApi::kGemini) path_at = query_at - std::min(query_at, DefaultsOf(api).path.size());
  base_ = url.substr(0, path_at);
  path_ = url.substr(path_at, query_at - path_at);
  query_ = url.substr(query_at);
}

std::size_t BatchApi::most_bytes() const { return ServiceOf(api_).most_bytes; }

std::string BatchApi::Get(const std::string& path, std::string_view query) {
  std::string url = base_ + path + query_;
  if (!query.empty()) url.append(query_.empty() ? "?" : "&").append(query);
  return call_({.url = std::move(url), .is_get = true}, /*may_repeat=*/true);
}

// Returns the id of a batch, without the "batches/" that Gemini puts before it.
std::string BatchApi::IdIn(const JsonView& batch) const {
  const std::string id = TextIn(batch.Member(ServiceOf(api_).id));
  constexpr std::string_view kGeminiFolder = "batches/";
  return api_ == JudgeApi::kGemini && id.starts_with(kGeminiFolder) ? id.substr(kGeminiFolder.size()) : id;
}

std::string BatchApi::Post(const std::string& path, std::string body, bool may_repeat,
                           std::string content_type) {
  HttpRequest request{.url = base_ + path + query_, .body = std::move(body)};
  if (!content_type.empty()) request.content_type = std::move(content_type);
  return call_(std::move(request), may_repeat);
}

// Uploads the questions as a file. RETURNS: its id.
std::string BatchApi::SubmitFile(const std::string& token, std::span<const BatchQuestion> questions) {
  // The questions do not contain the boundary, because no line of JSON begins with dashes.
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

// Returns the body of the request that hands over questions. For OpenAI, uploads the questions first.
std::string BatchApi::BodyOf(const std::string& token, std::span<const BatchQuestion> questions) {
  if (api_ == JudgeApi::kOpenAi) {
    return fmt::format(
        R"({{"input_file_id":"{}","endpoint":"/v1{}","completion_window":"24h","metadata":{{"{}":"{}"}}}})",
        SubmitFile(token, questions), path_, kTokenName, token);
  }
  const bool is_gemini = api_ == JudgeApi::kGemini;
  std::string list;
  for (const BatchQuestion& question : questions) {
    if (!list.empty()) list += ',';
    list += is_gemini
                ? fmt::format(R"({{"request":{},"metadata":{{"key":"{}"}}}})", question.body, question.id)
                : fmt::format(R"({{"custom_id":"{}","params":{}}})", question.id, question.body);
  }
  return is_gemini
             ? fmt::format(
                   R"({{"batch":{{"displayName":"{}","inputConfig":{{"requests":{{"requests":[{}]}}}}}}}})",
                   token, list)
             : fmt::format(R"({{"requests":[{}]}})", list);
}

std::string BatchApi::Submit(const std::string& token, std::span<const BatchQuestion> questions) {
  std::string path(ServiceOf(api_).batches);
  if (api_ == JudgeApi::kGemini) path = path_.substr(0, path_.rfind(':')) + ":batchGenerateContent";
  const std::string reply = Post(path, BodyOf(token, questions), /*may_repeat=*/false);
  return CheckedId(IdIn(Parse(reply)));
}

std::optional<std::string> BatchApi::Find(const std::string& token, std::size_t questions,
                                          const std::set<std::string>& known) {
  const BatchService& service = ServiceOf(api_);
  const std::string list = Get(std::string(service.batches), service.list_query);
  const auto is_it = [&](const JsonView& batch) {
    const JsonView metadata = batch.Member("metadata");
    if (api_ == JudgeApi::kAnthropic) return CountOfAnthropic(batch) == static_cast<double>(questions);
    return TextIn(metadata.Member(api_ == JudgeApi::kGemini ? "displayName" : kTokenName)) == token;
  };
  std::optional<std::string> found;
  Parse(list).Member(service.list).ForEachChild([&](const JsonView& batch) {
    const std::string id = IdIn(batch);
    if (!found && IsBatchId(id) && !known.contains(id) && is_it(batch)) found = id;
  });
  return found;
}

BatchState BatchApi::Look(const std::string& batch) {
  const std::string path = fmt::format("{}/{}", ServiceOf(api_).batches, CheckedId(batch));
  const std::string reply = Get(path);
  const JsonView view = Parse(reply);
  BatchState state;
  switch (api_) {
    case JudgeApi::kOpenAi: {
      state.name = TextIn(view.Member("status"));
      constexpr std::string_view kEndings[] = {"completed", "failed", "expired", "cancelled"};
      state.has_ended = std::ranges::find(kEndings, state.name) != std::end(kEndings);
      if (state.name == "failed")
        state.failure = TextIn(view.Member("errors").Member("data").Element(0).Member("message"));
      for (const char* const file : {"output_file_id", "error_file_id"}) {
        const JsonView id = view.Member(file);
        if (id.IsText()) state.results.push_back("/files/" + CheckedId(TextIn(id)) + "/content");
      }
      break;
    }
    case JudgeApi::kAnthropic:
      state.name = TextIn(view.Member("processing_status"));
      state.has_ended = state.name == "ended";
      state.results.push_back(path + "/results");
      break;
    case JudgeApi::kGemini: {
      // The state is, for example, BATCH_STATE_SUCCEEDED. The replies are there once the operation is done.
      state.name = TextIn(view.Member("metadata").Member("state"));
      std::ranges::transform(state.name, state.name.begin(),
                             [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
      state.name = state.name.substr(state.name.rfind('_') + 1);
      constexpr std::string_view kEndings[] = {"failed", "expired", "cancelled"};
      state.has_ended = view.Member("done").Is(ValueKind::kTrue) ||
                        std::ranges::find(kEndings, state.name) != std::end(kEndings);
      if (state.name == "failed") state.failure = TextIn(view.Member("error").Member("message"));
      state.results.push_back(path);
      break;
    }
  }
  if (state.name == "failed" && state.failure.empty()) state.failure = "no reason was given";
  return state;
}

BatchReply BatchApi::ReplyOf(const JsonView& result) {
  if (api_ == JudgeApi::kAnthropic) return ReplyOfAnthropic(result, errors_);
  return api_ == JudgeApi::kGemini ? ReplyOfGemini(result) : ReplyOfOpenAi(result);
}

void BatchApi::Read(const std::string& path, const std::function<void(BatchReply)>& take) {
  const std::string text = Get(path);
  if (api_ == JudgeApi::kGemini) {
    const JsonView list = Parse(text).Member("response").Member("inlinedResponses");
    const JsonView within = list.Member("inlinedResponses");
    (within.present() ? within : list).ForEachChild([&](const JsonView& result) {
      if (result.Is(ValueKind::kObject)) take(ReplyOf(result));
    });
    return;
  }
  JsonValue line_json{JsonOptions{}};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const JsonView line = line_json.Read(std::string_view(text).substr(at, end - at));
    if (line.Is(ValueKind::kObject)) take(ReplyOf(line));
    at = end + 1;
  }
}

}  // namespace leafscore::internal
