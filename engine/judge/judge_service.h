// engine/judge/judge_service.h: asks the judges of a run. It looks up earlier questions in the cache, sends
// the rest to the services, stores each reply before anyone uses it, and counts the cost.
//
// Two threads work for it: the client's, which sends and reads, and the keeper's, which writes to the cache.
//
// A question is identified by the hash of everything that decides its reply. While somebody holds the answer,
// the same question leads to the same answer, so a batch can ask early and be scored once its replies are
// there. Questions wait in order of arrival, without a copy of the text to send.
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
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text_map.h"
#include "engine/http/http_client.h"
#include "engine/judge/judge_reply.h"
#include "engine/judge/judge_request.h"
#include "engine/judge/latencies.h"
#include "engine/judge/price_table.h"
#include "engine/judge/reply_cache.h"
#include "engine/judge/reply_keeper.h"
#include "leafscore/report.h"

namespace leafscore::internal {

struct JudgeAnswer {
  ReplyFault fault = {};  // not set: there is a reply
  KeptReply reply = {};
  bool is_cached = false;  // an earlier run paid for it
};

// The first reply of an endpoint. Until it is there, the endpoint is asked nothing else.
struct JudgeProbe {
  std::string model;
  std::string_view form;  // in which it was asked, as of read_as
  std::chrono::microseconds latency;
  std::optional<double> cost;  // in dollars, if the model has a price
  unsigned max_concurrency;
};

// How a run gets its replies.
struct JudgeOptions {
  std::string cache = {};     // a file; empty: no cache
  std::string spare = {};     // a file for replies that the cache cannot take; may be empty
  bool replay = false;        // ask no service
  bool dry_run = false;       // count the questions, but ask no service
  bool retry_errors = false;  // kept replies without a score do not count towards max_retries
  std::optional<std::uint64_t> max_requests = {};
  std::optional<double> max_cost = {};  // in dollars
  // The treatment of questions beyond these limits: the run ends and can be resumed, or they get no answer.
  enum class AtBudget { kStop, kNoAnswer } at_budget = AtBudget::kStop;
  // Ask in batches at half the price: CollectQuestions and AskInBatches come before the run. Needs a cache.
  bool batch = false;
  std::optional<PriceTable> prices = {};  // before those of the endpoints and the built-in ones
  // Is told about the first reply of each endpoint, by the client's thread.
  std::function<void(const JudgeProbe&)> on_probe = {};
};

class JudgeService;
class BatchRun;

// The answer to a question, once it is there.
class PendingAnswer {
 public:
  // Waits for the answer.
  // ERRORS: Error(kInterrupted) once *stop or *useless, which may be null, is true, or the service was
  // stopped; Error(kResources) if a budget is used up; errors of the cache.
  const JudgeAnswer& Wait(const std::atomic<bool>* stop, const std::atomic<bool>* useless = nullptr) const;

 private:
  friend class JudgeService;
  friend class BatchRun;

  JudgeService* service_ = nullptr;
  SharedEndpoint endpoint_;
  Sha256 key_{};
  JudgeRequest request_;
  ParameterSet left_out_ = {};          // of the request under way
  HttpTime looked_ = HttpClock::now();  // when the cache was asked for it
  double tokens_in_ = 0;                // estimate
  double tokens_out_ = 0;
  double cost_ = 0;
  std::uint64_t room_bytes_ = 0;  // disk space that its reply may need
  std::size_t first_form_ = 0;    // the form in which it was asked at first
  std::size_t form_ = 0;          // the form in which it is asked now
  unsigned key_number_ = 0;       // of the key that it was asked with
  unsigned batch_tries_ = 0;      // how often it was asked in another batch
  bool has_new_key_ = false;      // it was asked again because of the key
  mutable bool awaited_ = false;  // a caller has waited for it
  bool done_ = false;
  JudgeAnswer answer_;
  std::exception_ptr error_;  // why there will be no answer
};

class JudgeService {
 public:
  // `stop`, which may be null, becomes true when nothing more may be asked. ERRORS: as ReplyCache.
  explicit JudgeService(JudgeOptions options = {}, const std::atomic<bool>* stop = nullptr);
  ~JudgeService();
  JudgeService(const JudgeService&) = delete;
  JudgeService& operator=(const JudgeService&) = delete;

