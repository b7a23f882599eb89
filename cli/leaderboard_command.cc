#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/choice_option.h"
#include "cli/commands.h"
#include "cli/file_name.h"
#include "cli/interrupt.h"
#include "cli/limit_option.h"
#include "cli/scoring_options.h"
#include "cli/terminal.h"
#include "engine/base/choices.h"
#include "engine/base/limits.h"
#include "engine/io/output_file.h"
#include "engine/io/replaced_files.h"
#include "engine/scores/manifest.h"
#include "leafscore/error.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {
namespace {

// The files that a leaderboard is written to, each in the format of its suffix.

inline constexpr NamedChoice<LeaderboardFormat> kLeaderboardFormats[] = {
    {"table", LeaderboardFormat::kTable},
    {"md", LeaderboardFormat::kMarkdown},
    {"csv", LeaderboardFormat::kCsv},
    {"json", LeaderboardFormat::kJson},
    {"latex", LeaderboardFormat::kLatex}};

struct LeaderboardOutput {
  std::string path;
  LeaderboardFormat format;
};

constexpr char kStandardOutput[] = "-";
constexpr std::array<std::string_view, 5> kSuffixes = {".txt", ".md", ".csv", ".json", ".tex"};
constexpr std::array<LeaderboardFormat, 5> kFormats = {LeaderboardFormat::kTable,
                                                       LeaderboardFormat::kMarkdown, LeaderboardFormat::kCsv,
                                                       LeaderboardFormat::kJson, LeaderboardFormat::kLatex};

// Returns the outputs with these paths; standard output without any. What has no suffix, as standard output
// has none, gets `format`.
// ERRORS: Error(kUsage) for an unknown suffix, and for an output that is another one or an input.
std::vector<LeaderboardOutput> LeaderboardOutputs(const std::vector<std::string>& paths,
                                                  LeaderboardFormat format,
                                                  std::span<const std::string> inputs) {
  if (paths.empty()) return {{kStandardOutput, format}};
  std::vector<std::string> kept(inputs.begin(), inputs.end());
  for (const std::string& input : inputs) {
    if (std::string manifest = ManifestPath(input); !manifest.empty()) kept.push_back(std::move(manifest));
  }
  CheckReplacesNone(paths, kept);
  std::vector<LeaderboardOutput> outputs;
  for (const std::string& path : paths) {
    const std::string suffix = CheckOutputSuffix(path, kSuffixes);
    const auto known = std::ranges::find(kSuffixes, suffix);
    outputs.push_back({path, known == kSuffixes.end() ? format : kFormats[known - kSuffixes.begin()]});
  }
  return outputs;
}

// Writes all of them, or none: they get their names when all are complete. ERRORS: those of OutputFile.
void WriteLeaderboard(std::span<const LeaderboardOutput> outputs,
                      const std::function<std::string(LeaderboardFormat format)>& render) {
  std::vector<std::unique_ptr<OutputFile>> files;
  for (const LeaderboardOutput& output : outputs) {
    const std::string text = render(output.format);
    if (output.path == kStandardOutput) {
      Print(text);
      continue;
    }
    files.push_back(OutputFile::Open(output.path, &CatchInterrupts()));
    PrintLeftovers(files.back()->leftovers());
    files.back()->Write(text);
    files.back()->Complete();
  }
  for (const std::unique_ptr<OutputFile>& file : files) file->Commit();
}

constexpr char kModels[] = "model";
constexpr char kScorers[] = "scorer";
constexpr char kFields[] = "field";

struct LeaderboardArguments {
  std::vector<std::string> files;
  LeaderboardOptions options;
  LeaderboardFormat format = LeaderboardFormat::kTable;
  std::vector<std::string> outputs;
  std::string rows = kModels;
  std::string columns;
  bool sensitivity = false;
};

// Makes one of --task and the field of --columns, which says the same of a matrix.
void SettleTask(LeaderboardArguments& arguments) {
  std::string& task = arguments.options.task;
  std::string& columns = arguments.columns;
  if (task.empty()) {
    if (columns != kScorers && columns != kFields) task = columns;
  } else if (columns == "task") {
    columns = task;
  } else if (!columns.empty() || !arguments.sensitivity) {
    throw Error(ErrorCode::kUsage,
                "--task names the tasks of --sensitivity and of --columns task; give it with one of them");
  }
}

void RunLeaderboard(LeaderboardArguments arguments) {
  SettleTask(arguments);
  const std::vector<LeaderboardOutput> outputs =
      LeaderboardOutputs(arguments.outputs, arguments.format, arguments.files);
  const bool has_matrix = !arguments.columns.empty();
  LeaderboardOptions& options = arguments.options;
  options.fields = arguments.columns == kFields && options.task.empty();
  options.mark_best =
      has_matrix || std::ranges::any_of(outputs, [](const LeaderboardOutput& output) {
        return output.format == LeaderboardFormat::kMarkdown || output.format == LeaderboardFormat::kLatex;
      });
  std::vector<std::string> warnings;
  options.warnings = &warnings;
  const Ranking ranking = RankFilesInFull(arguments.files, options);
  for (const std::string& warning : warnings) PrintMessage("warning: " + warning);
  WriteLeaderboard(outputs, [&](LeaderboardFormat format) {
    if (arguments.sensitivity) return RenderSensitivity(ranking.sensitivity, format);
    if (!has_matrix) return RenderLeaderboard(ranking.rows, format);
    if (arguments.columns == kScorers) return RenderMatrices(std::span(&ranking.by_scorer, 1), format);
    return RenderMatrices(arguments.options.fields ? ranking.by_field : ranking.by_task, format);
  });
}

}  // namespace

void AddLeaderboardCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("leaderboard", "Rank models by their score files");
  const auto arguments = std::make_shared<LeaderboardArguments>();
  command
      ->add_option("scores", arguments->files,
                   "files written by leafscore score, JSON Lines or CSV, one per model; .gz and .zst too")
      ->required();
  command->add_option(
      "--by", arguments->options.by,
      "Field that names the model, if a file holds several models (score with --group-by FIELD)");
  command->add_option("--cluster", arguments->options.cluster,
                      "Field by which to cluster: ids with the same value are dependent");
  CLI::Option* const min_share =
      command
          ->add_option("--min-share", arguments->options.min_share,
                       "Rank only models with lines for this share of the ids of all ranked models [0.9]")
          ->check(CLI::Range(0.0, 1.0))
          ->type_name("SHARE");
  command
      ->add_flag("--common-only", arguments->options.common_only,
                 "Rank by the ids that all models have lines for, at least 20; the title says how many")
      ->excludes(min_share);
  CLI::Option* const columns =
      command
          ->add_option(
              "--columns", arguments->columns,
              "Instead of the ranks a matrix of means: by scorer; by field of the expected values or tool to "
              "be called (score with --details leaves); or by the field that names an id's task (score with "
              "--group-by FIELD)")
          ->type_name("scorer|field|FIELD")
          ->check([](const std::string& name) { return name.empty() ? "the name is empty" : std::string(); });
  command->add_option("--rows", arguments->rows, "Rows of that matrix [model]")
      ->check(CLI::IsMember({kModels}).description(""))
      ->type_name(kModels)
      ->needs(columns);
  CLI::Option* const sensitivity =
      command
          ->add_flag(
              "--sensitivity", arguments->sensitivity,
              "Instead of the ranks, how far they depend on the scorer and, with --task, on single tasks")
          ->excludes(columns);
  command->add_option("--task", arguments->options.task,
                      "Field that names an id's task, for --sensitivity and --columns task");
  command
      ->add_flag(
          "--groups", arguments->options.groups,
          "Add a column of letters: models that share one cannot be told apart by the tests of all pairs")
      ->excludes(columns)
      ->excludes(sensitivity);
  AddRepeats(*command, "Which of a model's answers to one id counts; all: its score is their mean [last]",
             arguments->options.repeats);
  command
      ->add_option("--pass-k", arguments->options.pass_k,
                   "With --repeats all: chance that one (pass@k) and that all (pass^k) of k answers pass")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("K,...");
  command
      ->add_option(
          "-o,--output", arguments->outputs,
          "Output file; several with an -o for each. Its suffix is its format: .txt, .md, .csv, .json "
          "or .tex [-, standard output]")
      ->allow_extra_args(false)
      ->check(CheckFileName);
  AddChoice(*command, "--format", kLeaderboardFormats, arguments->format,
            "Format of what has no suffix, as standard output [table]; latex needs the package booktabs");
  AddThreads(*command, arguments->options.threads);
  AddLimit(*command, kMaxRatio, arguments->options.max_ratio);
  command->add_flag("--unverified", arguments->options.unverified,
                    "Take files without a manifest, too, those of other tools; the result says which");
  command->callback([arguments] { RunLeaderboard(*arguments); });
}

}  // namespace leafscore::internal
