#include "engine/process/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kPipeBytes = 64 << 10;      // what a pipe holds
constexpr std::size_t kErrorTailBytes = 1 << 10;  // enough of standard error to see what went wrong

// Returns the error for a lack of system resources, which no record caused.
Error ResourceError(const std::string& what) {
  return Error(ErrorCode::kResources,
               fmt::format("there is {} for another program: {}; give a lower --threads", what,
                           std::generic_category().message(errno)));
}

// Returns the error for a pipe that failed, but not because its other end was closed. No record caused it.
Error PipeError() {
  return Error(ErrorCode::kResources,
               fmt::format("the pipe to a program failed: {}", std::generic_category().message(errno)));
}

struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;
};

// Makes a pipe whose ends are not standard files, because the child replaces the standard files one by one.
Pipe MakePipe() {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw ResourceError("no pipe");
  Pipe pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  for (FileDescriptor* const end : {&pipe.read_end, &pipe.write_end}) {
    if (end->get() > STDERR_FILENO) continue;
    *end = FileDescriptor(fcntl(end->get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    if (end->get() < 0) throw ResourceError("no pipe");
  }
  return pipe;
}

// Lets the program inherit only the standard files. Wheels are built for glibc 2.28, which has no
// close_range, and Linux before 5.11 does not know CLOSE_RANGE_CLOEXEC.
void CloseOthersOnExec() {
  if (syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  for (rlim_t fd = 3; fd < files.rlim_cur; ++fd) fcntl(static_cast<int>(fd), F_SETFD, FD_CLOEXEC);
}

// Runs in the child between fork and exec, so it calls only async-signal-safe functions. Returns if the
// program cannot be executed.
void Execute(const ProgramSpec& program, char* const* arguments, const std::array<int, 3>& standard_files) {
  setpgid(0, 0);
  for (int fd = 0; fd < 3; ++fd) dup2(standard_files[static_cast<std::size_t>(fd)], fd);
  CloseOthersOnExec();
  for (const int ignored : {SIGPIPE, SIGXFSZ}) signal(ignored, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const rlimit memory{program.max_memory_bytes, program.max_memory_bytes};
  setrlimit(RLIMIT_AS, &memory);  // a lower limit stays as it is
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (chdir(program.folder.c_str()) == 0) execv(program.path.c_str(), arguments);
}

// During its lifetime, writing to a pipe without a reader raises no SIGPIPE in this thread.
class SigpipeBlock {
 public:
  SigpipeBlock() {
    sigemptyset(&sigpipe_);
    sigaddset(&sigpipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &sigpipe_, &mask_before_);
  }
  ~SigpipeBlock() {
    const timespec at_once{};
    if (!was_pending_) sigtimedwait(&sigpipe_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  }
  SigpipeBlock(const SigpipeBlock&) = delete;
  SigpipeBlock& operator=(const SigpipeBlock&) = delete;

 private:
  sigset_t sigpipe_;
  sigset_t mask_before_;
  bool was_pending_;
};

// Reads once without waiting, and closes the pipe at the end of its data. RETURNS: whether it read anything.
bool ReadOnce(FileDescriptor& pipe, std::string& text) {
  if (pipe.get() < 0) return false;
  char bytes[kPipeBytes];
  const ssize_t n = read(pipe.get(), bytes, sizeof bytes);
  if (n < 0 && errno != EAGAIN && errno != EINTR) throw PipeError();
  if (n == 0) pipe.Close();
  if (n > 0) text.append(bytes, static_cast<std::size_t>(n));
  return n > 0;
}

}  // namespace

std::string FindProgram(const std::string& name, const std::string& folder) {
  const auto is_program = [](const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) {
    const fs::path path = (fs::current_path() / folder / name).lexically_normal();
    return is_program(path) ? path.string() : "";
  }
  const char* const variable = std::getenv("PATH");
  std::string_view rest = variable == nullptr ? "/usr/bin:/bin" : variable;
  while (!rest.empty()) {
    const std::size_t size = std::min(rest.find(':'), rest.size());
    const fs::path path = fs::current_path() / rest.substr(0, size) / name;
    if (is_program(path)) return path.string();
    rest.remove_prefix(std::min(size + 1, rest.size()));
  }
  return "";
}

ChildProcess::ChildProcess(const ProgramSpec& program) {
  Pipe input = MakePipe();
  Pipe output = MakePipe();
  Pipe errors = MakePipe();
  Pipe report = MakePipe();  // exec closes it, or it brings the error
  std::vector<char*> arguments;
  arguments.reserve(program.arguments.size() + 1);
  for (const std::string& argument : program.arguments)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);

  pid_ = fork();
  if (pid_ < 0) throw ResourceError("no process");
  if (pid_ == 0) {
    Execute(program, arguments.data(),
            {input.read_end.get(), output.write_end.get(), errors.write_end.get()});
    const int error = errno;
    [[maybe_unused]] const ssize_t n = write(report.write_end.get(), &error, sizeof error);
    _exit(127);
  }
  report.write_end.Close();
  int error = 0;
  ssize_t n = 0;
  do {
    n = read(report.read_end.get(), &error, sizeof error);
  } while (n < 0 && errno == EINTR);
  if (n > 0) {
    Reap();
    throw std::system_error(error, std::generic_category(), program.path);
  }
  input_pipe_ = std::move(input.write_end);
  output_pipe_ = std::move(output.read_end);
  error_pipe_ = std::move(errors.read_end);
  for (const FileDescriptor* const end : {&input_pipe_, &output_pipe_, &error_pipe_}) {
    fcntl(end->get(), F_SETFL, O_NONBLOCK);  // the child's ends are not affected
  }
}

ChildProcess::~ChildProcess() {
  KillGroup();
  Reap();
}

std::string_view ChildProcess::error_tail() const {
  const std::string_view errors = errors_;
  return errors.substr(errors.size() - std::min(errors.size(), kErrorTailBytes));
}

bool ChildProcess::ready() const {
  if (pid_ < 0 || output_pipe_.get() < 0 || !read_all_ || out_of_turn_) return false;
  pollfd output{output_pipe_.get(), POLLIN, 0};
  return poll(&output, 1, 0) == 0;
}

bool ChildProcess::out_of_turn(std::chrono::milliseconds patience) {
  if (out_of_turn_ || output_pipe_.get() < 0) return out_of_turn_;
  pollfd output{output_pipe_.get(), POLLIN, 0};
  std::string more;
  if (poll(&output, 1, static_cast<int>(patience.count())) > 0) out_of_turn_ = ReadOnce(output_pipe_, more);
  return out_of_turn_;
}

TurnEnd ChildProcess::TakeTurn(std::string_view input, bool whole_output, const TurnLimits& limits) {
  // How often to check whether the run was stopped or the child has ended. The pipes do not show that the
  // child has ended if other processes hold them open.
  constexpr std::chrono::milliseconds kSlice{20};
  const SigpipeBlock no_sigpipe;
  const auto deadline = Clock::now() + limits.timeout;
  output_.clear();
  std::size_t searched = 0;
  std::optional<Clock::time_point> stopped_at;
  const auto has_line = [&] {
    const std::size_t size = output_.find('\n', std::exchange(searched, output_.size()));
    if (whole_output || size == std::string::npos) return false;
    out_of_turn_ |= !input.empty() || size + 1 != output_.size();
    output_.resize(size);
    return true;
  };
  const auto killed = [&](TurnEnd end) {
    KillGroup();
    Reap();
    return end;
  };
  while (true) {
    if (input.empty() && whole_output) input_pipe_.Close();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return killed(TurnEnd::kTimedOut);
    if (limits.stop != nullptr && limits.stop->load()) {
      if (!stopped_at) stopped_at = Clock::now();
      if (Clock::now() - *stopped_at >= limits.stop_patience) return killed(TurnEnd::kStopped);
    }
    std::array<pollfd, 3> pipes{pollfd{input.empty() ? -1 : input_pipe_.get(), POLLOUT, 0},
                                pollfd{output_pipe_.get(), POLLIN, 0}, pollfd{error_pipe_.get(), POLLIN, 0}};
    // A program that has closed its output is about to end.
    const auto slice = output_pipe_.get() < 0 ? std::chrono::milliseconds(1) : kSlice;
    poll(pipes.data(), pipes.size(), static_cast<int>(std::min(left, slice).count()));
    Write(input);
    ReadOutput();
    ReadErrors();
    const bool exited = HasExited();
    if (exited) {
      // Other processes of the child's group may still write, so end them before reading the rest.
      KillGroup();
      while (output_.size() <= limits.max_output_bytes && ReadOutput()) {
      }
      for (std::size_t read = 0; read < (1 << 20) && ReadErrors(); read += kPipeBytes) {
      }
      Reap();
    }
    const bool line = has_line();
    if (output_.size() > limits.max_output_bytes) return killed(TurnEnd::kFlooded);
    if (line) return TurnEnd::kLine;
    if (exited) return TurnEnd::kExited;
  }
}

void ChildProcess::Write(std::string_view& input) {
  if (input.empty()) return;
  const ssize_t n = write(input_pipe_.get(), input.data(), input.size());
  if (n >= 0) {
    input.remove_prefix(static_cast<std::size_t>(n));
  } else if (errno == EPIPE) {
    input = {};  // the program closed its input; its reply and exit show whether that matters
    read_all_ = false;
  } else if (errno != EAGAIN && errno != EINTR) {
    throw PipeError();
  }
}

bool ChildProcess::ReadOutput() { return ReadOnce(output_pipe_, output_); }

bool ChildProcess::ReadErrors() {
  const bool any = ReadOnce(error_pipe_, errors_);
  if (errors_.size() > 2 * kErrorTailBytes) errors_.erase(0, errors_.size() - kErrorTailBytes);
  return any;
}

bool ChildProcess::HasExited() const {
  siginfo_t info{};
  const int result = waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return result != 0 || info.si_pid == pid_;
}

void ChildProcess::KillGroup() {
  if (pid_ < 0) return;
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);  // in case it moved to another group
}

void ChildProcess::Reap() {
  if (pid_ < 0) return;
  while (waitpid(pid_, &wait_status_, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

std::string ChildProcess::EndMessage() const {
  if (!WIFSIGNALED(wait_status_)) {
    return fmt::format("the program ended with exit status {}", WEXITSTATUS(wait_status_));
  }
  const int signal = WTERMSIG(wait_status_);
  return fmt::format("signal {} ({}) ended the program", signal, strsignal(signal));
}

}  // namespace leafscore::internal
