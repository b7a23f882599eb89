#include "cli/run_result.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/exit_code.h"
#include "cli/file_name.h"
#include "cli/gate_options.h"
#include "cli/interrupt.h"
#include "cli/option_groups.h"
#include "cli/stopped_judges.h"
#include "cli/terminal.h"
#include "engine/base/shell_text.h"
#include "engine/base/suggest.h"
#include "engine/io/output_file.h"
#include "engine/io/replaced_files.h"
#include "engine/io/write_file.h"
#include "engine/render/cells.h"
#include "engine/report/answer_kinds.h"
#include "engine/report/stage_table.h"
#include "engine/report/summary_figures.h"
#include "engine/run/source_field.h"
#include "engine/scores/padded_ids.h"

namespace leafscore::internal {
namespace {

// Puts the gates into the report.
RunReport WithGates(const ResultArguments& arguments, const FileOptions& options, RunReport report) {
  Gates gates = arguments.gates;
  gates.allow_absent_paths = options.allow_absent_paths;
  report.gates = HoldGates(report, gates);
  return report;
}

// Returns whether all gates hold, and prints which failed.
bool GatesHold(const ResultArguments& arguments, const RunReport& report) {
  bool hold = PrintGates(report.gates);
  if (arguments.strict && report.totals.rejected != 0) {
    PrintMessage(fmt::format("gate failed: --strict, and {} rejected",
                             Counted(report.totals.rejected, "record was", "records were")));
    hold = false;
  }
  return hold;
}

// Prints how many records a shard read, where they are, and how to merge all shards. It prints no figures,
// because they would cover only a part of the records.
void PrintShard(const FileOptions& options, const RunTotals& totals) {
  PrintMessage(
      fmt::format("shard {} of {}: {} records, {} of them rejected, in {}; with all shards, `leafscore merge "
                  "{}.shard-*-of-{} -o {}` tells the scores",
                  options.shard->index, options.shard->count, totals.records_read, totals.rejected,
                  ShardPath(options.output, *options.shard), ForShell(options.output), options.shard->count,
                  ForShell(options.output)));
}

// If ids repeat, names a field that would distinguish the records. Most often, such an input has the answers
// of several models.
void PrintRepeatedIds(const RunReport& report, const FileOptions& options) {
  std::uint64_t repeated = report.repeated_ids ? report.repeated_ids->ids.count : 0;
  for (const SourceCounts& source : report.sources) repeated += source.duplicates.count;
  if (repeated == 0 || !options.source_field.empty() || options.repeats == Repeats::kAll) return;
  const std::optional<std::string> field = FindSourceField(options);
  if (!field) return;
  PrintMessage(
      fmt::format("{} the id of an earlier record; the field {} distinguishes them: if that field says who "
                  "answered, give --source-field {}",
                  Counted(repeated, "record has", "records have"), QuoteForMessage(*field), *field));
}

// If more answers of a source lack gold than match it, names ids that are probably the same, but written
// differently. It compares only the first ids that have no answer with the first ids that have no gold.
void PrintPaddedIds(const RunReport& report) {
  for (const SourceCounts& source : report.sources) {
    if (source.matched >= source.without_gold.count) continue;
    PaddedIds padded;
    for (const std::string& id : source.unanswered.first) padded.AddLeft(id);
    for (const std::string& id : source.without_gold.first) padded.AddRight(id);
    if (padded.pairs() == 0) continue;
    PrintMessage(fmt::format("{} of {} join the gold: {}", Counted(source.matched, "record", "records"),
                             QuoteForMessage(source.source), padded.Text()));
  }
}

// The last member of the summary of a run that ended early. It marks summaries that the next run may replace.
constexpr std::string_view kEndedEarly = ",\n  \"ended_early\": true\n}\n";

// Returns a summary with kEndedEarly at its end. REQUIRES: an indented JSON object with a member.
std::string WithEndedEarly(std::string summary) {
  summary.resize(summary.find_last_not_of('\n', summary.rfind('}') - 1) + 1);
  return summary.append(kEndedEarly);
}

// Returns whether a file is the summary of a run that ended early, and belongs to this user. Returns false if
// the file cannot be read.
bool IsPartialSummary(const std::string& name) {
  struct stat status {};
  if (lstat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid())
    return false;
  std::ifstream file(name, std::ios::binary);
  std::string end(kEndedEarly.size(), '\0');
  return file.seekg(-static_cast<std::streamoff>(end.size()), std::ios::end) &&
         file.read(end.data(), static_cast<std::streamsize>(end.size())) && end == kEndedEarly;
}

// Removes the partial summaries that earlier runs left, now that a newer summary is there.
void RemovePartialSummaries(const std::string& summary, const std::string& but_this) {
  try {
    for (const std::string& name : NumberedNamesThere(WithoutLinks(summary) + ".partial")) {
      if (name != but_this && IsPartialSummary(name)) unlink(name.c_str());
    }
  } catch (const Error&) {
    // The folder cannot be listed, so the files stay.
  }
}

// Prints what is known at the end of a run. `error` is null if the run did not end early. Otherwise, the
// figures so far go into `summary`, unless `summary` is null or no record was read.
void PrintResult(const ResultArguments& arguments, const FileOptions& options, const RunReport& report,
                 const Error* error, std::vector<std::string> leftovers, OutputFile* summary) {
  if (!arguments.quiet && !options.shard)
    PrintNotice(report.ToTable(UseColour(STDERR_FILENO), TableColumns(STDERR_FILENO)));
  if (!arguments.quiet && options.shard && error == nullptr) PrintShard(options, report.totals);
  if (report.device && !report.device->warning.empty()) {
    PrintMessage("warning: " + report.device->warning);
  }
  leftovers.insert(leftovers.begin(), report.leftovers.begin(), report.leftovers.end());
  const bool writes_summary = error != nullptr && summary != nullptr && report.totals.records_read != 0;
  std::erase_if(leftovers, [&](const std::string& name) {  // those that this run has replaced, or will
    std::error_code none;
    return !std::filesystem::exists(std::filesystem::symlink_status(name, none)) ||
           (writes_summary && IsPartialSummary(name));
  });
  PrintLeftovers(leftovers);
  if (report.resumed_records != 0) {
    PrintMessage(fmt::format("went on after {} records", report.resumed_records));
  }
  if (!report.stages.empty()) PrintNotice(StageTable(report.stages, report.totals.bytes));
  PrintStoppedJudges(report);
  PrintRepeatedIds(report, options);
  PrintPaddedIds(report);
  if (const std::string strange = StrangeAnswersText(report); arguments.quiet && !strange.empty())
    PrintMessage(strange);
  if (error != nullptr) {
    PrintMessage(error->what());
    if (!report.partial_output.empty()) {
      PrintMessage("the scores before that are in " + report.partial_output +
                   (report.journal.empty() ? "" : "; --resume goes on with them"));
    }
  }
  if (!writes_summary) return;
  const bool is_file = summary->beside();
  summary->Write(WithEndedEarly(report.ToJson()));
  summary->Complete();
  const std::string kept = summary->KeepPartial();
  PrintMessage((error->code() == ErrorCode::kOutput
                    ? "a summary, also of scores that could not be written, is in "
                    : "the summary of them is in ") +
               kept);
  if (is_file) RemovePartialSummaries(arguments.summary, kept);
}

}  // namespace

void AddResultOptions(CLI::App& command, ResultArguments& arguments) {
  StartGroup(command, kOutputGroup);
  command.add_option("--summary", arguments.summary, "Write the summary as JSON to this file")
      ->type_name("FILE")
      ->check(CheckFileName);
  command.add_flag("--quiet,-q", arguments.quiet, "Print no summary table");
  AddGateOptions(command, arguments.gates);
  command.add_flag("--strict", arguments.strict,
                   "Fail if any record is rejected; refuse gold with a flaw (exit 2)");
}

void CheckResultArguments(const ResultArguments& arguments, std::vector<std::string> outputs,
                          std::span<const std::string> inputs) {
  if (arguments.summary == "-" && std::ranges::find(outputs, "-") != outputs.end()) {
    throw Error(ErrorCode::kUsage, "scores and summary would mix on standard output; name a file for one");
  }
  outputs.push_back(arguments.summary);
  CheckReplacesNone(outputs, inputs);
  CheckOutputSuffix(arguments.summary, std::array<std::string_view, 1>{".json"});
}

void CheckIsOfShard(const ResultArguments& arguments) {
  const bool has_gates = arguments.gates.any() || !arguments.gates.by.empty() || arguments.strict;
  if (!has_gates && arguments.summary.empty()) return;
  throw Error(
      ErrorCode::kUsage,
      fmt::format("a shard knows a part of the records, and no figure of all: give {} to `leafscore merge`",
                  has_gates ? "gates" : "--summary"));
}

std::vector<std::string> GroupFieldsOf(const FileOptions& options) {
  std::vector<std::string> fields = options.group_by;
  if (!options.source_field.empty()) fields.push_back(options.source_field);
  if (!options.gold.empty() && options.source_field.empty()) fields.emplace_back("source");
  return fields;
}

int RunAndPrint(const ResultArguments& arguments, const FileOptions& options,
                const std::function<RunReport(const BeforeEnd&)>& run) {
  // Opened early, so that a long run does not end with a summary that cannot be written.
  std::unique_ptr<OutputFile> summary;
  std::vector<std::string> leftovers;
  BeforeEnd write_summary;
  if (!arguments.summary.empty()) {
    summary = OutputFile::Open(arguments.summary, options.stop);
    leftovers = summary->leftovers();
    // The run can still be resumed while the summary is written.
    write_summary = [&](const RunReport& report) {
      const std::unique_ptr<OutputFile> file = std::move(summary);
      const std::string json =
          arguments.gates.any() ? WithGates(arguments, options, report).ToJson() : report.ToJson();
      const bool is_file = file->beside();
      file->Write(json);
      file->Commit();
      if (is_file) RemovePartialSummaries(arguments.summary, "");
    };
  }
  RunReport report;
  try {
    report = run(write_summary);
  } catch (const RunError& error) {
    PrintResult(arguments, options, error.report(), &error, std::move(leftovers), summary.get());
    return error.code() == ErrorCode::kInterrupted ? InterruptedExitCode() : ExitCodeOf(error.code());
  }
  PrintResult(arguments, options, report, nullptr, std::move(leftovers), nullptr);
  if (options.shard) return kExitFine;
  if (!report.CountsAddUp()) throw Error(ErrorCode::kInternal, "the counts do not add up");
  report = WithGates(arguments, options, std::move(report));
  if (arguments.gates.any() && report.totals.limit != 0) {
    PrintMessage("warning: the gates judge a part of the input: " + LimitText(report.totals));
  }
  return GatesHold(arguments, report) ? kExitFine : kExitGateFailed;
}

}  // namespace leafscore::internal
