// engine/threads/ordered_pipeline.h: runs batches from a serial source through stages, on several threads.
//
// The source and the ordered stages see one batch at a time, in the order of the source; a parallel stage
// works on several at once. The pipeline owns the batches: after the last stage, a batch goes back to the
// source, which reuses its memory. By default, at most two batches per thread are in progress. This keeps all
// threads busy while the serial stages work, and limits the memory for inputs of any size.
#ifndef LEAFSCORE_ENGINE_THREADS_ORDERED_PIPELINE_H_
#define LEAFSCORE_ENGINE_THREADS_ORDERED_PIPELINE_H_

#include <oneapi/tbb/concurrent_queue.h>
#include <oneapi/tbb/parallel_pipeline.h>

#include <cstddef>
#include <deque>
#include <utility>

#include "engine/threads/thread_arena.h"

namespace leafscore::internal {

template <class Work>
struct PipelineStage {
  tbb::filter_mode mode;
  Work work;  // called with a Batch&
};

template <class Work>
PipelineStage<Work> Parallel(Work work) {
  return {tbb::filter_mode::parallel, std::move(work)};
}

template <class Work>
PipelineStage<Work> InOrder(Work work) {
  return {tbb::filter_mode::serial_in_order, std::move(work)};
}

// The number of threads, and of batches in progress.
struct PipelineSize {
  PipelineSize(unsigned of_threads) : threads(of_threads) {}
  PipelineSize(unsigned of_threads, std::size_t more_batches)
      : threads(of_threads), batches(2 * std::size_t{of_threads} + more_batches) {}

  unsigned threads;
  std::size_t batches = 2 * std::size_t{threads};
};

// Calls source(Batch&) to fill one batch after another until it returns false, and passes each batch through
// `stages`.
// ERRORS: as the source and the stages, thrown once all threads have stopped. Batches in progress are
// dropped.
template <class Batch, class Source, class... Work>
void RunOrderedPipeline(PipelineSize size, Source source, PipelineStage<Work>... stages) {
  std::deque<Batch> batches;
  tbb::concurrent_queue<Batch*> free_batches;
  const auto fill = [&](tbb::flow_control& control) -> Batch* {
    Batch* batch = nullptr;
    if (!free_batches.try_pop(batch)) batch = &batches.emplace_back();
    if (source(*batch)) return batch;
    control.stop();
    return nullptr;
  };
  const auto filter_of = [](auto& stage) {
    return tbb::make_filter<Batch*, Batch*>(stage.mode, [&stage](Batch* batch) {
      stage.work(*batch);
      return batch;
    });
  };
  const auto hand_back = [&](Batch* batch) { free_batches.push(batch); };
  ExecuteWithThreads(size.threads, [&] {
    tbb::parallel_pipeline(
        size.batches,
        (tbb::make_filter<void, Batch*>(tbb::filter_mode::serial_in_order, fill) & ... & filter_of(stages)) &
            tbb::make_filter<Batch*, void>(tbb::filter_mode::parallel, hand_back));
  });
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_THREADS_ORDERED_PIPELINE_H_
