#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/limits.h"
#include "engine/config/config_parser.h"
#include "engine/config/scorer_specs.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/per_thread.h"
#include "engine/run/run_files.h"
#include "engine/run/scorer_set.h"
#include "engine/run/thread_arena.h"
#include "engine/run/thread_count.h"
#include "leafscore/leafscore.h"

namespace leafscore {

using namespace internal;  // NOLINT: this file joins the two

namespace {

constexpr char kTypesSource[] = "scorers";

// Splits rows into runs of about this many bytes of text: enough to hide the cost of handing them out.
constexpr std::int64_t kBytesPerTask = 1 << 20;

void CheckColumns(const TextColumn& expected, const TextColumn& actual) {
  if (expected.size() != actual.size()) {
    throw Error(ErrorCode::kUsage, "the expected column has " + std::to_string(expected.size()) +
                                       " texts and the actual column " + std::to_string(actual.size()) +
                                       "; give two columns of one size");
  }
  for (const TextColumn* column : {&expected, &actual}) {
    if (column->size() == 0) continue;
    std::int64_t previous = 0;
    for (std::size_t i = 0; i <= column->size(); ++i) {
      const std::int64_t offset = column->offset(i);
      if (offset < previous || static_cast<std::uint64_t>(offset) > column->bytes().size()) {
        throw Error(ErrorCode::kUsage, "offset " + std::to_string(i) + " of a column is " +
                                           std::to_string(offset) +
                                           "; offsets must not fall nor lead out of the bytes");
      }
      previous = offset;
    }
  }
}

// Returns the rows at which tasks begin, and the number of rows.
std::vector<std::size_t> SplitRows(const TextColumn& expected, const TextColumn& actual) {
  std::vector<std::size_t> starts;
  std::int64_t bytes = kBytesPerTask;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (bytes >= kBytesPerTask) {
      starts.push_back(i);
      bytes = 0;
    }
    bytes += expected.offset(i + 1) - expected.offset(i) + actual.offset(i + 1) - actual.offset(i);
  }
  starts.push_back(expected.size());
  return starts;
}

// Returns whether a pair of strings in these texts may be so long that all threads compute it.
bool MayNeedTable(const TextColumn& expected, const TextColumn& actual) {
  const auto bytes = [](const TextColumn& column) {
    return static_cast<std::uint64_t>(column.offset(column.size()) - column.offset(0));
  };
  return bytes(expected) > kTableCells / std::max<std::uint64_t>(bytes(actual), 1);
}

// Appends why rows are not scored. Row 0 of the worker is row `first` of the columns.
void AppendErrors(const BatchScorer& worker, std::size_t scorer, std::size_t first,
                  std::vector<RecordError>& errors) {
  for (std::uint32_t r = 0; r < worker.pairs().size(); ++r) {
    const RowVerdict verdict = worker.Verdict(scorer, r);
    if (verdict.outcome == Outcome::kScored) continue;
    errors.push_back({static_cast<std::uint32_t>(first + r), verdict.reason,
                      verdict.rejected
                          ? fmt::format("{}: {} (byte {})", verdict.side, verdict.message, verdict.offset)
                          : std::string(verdict.message)});
  }
}

}  // namespace

Plan::Plan(std::unique_ptr<ScorerSet> scorers) : scorers_(std::move(scorers)) {}
Plan::~Plan() = default;
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;

Plan::Plan(std::span<const std::string> scorer_types)
    : scorers_(std::make_unique<ScorerSet>(DefaultScorerSpecs(scorer_types), kTypesSource)) {}

Plan::Plan(std::initializer_list<std::string_view> scorer_types)
    : Plan(std::vector<std::string>(scorer_types.begin(), scorer_types.end())) {}

Plan Plan::FromConfig(std::string_view config, const std::string& source_name) {
  const std::vector<ScorerSpec> specs = ReadScorerSpecs(ParseConfig(config, source_name), source_name);
  return Plan(std::make_unique<ScorerSet>(specs, source_name));
}

std::vector<std::string> Plan::scorer_names() const { return scorers_->names(); }

