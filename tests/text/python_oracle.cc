#include "text/python_oracle.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "engine/json_text.h"

namespace leafscore {

PythonOracle::PythonOracle(const std::string& script) {
  int questions[2];
  int answers[2];
  if (pipe2(questions, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "pipe2");
  child_ = fork();
  if (child_ == 0) {
    dup2(questions[0], STDIN_FILENO);
    dup2(answers[1], STDOUT_FILENO);
    execlp("python3", "python3", script.c_str(), nullptr);
    _exit(127);
  }
  close(questions[0]);
  close(answers[1]);
  questions_ = fdopen(questions[1], "w");
  answers_ = fdopen(answers[0], "r");
  available_ = ReadLine() == "ready";
}

PythonOracle::~PythonOracle() {
  std::fclose(questions_);
  std::fclose(answers_);
  if (child_ > 0) waitpid(child_, nullptr, 0);
}

std::string PythonOracle::Ask(std::string_view text, const std::string* json) {
  std::string line = "[";
  AppendJsonString(line, text);
  line += ',';
  if (json == nullptr) {
    line += "null";
  } else {
    AppendJsonString(line, *json);
  }
  line += "]\n";
  std::fwrite(line.data(), 1, line.size(), questions_);
  std::fflush(questions_);
  return ReadLine();
}

std::string PythonOracle::ReadLine() {
  std::string line;
  for (int c; (c = std::getc(answers_)) != EOF && c != '\n';) line += static_cast<char>(c);
  return line;
}

}  // namespace leafscore
