// engine/process/child_process.h: runs a user's program as a contained child process.
//
// The child leads a process group of its own and inherits only three pipes, the environment and its limits.
// The conversation goes in turns: the caller writes some bytes to the child's standard input, and the child
// replies on standard output, before a deadline. However the child ends, its whole group is killed and the
// child is reaped, so neither processes nor zombies remain (except a process that left the group by setsid).
// Input, output and standard error are served together, so a full pipe cannot make the caller and the child
// wait for each other. SIGPIPE never reaches the caller.
//
// THREADS: one at a time for each object; any number of objects at once.
#ifndef LEAFSCORE_ENGINE_PROCESS_CHILD_PROCESS_H_
#define LEAFSCORE_ENGINE_PROCESS_CHILD_PROCESS_H_

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/file_descriptor.h"

namespace leafscore::internal {

struct ProgramSpec {
  std::string path;                    // the file to execute
  std::vector<std::string> arguments;  // the first is the program's name
  std::string folder;                  // the working directory
  std::uint64_t max_memory_bytes;      // address space of each process (RLIMIT_AS)
};

struct TurnLimits {
  std::chrono::milliseconds timeout;
  std::size_t max_output_bytes;
  const std::atomic<bool>* stop = nullptr;     // becomes true to end the turn early,
  std::chrono::milliseconds stop_patience{0};  // unless the turn ends by itself within this time
};

// How a turn ended. All except kLine also end the process.
enum class TurnEnd {
  kLine,      // it wrote a whole line
  kExited,    // it ended; wait_status() tells how
  kTimedOut,  // it was killed at the deadline
  kFlooded,   // it was killed for more output than allowed
  kStopped,   // it was killed as TurnLimits::stop became true
};

// Returns the absolute path of the program `name`: in `folder` if the name has a slash, else in a folder of
// PATH. RETURNS: empty if there is no such executable file.
std::string FindProgram(const std::string& name, const std::string& folder);

class ChildProcess {
 public:
  // ERRORS: std::system_error if the program cannot be executed; Error(kResources) if the system has no
  // process or pipe for it.
  explicit ChildProcess(const ProgramSpec& program);
  ~ChildProcess();  // kills the program
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Writes `input` and waits for a line (kLine). It is not an error if the program does not read the input.
  TurnEnd ExchangeLine(std::string_view input, const TurnLimits& limits) {
    return TakeTurn(input, /*whole_output=*/false, limits);
  }
  // Writes `input`, closes the program's standard input and waits until the program ends.
  TurnEnd ExchangeAll(std::string_view input, const TurnLimits& limits) {
    return TakeTurn(input, /*whole_output=*/true, limits);
  }

  // Returns the output of the last turn; a line without its line break.
  std::string_view output() const { return output_; }
  // Returns the last bytes that it wrote to standard error.
  std::string_view error_tail() const;
  // Returns the status of an ended process, as from waitpid.
  int wait_status() const { return wait_status_; }
  // Describes how the program ended, for example "the program ended with exit status 3".
  std::string EndMessage() const;

  // Returns whether another turn can begin: the program has not ended, has read all of its input, and has
  // written only what was asked for.
  bool ready() const;

  // Returns whether the program has written more than one line in a turn, or a line before it can have read
  // the question. In either case, nobody knows which line answers which question. Waits at most `patience`
  // for more output.
  bool out_of_turn(std::chrono::milliseconds patience);

 private:
  TurnEnd TakeTurn(std::string_view input, bool whole_output, const TurnLimits& limits);
  void Write(std::string_view& input);
  bool ReadOutput();
  bool ReadErrors();
  bool HasExited() const;
  void KillGroup();
  void Reap();

  FileDescriptor input_pipe_;  // our ends of the pipes, which do not block
  FileDescriptor output_pipe_;
  FileDescriptor error_pipe_;
  pid_t pid_ = -1;  // -1: reaped
  int wait_status_ = 0;
  std::string output_;
  std::string errors_;
  bool read_all_ = true;      // it has not closed its input before all was written
  bool out_of_turn_ = false;  // what out_of_turn has found so far
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_PROCESS_CHILD_PROCESS_H_
