#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
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
#include "cli/label_options.h"
#include "cli/limit_option.h"
#include "cli/option_groups.h"
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

// Returns the outputs with these paths, or standard output if there are no paths. An output without a suffix,
// such as standard output, gets `format`.
// ERRORS: Error(kUsage) for an unknown suffix, and for an output that is named twice or is an input.
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

// Writes all outputs or none: they get their names when all are complete. ERRORS: those of OutputFile.
void WriteLeaderboard(
    std::span<const LeaderboardOutput> outputs,
    const std::function<std::string(LeaderboardFormat format, std::size_t columns)>& render) {
  std::vector<std::unique_ptr<OutputFile>> files;
  for (const LeaderboardOutput& output : outputs) {
    if (output.path == kStandardOutput) {
      Print(render(output.format, TableColumns(STDOUT_FILENO)));
      continue;
    }
    const std::string text = render(output.format, 0);
    files.push_back(OutputFile::Open(output.path, &CatchInterrupts()));
    PrintLeftovers(files.back()->leftovers());
    files.back()->Write(text);
    files.back()->Complete();
  }
  for (const std::unique_ptr<OutputFile>& file : files) file->Commit();
}

constexpr char kLeaderboardExamples[] = R"(Examples:
  leafscore leaderboard model-a.jsonl model-b.jsonl
  leafscore leaderboard scores.jsonl --by model --cluster document -o leaderboard.md
  leafscore leaderboard model-a.jsonl model-b.jsonl --columns field)";

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
  bool means = false;
};

// Makes --task and the field of --columns agree, because for a matrix both name the tasks.
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

std::vector<std::string> RankedFilesOf(const LeaderboardArguments& arguments) {
  std::vector<std::string> inputs = arguments.files;
  inputs.push_back(arguments.options.labels);
  return inputs;
}

void RunLeaderboard(LeaderboardArguments arguments) {
  SettleTask(arguments);
  const std::vector<LeaderboardOutput> outputs =
      LeaderboardOutputs(arguments.outputs, arguments.format, RankedFilesOf(arguments));
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
  const bool wants_means = has_matrix || arguments.sensitivity || arguments.means;
  if (ranking.rows.empty() && wants_means) {
    throw Error(ErrorCode::kInput,
                "the answers were compared with those of different models (--versus), so that no means "
                "compare: leave out --columns, --sensitivity and --means");
  }
  WriteLeaderboard(outputs, [&](LeaderboardFormat format, std::size_t columns) {
    if (arguments.sensitivity) return RenderSensitivity(ranking.sensitivity, format);
    if (!wants_means && !ranking.versus.empty()) return RenderVersus(ranking.versus, format, columns);
    if (!has_matrix) return RenderLeaderboard(ranking.rows, format, columns);
    if (arguments.columns == kScorers) return RenderMatrices(std::span(&ranking.by_scorer, 1), format);
    return RenderMatrices(arguments.options.fields ? ranking.by_field : ranking.by_task, format);
  });
}

}  // namespace

void AddLeaderboardCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("leaderboard", "Rank models by their files of scores");
  const auto arguments = std::make_shared<LeaderboardArguments>();
  command
      ->add_option(
          "scores", arguments->files,
          "Files of scores that `leafscore score` wrote, JSON Lines or CSV, also compressed; one per "
          "model")
      ->type_name("FILE")
      ->required();
  StartGroup(*command, kInputGroup);
  command
      ->add_option("--by", arguments->options.by,
                   "Field that names the model, if a file holds several (score with --group-by FIELD)")
      ->type_name("FIELD");
  command->add_flag("--unverified", arguments->options.unverified,
                    "Also accept files without a manifest, as other tools write them; the result says which");
  AddRepeats(*command, "Which of a model's answers to one id counts; all: their mean [default: last]",
             arguments->options.repeats);
  StartGroup(*command, kComparisonGroup);
  command
      ->add_option("--cluster", arguments->options.cluster,
                   "Field whose values are clusters of dependent ids, such as those of one document")
      ->type_name("FIELD");
  AddLabels(*command, arguments->options.labels);
  CLI::Option* const min_share =
      command
          ->add_option("--min-share", arguments->options.min_share,
                       "Rank only models that have lines for this share, 0 to 1, of all ids [default: 0.9]")
          ->check(CLI::Range(0.0, 1.0).description(""))
          ->type_name("SHARE");
  command
      ->add_flag("--common-only", arguments->options.common_only,
                 "Rank by the ids that all models have lines for, at least 20; not with --min-share")
      ->excludes(min_share);
  CLI::Option* const columns =
      command
          ->add_option(
              "--columns", arguments->columns,
              "Instead of ranks, print a matrix of means by scorer; by field of the expected values or by "
              "tool "
              "(score with --details leaves); or by the field that names an id's task (score with --group-by "
              "FIELD)")
          ->type_name("scorer|field|FIELD")
          ->check([](const std::string& name) { return name.empty() ? "the name is empty" : std::string(); });
  command->add_option("--rows", arguments->rows, "With --columns: rows of the matrix [default: model]")
      ->check(CLI::IsMember({kModels}).description(""))
      ->type_name(kModels)
      ->needs(columns);
  CLI::Option* const sensitivity =
      command
          ->add_flag(
              "--sensitivity", arguments->sensitivity,
              "Instead of ranks, print how far they depend on the scorer and, with --task, on single tasks")
          ->excludes(columns);
  command
      ->add_option("--task", arguments->options.task,
                   "Field that names an id's task, for --sensitivity and --columns task")
      ->type_name("FIELD");
  command->add_flag(
      "--means", arguments->means,
      "Rank by means also where answers were compared (score --versus), whose matches rank else");
  command
      ->add_flag("--groups", arguments->options.groups,
                 "Add a column of letters: models that share a letter do not differ significantly")
      ->excludes(columns)
      ->excludes(sensitivity);
  command
      ->add_option("--pass-k", arguments->options.pass_k,
                   "With --repeats all: the chance that one (pass@k) and that all (pass^k) of k answers pass")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("K,");
  StartGroup(*command, kOutputGroup);
  command
      ->add_option("-o,--output", arguments->outputs,
                   "Output file, in the format of its suffix: .txt .md .csv .json .tex [default: standard "
                   "output, -]")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->check(CheckFileName);
  AddChoice(*command, "--format", kLeaderboardFormats, arguments->format,
            "Format of outputs without a suffix; latex needs the package booktabs [default: table]");
  AddThreads(*command, arguments->options.threads);
  AddLimit(*command, kMaxRatio, arguments->options.max_ratio);
  command->footer(kLeaderboardExamples);
  command->callback([arguments] { RunLeaderboard(*arguments); });
}

}  // namespace leafscore::internal
