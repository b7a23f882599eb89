// engine/judge/batch_api.h: the batch services of OpenAI (https://platform.openai.com/docs/guides/batch),
// Anthropic (https://docs.claude.com/en/docs/build-with-claude/batch-processing) and Gemini
// (https://ai.google.dev/api/batch-api). A batch hands over many questions at once, and the service answers
// them within a day at half the price.
//
// A service cannot direct requests to another URL: every URL is made from the judge's own URL and, if needed,
// an id that the service sent. Such ids are checked. THREADS: one at a time.
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

// The most questions in a batch. The services allow more: OpenAI 50,000, Anthropic 100,000, Gemini any
// number.
inline constexpr std::size_t kMostBatchQuestions = 10'000;

// A question of a batch.
struct BatchQuestion {
  std::string id;    // at most 64 letters, digits, _ and -
  std::string body;  // the body of the request
};

// The state of a batch at its service.
struct BatchState {
  bool has_ended = false;
  std::string failure = {};               // why the whole batch failed; empty if it did not
  std::string name = {};                  // the service's word, such as "expired"; empty if it gives none
  std::vector<std::string> results = {};  // paths of the results
};

// The reply to a question.
struct BatchReply {
  std::string id;
  long status = 0;  // of the reply; 0 if there is no reply
  std::string body = {};
  std::string why = {};
};

class BatchApi {
 public:
  // Sends a request, and returns the body of the reply, whose status was 200. If `may_repeat` is false, the
  // service must not get the chance to carry out the request twice. ERRORS: any that the caller's function
  // throws.
  using Call = std::function<std::string(HttpRequest request, bool may_repeat)>;

  // REQUIRES: `url` is the URL for single questions (JudgeUrl).
  BatchApi(JudgeApi api, const std::string& url, Call call);

  // Returns the limit for the bytes of all questions of a batch. The service's own limit is higher.
  std::size_t most_bytes() const;

  // Hands over questions as a batch. The service stores `token` with the batch, if it can. RETURNS: the id of
  // the batch. ERRORS: errors of Call; Error(kInput) if the reply has no id.
  std::string Submit(const std::string& token, std::span<const BatchQuestion> questions);

  // Looks for a batch that the service may have received although its reply to Submit did not arrive.
  // Anthropic's service stores no token. There, the function finds any batch with as many questions whose id
  // is not in `known`; the ids in its replies will show whether it is the right one. RETURNS: the id of the
  // batch; nullopt if it is not found.
  std::optional<std::string> Find(const std::string& token, std::size_t questions,
                                  const std::set<std::string>& known);

  BatchState Look(const std::string& batch);

  // Calls take(reply) for each reply in the results at `path`. Anything that is not an object is skipped.
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
  std::string base_;   // the URL before the paths
  std::string query_;  // the query after each path
  std::string path_;   // the path of single questions
  Call call_;
  JsonValue json_{JsonOptions{}};
  JudgeReplyReader errors_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_BATCH_API_H_