  // Asks, without waiting for the answer. REQUIRES: the service outlives the answer.
  // ERRORS: Error(kUsage) if the environment variable with the key is not set, or if there is a cost limit
  // but no price; errors of the cache.
  std::shared_ptr<const PendingAnswer> Ask(const SharedEndpoint& endpoint, const JudgeQuestion& question);

  // Counts a reply that gave a score, by how it was read (`read_as` of docs/judges.md).
  void CountReading(const SharedEndpoint& endpoint, std::string_view read_as);

  // Counts a reply without a score. RETURNS: whether asking again may help: not once max_failures replies in
  // a row had none.
  bool CountUnread(const SharedEndpoint& endpoint, const ReplyFault& fault);

  // Tells whether a question with kept replies that have no score is asked again beyond max_retries.
  bool retries_errors() const { return options_.retry_errors; }

  // With JudgeOptions::batch: calls pass(), which asks questions as a run does, and collects those that the
  // cache does not answer. RETURNS: how many there are. ERRORS: as pass().
  std::size_t CollectQuestions(const std::function<void()>& pass);

  // Asks what was collected, in batches, and keeps the replies. Questions without a reply get their faults
  // when they are asked again. tell(message) is for people. ERRORS: as BatchRun::Ask.
  void AskInBatches(const std::function<void(const std::string& message)>& tell);

  JudgeReport Report() const;
  // Tells whether questions are only counted or collected now, so that there will be no scores.
  bool only_counts() const { return options_.dry_run || collecting_; }

 private:
  friend class PendingAnswer;
  friend class BatchRun;
  using Pending = std::shared_ptr<PendingAnswer>;

  // The state of one endpoint.
  struct Line {
    std::size_t lane = 0;
    std::string key;         // secret: goes to this endpoint only
    std::string former_key;  // of requests that may still be under way
    unsigned key_number = 0;
    bool key_worked = false;   // a reply came
    bool was_renewed = false;  // another was asked for
    std::vector<std::string> headers;
    std::size_t form = 0;  // the form in which new questions are asked
    // The strictest form in which a reply has come: the service supports it, even if it refuses one question.
    std::size_t known_form = kReplyForms;
    unsigned refusals_in_a_row = 0;  // questions answered in a lower form than the first
    ParameterSet left_out = {};      // the service has refused them
    std::uint64_t failures_in_a_row = 0;
    bool is_probed = false;      // a question was answered, or failed in a way that says nothing of others
    std::exception_ptr refusal;  // how the probe failed, if every question would
    HttpTime refused = {};
    std::uint64_t replies = 0;  // paid replies
    double cost = 0;
    double thought_cost = 0;  // of the same replies, before they came
    double MeanCost() const { return replies == 0 ? 0 : cost / static_cast<double>(replies); }
    std::size_t posted = 0;
    std::deque<Pending> waiting;
  };

  // The content of a reply.
  struct TakenReply {
    std::optional<Completion> completion = {};
    JudgeAnswer answer = {};
    bool asks_again = false;  // in the next form, or without a parameter
    bool fails_all = false;   // every question would fail like this one
  };

