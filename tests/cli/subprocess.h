// tests/cli/subprocess.h: runs the real leafscore command as a child process and sees what a user sees. Every
// wait has a deadline, after which the child is killed, so a command that hangs fails its test.
#ifndef LEAFSCORE_TESTS_CLI_SUBPROCESS_H_
#define LEAFSCORE_TESTS_CLI_SUBPROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

struct SubprocessOptions {
  std::vector<std::string> environment = {};        // NAME=VALUE, in addition to the inherited ones
  std::string output_path = {};                     // where standard output goes; empty: it is captured
  std::optional<int> error_terminal = {};           // a terminal for standard error; else it is captured
  std::optional<std::uint64_t> max_file_size = {};  // RLIMIT_FSIZE, in bytes
  std::vector<int> closed = {};                     // the standard files to close
  std::string error_path = {};                      // where standard error goes; empty: it is captured
  bool error_unread = false;                        // standard error is a pipe whose reader is gone
  std::optional<std::uint64_t> max_memory = {};     // RLIMIT_AS, in bytes
  std::string command = LEAFSCORE_COMMAND;  // the path of the command, which may have copies and links
};

struct SubprocessResult {
  int exit_code = -1;  // -1 if a signal ended it
  int signal = 0;      // the signal that ended it
  std::string out;
  std::string err;
};

class Subprocess {
 public:
  explicit Subprocess(const std::vector<std::string>& arguments, const SubprocessOptions& options = {});
  ~Subprocess();  // kills a child that still runs
  Subprocess(const Subprocess&) = delete;
  Subprocess& operator=(const Subprocess&) = delete;

  // Writes to its standard input. REQUIRES: less than a pipe holds, or a child that reads.
  void WriteInput(std::string_view text);
  void CloseInput();

  // Waits until it ends, without reading its output. RETURNS: false if it still runs after `limit`.
  bool EndsWithin(std::chrono::milliseconds limit);

  // Reads at least `bytes` bytes of its standard output; fewer only at the end of the output.
  std::string ReadOutput(std::size_t bytes);
  void CloseOutput();

  void Signal(int signal);
  // Waits until the child catches a signal: it has started, and the signal does not just end it.
  void AwaitHandler(int signal);

  // Closes its input, collects the rest of its output, and waits for its end.
  SubprocessResult Wait();

 private:
  pid_t child_ = -1;
  int input_ = -1;
  int output_ = -1;
  int error_ = -1;
};

// Runs the command with `input` as its standard input.
SubprocessResult RunCommand(const std::vector<std::string>& arguments, std::string_view input = {},
                            const SubprocessOptions& options = {});

// Checks that the command refused: exit code 2, a message that contains `part`, and no output.
void ExpectRefused(const SubprocessResult& run, std::string_view part);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_CLI_SUBPROCESS_H_
