// engine/process/child_process.h: runs a program of the user's as a contained child process.
//
// The child leads a process group of its own and inherits nothing but three pipes, the environment and its
// limits. It is spoken to in turns: some bytes to its standard input, what it writes back to its standard
// output, and a deadline for both. However it ends, its whole group is killed and the child is reaped, so
// neither processes nor zombies stay behind (except one that left the group by setsid). Input, output and
// standard error are served together, so a full pipe cannot make the two wait for each other, and SIGPIPE
// never reaches the caller.
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
  std::string path;                    // of the file to execute
  std::vector<std::string> arguments;  // the first is the program's name
  std::string folder;                  // to run in
  std::uint64_t max_memory_bytes;      // of address space (RLIMIT_AS), for each process
};

struct TurnLimits {
  std::chrono::milliseconds timeout;
  std::size_t max_output_bytes;
  const std::atomic<bool>* stop = nullptr;     // becomes true to end the turn early,
  std::chrono::milliseconds stop_patience{0};  // unless it ends by itself within that time
};

// How a turn ended. All but kLine end the process, too.
enum class TurnEnd {
  kLine,      // it wrote a whole line
  kExited,    // it ended; wait_status() tells how
  kTimedOut,  // it was killed at the deadline
  kFlooded,   // it was killed for more output than allowed
  kStopped,   // it was killed as TurnLimits::stop became true
};

// Returns the absolute path of the program `name`: within `folder` if the name has a slash, else in one of
// the folders of PATH. RETURNS: empty when there is no such executable file.
std::string FindProgram(const std::string& name, const std::string& folder);

class ChildProcess {
 public:
  // ERRORS: std::system_error when the program cannot be executed; Error(kResources) when there is no process
  //         or pipe for it.
  explicit ChildProcess(const ProgramSpec& program);
  ~ChildProcess();  // kills it
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Writes `input` and waits for a line (kLine). An input that is not read is no error.
  TurnEnd ExchangeLine(std::string_view input, const TurnLimits& limits) {
    return TakeTurn(input, /*whole_output=*/false, limits);
  }
  // Writes `input`, closes the program's standard input and waits for its end.
  TurnEnd ExchangeAll(std::string_view input, const TurnLimits& limits) {
    return TakeTurn(input, /*whole_output=*/true, limits);
  }

  // What it wrote in the last turn, a line without its line break.
  std::string_view output() const { return output_; }
  // The last bytes that it wrote to standard error.
  std::string_view error_tail() const;
  // Of an ended process, as waitpid gives it.
  int wait_status() const { return wait_status_; }
  // Says how it ended, for example "the program ended with exit status 3".
  std::string EndMessage() const;

  // Tells whether another turn can begin: it has not ended, has read all of its input, and has written
  // nothing that was not asked for.
  bool ready() const;

  // Tells whether it has written more than a line for each turn, or a line before it could have read what
  // that answers: then nobody knows which line answers what. Waits for more, but no longer than `patience`.
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
  pid_t pid_ = -1;  // -1: waited for
  int wait_status_ = 0;
  std::string output_;
  std::string errors_;
  bool read_all_ = true;      // it has closed no input that was not written yet
  bool out_of_turn_ = false;  // as out_of_turn, as far as it was read
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_PROCESS_CHILD_PROCESS_H_
