// engine/judge/batch_api.h: the batch services of OpenAI (https://platform.openai.com/docs/guides/batch),
// Anthropic (https://docs.claude.com/en/docs/build-with-claude/batch-processing) and Gemini
// (https://ai.google.dev/api/batch-api): many questions are handed over at once, and answered within a day at
// half the price.
//
// Nothing that a service says leads to another URL: all are made of the judge's own URL and of ids, which are
// checked. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_JUDGE_BATCH_API_H_
#define LEAFSCORE_ENGINE_JUDGE_BATCH_API_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/http/http_client.h"
#include "engine/json/json_value.h"
#include "engine/judge/judge_api.h"
#include "engine/judge/judge_reply.h"

namespace leafscore::internal {

// The limit of a batch, within those of the services (50,000 and 100,000; Gemini has none).
inline constexpr std::size_t kMostBatchQuestions = 10'000;

// A question of a batch.
struct BatchQuestion {
  std::string id;    // at most 64 letters, digits, _ and -
  std::string body;  // of the request
};

// The state of a batch at its service.
struct BatchState {
  bool has_ended = false;
  std::string failure = {};               // why no question will be answered; empty if some may be
  std::string name = {};                  // in the service's words, such as "expired"; empty: it does not say
  std::vector<std::string> results = {};  // paths of the results
};

// The reply to a question.
struct BatchReply {
  std::string id;
  long status = 0;  // of the reply; 0: there is no reply, because of `why`
  std::string body = {};
  std::string why = {};
};

class BatchApi {
 public:
  // Sends a request, once if it must not be repeated, and returns the body of a reply with status 200.
  // ERRORS: those of the caller.
  using Call = std::function<std::string(HttpRequest request, bool may_repeat)>;

  // REQUIRES: `url` is where single questions go (JudgeUrl).
  BatchApi(JudgeApi api, const std::string& url, Call call);

  // Returns the most bytes of questions in a batch, within the service's limit.
  std::size_t most_bytes() const;

  // Hands over questions. `token` is known to the service with them, if it can keep one. RETURNS: the id of
  // the batch. ERRORS: those of the call; Error(kInput) for a reply without an id.
  std::string Submit(const std::string& token, std::span<const BatchQuestion> questions);

  // Looks for a batch that was handed over although no reply came. Anthropic's service keeps no token: a
  // batch of as many questions that is not `known` may be the one, which its replies show. RETURNS: its id.
  std::optional<std::string> Find(const std::string& token, std::size_t questions,
                                  const std::set<std::string>& known);

  BatchState Look(const std::string& batch);

  // Calls take(reply) for each reply in the results at this path; other lines are left out.
  void Read(const std::string& path, const std::function<void(BatchReply)>& take);

 private:
  std::string Get(const std::string& path, std::string_view query = {});
  std::string Post(const std::string& path, std::string body, bool may_repeat, std::string content_type = {});
  std::string SubmitFile(const std::string& token, std::span<const BatchQuestion> questions);
  std::string BodyOf(const std::string& token, std::span<const BatchQuestion> questions);
  std::string IdIn(const JsonView& batch) const;
  BatchReply ReplyOf(const JsonView& result);
  JsonView Parse(const std::string& text) { return json_.Read(text); }

  JudgeApi api_;
  std::string base_;   // of all paths
  std::string query_;  // after each
  std::string path_;   // of questions
  Call call_;
  JsonValue json_{JsonOptions{}};
  JudgeReplyReader errors_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_BATCH_API_H_
