// engine/run/worker_pool.h: workers that are kept warm from call to call.
// THREADS: any number may take and give back.
#ifndef LEAFSCORE_ENGINE_RUN_WORKER_POOL_H_
#define LEAFSCORE_ENGINE_RUN_WORKER_POOL_H_

#include <exception>
#include <list>
#include <mutex>
#include <utility>

#include "engine/run/batch_scorer.h"
#include "engine/run/owned_texts.h"
#include "leafscore/options.h"

namespace leafscore::internal {

// A batch scorer, and memory for texts that it is to score.
struct Worker {
  Worker(const ScorerSet& scorers, const EngineOptions& options, PairOffload* offload)
      : scorer(scorers, options, offload) {}

  BatchScorer scorer;
  OwnedTexts expected = {};
  OwnedTexts actual = {};
};

class WorkerPool {
 public:
  // A worker that nobody else uses. It goes back to the pool when this ends, but not while an exception
  // flies: it may have come from the worker in the middle of its work, half of which would mix with the next.
  // REQUIRES: the pool outlives it.
  class Loan {
   public:
    // `worker` holds one.
    Loan(WorkerPool& pool, std::list<Worker> worker) : pool_(pool), worker_(std::move(worker)) {}
    ~Loan() {
      if (std::uncaught_exceptions() == exceptions_) pool_.GiveBack(worker_);
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

    Worker& operator*() { return worker_.front(); }
    Worker* operator->() { return &worker_.front(); }

   private:
    WorkerPool& pool_;
    std::list<Worker> worker_;
    int exceptions_ = std::uncaught_exceptions();
  };

  // REQUIRES: what is passed outlives this; `offload` may be null.
  WorkerPool(const ScorerSet& scorers, const EngineOptions& options, PairOffload* offload)
      : scorers_(scorers), options_(options), offload_(offload) {}

  // Lends a worker, a new one when all are lent.
  Loan Take() {
    std::list<Worker> worker;
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) worker.splice(worker.begin(), free_, free_.begin());
    }
    if (worker.empty()) worker.emplace_back(scorers_, options_, offload_);
    return Loan(*this, std::move(worker));
  }

 private:
  // Does not allocate, as it must not throw.
  void GiveBack(std::list<Worker>& worker) {
    const std::lock_guard lock(mutex_);
    free_.splice(free_.begin(), worker);
  }

  const ScorerSet& scorers_;
  const EngineOptions& options_;
  PairOffload* offload_;
  std::mutex mutex_;
  std::list<Worker> free_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_WORKER_POOL_H_
