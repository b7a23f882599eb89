// engine/run/stream_scorer.h: scores a stream of Arrow record batches, each batch when it is asked for.
// THREADS: one at a time; a batch is scored on all threads of the scorer.
#ifndef LEAFSCORE_ENGINE_RUN_STREAM_SCORER_H_
#define LEAFSCORE_ENGINE_RUN_STREAM_SCORER_H_

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/arrow/column_builder.h"
#include "engine/arrow/record_columns.h"
#include "engine/arrow/streams.h"
#include "engine/arrow/text_array.h"
#include "engine/report/run_summary.h"
#include "engine/run/column_scorer.h"
#include "engine/run/gold_join.h"
#include "engine/run/gold_table.h"
#include "engine/run/result_rows.h"
#include "leafscore/runner.h"

namespace leafscore::internal {

class StreamScorer {
 public:
  // Takes over the input, and reads the gold to its end.
  // ERRORS: Error(kUsage) for columns that do not exist or are not texts, two result columns with one name,
  // and options out of range; Error(kInput) if a stream fails, with its message.
  StreamScorer(std::shared_ptr<ColumnScorer> scorer, ArrowArrayStream* input, const StreamOptions& options);

  // Returns the schema of the output: the kept columns, then a struct for each scorer.
  OwnedSchema Schema() const;

  // Scores the next batch, and counts it once its results are made. Releases the input at the end.
  // RETURNS: the results of the batch; an empty array at the end.
  OwnedArray Next();

  // Releases the input. Call it if nobody will ask for another batch.
  void ReleaseInput() { input_.Release(); }

  // ERRORS: any error thrown while a batch was counted, because the counts then do not add up.
  RunReport Report() const;

 private:
  // A column of texts in the input.
  struct TextField {
    std::size_t column;
    TextType type;
  };

  // The results of the rows in a batch.
  struct ScoredRows {
    ColumnRun run;
    std::vector<std::uint32_t> groups;  // row by row
    // With gold: the entry of each row, and the ids of the rows without gold.
    std::vector<std::uint32_t> gold;
    ListedIds without_gold;
  };

  static TextField FindTexts(const ColumnNames& columns, std::string_view name);
  static TextArray Texts(const TextField& field, const ArrowArray& batch);
  void ReadGold(ArrowArrayStream* gold);
  ScoredRows ScoreRows(const ArrowArray& batch);
  std::vector<std::uint32_t> Groups(const ArrowArray& batch);
  void Count(const ScoredRows& rows);

  std::shared_ptr<ColumnScorer> scorer_;
  StreamOptions options_;
  StreamReader input_;
  std::vector<std::size_t> keep_;
  std::optional<TextField> expected_;  // without gold
  TextField actual_{};
  // A column in addition to the expected and actual texts.
  struct MoreTexts {
    std::string name;
    TextField field;
    bool are_calls;
  };
  std::vector<MoreTexts> more_;
  std::vector<TextField> groups_;
  std::optional<TextField> id_;  // with gold
  std::optional<GoldTable> gold_;
  std::optional<GoldJoin> join_;
  ResultLayout layout_;
  std::vector<ArrowField> result_fields_;  // indexed by scorer
  std::vector<ColumnBuilder> builders_;
  RunSummary summary_;
  std::vector<FieldPresence> paths_;  // BatchScorer::PathPresence
  std::exception_ptr count_error_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_STREAM_SCORER_H_
