// engine/judge/judge_service.h: where the judges of a run ask. It looks up what was asked before, sends the
// rest to the services, keeps each reply before anyone uses it, and counts what that takes.
//
// Two threads work for it: the client's, which sends and reads, and the keeper's, which writes to the cache.
//
// A question is asked under the hash of all that decides its reply. While somebody holds the answer, the same
// question leads to the same one, so that a batch can be asked for early and scored when its replies are
// there. Questions wait in the order in which they came, without a copy of what will be sent.
// THREADS: any number may ask and wait.
#ifndef LEAFSCORE_ENGINE_JUDGE_JUDGE_SERVICE_H_
#define LEAFSCORE_ENGINE_JUDGE_JUDGE_SERVICE_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text_map.h"
#include "engine/http/http_client.h"
#include "engine/judge/judge_reply.h"
#include "engine/judge/latencies.h"
#include "engine/judge/price_table.h"
#include "engine/judge/reply_cache.h"
#include "engine/judge/reply_keeper.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// A model, and how it is asked.
struct JudgeEndpoint {
  std::string url;  // of chat completions
  std::string model;
  std::string api_key_env;           // the variable with the key; empty: none is sent
  std::string api_key_header;        // "Authorization", behind "Bearer", or another one
  std::vector<std::string> headers;  // further ones
  bool strict;                       // never without response_format json_schema
  std::uint64_t max_failures;        // in a row, after which it is asked no more
  LaneLimits limits;
};

// Held by all that ask there, as a question may outlive the scorer that put it.
using SharedEndpoint = std::shared_ptr<const JudgeEndpoint>;

struct JudgeQuestion {
  std::string head;         // of the body, a JSON object without its end and the response_format
  std::string_view schema;  // the value of response_format; lives on
  // One that asked for the same before: a reply that the cache has to it answers, too; empty: there was none.
  std::string_view former_schema = {};
  unsigned sample = 0;    // the same question with another number is another one
  double tokens_out = 0;  // that the reply may take
};

struct JudgeAnswer {
  ReplyFault fault = {};  // none: there is a reply
  KeptReply reply = {};
};

// How the replies of a run are got.
struct JudgeOptions {
  std::string cache = {};  // a file; empty: none
  std::string spare = {};  // a file for replies that the cache cannot take; empty: none
  bool replay = false;     // ask nobody
  bool dry_run = false;    // count what would be asked, and ask nobody
  std::optional<std::uint64_t> max_requests = {};
  std::optional<double> max_cost = {};  // in dollars
  // What becomes of questions beyond these: the run ends, to go on later, or they have no answer.
  enum class AtBudget { kStop, kNoAnswer } at_budget = AtBudget::kStop;
  PriceTable prices = {};
};

class JudgeService;

// The answer to a question, once it is there.
class PendingAnswer {
 public:
  // Waits for the answer.
  // ERRORS: Error(kInterrupted) when *stop, which may be null, becomes true, or the service was stopped, or
  //         as soon as *useless does; Error(kResources) when a budget is used up; those of the cache.
  const JudgeAnswer& Wait(const std::atomic<bool>* stop, const std::atomic<bool>* useless = nullptr) const;

 private:
  friend class JudgeService;

  JudgeService* service_ = nullptr;
  SharedEndpoint endpoint_;
  Sha256 key_{};
  std::string request_;         // KeptReply::request
  std::size_t body_begin_ = 0;  // of the body in it, up to its last byte but one
  std::size_t head_bytes_ = 0;  // of the body, before its response_format
  double tokens_in_ = 0;        // as far as that can be told before
  double tokens_out_ = 0;
  double cost_ = 0;
  std::uint64_t room_bytes_ = 0;  // that keeping its reply may take
  std::size_t first_form_ = 0;    // how it was asked for at first
  std::size_t form_ = 0;          // and now
  mutable bool awaited_ = false;  // somebody has waited for it
  bool done_ = false;
  JudgeAnswer answer_;
  std::exception_ptr error_;  // why there will be none
};

class JudgeService {
 public:
  // `stop`, which may be null, becomes true when nothing more is to be asked. ERRORS: those of ReplyCache.
  explicit JudgeService(JudgeOptions options = {}, const std::atomic<bool>* stop = nullptr);
  ~JudgeService();
  JudgeService(const JudgeService&) = delete;
  JudgeService& operator=(const JudgeService&) = delete;

  // Asks, without waiting for the answer. REQUIRES: the service outlives the answer.
  // ERRORS: Error(kUsage) when the variable with the key is not set, or there is a limit of cost and no
  //         price; those of the cache.
  std::shared_ptr<const PendingAnswer> Ask(const SharedEndpoint& endpoint, const JudgeQuestion& question);

  // Counts a reply that gave a score by how it was read (`read_as` of docs/judges.md).
  void CountReading(std::string_view read_as);

