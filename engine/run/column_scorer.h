// engine/run/column_scorer.h: scores columns of texts in parallel, and reuses its workers from call to call.
// THREADS: any number may score at once.
#ifndef LEAFSCORE_ENGINE_RUN_COLUMN_SCORER_H_
#define LEAFSCORE_ENGINE_RUN_COLUMN_SCORER_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/distance/pair_offload.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/field_presence.h"
#include "engine/run/owned_texts.h"
#include "engine/run/result_rows.h"
#include "engine/scorers/scorer.h"
#include "leafscore/options.h"
#include "leafscore/plan.h"
#include "leafscore/report.h"
#include "leafscore/runner.h"

namespace leafscore::internal {

// A batch scorer, and memory for the texts to score.
struct Worker {
  Worker(const ScorerSet& scorers, const EngineOptions& options, PairOffload* offload)
      : scorer(scorers, options, offload) {}

  BatchScorer scorer;
  OwnedTexts expected = {};
  OwnedTexts actual = {};
  std::deque<OwnedTexts> fields = {};
};

// Workers that are kept warm from call to call. THREADS: any number may take and return workers.
class WorkerPool {
 public:
  // Exclusive use of a worker. On destruction the worker returns to the pool, except during an exception: the
  // exception may have stopped the worker halfway, and the remains of its work would mix with the next
  // results. REQUIRES: the pool outlives the lease.
  class Lease {
   public:
    // `worker` contains one worker.
    Lease(WorkerPool& pool, std::list<Worker> worker) : pool_(pool), worker_(std::move(worker)) {}
    ~Lease() {
      if (std::uncaught_exceptions() == exceptions_) pool_.GiveBack(worker_);
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    Worker& operator*() { return worker_.front(); }
    Worker* operator->() { return &worker_.front(); }

   private:
    WorkerPool& pool_;
    std::list<Worker> worker_;
    int exceptions_ = std::uncaught_exceptions();
  };

  // REQUIRES: the arguments outlive this; `offload` may be null.
  WorkerPool(const ScorerSet& scorers, const EngineOptions& options, PairOffload* offload)
      : scorers_(scorers), options_(options), offload_(offload) {}

  // Lends a worker; a new one if all are in use.
  Lease Take() {
    std::list<Worker> worker;
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) worker.splice(worker.begin(), free_, free_.begin());
    }
    if (worker.empty()) worker.emplace_back(scorers_, options_, offload_);
    return Lease(*this, std::move(worker));
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

// The texts on one side of the pairs, however they are stored. THREADS: immutable, so any number may read.
class TextSource {
 public:
  virtual ~TextSource() = default;

  virtual std::size_t size() const = 0;
  virtual std::size_t text_bytes(std::size_t row) const = 0;

  // Returns rows [begin, end) as a column. Texts that are not contiguous are copied to `copy`, and the column
  // is a view of it.
  virtual TextColumn Rows(std::size_t begin, std::size_t end, OwnedTexts& copy) const = 0;
};

// Texts stored one after another.
class ContiguousSource final : public TextSource {
 public:
  explicit ContiguousSource(const TextColumn& column) : column_(column) {}

  std::size_t size() const override { return column_.size(); }
  std::size_t text_bytes(std::size_t row) const override {
    return static_cast<std::size_t>(column_.offset(row + 1) - column_.offset(row));
  }
  TextColumn Rows(std::size_t begin, std::size_t end, OwnedTexts&) const override {
    return column_.Slice(begin, end - begin);
  }

 private:
  TextColumn column_;
};

// Texts found row by row: text_of(row) returns a std::optional<std::string_view>, nullopt for a null.
template <class TextOf>
class ScatteredSource final : public TextSource {
 public:
  ScatteredSource(std::size_t size, TextOf text_of) : size_(size), text_of_(std::move(text_of)) {}

  std::size_t size() const override { return size_; }
  std::size_t text_bytes(std::size_t row) const override {
    const auto text = text_of_(row);
    return text ? text->size() : 0;
  }
  TextColumn Rows(std::size_t begin, std::size_t end, OwnedTexts& copy) const override {
    copy.Clear();
    for (std::size_t row = begin; row < end; ++row) copy.Add(text_of_(row));
    return copy.column();
  }

 private:
  std::size_t size_;
  TextOf text_of_;
};

// A column in addition to the expected and actual texts (FieldTexts). A view.
struct FieldSource {
  std::string_view name;
  const TextSource* texts;
  bool are_calls;
};

// The results of one scorer for the rows of the columns.
struct ColumnResults {
  ScoreColumns scores;
  std::vector<std::uint8_t> nothing_compared;  // by row: 1 if nothing of the expected value counts
  // Filled only if texts are wanted. `texts` has the values of each text metric for each scored row,
  // [metric][row]. With DetailLevel::kLeaves, `leaves` has the results of the leaves of each scored row,
  // [row].
  std::vector<TextMetric> text_metrics;
  std::vector<std::vector<std::vector<std::string>>> texts;
  std::vector<LeafList> leaves;
  std::vector<AnswerCauses> causes;  // BatchScorer::CausesOf by row, if texts are wanted
};

struct ColumnRun {
  std::vector<ColumnResults> results;  // indexed by scorer; rows and errors in order
  ResultRows rows;                     // the same results for a summary, if texts are wanted
  RunTotals totals;                    // totals of the rows
  std::vector<FieldPresence> paths;    // BatchScorer::PathPresence
};

class ColumnScorer {
 public:
  // ERRORS: Error(kUsage) for an option out of range or an unknown device.
  ColumnScorer(Plan plan, EngineOptions options);

  const Plan& plan() const { return plan_; }
  const EngineOptions& options() const { return options_; }
  PairOffload* device() const { return device_.get(); }

  // Scores row by row. `without_gold` is as in BatchScorer::ScoreTexts.
  // ERRORS: Error(kInterrupted) if stopped.
  ColumnRun Score(const TextSource& expected, const TextSource& actual, TextFormats formats,
                  bool with_texts = false, std::span<const char* const> without_gold = {},
                  std::span<const FieldSource> fields = {});

  // Lends a worker.
  WorkerPool::Lease TakeWorker() { return workers_.Take(); }

  // Returns the names, metrics and texts of the plan's scorers, with room for `rows` rows.
  std::vector<ColumnResults> EmptyResults(std::size_t rows, bool with_texts);

 private:
  Plan plan_;
  EngineOptions options_;
  std::unique_ptr<PairOffload> device_;
  WorkerPool workers_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_COLUMN_SCORER_H_
