// engine/judge/judge_request.h: a question to a judge, the endpoint that it goes to, and the request that
// asks it. The text of a request contains everything that decides the reply, so the cache identifies requests
// by their texts. If a service refuses a form of the reply or a parameter, the same question is asked in
// another form, or without the parameter.
// THREADS: immutable once made; any number may read it.
#ifndef LEAFSCORE_ENGINE_JUDGE_JUDGE_REQUEST_H_
#define LEAFSCORE_ENGINE_JUDGE_JUDGE_REQUEST_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/http/http_client.h"
#include "engine/judge/api_key.h"
#include "engine/judge/judge_api.h"
#include "engine/judge/judge_reply.h"
#include "engine/judge/price_table.h"

namespace leafscore::internal {

// Members of a request that some models refuse. If a service names a member in an error and then answers
// without it, further requests leave the member out. Instead of max_tokens, they send max_completion_tokens.
struct JudgeParameters {
  std::optional<double> temperature = {};
  std::optional<std::int64_t> max_tokens = {};
  std::optional<std::int64_t> seed = {};  // for the first sample; others get larger ones

  ParameterSet given() const;
};

// A model, and how to ask it.
struct JudgeEndpoint {
  JudgeApi api;
  std::string url;  // the URL for questions
  std::string model;
  ApiKeySource key;                  // if empty, no key is sent
  std::string api_key_header;        // "Authorization", followed by "Bearer", or another header
  std::vector<std::string> headers;  // further headers
  JudgeParameters parameters;
  std::string body_json;                               // further members of a request, each after a comma
  std::shared_ptr<const PriceTable> prices = nullptr;  // may be null; the prices of a run come first
  bool strict;                                         // always use response_format json_schema
  bool by_tool;                                        // at first, ask for a tool call instead
  bool may_fail = false;                               // the others can do without it (a quorum)
  std::uint64_t max_failures;                          // failures in a row after which it is no longer asked
  LaneLimits limits;
};

// An endpoint is shared by everything that asks there, because a question may outlive its scorer.
using SharedEndpoint = std::shared_ptr<const JudgeEndpoint>;

struct JudgeQuestion {
  std::string head;         // the body, a JSON object, up to the parameters of the endpoint
  std::string_view format;  // the members that ask for the form of the reply; REQUIRES: outlives this
  // The `format` with which earlier versions of leafscore asked the same question. Their cached replies
  // answer it, too. May be empty.
  std::string_view former_format = {};
  unsigned sample = 0;    // another number makes it another question
  unsigned attempt = 0;   // attempts so far; also makes another question
  double tokens_out = 0;  // estimated tokens in the reply
};

// Returns the name of a form of a structured reply. Forms are numbers below kReplyForms; the strictest is 0.
std::string_view FormName(const JudgeEndpoint& endpoint, std::size_t form);

// Returns the form to ask in after a service has refused `form`. REQUIRES: `form` is not the last.
std::size_t NextForm(const JudgeEndpoint& endpoint, std::size_t form);

class JudgeRequest {
 public:
  JudgeRequest() = default;
  JudgeRequest(const JudgeEndpoint& endpoint, const JudgeQuestion& question, std::string_view format);

  // Returns everything that decides the reply, as JSON (KeptReply::request).
  const std::string& text() const& { return text_; }
  std::string text() && { return std::move(text_); }

  // Returns the body up to the members about the form of the reply. This part contains all texts that the
  // judge is asked about.
  std::string_view body_before_format() const;

  // Returns the body for the interface of the endpoint. It asks for a reply in this form, and has no
  // parameters from `left_out`.
  std::string Body(const JudgeEndpoint& endpoint, std::size_t form, ParameterSet left_out) const;

 private:
  std::string text_;
  std::size_t body_begin_ = 0;  // where the body begins in text_, which has one byte after it
  std::size_t head_bytes_ = 0;  // size of the body before its parameters
  std::size_t format_at_ = 0;   // size of the body before the members about the form of the reply
  std::int64_t seed_offset_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_JUDGE_REQUEST_H_
