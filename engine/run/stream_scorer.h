// engine/run/stream_scorer.h: scores a stream of Arrow record batches, one batch when one is asked for.
// THREADS: one at a time; a batch is scored on all threads of the scorer.
#ifndef LEAFSCORE_ENGINE_RUN_STREAM_SCORER_H_
#define LEAFSCORE_ENGINE_RUN_STREAM_SCORER_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/arrow/column_builder.h"
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
  // Takes the input over, and reads the gold to its end.
  // ERRORS: Error(kUsage) for columns that are not there or not texts; Error(kInput) with what a stream says.
  StreamScorer(std::shared_ptr<ColumnScorer> scorer, ArrowArrayStream* input, const StreamOptions& options);

  // What the output is: the kept columns, then a struct for each scorer.
  OwnedSchema Schema() const;

  // Scores the next batch. RETURNS: its results, an empty array at the end.
  OwnedArray Next();

  RunReport Report() const;

 private:
  // A column of texts of the input.
  struct TextField {
    std::size_t column;
    TextType type;
  };

  TextField FindTexts(std::string_view name) const;
  TextArray Texts(const TextField& field, const ArrowArray& batch) const;
  void ReadGold(ArrowArrayStream* gold);
  // Scores the rows and counts what became of them.
  ColumnRun ScoreRows(const ArrowArray& batch);
  std::vector<std::uint32_t> Groups(const ArrowArray& batch);

  std::shared_ptr<ColumnScorer> scorer_;
  StreamOptions options_;
  StreamReader input_;
  std::vector<std::size_t> keep_;
  std::optional<TextField> expected_;  // without gold
  TextField actual_;
  std::vector<TextField> groups_;
  std::optional<TextField> id_;  // with gold
  std::optional<GoldTable> gold_;
  std::optional<GoldJoin> join_;
  ResultLayout layout_;
  std::vector<ArrowField> result_fields_;  // by scorer
  std::vector<ColumnBuilder> builders_;
  RunSummary summary_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_STREAM_SCORER_H_
