// engine/run/worker_pool.h: workers that are kept warm from call to call.
// THREADS: any number may take and give back.
#ifndef LEAFSCORE_ENGINE_RUN_WORKER_POOL_H_
#define LEAFSCORE_ENGINE_RUN_WORKER_POOL_H_

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/run/batch_scorer.h"
#include "engine/run/owned_texts.h"
#include "leafscore/options.h"

namespace leafscore::internal {

// A batch scorer, and memory for texts that it is to score.
struct Worker {
  BatchScorer scorer;
  OwnedTexts expected = {};
  OwnedTexts actual = {};
};

class WorkerPool {
 public:
  // A worker that nobody else uses. It goes back to the pool when this ends. REQUIRES: the pool
  // outlives it.
  class Loan {
   public:
    Loan(WorkerPool& pool, std::unique_ptr<Worker> worker) : pool_(pool), worker_(std::move(worker)) {}
    ~Loan() { pool_.GiveBack(std::move(worker_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

    Worker& operator*() const { return *worker_; }
    Worker* operator->() const { return worker_.get(); }

   private:
    WorkerPool& pool_;
    std::unique_ptr<Worker> worker_;
  };

  // REQUIRES: what is passed outlives this; `offload` may be null.
  WorkerPool(const ScorerSet& scorers, const EngineOptions& options, PairOffload* offload)
      : scorers_(scorers), options_(options), offload_(offload) {}

  // Lends a worker, a new one when all are lent.
  Loan Take() {
    std::unique_ptr<Worker> worker;
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        worker = std::move(free_.back());
        free_.pop_back();
      }
    }
    if (worker == nullptr) worker.reset(new Worker{.scorer = BatchScorer(scorers_, options_, offload_)});
    return Loan(*this, std::move(worker));
  }

 private:
  void GiveBack(std::unique_ptr<Worker> worker) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(worker));
  }

  const ScorerSet& scorers_;
  const EngineOptions& options_;
  PairOffload* offload_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> free_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_WORKER_POOL_H_