  Pending NewPending(const SharedEndpoint& endpoint, const JudgeQuestion& question) const;
  std::optional<KeptReply> FindKept(const PendingAnswer& pending, const JudgeQuestion& question);
  void CountQuestion(PendingAnswer& pending);
  const PriceTable* PricesOf(const JudgeEndpoint& endpoint) const;
  std::optional<double> CostOf(const JudgeEndpoint& endpoint, double tokens_in, double tokens_out) const;
  void AddCost(const JudgeEndpoint& endpoint, double tokens_in, double tokens_out);
  void AnswerFromBatches(PendingAnswer& pending);
  Line& LineOf(const SharedEndpoint& endpoint);
  static void SetKey(Line& line, const JudgeEndpoint& endpoint, std::string key);
  bool RenewKey(PendingAnswer& pending, std::string& why);
  void Pump(const JudgeEndpoint& endpoint, Line& line);
  void TakeUp(PendingAnswer& pending, std::size_t form, ParameterSet left_out);
  bool FindAgain(PendingAnswer& pending);
  double PromisedCost(const Line& line) const;
  bool WaitsForCosts(const Line& line, PendingAnswer& pending) const;
  bool LacksRoom(PendingAnswer& pending);
  bool MayAsk(const Line& line, PendingAnswer& pending);
  void Post(Line& line, const Pending& pending);
  double TakeReply(const Pending& pending, HttpReply&& reply);
  TakenReply Read(PendingAnswer& pending, HttpReply& reply);
  void EndProbe(const PendingAnswer& pending, const TakenReply& taken);
  const Line& CountTries(const SharedEndpoint& endpoint, const HttpReply& reply);
  static bool LeavesOut(PendingAnswer& pending, const ServiceError& said);
  bool LowersForm(PendingAnswer& pending, const ServiceError& said);
  void LearnForm(const PendingAnswer& pending);
  void AskAgain(const Pending& pending);
  double Count(const PendingAnswer& pending, const HttpReply& reply, const TakenReply& taken,
               bool has_answer);
  void Break(const std::exception_ptr& error);
  std::exception_ptr WhyStopped() const;
  void Settle(const Pending& pending, JudgeAnswer answer, const std::exception_ptr& error);
  void EndBroken();
  void CountFault(const ReplyFault& fault);
  void Finish(PendingAnswer& pending, JudgeAnswer answer);
  void Fail(PendingAnswer& pending, const std::exception_ptr& error);
  void End(PendingAnswer& pending);
  bool stopped() const { return ending_ || (stop_ != nullptr && stop_->load()); }
  void ForgetUnused();

  const JudgeOptions options_;
  std::once_flag checked_;  // the cache was checked, because a replay lacks a reply
  std::once_flag probed_;   // the cache was probed, before the first question is asked
  const std::atomic<bool>* const stop_;
  std::optional<ReplyCache> cache_;

  mutable std::mutex mutex_;  // for everything below, but is not held while the client calls back
  mutable std::condition_variable finished_;
  std::atomic<bool> ending_ = false;
  HttpTime believed_until_ = HttpTime::max();  // after a stop: until when an answer is expected
  TextMap<std::string, std::weak_ptr<PendingAnswer>> asked_;  // by key
  std::size_t forget_at_ = 1024;  // size of asked_ at which unused entries are dropped
  struct KeyFailure {
    std::exception_ptr error;
    HttpTime time;
  };
  std::map<SharedEndpoint, KeyFailure> key_failures_;  // the latest of each, of commands
  std::map<SharedEndpoint, Line> lines_;  // never erased, so that no other endpoint gets the same address
  std::map<SharedEndpoint, std::uint64_t> unread_in_a_row_;  // replies without a score, also of the cache
  std::map<RejectReason, JudgeFault> faults_;
  std::set<std::string> models_;
  JudgeReport figures_;
  double cost_ = 0;
  bool cost_known_ = true;  // every model has a price
  std::set<std::string> price_sources_;
  double promised_cost_ = 0;  // for questions in progress
  std::atomic<bool> collecting_ = false;
  TextMap<std::string, Pending> collected_;        // by key
  std::vector<Pending> unsent_;                    // to be asked in the next batch
  TextMap<std::string, ReplyFault> batch_faults_;  // by key: questions that batches left without a reply
  TextSet<std::string> counted_;                   // the keys of a dry run with a cache
  std::uint64_t begun_ = 0;                        // for the limit of requests
  std::uint64_t under_way_ = 0;                    // questions in progress, of all lines
  std::uint64_t room_bytes_ = 0;                   // disk space for their replies
  // Why replies cannot be stored, so that nobody is asked any more. Waiting callers are told once the replies
  // in progress are stored.
  std::exception_ptr broken_;
  std::vector<Pending> lost_;  // questions whose replies were not stored
  Latencies latencies_;
  JudgeReplyReader reader_;             // for the client's thread
  std::optional<ReplyKeeper> keeper_;   // if there is a writable cache
  std::unique_ptr<HttpClient> client_;  // last, as it calls back
};

}  // namespace leafscore::internal

namespace leafscore {

// A service as users of the library hold it.
class Judges final : public internal::JudgeService {
 public:
  using JudgeService::JudgeService;
};

}  // namespace leafscore

#endif  // LEAFSCORE_ENGINE_JUDGE_JUDGE_SERVICE_H_
