#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/choice_option.h"
#include "cli/commands.h"
#include "cli/comparison_options.h"
#include "cli/comparison_result.h"
#include "cli/exit_code.h"
#include "cli/file_name.h"
#include "cli/gate_options.h"
#include "cli/interrupt.h"
#include "cli/label_options.h"
#include "cli/limit_option.h"
#include "cli/looks_file.h"
#include "cli/option_groups.h"
#include "cli/scoring_options.h"
#include "cli/terminal.h"
#include "cli/whole_number.h"
#include "engine/base/limits.h"
#include "engine/compare/comparison_names.h"
#include "engine/io/byte_source.h"
#include "engine/io/output_file.h"
#include "engine/io/replaced_files.h"
#include "engine/io/write_file.h"
#include "engine/run/run_manifest.h"
#include "engine/scores/manifest.h"
#include "engine/scores/verified_scores.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// A file of scores that later runs are compared with.

// Returns a complete copy that does not have its name yet.
std::unique_ptr<OutputFile> CopyOf(const std::string& from, const std::string& to,
                                   const std::atomic<bool>* stop) {
  std::unique_ptr<OutputFile> copy = OutputFile::Open(to, stop);
  PrintLeftovers(copy->leftovers());
  const std::unique_ptr<ByteSource> source = OpenByteSource(from, stop);
  std::string piece(1 << 20, '\0');
  while (const std::size_t size = source->Read(std::as_writable_bytes(std::span(piece)))) {
    copy->Write(std::string_view(piece).substr(0, size));
  }
  copy->Complete();
  return copy;
}

bool Exists(const std::string& path) {
  std::error_code error;
  const bool exists = std::filesystem::exists(path, error);
  if (error) ThrowUnreadable(path, error.value());  // the file must not be taken for a missing one
  return exists;
}

void Remove(const std::string& path) {
  std::error_code error;
  std::filesystem::remove(path, error);
  if (error) ThrowOutputError("cannot remove " + path, error.value());
}

void WriteWhole(const std::string& path, std::string_view text, const std::atomic<bool>* stop) {
  const std::unique_ptr<OutputFile> file = OutputFile::Open(path, stop);
  PrintLeftovers(file->leftovers());
  file->Write(text);
  file->Commit();
}

// Returns the manifest of a file of scores, which is beside the file or at its end; empty if there is none.
std::string ManifestTextOf(const std::string& scores, const std::atomic<bool>* stop) {
  const std::optional<Manifest> manifest = ReadVerifiedScores(
      scores, /*accept_unverified=*/true, [](const RecordBatch&) {}, kMaxRatio.max, stop);
  return manifest ? ManifestJson(*manifest) : "";
}

// Checks that the baseline has the name of a file of scores.
// ERRORS: Error(kUsage) for a suffix other than .jsonl and .ndjson, apart from .gz and .zst.
void CheckBaselineName(const std::string& baseline) {
  CheckOutputSuffix(baseline, std::array<std::string_view, 2>{".jsonl", ".ndjson"});
}

// Replaces the baseline by a copy of a file of scores, and the manifest of the baseline by a copy of the
// manifest of the scores. The copy of the scores is complete before anything is replaced, so if copying
// fails, the baseline stays as it was. Even if the machine stops, the baseline is the old one or the new one,
// and has its manifest: while the scores are renamed, the manifest file contains both manifests, the new one
// first, and ReadVerifiedScores accepts that. ERRORS: Error(kInput), Error(kOutput), Error(kInterrupted).
void UpdateBaseline(const std::string& scores, const std::string& baseline, const std::atomic<bool>* stop) {
  CheckManifestPlace(baseline);
  const std::unique_ptr<OutputFile> copy = CopyOf(scores, baseline, stop);
  const std::string manifest = ManifestPath(baseline);
  const bool stands_beside = Exists(ManifestPath(scores));  // and not at the end of the scores
  const std::string now = ManifestTextOf(scores, stop);
  const bool is_first = !Exists(baseline);
  const std::string before = is_first ? "" : ManifestTextOf(baseline, stop);
  if (now.empty()) {
    Remove(manifest);  // it describes the old scores
  } else if (is_first || !before.empty()) {
    WriteWhole(manifest, now + before, stop);
  }
  copy->Commit();
  if (stands_beside) {
    WriteWhole(manifest, now, stop);
  } else {
    Remove(manifest);
  }
}

