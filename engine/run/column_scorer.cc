#include "engine/run/column_scorer.h"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "engine/base/run_options.h"
#include "engine/report/run_summary.h"
#include "engine/run/device_choice.h"
#include "engine/threads/thread_arena.h"
#include "engine/threads/thread_count.h"

namespace leafscore::internal {
namespace {

// Bytes of text per task: enough to hide the cost of distributing tasks.
constexpr std::size_t kBytesPerTask = 1 << 18;

EngineOptions Checked(EngineOptions options) {
  CheckLimits(options);
  if (options.threads != 0) ResolveThreads(options.threads);
  return options;
}

// How the rows are split into tasks: the first row of each task, followed by the number of rows; and whether
// a pair may be so long that all threads must compute it.
struct Split {
  std::vector<std::size_t> starts;
  bool may_need_table;
};

Split SplitRows(const TextSource& expected, const TextSource& actual, std::span<const FieldSource> fields) {
  Split split;
  std::uint64_t expected_bytes = 0;
  std::uint64_t actual_bytes = 0;
  std::uint64_t field_bytes = 0;
  std::uint64_t task_end = 0;  // bytes of all columns
  for (std::size_t row = 0; row < expected.size(); ++row) {
    const std::uint64_t bytes = expected_bytes + actual_bytes + field_bytes;
    if (bytes >= task_end) {
      split.starts.push_back(row);
      task_end = bytes + kBytesPerTask;
    }
    expected_bytes += expected.text_bytes(row);
    actual_bytes += actual.text_bytes(row);
    for (const FieldSource& field : fields) field_bytes += field.texts->text_bytes(row);
  }
  split.starts.push_back(expected.size());
  const std::uint64_t longer_bytes = std::max<std::uint64_t>({actual_bytes, field_bytes, 1});
  split.may_need_table = expected_bytes > kTableCells / longer_bytes;
  return split;
}

template <class T>
void CopyInto(const std::vector<T>& from, std::vector<T>& to, std::size_t first) {
  std::ranges::copy(from, to.begin() + static_cast<std::ptrdiff_t>(first));
}

// The part of a task's results that is not one value per row.
struct TaskResults {
  std::vector<std::vector<RecordError>> errors;  // indexed by scorer
  ResultRows rows;
  RunTotals totals;
  std::vector<FieldPresence> paths;
};

// Adds an error for each row that a scorer did not score, and the texts of each row that it scored. The
// scorer's row 0 is row `first` of the results.
void TakeRows(const BatchScorer& worker, std::size_t scorer, std::size_t first, bool with_texts,
              ColumnResults& results, std::vector<RecordError>& errors) {
  const ScorerBatch& batch = worker.scorer_batch(scorer);
  for (std::uint32_t r = 0; r < worker.pairs().size(); ++r) {
    const std::size_t row = first + r;
    const RowVerdict verdict = worker.Verdict(scorer, r);
    if (verdict.outcome != Outcome::kScored) {
      results.scores.score[row] = std::numeric_limits<double>::quiet_NaN();
      errors.push_back({static_cast<std::uint32_t>(row), verdict.reason,
                        verdict.side.empty() ? std::string(verdict.message)
                                             : fmt::format("{}: {} (byte {})", verdict.side, verdict.message,
                                                           verdict.offset)});
    } else if (with_texts) {
      for (std::size_t m = 0; m < results.texts.size(); ++m) batch.AppendTexts(r, m, results.texts[m][row]);
      if (!results.leaves.empty()) batch.AppendLeaves(r, results.leaves[row]);
    }
  }
}

// Adds the results that `worker` has just computed; its row 0 is row `first` of the results.
void AddResults(const BatchScorer& worker, std::size_t first, bool with_texts,
                std::vector<ColumnResults>& results, TaskResults& task) {
  task.errors.resize(results.size());
  for (std::size_t s = 0; s < results.size(); ++s) {
    const ScoreColumns& columns = worker.scorer_batch(s).columns();
    ScoreColumns& scores = results[s].scores;
    CopyInto(columns.outcome, scores.outcome, first);
    CopyInto(columns.score, scores.score, first);
    CopyInto(columns.passed, scores.passed, first);
    for (std::size_t m = 0; m < columns.metrics.size(); ++m) {
      CopyInto(columns.metrics[m].values, scores.metrics[m].values, first);
    }
    for (const std::uint32_t r : worker.scorer_batch(s).nothing_compared())
      results[s].nothing_compared[first + r] = true;
    TakeRows(worker, s, first, with_texts, results[s], task.errors[s]);
  }
  if (with_texts) {
    std::size_t next = task.rows.scores.size();
    AppendResults(worker, task.rows);
    for (std::size_t row = first; next != task.rows.scores.size(); ++row)
      for (ColumnResults& of_scorer : results) of_scorer.causes[row] = task.rows.scores[next++].causes;
  }
  AddPresence(worker.PathPresence(), task.paths);
  AddTotals(worker.Totals(), task.totals);
}

}  // namespace

ColumnScorer::ColumnScorer(Plan plan, EngineOptions options)
    : plan_(std::move(plan)),
      options_(Checked(std::move(options))),
      device_(OpenDevice(options_.device, options_.gpu_memory_bytes,
                         MayOpenDevice(options_.device) ? ResolveThreads(options_.threads) : 0)),
      workers_(plan_.scorers(), options_, device_.get()) {}

std::vector<ColumnResults> ColumnScorer::EmptyResults(std::size_t rows, bool with_texts) {
  WorkerPool::Lease worker = workers_.Take();
  std::vector<ColumnResults> results(worker->scorer.scorer_count());
  for (std::size_t s = 0; s < results.size(); ++s) {
    const ScorerBatch& batch = worker->scorer.scorer_batch(s);
    ScoreColumns& scores = results[s].scores;
    scores.scorer = batch.columns().scorer;
    scores.outcome.resize(rows);
    scores.score.resize(rows);
    scores.passed.resize(rows);
    results[s].nothing_compared.resize(rows);
    for (const Metric& metric : batch.columns().metrics) {
      scores.metrics.push_back({metric.name, std::vector<double>(rows)});
    }
    if (!with_texts) continue;
    results[s].text_metrics.assign(batch.text_metrics().begin(), batch.text_metrics().end());
    results[s].texts.assign(batch.text_metrics().size(), std::vector<std::vector<std::string>>(rows));
    results[s].causes.resize(rows);
    if (options_.details == DetailLevel::kLeaves) {
      results[s].leaves.assign(rows, LeafList(options_.max_details_bytes));
    }
  }
  return results;
}

ColumnRun ColumnScorer::Score(const TextSource& expected, const TextSource& actual, TextFormats formats,
                              bool with_texts, std::span<const char* const> without_gold,
                              std::span<const FieldSource> fields) {
  ColumnRun run{EmptyResults(expected.size(), with_texts), {}, {}, {}};
  const auto [starts, may_need_table] = SplitRows(expected, actual, fields);
  const std::size_t tasks = starts.size() - 1;
  std::vector<TaskResults> parts(tasks);
  const auto score_task = [&](std::size_t task) {
    if (options_.stop != nullptr && options_.stop->load()) {
      throw Error(ErrorCode::kInterrupted, "the run was interrupted");
    }
    const std::size_t end = starts[task + 1];
    WorkerPool::Lease lease = workers_.Take();
    Worker& worker = *lease;
    for (std::size_t begin = starts[task]; begin != end;) {
      worker.fields.resize(std::max(worker.fields.size(), fields.size()));
      std::vector<FieldTexts> field_texts;
      for (const FieldSource& field : fields) {
        OwnedTexts& copy = worker.fields[field_texts.size()];
        field_texts.push_back({field.name, field.texts->Rows(begin, end, copy), field.are_calls});
      }
      const std::size_t rows = worker.scorer.ScoreTexts(
          expected.Rows(begin, end, worker.expected), actual.Rows(begin, end, worker.actual), formats,
          without_gold.empty() ? without_gold : without_gold.subspan(begin, end - begin), field_texts);
      AddResults(worker.scorer, begin, with_texts, run.results, parts[task]);
      begin += rows;
      if (options_.progress != nullptr) options_.progress->records += rows;
    }
  };
  if (tasks == 1 && !may_need_table) {
    score_task(0);
  } else {
    // A single short task does not get here: counting the threads reads several files, which takes longer
    // than scoring a pair.
    ExecuteWithThreads(ResolveThreads(options_.threads),
                       [&] { tbb::parallel_for(std::size_t{0}, tasks, score_task); });
  }
  for (TaskResults& part : parts) {
    AddTotals(part.totals, run.totals);
    AddPresence(part.paths, run.paths);
    if (with_texts) AppendRows(part.rows, run.rows);
    for (std::size_t s = 0; s < run.results.size(); ++s) {
      std::ranges::move(part.errors[s], std::back_inserter(run.results[s].scores.errors));
    }
  }
  return run;
}

}  // namespace leafscore::internal
