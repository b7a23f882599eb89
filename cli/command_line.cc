#include "cli/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/help.h"
#include "cli/man_page.h"
#include "cli/terminal.h"
#include "cli/usage_error.h"
#include "engine/base/suggest.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Commands that the binary does not have: programs leafscore-NAME beside it or on the PATH.

// Returns the folders in which programs are looked for. The first is the folder of this command, because the
// programs of a Python environment lie beside each other, whether or not it is activated. Then come the
// folders of the PATH.
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
      folders.emplace_back(folder);  // an empty name means the current folder, which anybody may write to
  }
  return folders;
}

// Replaces this process by the program leafscore-`name`: the one beside this command or, if that is missing,
// the first on the PATH. `arguments` ends with a null pointer; its first element becomes the program's path.
// RETURNS: only if there is no such program. ERRORS: Error(kUsage) if such programs exist, but cannot be
// executed.
void BecomeExternalCommand(const std::string& name, char** arguments) {
  if (name.empty() || name.find('/') != std::string::npos) return;
  std::string refused;  // why the first program of that name cannot be executed
  for (const std::string& folder : ProgramFolders()) {
    std::string program = fmt::format("{}/leafscore-{}", folder, name);
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(program, unknown)) continue;
    arguments[0] = program.data();
    std::signal(SIGPIPE, SIG_DFL);  // the program inherits how signals are handled
    std::signal(SIGXFSZ, SIG_DFL);
    execv(program.c_str(), arguments);
    const int why = errno;
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    if (refused.empty()) refused = fmt::format("{} cannot be executed: {}", program, std::strerror(why));
  }
  if (!refused.empty()) throw Error(ErrorCode::kUsage, refused);
}

constexpr char kFooter[] = R"(Examples:
  leafscore generate --pairs 1000 -o pairs.jsonl
  leafscore score pairs.jsonl -s json_similarity -o scores.jsonl
  leafscore compare yesterday.jsonl today.jsonl --max-drop 0.02

Programs of the Python package, which `pip install .` in leafscore's sources brings:
  bench                       Time scorers of any origin, and compare their results
  convert                     Read and write the files of evaluation frameworks
  mcp                         Serve score, explain, compare and lint to coding agents
  report                      Write scores, or what changed between two runs, as one HTML page
Any other NAME runs the program leafscore-NAME that is beside this one or on the PATH.

Exit status:
  0                           Success
  1                           A gate failed, or a check found a fault
  2                           Wrong usage, input or output error, out of memory, or nothing scored
  3                           A defect of leafscore
  129, 130, 143               Interrupted)";

// A command, the title under which help lists it, and the function that adds it.
struct Command {
  std::string_view name;
  const char* title;
  void (*add)(CLI::App& app, int& exit_code);
};

// Adds a command whose exit status is always 0.
template <void (*add)(CLI::App&)>
void AddFine(CLI::App& app, int& /*exit_code*/) {
  add(app);
}

// In the order in which help lists them.
constexpr Command kCommands[] = {{"score", "Score", AddScoreCommand},
                                 {"merge", "Score", AddMergeCommand},
                                 {"evaluate", "Score", AddEvaluateCommand},
                                 {"compare", "Compare", AddCompareCommand},
                                 {"plan-test", "Prepare a test", AddFine<AddPlanTestCommand>},
                                 {"check", "Prepare a test", AddCheckCommand},
                                 {"import", "Prepare a test", AddFine<AddImportCommand>},
                                 {"init", "Prepare a test", AddFine<AddInitCommand>},
                                 {"explain", "Score", AddFine<AddExplainCommand>},
                                 {"judge-cache", "Other", AddJudgeCacheCommand},
                                 {"judge-check", "Compare", AddJudgeCheckCommand},
                                 {"leaderboard", "Compare", AddFine<AddLeaderboardCommand>},
                                 {"lint", "Prepare a test", AddLintCommand},
                                 {"scorers", "Prepare a test", AddFine<AddScorersCommand>},
                                 {"generate", "Other", AddFine<AddGenerateCommand>},
                                 {"completions", "Other", AddFine<AddCompletionsCommand>}};

