// engine/judge/batch_run.h: asks the questions of a judge service in batches. A batch is recorded in the
// cache before it is handed over, and removed once its replies are stored. If a run is killed at any moment,
// the next run can therefore continue with its batches. Replies are treated as if they had come one by one.
// THREADS: one.
#ifndef LEAFSCORE_ENGINE_JUDGE_BATCH_RUN_H_
#define LEAFSCORE_ENGINE_JUDGE_BATCH_RUN_H_

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/http/http_client.h"
#include "engine/judge/batch_api.h"
#include "engine/judge/judge_service.h"
#include "engine/judge/reply_cache.h"

namespace leafscore::internal {

class BatchRun {
 public:
  using Pending = std::shared_ptr<PendingAnswer>;
  using Tell = std::function<void(const std::string& message)>;

  // REQUIRES: both outlive this; the service has a cache that can be written.
  BatchRun(JudgeService& service, const Tell& tell);

  // Asks the questions, and returns when each question has a reply in the cache or a fault.
  // ERRORS: Error(kInput) if a service takes no batches, does not say how far they are, or cannot be reached;
  // errors of PendingAnswer::Wait.
  void Ask(const std::vector<Pending>& questions);

 private:
  struct Batch {
    SharedEndpoint endpoint;
    SentBatch sent;
    std::map<std::string, Pending> open;  // the questions of this run in it, by id
    BatchState state = {};
    unsigned silent_looks = 0;  // looks in a row at which the service did not say how far it is
  };
  using Group = std::vector<Pending>;  // questions with the same endpoint, form and parameters

  BatchApi& ApiOf(const SharedEndpoint& endpoint);
  std::string Call(const SharedEndpoint& endpoint, HttpRequest request, bool may_repeat);
  HttpReply Send(HttpRequest request, bool may_repeat);
  void GoOn(std::map<std::string, Pending>& unsent);
  bool Recover(BatchApi& api, SentBatch& sent);
  void SubmitAll();
  void Submit(const Group& group);
  void HandOver(Batch& batch, const std::vector<BatchQuestion>& questions);
  void WaitForOne();
  void CheckSays(Batch& batch);
  void Take(Batch& batch);
  void Give(const Batch& batch, const Pending& pending, BatchReply reply);
  void Settle(const std::vector<Pending>& given);
  void Sleep(std::chrono::milliseconds time) const;
  std::set<std::string> KnownBatches() const;

  JudgeService& service_;
  const Tell& tell_;
  HttpClient client_;
  std::size_t repeating_lane_;
  std::size_t single_lane_;
  std::map<SharedEndpoint, BatchApi> apis_;
  std::vector<Batch> batches_;
  std::set<std::string> taken_;  // ids of batches whose replies this run has taken
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_BATCH_RUN_H_
