#include "engine/run/explain_records.h"

#include <fmt/format.h>

#include <optional>
#include <span>

#include "engine/base/resource_error.h"
#include "engine/io/record_reader.h"
#include "engine/json/compact_text.h"
#include "engine/render/cells.h"
#include "engine/report/score_ledger.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/file_options.h"
#include "engine/run/gold_table.h"
#include "engine/run/result_writer.h"
#include "engine/run/wide_records.h"

namespace leafscore::internal {
namespace {

std::string Explain(const ScorerSet& scorers, const FileOptions& options, std::string_view id, bool colour) {
  RecordFields fields = RecordFieldsOf(options);
  // A batch scorer without scorers finds the ids. Most records need no more than that.
  const ScorerSet no_scorers;
  BatchScorer finder(no_scorers, options);
  finder.SetFields(fields);
  std::optional<GoldTable> gold;
  if (!options.gold.empty()) {
    fields.gold = &gold.emplace(options);
  }
  EngineOptions with_leaves = options;
  with_leaves.details = DetailLevel::kLeaves;
  BatchScorer scorer(scorers, with_leaves);
  scorer.SetFields(std::move(fields));
  const ResultWriter writer({.details = DetailLevel::kLeaves, .max_details_bytes = options.max_details_bytes},
                            options.inputs);
  RecordReader reader(options.inputs, AnswerReaderOptions(options, ReaderOptionsOf(options)));
  std::string ledgers;
  std::string text;
  RecordBatch batch;
  while (reader.Next(batch)) {
    finder.ScoreRecords(batch);
    const std::vector<RecordSpan> records = std::move(batch.records);
    const std::uint64_t first_in_input = batch.first_record_in_input;
    const std::uint64_t first_in_run = batch.first_record_in_run;
    for (std::size_t r = 0; r < records.size(); ++r) {
      text.clear();
      const NodeId node = finder.records().id[r];
      const auto line_id = finder.records().line_ids.find(static_cast<std::uint32_t>(r));
      if (node != kNoNode) {
        AppendValueText(finder.record_table(), finder.shapes(), node, text);
      } else {
        const bool shows_id = line_id != finder.records().line_ids.end();
        text = shows_id ? line_id->second.text : std::to_string(first_in_run + r);
      }
      if (text != id) continue;
      // A batch with only this record, at its place.
      batch.records = {records[r]};
      batch.first_record_in_input = first_in_input + r;
      batch.first_record_in_run = first_in_run + r;
      scorer.ScoreRecords(batch);
      std::string lines;
      writer.AppendBatch(batch, scorer, lines);
      if (!ledgers.empty()) ledgers += '\n';
      ledgers += fmt::format("record {} ({}, record {})\n", DisplayName(id),
                             DisplayName(options.inputs[batch.input]), batch.first_record_in_input);
      for (std::size_t begin = 0; begin < lines.size();) {
        const std::size_t end = lines.find('\n', begin);
        ledgers += '\n' + RenderLedger(std::string_view(lines).substr(begin, end - begin), colour);
        begin = end + 1;
      }
      if (scorer.Totals().nonstandard != 0)
        ledgers += "(null may also stand for NaN or Infinity, which JSON lacks)\n";
    }
  }
  if (options.stop != nullptr && *options.stop) {
    throw Error(ErrorCode::kInterrupted, "the run was interrupted");
  }
  if (ledgers.empty()) {
    throw Error(ErrorCode::kInput,
                fmt::format("no record has the id \"{}\"; ids are in the field \"{}\" (see --id-field), and "
                            "the id of a record without it is its number, counted from 1",
                            id, options.id_field));
  }
  return ledgers;
}

}  // namespace

std::string ExplainRecords(const ScorerSet& scorers, const FileOptions& options, std::string_view id,
                           bool colour) {
  return WithResourceErrors("give a lower --max-line-bytes or --max-details-bytes",
                            [&] { return Explain(scorers, options, id, colour); });
}

}  // namespace leafscore::internal
