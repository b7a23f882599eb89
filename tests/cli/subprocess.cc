#include "cli/subprocess.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

namespace leafscore::internal {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kDeadline{60};  // far more than any of these tests takes

struct Pipe {
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  std::array<int, 2> ends;  // to read from, to write to
};

void Close(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

int OpenToWrite(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) throw std::runtime_error("cannot open " + path);
  return fd;
}

// Waits until `fd` can be read, or not longer than the deadline.
void AwaitReadable(int fd, Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  pollfd waited{fd, POLLIN, 0};
  if (poll(&waited, 1, static_cast<int>(std::max<long>(left, 0))) <= 0) {
    throw std::runtime_error("the command hangs");
  }
}

// Runs in the child between fork and exec.
[[noreturn]] void Execute(const std::vector<std::string>& arguments, const SubprocessOptions& options,
                          const std::array<int, 3>& standard_files) {
  for (int fd = 0; fd < 3; ++fd) dup2(standard_files[static_cast<std::size_t>(fd)], fd);
  for (const int fd : options.closed) close(fd);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) ::signal(signal, SIG_DFL);
  if (options.max_file_size) {
    const rlimit limit{*options.max_file_size, *options.max_file_size};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (options.max_memory) {
    const rlimit limit{*options.max_memory, *options.max_memory};
    setrlimit(RLIMIT_AS, &limit);
  }
  unsetenv("NO_COLOR");
  unsetenv("LEAFSCORE_THREADS");
  setenv("TERM", "xterm", 1);
  for (const std::string& variable : options.environment) putenv(const_cast<char*>(variable.c_str()));
  std::vector<char*> argv = {const_cast<char*>("leafscore")};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(options.command.c_str(), argv.data());
  _exit(127);
}

}  // namespace

Subprocess::Subprocess(const std::vector<std::string>& arguments, const SubprocessOptions& options) {
  signal(SIGPIPE, SIG_IGN);  // a child may end before it has read all
  const Pipe input;
  const Pipe output;
  const Pipe error;
  const int out = options.output_path.empty() ? output.ends[1] : OpenToWrite(options.output_path);
  int err = options.error_terminal.value_or(error.ends[1]);
  if (!options.error_path.empty()) err = OpenToWrite(options.error_path);
  const Pipe unread;
  close(unread.ends[0]);
  if (options.error_unread) err = unread.ends[1];
  child_ = fork();
  if (child_ == 0) Execute(arguments, options, {input.ends[0], out, err});
  close(input.ends[0]);
  close(output.ends[1]);
  close(error.ends[1]);
  close(unread.ends[1]);
  if (!options.output_path.empty()) close(out);
  if (!options.error_path.empty()) close(err);
  if (child_ < 0) throw std::runtime_error("no child process");
  input_ = input.ends[1];
  output_ = output.ends[0];
  error_ = error.ends[0];
}

Subprocess::~Subprocess() {
  Close(input_);
  Close(output_);
  Close(error_);
  if (child_ < 0) return;
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

void Subprocess::WriteInput(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(input_, text.data(), text.size());
    if (n < 0 && errno == EPIPE) return;
    if (n < 0) throw std::runtime_error("cannot write to the command");
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

void Subprocess::CloseInput() { Close(input_); }
void Subprocess::CloseOutput() { Close(output_); }
void Subprocess::Signal(int signal) { kill(child_, signal); }

void Subprocess::AwaitHandler(int signal) {
  const std::uint64_t bit = std::uint64_t{1} << (signal - 1);
  const auto catches = [&] {
    std::ifstream status("/proc/" + std::to_string(child_) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("SigCgt:")) return (std::stoull(line.substr(7), nullptr, 16) & bit) != 0;
    }
    return false;
  };
  for (const auto deadline = Clock::now() + kDeadline; !catches();) {
    if (Clock::now() > deadline) throw std::runtime_error("the command does not catch the signal");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

bool Subprocess::EndsWithin(std::chrono::milliseconds limit) {
  siginfo_t info{};
  for (const auto deadline = Clock::now() + limit; Clock::now() < deadline;) {
    // It stays there for Wait.
    waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT);
    if (info.si_pid == child_) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

std::string Subprocess::ReadOutput(std::size_t bytes) {
  const auto deadline = Clock::now() + kDeadline;
  std::string text(bytes, '\0');
  std::size_t size = 0;
  while (size < bytes) {
    AwaitReadable(output_, deadline);
    const ssize_t n = read(output_, text.data() + size, bytes - size);
    if (n <= 0) break;
    size += static_cast<std::size_t>(n);
  }
  text.resize(size);
  return text;
}

SubprocessResult Subprocess::Wait() {
  CloseInput();
  const auto deadline = Clock::now() + kDeadline;
  SubprocessResult result;
  while (output_ >= 0 || error_ >= 0) {
    std::array<pollfd, 2> waited{pollfd{output_, POLLIN, 0}, pollfd{error_, POLLIN, 0}};
    if (poll(waited.data(), waited.size(), 1000) < 0) throw std::runtime_error("poll");
    if (Clock::now() > deadline) throw std::runtime_error("the command hangs; it said: " + result.err);
    for (std::size_t i = 0; i < waited.size(); ++i) {
      if (waited[i].revents == 0) continue;
      char bytes[1 << 16];
      const ssize_t n = read(waited[i].fd, bytes, sizeof bytes);
      if (n > 0) {
        (i == 0 ? result.out : result.err).append(bytes, static_cast<std::size_t>(n));
      } else {
        Close(i == 0 ? output_ : error_);
      }
    }
  }
  int status = 0;
  while (waitpid(child_, &status, WNOHANG) == 0) {
    if (Clock::now() > deadline) throw std::runtime_error("the command does not end");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  child_ = -1;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

SubprocessResult RunCommand(const std::vector<std::string>& arguments, std::string_view input,
                            const SubprocessOptions& options) {
  Subprocess command(arguments, options);
  command.WriteInput(input);
  return command.Wait();
}

void ExpectRefused(const SubprocessResult& run, std::string_view part) {
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
  EXPECT_EQ(run.out, "");
}

}  // namespace leafscore::internal
