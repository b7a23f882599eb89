// engine/scorers/asserts/script_judge.h: AgentV's script assert, by its contract of July 2026.
//
// A program reads one JSON document about an answer, and replies with {pass, score, checks, reason, details}
// or with plain text. If the reply is plain text, the exit status is the verdict. The program runs once for
// each answer, and is killed with its group if it takes too long.
// THREADS: many threads may run a Script at once.
#ifndef LEAFSCORE_ENGINE_SCORERS_ASSERTS_SCRIPT_JUDGE_H_
#define LEAFSCORE_ENGINE_SCORERS_ASSERTS_SCRIPT_JUDGE_H_

#include <optional>
#include <string>
#include <string_view>

#include "engine/config/options.h"
#include "engine/json/json_view.h"
#include "engine/process/child_process.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

struct Script {
  ProgramSpec program;
  std::string config_json;  // passed to the program; null if there is none
};

// Reads {command, cwd, config}. `max_memory_bytes` limits each process.
// ERRORS: Error(kUsage) with source and line if there is no command, or no such folder or program.
Script ReadScript(const OptionReader& options, std::uint64_t max_memory_bytes);

// The data about a test that a document contains besides the answer. A view without a value is absent.
struct ScriptTest {
  JsonView criteria;
  JsonView expected_output;
  JsonView input;
  JsonView metadata;
};

// Returns the document: indented JSON, with all keys in snake_case. If the answer takes more than 50,000
// characters as JSON, the document has null in its place, and `output_path` is a file that contains the
// answer.
std::string ScriptDocument(std::string_view answer, const std::optional<std::string>& output_path,
                           const ScriptTest& test, std::string_view config_json);
// Tells whether an answer must be passed in a file.
bool TakesOutputFile(std::string_view answer);

struct ScriptVerdict {
  double score = 0;
  bool passed = false;
  std::string reason = {};
  std::string checks_json = {};  // empty if the reply has none
  std::string details_json = {};
};

// Returns the verdict for a program's output and exit status. The output is read as JSON.parse reads it. A
// reply that breaks the contract scores 0. RETURNS: nullopt if a reply that begins with { is nested too deep.
std::optional<ScriptVerdict> ReadScriptReply(std::string_view output, std::string_view error_tail,
                                             int wait_status, std::string_view end_message);

// Runs a program on an answer. RETURNS: nullopt after setting *reason and *message if it cannot be started,
// takes too long or writes too much.
// ERRORS: Error(kInterrupted) if the run was stopped.
std::optional<ScriptVerdict> RunScript(const Script& script, const TurnLimits& limits,
                                       std::string_view answer, const ScriptTest& test, RejectReason* reason,
                                       std::string* message);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_ASSERTS_SCRIPT_JUDGE_H_
