// engine/run/result_writer.h: writes the scores of a batch as lines of text, JSON Lines or CSV. Lines are in
// input order, with a line for each scorer of a record. They contain the group fields of the record, so that
// scores can be ranked and clustered later. If an id does not come from the id field, `id_from` says so:
// "line" if it was found in the text of a record that could not be read, "record" if it is the record's
// number in the run, because the record has no id.
// THREADS: const and without state, so any number may write, each into its own text.
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

// Returns the format for the name of an output: CSV for .csv, else JSON Lines; .gz and .zst are ignored.
// ERRORS: Error(kUsage) for another suffix.
OutputFormat OutputFormatOf(std::string_view path);

// The layout of lines.
struct LineLayout {
  OutputFormat format = OutputFormat::kJsonLines;
  DetailLevel details = DetailLevel::kBasic;
  std::size_t max_details_bytes = kMaxDetailsBytes.default_value;  // for each record
  CsvFields csv_fields = CsvFields::kSafe;
  std::vector<std::string> group_fields = {};
  // The name of each input, in valid UTF-8. A line contains the name of its input as its source. No names if
  // lines have no source, or if the source is a group.
  std::vector<std::string> sources = {};
  bool source_is_group = false;  // the last group field is the source of a line
  bool mark_numbers = false;  // write marks for record numbers, which a shard does not know (number_marks.h)
};

class ResultWriter {
 public:
  // `input_names` may contain any bytes; bytes that are not UTF-8 are replaced.
  ResultWriter(LineLayout layout, std::span<const std::string> input_names);

  // Appends the header: the column names of CSV; nothing for JSON Lines.
  void AppendHeader(std::string& out) const;

  // Appends the lines of the rows that `scorer` has just scored; its row 0 is record `first` of the batch.
  void AppendBatch(const RecordBatch& batch, const BatchScorer& scorer, std::string& out,
                   std::size_t first = 0) const;

  // Appends the lines of gold ids that a source left unanswered and that `scorer` has just scored. The lines
  // have the groups of the gold. If `source_name` is empty, the source is an input; else it is a value of the
  // last group field.
  void AppendUnanswered(std::size_t source, std::string_view source_name, const GoldTable& gold,
                        std::span<const std::uint32_t> entries, const BatchScorer& scorer,
                        std::string& out) const;

 private:
  struct Line;
  void AppendLine(const Line& line, std::string& out) const;
  void AppendJsonLine(const Line& line, std::string& out) const;
  void AppendCsvLine(const Line& line, std::string& out) const;
  static void AppendUnwrapped(const Line& line, JsonWriter& json);
  static void AppendCauses(const Line& line, JsonWriter& json);
  static void AppendCsvCauses(const Line& line, std::string& out);
  void AppendCsvGroups(const BatchScorer& scorer, std::uint32_t record, std::string& out) const;
  // Appends a comma and a group. A group with an empty text is quoted, to distinguish it from a missing
  // group.
  void AppendCsvGroup(std::string_view text, std::string& out) const;
  void AppendCsvGroup(const GoldGroup& group, std::string& out) const;
  void AppendCsv(std::string& out, std::string_view text) const {
    AppendCsvField(out, text, layout_.csv_fields);
  }
  void WriteDetails(const Line& line, std::string& out) const;
  std::string NumberInInput(const Line& line) const;
  bool has_source() const { return !layout_.sources.empty() || layout_.source_is_group; }
  // Returns who answered; empty if lines do not say so. The result may be a view of `text`.
  std::string_view SourceOf(const RecordBatch& batch, const BatchScorer& scorer, std::uint32_t record,
                            std::string& text) const;

  LineLayout layout_;
  std::vector<std::string> input_names_;  // valid UTF-8
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RESULT_WRITER_H_
