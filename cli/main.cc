// The leafscore command.

#include <fmt/format.h>
#include <malloc.h>
#include <simdjson.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/check_command.h"
#include "cli/compare_command.h"
#include "cli/environment.h"
#include "cli/evaluate_command.h"
#include "cli/exit_code.h"
#include "cli/explain_command.h"
#include "cli/external_command.h"
#include "cli/generate_command.h"
#include "cli/import_command.h"
#include "cli/interrupt.h"
#include "cli/judge_cache_command.h"
#include "cli/judge_check_command.h"
#include "cli/leaderboard_command.h"
#include "cli/lint_command.h"
#include "cli/merge_command.h"
#include "cli/plan_test_command.h"
#include "cli/score_command.h"
#include "cli/scorers_command.h"
#include "cli/standard_files.h"
#include "cli/terminal.h"
#include "engine/base/display.h"
#include "engine/base/resource_error.h"
#include "engine/base/suggest.h"
#include "kernels/isa.h"
#include "leafscore/leafscore.h"

namespace leafscore::internal {
namespace {

std::string InBracketsIf(bool active, std::string_view name) {
  return active ? fmt::format(" [{}]", name) : fmt::format(" {}", name);
}

// simdjson finds out at its first use what this CPU can do, and where no memory is left for that it ends the
// process. So that is done before there is anything to lose.
[[maybe_unused]] const std::string parser_in_use = simdjson::get_active_implementation()->name();

// Returns the version and the instruction sets that are built in, those in use in brackets.
std::string VersionText() {
  std::string kernels;
  for (const Isa isa : BuiltInIsas()) kernels += InBracketsIf(isa == ActiveIsa(), IsaName(isa));
  std::string parsers;
  for (const simdjson::implementation* parser : simdjson::get_available_implementations()) {
    parsers += InBracketsIf(parser->name() == simdjson::get_active_implementation()->name(), parser->name());
  }
  return fmt::format("leafscore {}\nedit distances:{}\nJSON tokens:{}", Version(), kernels, parsers);
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

Other commands are programs on the PATH: leafscore NAME runs leafscore-NAME.

Exit status: 0 fine; 1 a gate failed; 2 usage, input or output error, out of memory, or nothing scored;
3 defect of leafscore; 129, 130 and 143 interrupted.)";

// Commands that are programs of the Python package.
constexpr std::string_view kPythonCommands[] = {"bench", "convert", "report"};

// Becomes the program leafscore-NAME. ERRORS: Error(kUsage) where there is none.
void BecomeProgram(const CLI::App& app, char** arguments) {
  const std::string name = arguments[0];
  BecomeExternalCommand(name, arguments);
  if (std::ranges::find(kPythonCommands, name) != std::end(kPythonCommands)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("leafscore {} is a program of the Python package, and leafscore-{} is not on the "
                            "PATH; pip install the package (README.md) and activate its environment",
                            name, name));
  }
  std::vector<std::string_view> commands;
  for (const CLI::App* const command : app.get_subcommands({})) commands.push_back(command->get_name());
  throw Error(ErrorCode::kUsage, UnknownNameMessage("command", name, commands));
}

// Large blocks that are freed go back to the system: else the heap keeps ever larger ones, and a long record
// would leave its memory to the threads.
void KeepLittleFreedMemory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
}

int Main(int argc, char** argv) {
  KeepLittleFreedMemory();
  PrepareStandardFiles();
  ObeyIsaVariable();
  CLI::App app("Fast, exact scoring of structured answers of AI systems.", "leafscore");
  app.set_version_flag("--version", VersionText);
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
    if (!fine) PrintNotice(DisplayText(err.str()));
    return fine ? kExitFine : kExitUsage;
  }
  return exit_code;
}

}  // namespace
}  // namespace leafscore::internal

int main(int argc, char** argv) {
  try {
    const int exit_code = leafscore::internal::WithResourceErrors(
        "give the command more", [&] { return leafscore::internal::Main(argc, argv); });
    leafscore::internal::CheckPrinted();
    return exit_code;
  } catch (const leafscore::Error& error) {
    leafscore::internal::PrintMessage(error.what());
    const bool interrupted = error.code() == leafscore::ErrorCode::kInterrupted;
    return interrupted ? leafscore::internal::InterruptedExitCode()
                       : leafscore::internal::ExitCodeOf(error.code());
  } catch (const std::bad_alloc&) {  // even for the message
    std::fputs("leafscore: memory ran out\n", stderr);
    return leafscore::internal::kExitUsage;
  } catch (const std::exception& error) {
    leafscore::internal::PrintMessage(
        fmt::format("{}; this is a defect of leafscore, please report it", error.what()));
    return leafscore::internal::kExitInternal;
  }
}