std::vector<ScoreColumns> Plan::ScoreTexts(const TextColumn& expected, const TextColumn& actual,
                                           const BatchOptions& options) const {
  CheckColumns(expected, actual);
  CheckLimit(kMaxPairCells, options.max_pair_cells);
  const std::size_t rows = expected.size();
  const std::vector<std::size_t> starts = SplitRows(expected, actual);
  const std::size_t tasks = starts.size() - 1;
  const std::size_t scorer_count = scorers_->scorers().size();

  std::vector<ScoreColumns> results(scorer_count);
  std::vector<std::vector<std::vector<RecordError>>> errors(scorer_count);  // by scorer and task
  PerThread<BatchScorer> workers([&] {
    return BatchScorer(*scorers_, {.strict = options.strict_json}, DetailLevel::kBasic, nullptr,
                       options.max_pair_cells);
  });
  {
    const BatchScorer& names = workers.local();
    for (std::size_t s = 0; s < scorer_count; ++s) {
      const ScoreColumns& columns = names.scorer_batch(s).columns();
      results[s].scorer = columns.scorer;
      results[s].outcome.resize(rows);
      results[s].score.resize(rows);
      results[s].passed.resize(rows);
      for (const Metric& metric : columns.metrics) {
        results[s].metrics.push_back({metric.name, std::vector<double>(rows)});
      }
      errors[s].resize(tasks);
    }
  }
  const auto score_task = [&](std::size_t task) {
    BatchScorer& worker = workers.local();
    const std::size_t first = starts[task];
    worker.ScoreTexts(expected, actual, first, starts[task + 1], options);
    for (std::size_t s = 0; s < scorer_count; ++s) {
      const ScoreColumns& columns = worker.scorer_batch(s).columns();
      ScoreColumns& result = results[s];
      std::ranges::copy(columns.outcome, result.outcome.begin() + static_cast<std::ptrdiff_t>(first));
      std::ranges::copy(columns.score, result.score.begin() + static_cast<std::ptrdiff_t>(first));
      std::ranges::copy(columns.passed, result.passed.begin() + static_cast<std::ptrdiff_t>(first));
      for (std::size_t m = 0; m < columns.metrics.size(); ++m) {
        std::ranges::copy(columns.metrics[m].values,
                          result.metrics[m].values.begin() + static_cast<std::ptrdiff_t>(first));
      }
      AppendErrors(worker, s, first, errors[s][task]);
    }
  };
  if (tasks == 1 && !MayNeedTable(expected, actual)) {
    score_task(0);
  } else {
    ExecuteWithThreads(ResolveThreads(options.threads),
                       [&] { tbb::parallel_for(std::size_t{0}, tasks, score_task); });
  }
  for (std::size_t s = 0; s < scorer_count; ++s) {
    for (std::vector<RecordError>& task_errors : errors[s]) {
      std::ranges::move(task_errors, std::back_inserter(results[s].errors));
    }
  }
  return results;
}

std::vector<ScoreColumns> Plan::ScorePair(std::string_view expected_json,
                                          std::string_view actual_json) const {
  const std::int64_t expected_offsets[] = {0, static_cast<std::int64_t>(expected_json.size())};
  const std::int64_t actual_offsets[] = {0, static_cast<std::int64_t>(actual_json.size())};
  return ScoreTexts(TextColumn(expected_json, expected_offsets), TextColumn(actual_json, actual_offsets));
}

std::vector<ScorerSummary> Plan::ScoreFiles(const FileOptions& options) const {
  const RunResult run = RunFiles(*scorers_, options);
  if (run.error) throw *run.error;
  std::vector<ScorerSummary> summaries;
  for (std::size_t s = 0; s < scorers_->scorers().size(); ++s) {
    const ScoreStatistics& statistics = run.summary.Overall(s);
    const OutcomeCounts& counts = statistics.counts();
    summaries.push_back({scorers_->scorers()[s].name, counts.records(), counts.scored, counts.unreadable,
                         counts.errors, statistics.Mean(), statistics.StandardError(), statistics.PassRate(),
                         run.summary.field_counts(s)});
  }
  return summaries;
}

std::string_view Version() { return LEAFSCORE_VERSION; }

}  // namespace leafscore