const Command* FindCommand(std::string_view name) {
  const auto* const found = std::ranges::find(kCommands, name, &Command::name);
  return found == std::end(kCommands) ? nullptr : found;
}

void AddCommands(std::span<const Command> commands, CLI::App& app, int& exit_code) {
  for (const Command& command : commands) {
    command.add(app, exit_code);
    app.get_subcommand(std::string(command.name))->group(command.title);
  }
}

// Returns the commands that these words can be about. Making the options of all commands takes half of the
// start-up time. So if the words name a command other than `completions`, only that command is returned; if
// they ask for the version, the list is empty.
std::span<const Command> CommandsFor(std::span<char* const> words) {
  const auto is_version = [](std::string_view word) { return word == "--version" || word == "--json"; };
  if (words.empty()) return kCommands;
  if (std::ranges::all_of(words, is_version)) return {kCommands, 0};
  const Command* const named = FindCommand(words.front());
  if (named == nullptr || named->name == "completions") return kCommands;  // completions cover all commands
  return {named, 1};
}

// Commands that are programs of the Python package.
constexpr std::string_view kPythonCommands[] = {"bench", "convert", "mcp", "report"};

// Returns which programs of the Python package are installed, for example "; of the Python package: report";
// empty if there are no such programs.
std::string FoundProgramsText() {
  std::string found;
  const std::vector<std::string> folders = ProgramFolders();
  for (const std::string_view name : kPythonCommands) {
    const bool is_there = std::ranges::any_of(folders, [&](const std::string& folder) {
      std::error_code unknown;
      return std::filesystem::is_regular_file(fmt::format("{}/leafscore-{}", folder, name), unknown);
    });
    if (is_there) found += fmt::format("{}{}", found.empty() ? "; of the Python package: " : ", ", name);
  }
  return found;
}

// Replaces this process by the program leafscore-NAME. ERRORS: Error(kUsage) if it does not exist or cannot
// be executed.
void BecomeProgram(char** arguments) {
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
  for (const Command& command : kCommands) commands.push_back(command.name);
  throw Error(ErrorCode::kUsage, UnknownNameMessage("command", name, commands));
}

}  // namespace

int RunCommandLine(int argc, char** argv, const std::function<std::string(VersionFormat)>& version) {
  if (argc > 1 && argv[1][0] != '-' && FindCommand(argv[1]) == nullptr) BecomeProgram(argv + 1);
  CLI::App app("Fast, exact scoring of structured answers of AI systems.", "leafscore");
  bool as_json = false;
  CLI::Option* const json = app.add_flag("--json", as_json, "With --version: print it as JSON");
  json->needs(app.set_version_flag(
      "--version", [&] { return version(as_json ? VersionFormat::kJson : VersionFormat::kText); },
      "Print the version and what this machine uses"));
  app.add_flag_callback(
         "--man", [&] { throw CLI::CallForVersion(ManPage(app), 0); },
         "Print the manual page")
      ->group("");  // for those who package the command
  app.require_subcommand(1);
  FormatHelp(app);
  int exit_code = kExitFine;
  const std::span<const Command> likely = CommandsFor(std::span(argv, argv + argc).subspan(1));
  AddCommands(likely, app, exit_code);
  app.footer(kFooter);  // after the commands, which would inherit it
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream unused;
    const bool is_fine = app.exit(error, out, unused) == 0;  // for help and the version
    if (is_fine) {
      Print(out.str());
    } else {
      AddCommands({kCommands, likely.data()}, app, exit_code);  // the others, which the message may name
      AddCommands({likely.data() + likely.size(), std::end(kCommands)}, app, exit_code);
      PrintMessage(UsageErrorText(app, error) + (argc == 1 ? FoundProgramsText() : ""));
    }
    return is_fine ? kExitFine : kExitUsage;
  }
  return exit_code;
}

}  // namespace leafscore::internal
