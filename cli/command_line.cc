#include "cli/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "engine/base/display.h"
#include "engine/base/suggest.h"
#include "engine/base/utf8.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Commands that the binary does not have: programs leafscore-NAME beside it or on the PATH.

// Returns the folders that programs are looked for in: the one that this command is in, as the programs of a
// Python environment lie beside each other whether or not it is activated, and then those of the PATH.
std::vector<std::string> ProgramFolders() {
  std::vector<std::string> folders;
  std::error_code unknown;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", unknown);
  if (!unknown) folders.push_back(self.parent_path().string());
  const char* const path = std::getenv("PATH");
  for (std::string_view rest = path == nullptr ? "" : path; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (!folder.empty())
      folders.emplace_back(folder);  // an empty one is the current folder, which may be anybody's
  }
  return folders;
}

// Becomes the program leafscore-`name` that lies beside this command, or else the first on the PATH.
// `arguments` ends with a null pointer; its first becomes the program's path. RETURNS: only when there is
// none. ERRORS: Error(kUsage) for one that cannot be executed, when no other can.
void BecomeExternalCommand(const std::string& name, char** arguments) {
  if (name.empty() || name.find('/') != std::string::npos) return;
  std::string refused;  // why the first program of that name cannot be executed
  for (const std::string& folder : ProgramFolders()) {
    std::string program = fmt::format("{}/leafscore-{}", folder, name);
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(program, unknown)) continue;
    arguments[0] = program.data();
    std::signal(SIGPIPE, SIG_DFL);  // which a program takes over from us
    std::signal(SIGXFSZ, SIG_DFL);
    execv(program.c_str(), arguments);
    const int why = errno;
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    if (refused.empty()) refused = fmt::format("{} cannot be executed: {}", program, std::strerror(why));
  }
  if (!refused.empty()) throw Error(ErrorCode::kUsage, refused);
}

constexpr char kExamples[] = R"(Examples:
  leafscore generate --pairs 1000 -o pairs.jsonl
  leafscore score pairs.jsonl --scorer json_similarity -o scores.jsonl
  zcat answers.jsonl.gz | leafscore score - --config scorers.yaml --group-by model --fail-under 0.9
  leafscore merge scores.jsonl.shard-*-of-2 -o scores.jsonl
  leafscore evaluate --trajectories runs --scenarios scenarios_data --reports-dir reports
  leafscore explain inv-000007 pairs.jsonl --scorer json_similarity
  leafscore leaderboard model-a.jsonl model-b.jsonl --cluster document
  leafscore lint gold.jsonl answers.jsonl --config scorers.yaml --strict
  leafscore plan-test --pass-rate 0.8 --churn 0.1 --drop 0.03
  leafscore compare yesterday.jsonl today.jsonl --max-drop 0.02 -o comparison.md
  leafscore check eval-set.json
  leafscore import eval-set.json -o scorers.yaml --gold gold.jsonl
  leafscore scorers

Programs of the Python package, which `pip install .` in leafscore's sources brings:
  bench                       Time scorers of any origin, and compare what they answer
  convert                     Read and write the files of evaluation frameworks
  mcp                         Serve score, explain, compare and lint to coding agents
  report                      Write scores, or what changed between two runs, as one HTML page
Any other NAME runs the program leafscore-NAME that lies beside this one or on the PATH.

Exit status: 0 fine; 1 a gate failed; 2 usage, input or output error, out of memory, or nothing scored;
3 defect of leafscore; 129, 130 and 143 interrupted.)";

// Commands that are programs of the Python package.
constexpr std::string_view kPythonCommands[] = {"bench", "convert", "mcp", "report"};

// Becomes the program leafscore-NAME. ERRORS: Error(kUsage) where there is none.
void BecomeProgram(const CLI::App& app, char** arguments) {
  const std::string name = arguments[0];
  BecomeExternalCommand(name, arguments);
  if (std::ranges::find(kPythonCommands, name) != std::end(kPythonCommands)) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("leafscore {} is a program of the Python package, and leafscore-{} is neither beside "
                    "this command nor on the PATH: `pip install .` in leafscore's sources brings it",
                    name, name));
  }
  std::vector<std::string_view> commands(std::begin(kPythonCommands), std::end(kPythonCommands));
  for (const CLI::App* const command : app.get_subcommands({})) commands.push_back(command->get_name());
  throw Error(ErrorCode::kUsage, UnknownNameMessage("command", name, commands));
}

// Returns a line with the option that was probably meant by one that the command does not have; empty where
// none is near.
std::string MeantOption(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> known;
  for (const CLI::App* const command : app.get_subcommands()) {
    for (const CLI::Option* const option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
  }
  for (int a = 1; a < argc; ++a) {
    const std::string_view argument = argv[a];
    const std::string name(argument.substr(0, argument.find('=')));
    if (!name.starts_with("--") || name == "--" || std::ranges::find(known, name) != known.end()) continue;
    const std::string meant = DidYouMean(name, known);
    if (!meant.empty())
      return fmt::format("leafscore: there is no option {}{}\n", QuoteForMessage(name), meant);
  }
  return "";
}

}  // namespace

int RunCommandLine(int argc, char** argv, const std::function<std::string()>& version) {
  CLI::App app("Fast, exact scoring of structured answers of AI systems.", "leafscore");
  app.set_version_flag("--version", version);
  app.require_subcommand(1);
  app.footer(kExamples);
  int exit_code = kExitFine;
  AddScoreCommand(app, exit_code);
  AddMergeCommand(app, exit_code);
  AddEvaluateCommand(app, exit_code);
  AddCompareCommand(app, exit_code);
  AddPlanTestCommand(app);
  AddCheckCommand(app, exit_code);
  AddImportCommand(app);
  AddInitCommand(app);
  AddExplainCommand(app);
  AddJudgeCacheCommand(app, exit_code);
  AddJudgeCheckCommand(app, exit_code);
  AddLeaderboardCommand(app);
  AddLintCommand(app, exit_code);
  AddScorersCommand(app);
  AddGenerateCommand(app);
  if (argc > 1 && argv[1][0] != '-') {
    const std::vector<const CLI::App*> commands = std::as_const(app).get_subcommands({});
    const auto is_it = [&](const CLI::App* command) { return command->get_name() == argv[1]; };
    if (std::ranges::none_of(commands, is_it)) BecomeProgram(app, argv + 1);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream err;
    const bool fine = app.exit(error, out, err) == 0;  // for help, too
    Print(out.str());
    const bool is_unknown = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    // It names arguments, of any length.
    constexpr std::size_t kMostShown = 1000;
    const std::string all = err.str();
    const std::string text = all.size() <= kMostShown ? all : std::string(ClipText(all, kMostShown)) + "…\n";
    if (!fine) PrintNotice(DisplayText((is_unknown ? MeantOption(app, argc, argv) : "") + text));
    return fine ? kExitFine : kExitUsage;
  }
  return exit_code;
}

}  // namespace leafscore::internal
