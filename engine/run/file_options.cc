#include "engine/run/file_options.h"

#include <fmt/format.h>

#include "engine/base/run_options.h"
#include "engine/base/suggest.h"
#include "engine/run/result_writer.h"
#include "engine/run/shard_file.h"
#include "engine/run/wide_records.h"
#include "leafscore/error.h"

namespace leafscore::internal {

const FileOptions& CheckedFileOptions(const FileOptions& options) {
  CheckLimits(options);
  if (options.gold.empty() && options.expected_field == options.actual_field) {
    throw Error(ErrorCode::kUsage, "--expected-field and --actual-field are one field, which equals itself");
  }
  if (options.source_field.empty() && WideFieldOf(options.actual_field)) {
    throw Error(ErrorCode::kUsage, "--actual-field " + options.actual_field +
                                       ": name the field that gets the names of the models (--source-field)");
  }
  if (!options.versus.empty() && WideFieldOf(options.actual_field)) {
    throw Error(ErrorCode::kUsage,
                "--versus compares with the answers of one model in a field of one name: name one of them "
                "(--actual-field)");
  }
  if (options.versus == "-" &&
      (options.gold == "-" || std::ranges::find(options.inputs, "-") != options.inputs.end())) {
    throw Error(ErrorCode::kUsage, "standard input (-) cannot be two files; name a file for --versus");
  }
  if (options.shard) CheckShard(*options.shard);
  if (options.limit != 0 && options.shard) {
    throw Error(ErrorCode::kUsage, "--limit and --shard each choose records: give one of them");
  }
  if (options.limit != 0 && !options.gold.empty()) {
    throw Error(
        ErrorCode::kUsage,
        "--limit would leave most ids of the gold unanswered: give a gold file of fewer records instead, "
        "and the answers to them");
  }
  if (options.limit != 0 && WideFieldOf(options.actual_field)) {
    throw Error(ErrorCode::kUsage,
                "--limit counts answers, not records with those of several models: name one "
                "of them (--actual-field)");
  }
  if (options.trailer && OutputFormatOf(options.output) != OutputFormat::kJsonLines) {
    throw Error(ErrorCode::kUsage,
                "--trailer adds a line of JSON, so the output cannot be CSV: name another output");
  }
  std::error_code none;
  const std::filesystem::file_status output = std::filesystem::status(options.output, none);
  const bool is_no_file = options.output.empty() || options.output == "-" ||
                          (std::filesystem::exists(output) && !std::filesystem::is_regular_file(output));
  if (options.resume && is_no_file) {
    throw Error(ErrorCode::kUsage, "--resume continues an output file: name one");
  }
  if (options.shard && is_no_file) {
    throw Error(ErrorCode::kUsage,
                "--shard writes a file beside the output of the later merge: name that output (-o)");
  }
  return options;
}

void CheckVersus(const ScorerSet& scorers, const FileOptions& options) {
  for (const NamedScorer& named : scorers.scorers()) {
    if (named.scorer->compares_answers() == !options.versus.empty()) continue;
    throw Error(
        ErrorCode::kUsage,
        options.versus.empty()
            ? fmt::format("the scorer {} compares answers with those of another file: name it (--versus)",
                          QuoteForMessage(named.name))
            : fmt::format("the scorer {} does not compare two answers, as --versus needs it: score "
                          "with it in a run of its own, without --versus",
                          QuoteForMessage(named.name)));
  }
}

}  // namespace leafscore::internal
