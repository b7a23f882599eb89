// engine/run/result_writer.h: the scores of a batch as lines of text, JSON Lines or CSV.
// Record by record in input order, and for each record scorer by scorer. Lines give the group fields of each
// record, so that scores can be ranked and clustered by them later. An id that is not from the id field says
// so
// (`id_from`): "line" when it was found in the text of a record that could not be read, "record" when it is
// the record's number in the run, as the record shows none. THREADS: const and without state, so any number
// may write, each into its own text.
#ifndef LEAFSCORE_ENGINE_RUN_RESULT_WRITER_H_
#define LEAFSCORE_ENGINE_RUN_RESULT_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/limits.h"
#include "engine/io/record_batch.h"
#include "engine/json/json_writer.h"
#include "engine/render/csv.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/gold_table.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

enum class OutputFormat { kJsonLines, kCsv };

// Returns the format that an output's name asks for: .csv, or else JSON Lines; .gz and .zst are passed over.
// ERRORS: Error(kUsage) for another suffix.
OutputFormat OutputFormatOf(std::string_view path);

// What lines look like.
struct LineLayout {
  OutputFormat format = OutputFormat::kJsonLines;
  DetailLevel details = DetailLevel::kBasic;
  std::size_t max_details_bytes = kMaxDetailsBytes.default_value;  // of a record
  CsvFields csv_fields = CsvFields::kSafe;
  std::vector<std::string> group_fields = {};
  // A name for each input, valid UTF-8, of which every line gives that of its input; or none.
  std::vector<std::string> sources = {};
  bool source_is_group = false;  // every line gives the last group field as its source
  bool mark_numbers = false;     // of records: a shard does not know them (number_marks.h)
};

class ResultWriter {
 public:
  // In `input_names`, which may hold any bytes, what is not UTF-8 is replaced.
  ResultWriter(LineLayout layout, std::span<const std::string> input_names);

  // Appends what comes before all lines: the column names of CSV, nothing in JSON Lines.
  void AppendHeader(std::string& out) const;

  // Appends the lines of what `scorer` has just scored of a batch, from the record `first` on.
  void AppendBatch(const RecordBatch& batch, const BatchScorer& scorer, std::string& out,
                   std::size_t first = 0) const;

  // Appends the lines of ids of the gold that a source left unanswered, which `scorer` has just scored; their
  // groups are those of the gold. The source is an input or, where it has a name, a value of the last group
  // field.
  void AppendUnanswered(std::size_t source, std::string_view source_name, const GoldTable& gold,
                        std::span<const std::uint32_t> entries, const BatchScorer& scorer,
                        std::string& out) const;

 private:
  struct Line;
  void AppendLine(const Line& line, std::string& out) const;
  void AppendJsonLine(const Line& line, std::string& out) const;
  void AppendCsvLine(const Line& line, std::string& out) const;
  void AppendCsvGroups(const BatchScorer& scorer, std::uint32_t record, std::string& out) const;
  // Appends a comma and a group; one without a text in quotes, which tell it from none.
  void AppendCsvGroup(std::string_view text, std::string& out) const;
  void AppendCsvGroup(const GoldGroup& group, std::string& out) const;
  void AppendCsv(std::string& out, std::string_view text) const {
    AppendCsvField(out, text, layout_.csv_fields);
  }
  void WriteDetails(const Line& line, std::string& out) const;
  std::string NumberInInput(const Line& line) const;
  bool has_source() const { return !layout_.sources.empty() || layout_.source_is_group; }
  // Returns who answered; empty where lines do not tell it. `text` keeps a value of the records.
  std::string_view SourceOf(const RecordBatch& batch, const BatchScorer& scorer, std::uint32_t record,
                            std::string& text) const;

  LineLayout layout_;
  std::vector<std::string> input_names_;  // valid UTF-8
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RESULT_WRITER_H_
