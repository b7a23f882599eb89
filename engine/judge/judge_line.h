// engine/judge/judge_line.h: the questions that wait for one endpoint, and what a run has learned about it.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_JUDGE_JUDGE_LINE_H_
#define LEAFSCORE_ENGINE_JUDGE_JUDGE_LINE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "engine/http/http_client.h"
#include "engine/judge/judge_reply.h"
#include "engine/judge/judge_request.h"

namespace leafscore::internal {

class PendingAnswer;

struct JudgeLine {
  std::size_t lane = 0;
  std::string key;         // secret: goes to this endpoint only
  std::string former_key;  // of requests that may still be under way
  unsigned key_number = 0;
  bool key_worked = false;   // a reply came
  bool was_renewed = false;  // another was asked for
  std::vector<std::string> headers;
  std::size_t form = 0;  // the form in which new questions are asked
  // The strictest form in which a reply has come. The service supports this form, even if it refuses one
  // question.
  std::size_t known_form = kReplyForms;
  unsigned refusals_in_a_row = 0;  // questions answered in a lower form than the first
  ParameterSet left_out = {};      // the service has refused them
  std::uint64_t failures_in_a_row = 0;
  bool is_probed = false;      // a question was answered, or failed in a way that says nothing of others
  std::exception_ptr refusal;  // how the probe failed, if every question would
  HttpTime refused = {};
  std::uint64_t replies = 0;  // paid replies
  double cost = 0;
  double estimated_cost = 0;  // of the same replies, before they came
  std::size_t posted = 0;
  std::deque<std::shared_ptr<PendingAnswer>> waiting;

  // Returns the average cost of the replies so far; 0 if there are no replies.
  double MeanCost() const { return replies == 0 ? 0 : cost / static_cast<double>(replies); }

  // Uses a new key for later requests. The old key is remembered, so that it is still redacted.
  void SetKey(const JudgeEndpoint& endpoint, std::string new_key);

  // Learns from a reply which forms and parameters the service supports: `first` is the form in which the
  // question was first asked, `last` the form that got this reply. A refusal alone does not change the other
  // questions, because the service may have refused the texts of this question.
  void LearnForm(std::size_t first, std::size_t last, ParameterSet without);
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_JUDGE_LINE_H_