  JudgeReport Report() const;
  bool only_counts() const { return options_.dry_run; }

 private:
  friend class PendingAnswer;
  using Pending = std::shared_ptr<PendingAnswer>;

  // What is known of an endpoint that is asked.
  struct Line {
    std::size_t lane = 0;
    std::string key;  // never told to anybody else
    std::vector<std::string> headers;
    std::size_t form = 0;  // in which questions are asked at first
    // The strictest form in which a reply came: the service knows it, whatever it says of one question.
    std::size_t known_form = kReplyForms;
    unsigned refusals_in_a_row = 0;  // questions that were answered in another form than at first
    std::uint64_t failures_in_a_row = 0;
    std::uint64_t replies = 0;  // that were paid, and their cost
    double cost = 0;
    double MeanCost() const { return replies == 0 ? 0 : cost / static_cast<double>(replies); }
    std::size_t posted = 0;
    std::deque<Pending> waiting;
  };

  // What was read in a reply.
  struct TakenReply {
    std::optional<Completion> completion = {};
    JudgeAnswer answer = {};
    bool asks_again = false;  // in another form
  };

  Pending NewPending(const SharedEndpoint& endpoint, const JudgeQuestion& question) const;
  std::optional<KeptReply> FindKept(const PendingAnswer& pending, const JudgeQuestion& question);
  void CountQuestion(PendingAnswer& pending);
  void AddCost(std::string_view model, double tokens_in, double tokens_out);
  Line& LineOf(const SharedEndpoint& endpoint);
  void Pump(const JudgeEndpoint& endpoint, Line& line);
  double PromisedCost(const Line& line) const;
  bool WaitsForCosts(const Line& line, PendingAnswer& pending) const;
  bool LacksRoom(PendingAnswer& pending);
  bool MayAsk(const Line& line, PendingAnswer& pending);
  void Post(Line& line, const Pending& pending);
  double TakeReply(const Pending& pending, HttpReply&& reply);
  TakenReply Read(PendingAnswer& pending, HttpReply& reply);
  const Line& CountTries(const SharedEndpoint& endpoint, const HttpReply& reply);
  bool MayAskOtherwise(const PendingAnswer& pending, const ServiceError& said) const;
  void LearnForm(const PendingAnswer& pending);
  void AskAgain(const Pending& pending);
  double Count(const PendingAnswer& pending, const HttpReply& reply, const TakenReply& taken,
               bool has_answer);
  void Break(const std::exception_ptr& error);
  std::exception_ptr WhyStopped() const;
  void Settle(const Pending& pending, JudgeAnswer answer, const std::exception_ptr& error);
  void EndBroken();
  void Finish(PendingAnswer& pending, JudgeAnswer answer);
  void Fail(PendingAnswer& pending, const std::exception_ptr& error);
  void End(PendingAnswer& pending);
  bool stopped() const { return ending_ || (stop_ != nullptr && stop_->load()); }
  void ForgetUnused();

  const JudgeOptions options_;
  std::once_flag checked_;  // the cache, as a replay lacks a reply
  std::once_flag probed_;   // likewise, before the first question is asked
  const std::atomic<bool>* const stop_;
  std::optional<ReplyCache> cache_;

  mutable std::mutex mutex_;  // of all below, but that the client calls back without it
  mutable std::condition_variable finished_;
  std::atomic<bool> ending_ = false;
  HttpTime believed_until_ = HttpTime::max();  // when the run is to stop: that an answer will come
  TextMap<std::string, std::weak_ptr<PendingAnswer>> asked_;  // by key
  std::size_t forget_at_ = 1024;                              // so many of them
  std::map<SharedEndpoint, Line> lines_;  // each kept, so that no other one ever has its address
  JudgeReport figures_;
  double cost_ = 0;
  bool cost_known_ = true;        // there is a price for each model
  double promised_cost_ = 0;      // of what is under way
  TextSet<std::string> counted_;  // the keys of a dry run with a cache
  std::uint64_t begun_ = 0;       // for the limit of requests
  std::uint64_t under_way_ = 0;   // questions of all lines
  std::uint64_t room_bytes_ = 0;  // of these
  // Why replies cannot be kept: nobody is asked any more. Whoever waits is told when those under way are
  // kept.
  std::exception_ptr broken_;
  std::vector<Pending> lost_;  // questions whose replies were not
  Latencies latencies_;
  JudgeReplyReader reader_;             // the client's thread
  std::optional<ReplyKeeper> keeper_;   // with a cache that may be written
  std::unique_ptr<HttpClient> client_;  // last, as it calls back
};

}  // namespace leafscore::internal

namespace leafscore {

// What users of the library hold of a service.
class Judges final : public internal::JudgeService {
 public:
  using JudgeService::JudgeService;
};

}  // namespace leafscore

#endif  // LEAFSCORE_ENGINE_JUDGE_JUDGE_SERVICE_H_
