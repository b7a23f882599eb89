// engine/run/result_writer.h: the scores of a batch as lines of text, JSON Lines or CSV.
// Record by record in input order, and for each record scorer by scorer. JSON Lines give the group fields of
// each record, so that scores can be ranked and clustered by them later; CSV has no column for them.
// THREADS: const and without state, so any number may write, each into its own text.
#ifndef LEAFSCORE_ENGINE_RUN_RESULT_WRITER_H_
#define LEAFSCORE_ENGINE_RUN_RESULT_WRITER_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/io/record_batch.h"
#include "engine/json/json_writer.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/gold_table.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

enum class OutputFormat { kJsonLines, kCsv };

// Returns the format that an output's name asks for; .gz and .zst endings are passed over.
OutputFormat OutputFormatOf(std::string_view path);

class ResultWriter {
 public:
  // With `sources`, a name for each input, every line gives that of its input. In `input_names`, which may
  // hold any bytes, what is not UTF-8 is replaced. REQUIRES: `sources` are valid UTF-8.
  ResultWriter(OutputFormat format, DetailLevel details, std::span<const std::string> input_names,
               std::vector<std::string> sources = {});

  // Appends what comes before all lines: the column names of CSV, nothing in JSON Lines.
  void AppendHeader(std::string& out) const;

  // Appends the lines of what `scorer` has just scored of a batch, from the record `first` on.
  void AppendBatch(const RecordBatch& batch, const BatchScorer& scorer, std::string& out,
                   std::size_t first = 0) const;

  // Appends the lines of ids of the gold that a source left unanswered, which `scorer` has just scored.
  void AppendUnanswered(std::size_t source, const GoldTable& gold, std::span<const std::uint32_t> entries,
                        const BatchScorer& scorer, std::string& out) const;

 private:
  struct Line;
  void AppendLine(const Line& line, std::string& out) const;
  void AppendJsonLine(const Line& line, std::string& out) const;
  void AppendCsvLine(const Line& line, std::string& out) const;
  void WriteDetails(const Line& line, JsonWriter& json) const;

  OutputFormat format_;
  DetailLevel details_;
  std::vector<std::string> input_names_;  // valid UTF-8
  std::vector<std::string> sources_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RESULT_WRITER_H_
