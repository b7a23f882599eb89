// engine/run/result_rows.h: the results of records under all scorers, record by record, from which summaries
// are made. THREADS: as vectors.
#ifndef LEAFSCORE_ENGINE_RUN_RESULT_ROWS_H_
#define LEAFSCORE_ENGINE_RUN_RESULT_ROWS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/cell_rows.h"
#include "engine/base/field_outcome.h"
#include "engine/base/rating_sums.h"
#include "engine/report/answers_of_others.h"
#include "engine/report/run_summary.h"
#include "engine/run/batch_scorer.h"

namespace leafscore::internal {

// How a row is laid out.
struct ResultLayout {
  std::size_t scorers() const { return field_begin.size() - 1; }
  std::size_t fields() const { return field_begin.back(); }

  std::vector<std::size_t> field_begin;  // where each scorer's judged fields begin in a row, then their total
};

struct ResultRows {
  std::vector<JsonInTexts> json_in_texts;  // by scorer, of all rows
  std::vector<RaterSums> raters;           // by scorer, of all rows
  std::vector<RecordScore> scores;         // of row r under scorer s: [r * scorers + s]
  std::vector<FieldOutcome> fields;        // of row r: [r * fields, (r + 1) * fields); meaningless for errors
  CellRows cells;
  std::vector<PairHashes> hashes;  // by row
};

// Returns the layout of these scorers' results.
ResultLayout LayoutOf(const BatchScorer& scorer);

// Describes these scorers to the summary: the fields that they judge, their remarks, their weights and so on.
void DescribeScorers(const BatchScorer& scorer, RunSummary& summary);

// Appends the results of the rows that `scorer` has just scored.
void AppendResults(const BatchScorer& scorer, ResultRows& rows);

// Returns the number of output lines of the rows: one for each row and each scorer that applies to the row.
std::uint64_t CountAsked(const ResultRows& rows);

// Appends the rows of `more`.
void AppendRows(const ResultRows& more, ResultRows& rows);

// Adds the sums over all rows to the summary.
void AddSums(const ResultRows& results, RunSummary& summary);

// Adds a row to the summary and to these groups.
void AddRow(const ResultRows& results, const ResultLayout& layout, std::size_t row,
            std::span<const std::uint32_t> groups, const RecordName& name, RunSummary& summary);

// Adds the hashes of an id to the summary, and the answers to the id that earned little. `rows` are the rows
// of all answers to the id.
void AddHashes(const ResultRows& results, const ResultLayout& layout, std::span<const std::uint32_t> rows,
               std::span<const std::uint32_t> groups, const RecordName& name, RunSummary& summary);

// Adds a row only to the groups.
void AddRowToGroups(const ResultRows& results, const ResultLayout& layout, std::size_t row,
                    std::span<const std::uint32_t> groups, const RecordName& name, RunSummary& summary);

// Adds the rows of repeated answers to one id to the summary and the groups.
void AddRepeatedRows(const ResultRows& results, const ResultLayout& layout,
                     std::span<const std::uint32_t> rows, std::span<const std::uint32_t> groups,
                     const RecordName& name, RunSummary& summary);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RESULT_ROWS_H_
