// engine/scorers/asserts/script_judge.h: AgentV's script assert, by its contract of July 2026.
//
// A program reads one JSON document about an answer, and replies with {pass, score, checks, reason, details}
// or with plain text, of which its exit status is the verdict. It runs once for each answer, and is killed
// with its group when it takes too long.
// THREADS: a Script may be run by many threads at once.
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
  std::string config_json;  // that the program is given; null where there is none
};

// Reads {command, cwd, config}. `max_memory_bytes` is of each process.
// ERRORS: kUsage with source and line: no command, no such folder or program.
Script ReadScript(const OptionReader& options, std::uint64_t max_memory_bytes);

// What the document tells of the test beside the answer. Absent views where there is nothing.
struct ScriptTest {
  JsonView criteria;
  JsonView expected_output;
  JsonView input;
  JsonView metadata;
};

// Returns the document: indented JSON, its keys in snake_case throughout. An answer that takes more than
// 50,000 characters of JSON is null in it, beside the `output_path` of a file that holds it.
std::string ScriptDocument(std::string_view answer, const std::optional<std::string>& output_path,
                           const ScriptTest& test, std::string_view config_json);
// Tells whether an answer has to be given in a file.
bool TakesOutputFile(std::string_view answer);

struct ScriptVerdict {
  double score = 0;
  bool passed = false;
  std::string reason = {};
  std::string checks_json = {};  // empty where the reply has none
  std::string details_json = {};
};

// Returns the verdict of what a program wrote, which is read as JSON.parse does, and of how it ended. A reply
// that breaks the contract is 0. RETURNS: nothing where a reply that begins with { is nested too deep.
std::optional<ScriptVerdict> ReadScriptReply(std::string_view output, std::string_view error_tail,
                                             int wait_status, std::string_view end_message);

// Runs a program on an answer. RETURNS: nothing after setting *reason and *message: it cannot be started,
// takes too long or writes too much. ERRORS: kInterrupted when the run was stopped.
std::optional<ScriptVerdict> RunScript(const Script& script, const TurnLimits& limits,
                                       std::string_view answer, const ScriptTest& test, RejectReason* reason,
                                       std::string* message);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_ASSERTS_SCRIPT_JUDGE_H_
