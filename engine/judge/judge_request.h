// engine/judge/judge_request.h: a question to a judge and the request that asks it: the endpoint, and the
// text that decides the reply, by which the cache knows it. If a service refuses a form of the reply or a
// parameter, the same question is asked in another form, or without the parameter.
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

// Members of a request that some models refuse. If a service names one in an error and answers without it, it
// is left out of further requests; max_tokens is sent as max_completion_tokens instead.
struct JudgeParameters {
  std::optional<double> temperature = {};
  std::optional<std::int64_t> max_tokens = {};
  std::optional<std::int64_t> seed = {};  // of the first sample; others have their own

  ParameterSet given() const;
};

// A model, and how to ask it.
struct JudgeEndpoint {
  JudgeApi api;
  std::string url;  // of questions
  std::string model;
  ApiKeySource key;                  // empty: no key is sent
  std::string api_key_header;        // "Authorization", followed by "Bearer", or another header
  std::vector<std::string> headers;  // further ones
  JudgeParameters parameters;
  std::string body_json;                               // further members of a request, each after a comma
  std::shared_ptr<const PriceTable> prices = nullptr;  // null: those of the run, or the built-in ones
  bool strict;                                         // always use response_format json_schema
  bool by_tool;                                        // ask for a call of a tool at first, instead of that
  bool may_fail = false;                               // others can do without it (a quorum)
  std::uint64_t max_failures;                          // failures in a row after which it is no longer asked
  LaneLimits limits;
};

// Shared by all that ask there, as a question may outlive its scorer.
using SharedEndpoint = std::shared_ptr<const JudgeEndpoint>;

struct JudgeQuestion {
  std::string head;         // body: a JSON object up to the parameters, which the endpoint has
  std::string_view format;  // the members that ask for the form of the reply; lives on
  // Earlier such members for the same question, whose cached replies also answer it; may be empty.
  std::string_view former_format = {};
  unsigned sample = 0;    // another number makes it another question
  unsigned attempt = 0;   // so does this one, after replies without a score
  double tokens_out = 0;  // the most tokens in the reply
};

// Forms of a structured reply are numbers below kReplyForms, from the strictest on. Returns the name of one.
std::string_view FormName(const JudgeEndpoint& endpoint, std::size_t form);

// Returns the form to ask in after a refusal of this one. REQUIRES: `form` is not the last.
std::size_t NextForm(const JudgeEndpoint& endpoint, std::size_t form);

class JudgeRequest {
 public:
  JudgeRequest() = default;
  JudgeRequest(const JudgeEndpoint& endpoint, const JudgeQuestion& question, std::string_view format);

  // Returns everything that decides the reply, as JSON (KeptReply::request).
  const std::string& text() const& { return text_; }
  std::string text() && { return std::move(text_); }

  // Returns the body before the members about the form of the reply. It has all texts that are asked about.
  std::string_view body_before_format() const;

  // Returns the body that asks in this form, without some parameters, as the interface of the endpoint wants
  // it.
  std::string Body(const JudgeEndpoint& endpoint, std::size_t form, ParameterSet left_out) const;

 private:
  std::string text_;
  std::size_t body_begin_ = 0;  // where the body begins; it ends before the last byte
  std::size_t head_bytes_ = 0;  // size of the body before its parameters
  std::size_t format_at_ = 0;   // size of the body before the members about the form of the reply
  std::int64_t seed_offset_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_JUDGE_REQUEST_H_
