// engine/judge/judge_service.h: asks the judges of a run. It looks up earlier questions in the cache, sends
// the rest to the services, stores each reply before anyone uses it, and counts the cost.
//
// Two threads work for it: the client's, which sends and reads, and the keeper's, which writes to the cache.
//
// A question is identified by the hash of everything that decides its reply. While somebody holds an answer,
// asking the same question again gives the same answer. A batch of records can therefore ask early, and be
// scored once its replies are there. Questions wait in order of arrival, without a copy of the text to send.
// THREADS: any number may ask and wait.
#ifndef LEAFSCORE_ENGINE_JUDGE_JUDGE_SERVICE_H_
#define LEAFSCORE_ENGINE_JUDGE_JUDGE_SERVICE_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text_map.h"
#include "engine/http/http_client.h"
#include "engine/judge/judge_account.h"
#include "engine/judge/judge_line.h"
#include "engine/judge/judge_reply.h"
#include "engine/judge/judge_request.h"
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
  // The treatment of questions beyond these limits: either the run ends and can be resumed, or these
  // questions get no answer.
  enum class AtBudget { kStop, kNoAnswer } at_budget = AtBudget::kStop;
  // Ask in batches at half the price. Needs a cache; CollectQuestions and AskInBatches are called before the
  // run.
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
  // ERRORS: Error(kInterrupted) if *stop or *useless becomes true, or the service is stopped;
  // Error(kResources) if a budget is used up; errors of the cache. Both pointers may be null.
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
  // ERRORS: errors of ReadApiKey; Error(kUsage) if there is a cost limit but no price. Wait reports errors of
  // the cache.
  std::shared_ptr<const PendingAnswer> Ask(const SharedEndpoint& endpoint, const JudgeQuestion& question);

  // Counts a reply that gave a score, by how it was read (`read_as` of docs/judges.md).
  void CountReading(const SharedEndpoint& endpoint, std::string_view read_as);

  // Counts a reply without a score. RETURNS: whether to ask again; false as soon as max_failures replies in a
  // row had no score.
  bool CountUnread(const SharedEndpoint& endpoint, const ReplyFault& fault);

  // Tells whether a question with kept replies that have no score is asked again beyond max_retries.
  bool retries_errors() const { return options_.retry_errors; }

  // With JudgeOptions::batch: collects questions for AskInBatches. Calls pass(), which asks questions as a
  // run does; those that the cache does not answer are collected. RETURNS: the number of collected questions.
  // ERRORS: as pass().
  std::size_t CollectQuestions(const std::function<void()>& pass);

  // Asks the collected questions in batches, and stores the replies. If a question gets no reply, asking it
  // again gives its fault. tell(message) is for people. ERRORS: as BatchRun::Ask.
  void AskInBatches(const std::function<void(const std::string& message)>& tell);

  JudgeReport Report() const;
  // Tells whether questions are only counted or collected now, so that there will be no scores.
  bool only_counts() const { return options_.dry_run || batches_.is_collecting; }

 private:
  friend class PendingAnswer;
  friend class BatchRun;
  using Pending = std::shared_ptr<PendingAnswer>;

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
  void AnswerFromBatches(PendingAnswer& pending);
  JudgeLine& LineOf(const SharedEndpoint& endpoint);
  bool RenewKey(PendingAnswer& pending, std::string& why);
  void Pump(const JudgeEndpoint& endpoint, JudgeLine& line);
  void TakeUp(PendingAnswer& pending, std::size_t form, ParameterSet left_out);
  bool FindAgain(PendingAnswer& pending);
  double PromisedCost(const JudgeLine& line) const;
  bool WaitsForCosts(const JudgeLine& line, PendingAnswer& pending) const;
  bool LacksRoom(PendingAnswer& pending);
  bool MayAsk(const JudgeLine& line, PendingAnswer& pending);
  void Post(JudgeLine& line, const Pending& pending);
  double TakeReply(const Pending& pending, HttpReply&& reply);
  TakenReply Read(PendingAnswer& pending, HttpReply& reply);
  void EndProbe(const PendingAnswer& pending, const TakenReply& taken);
  const JudgeLine& CountTries(const SharedEndpoint& endpoint, const HttpReply& reply);
  static bool LeavesOut(PendingAnswer& pending, const ServiceError& said);
  bool LowersForm(PendingAnswer& pending, const ServiceError& said);
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

  struct KeyFailure {
    std::exception_ptr error;
    HttpTime time;
  };
  // The counts to which the limits apply.
  struct Requests {
    std::uint64_t begun = 0;
    std::uint64_t under_way = 0;   // questions in progress, of all lines
    double promised_cost = 0;      // of those
    std::uint64_t room_bytes = 0;  // disk space for their replies
  };
  // The questions of a run that asks in batches.
  struct Batches {
    std::atomic<bool> is_collecting = false;
    TextMap<std::string, Pending> collected = {};  // by key
    std::vector<Pending> unsent = {};              // to be asked in the next batch
    TextMap<std::string, ReplyFault> faults = {};  // by key: questions that batches left without a reply
  };

  const JudgeOptions options_;
  const std::atomic<bool>* const stop_;
  std::optional<ReplyCache> cache_;

  mutable std::mutex mutex_;  // for everything below, but is not held while the client calls back
  mutable std::condition_variable finished_;
  std::atomic<bool> ending_ = false;
  HttpTime believed_until_ = HttpTime::max();  // after a stop: until when an answer is expected
  TextMap<std::string, std::weak_ptr<PendingAnswer>> asked_;  // by key
  std::size_t forget_at_ = 1024;                       // size of asked_ at which unused entries are dropped
  std::map<SharedEndpoint, KeyFailure> key_failures_;  // the latest of each, of commands
  // Never erased, so that no other endpoint gets the same address.
  std::map<SharedEndpoint, JudgeLine> lines_;
  JudgeAccount account_;
  Requests requests_;
  Batches batches_;
  TextSet<std::string> counted_;  // the keys of a dry run with a cache
  // The reason why replies cannot be stored. Once it is set, nothing more is asked. Waiting callers are told
  // once the replies in progress are stored.
  std::exception_ptr broken_;
  std::vector<Pending> lost_;           // questions whose replies were not stored
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