constexpr char kCompareExamples[] = R"(Examples:
  leafscore compare yesterday.jsonl today.jsonl
  leafscore compare yesterday.jsonl today.jsonl --max-drop 0.02 -o comparison.md
  leafscore compare --baseline baseline.jsonl today.jsonl --update-baseline)";

struct CompareArguments {
  ComparisonArguments comparison;
  std::vector<std::string> files;
  std::string baseline;
  bool update_baseline = false;
  std::uint64_t planned = 0;
};

// Reads FIELD=BASE,NEW...
void ReadBetween(const std::string& text, ComparisonOptions& options) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) {
    throw CLI::ValidationError("--between", "\"" + text + "\" is no FIELD=BASE,NEW");
  }
  options.between = text.substr(0, equals);
  options.values = {""};
  for (std::size_t at = equals + 1; at < text.size(); ++at) {
    if (text[at] == ',') {
      options.values.emplace_back();
      continue;
    }
    if (text.compare(at, 2, "\\,") == 0) ++at;
    options.values.back() += text[at];
  }
  if (options.values.size() < 2) {
    throw CLI::ValidationError("--between",
                               "\"" + text + "\" names one value; name two or more, with commas");
  }
}

// Gives the files their roles: the base is the baseline or, without one, the first file.
ComparisonOptions OptionsOf(const CompareArguments& arguments) {
  ComparisonOptions options = arguments.comparison.options;
  options.news = arguments.files;
  if (!arguments.baseline.empty()) {
    options.base = arguments.baseline;
  } else if (!options.between.empty() && options.news.size() == 1) {
    options.base = options.news.front();
    options.news.clear();
  } else if (options.news.size() > 1) {
    options.base = options.news.front();
    options.news.erase(options.news.begin());
  } else {
    throw Error(ErrorCode::kUsage,
                "there is one file, and nothing to compare it with; name the file of the base "
                "first, or with --baseline");
  }
  if (!arguments.comparison.looks.empty()) {
    options.looks = ReadLooks(arguments.comparison.looks, arguments.planned, options.alpha);
  }
  options.stop = &CatchInterrupts();
  return options;
}

void CheckUpdate(const ComparisonArguments& arguments) {
  const ComparisonOptions& options = arguments.options;
  if (options.news.size() != 1) {
    throw Error(ErrorCode::kUsage,
                "--update-baseline takes the place of the baseline by one new file; name one");
  }
  if (options.common_only || options.accept_differences) {
    throw Error(ErrorCode::kUsage,
                "--update-baseline would take what was left out or differs into the baseline; leave out "
                "--common-only and --accept-differences, or replace the baseline by hand");
  }
  std::vector<std::string> outputs = OutputsOf(arguments);
  outputs.insert(outputs.end(), {options.base, ManifestPath(options.base)});
  CheckReplacesNone(outputs, std::vector<std::string>{options.news[0], ManifestPath(options.news[0])});
  CheckBaselineName(options.base);
}

// Makes the new file the first baseline, unless it has more errors than the gates allow. The new file is
// compared with itself, so the outputs are written, and an incomplete file and gates that name nothing are
// refused.
int MakeBaseline(ComparisonArguments arguments) {
  const std::string baseline = arguments.options.base;
  const std::string& scores = arguments.options.news[0];
  arguments.options.base = scores;
  ComparisonResult result(arguments);
  result.Tell(/*errors_only=*/true);
  if (!result.gates_hold()) {
    PrintMessage(fmt::format("there is no baseline, and {} does not become it", scores));
    return result.exit_code();
  }
  UpdateBaseline(scores, baseline, arguments.options.stop);
  PrintMessage(fmt::format("there was no baseline: {} is a copy of {} now", baseline, scores));
  return kExitFine;
}

int Compare(const CompareArguments& given) {
  ComparisonArguments arguments = given.comparison;
  arguments.options = OptionsOf(given);
  const ComparisonOptions& options = arguments.options;
  if (given.update_baseline) CheckUpdate(arguments);
  std::error_code error;
  const bool exists = std::filesystem::exists(options.base, error) || error;
  if (given.update_baseline && !exists) return MakeBaseline(arguments);
  ComparisonResult result(arguments);
  result.Tell();
  // Without gates, a run that did not regress is green.
  const bool is_green =
      arguments.gates.any() ? result.gates_hold() : result.verdict() != ComparisonVerdict::kRegressed;
  if (given.update_baseline && is_green) {
    UpdateBaseline(options.news[0], options.base, options.stop);
    PrintMessage(fmt::format("{} is a copy of {} now", options.base, options.news[0]));
  } else if (given.update_baseline) {
    PrintMessage(options.base + " stays the baseline");
  }
  return result.exit_code();
}

}  // namespace

void AddCompareCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("compare", "Test whether scores changed between runs over the same records");
  const auto arguments = std::make_shared<CompareArguments>();
  ComparisonArguments& comparison = arguments->comparison;
  command
      ->add_option("files", arguments->files,
                   "Files of scores that `leafscore score` wrote, also compressed: the base first, then one "
                   "or more to "
                   "compare with it")
      ->required()
      ->check(CheckFileName)
      ->type_name("FILE");
  StartGroup(*command, kInputGroup);
  command
      ->add_option_function<std::string>(
          "--between", [&comparison](const std::string& text) { ReadBetween(text, comparison.options); },
          "Compare the lines of one file by the values of a field, the base's first: source=gpt-4,gpt-5; "
          "write \\, for a comma in a value")
      ->type_name("FIELD=BASE,NEW");
  CLI::Option* const baseline =
      command->add_option("--baseline", arguments->baseline, "The base; all other files are compared with it")
          ->type_name("FILE")
          ->check(CheckFileName);
  command
      ->add_flag("--update-baseline", arguments->update_baseline,
                 "With --baseline: replace the baseline by the new file and its manifest if all gates hold "
                 "or, without gates, if nothing regressed; create it if it is missing")
      ->needs(baseline);
  command->add_option("--scorer,-s", comparison.options.scorers, "Compare only this scorer")
      ->type_name("SCORER")
      ->allow_extra_args(false)
      ->group(kScorersGroup);
  CLI::Option* const repeats = AddRepeats(
      *command, "Which lines of an id count; all: their mean [default: last]", comparison.options.repeats);
  AddComparisonOptions(*command, comparison);
  AddLabels(*command, comparison.options.labels);
  CLI::Option* const planned =
      command
          ->add_option(
              "--planned", arguments->planned,
              "Number of records (with --cluster, clusters) there will be in the end; each look at those "
              "collected so far spends a part of alpha")
          ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40).description(""))
          ->type_name("N")
          ->group(kLooksGroup);
  CLI::Option* const looks =
      command
          ->add_option(
              "--looks", comparison.looks,
              "With --planned: file that keeps what earlier looks have spent; the first look creates "
              "it")
          ->check(CheckFileName)
          ->type_name("FILE")
          ->needs(planned)
          ->group(kLooksGroup);
  planned->needs(looks);
  command
      ->add_flag("--anytime", comparison.options.anytime,
                 "Use p-values that stay valid however often records are added and compared; they have less "
                 "power")
      ->excludes(looks)
      ->group(kLooksGroup);
  command
      ->add_option(
          "--pass-k", comparison.options.pass_k,
          "With --repeats all: also compare pass^K, the chance that a test passes K times out of K; gates "
          "call it SCORER.pass-k")
      ->check(CheckWholeNumber)
      ->check([](const std::string& text) {
        return text == "0" ? "pass^0 is always 1; give 2 or more" : std::string();
      })
      ->type_name("K")
      ->needs(repeats)
      ->group(kRepeatsGroup);
  command
      ->add_flag("--fail-on-test", comparison.gates.fail_on_test,
                 "With --repeats all: fail if a single test got worse by more than chance explains")
      ->needs(repeats)
      ->group(kComparisonGatesGroup);
  command
      ->add_option_function<std::string>(
          "--max-errors",
          [&comparison](const std::string& text) {
            comparison.gates.max_errors = ReadErrorLimit("--max-errors", text);
          },
          "Fail if more records, on either side, have errors that are not the answer's fault [default: 0 if "
          "there is any gate]")
      ->type_name("N|P%")
      ->group(kComparisonGatesGroup);
  StartGroup(*command, kOutputGroup);
  AddChoice(*command, "--format", kComparisonFormatChoices, comparison.format,
            "Format of standard output [default: table]");
  command
      ->add_option(
          "-o,--output", comparison.outputs,
          "Also write the comparison to this file, in the format of its suffix: .txt .md .json .csv .xml "
          "(JUnit) .tex")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->check(CheckFileName);
  AddThreads(*command, comparison.options.threads);
  AddLimit(*command, kMaxRatio, comparison.options.max_ratio);
  command->footer(kCompareExamples);
  command->callback([arguments, &exit_code] { exit_code = Compare(*arguments); });
}

}  // namespace leafscore::internal
