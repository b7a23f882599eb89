#include "languages/python_oracle.h"

#include <chrono>

#include "engine/json/json_text.h"

namespace leafscore::internal {

PythonOracle::PythonOracle(const std::string& script) {
  const std::string path = FindProgram("python3", "/");
  if (path.empty()) return;
  python_.emplace(ProgramSpec{path, {"python3", script}, "/", 1ull << 40});
  if (Exchange("") != "ready") python_.reset();
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
  return Exchange(line);
}

// Writes a line, or nothing, and returns the line that comes back.
std::string PythonOracle::Exchange(std::string_view line) {
  constexpr TurnLimits kLimits{std::chrono::minutes(5), 1u << 30};
  if (python_->ExchangeLine(line, kLimits) != TurnEnd::kLine) return std::string(python_->error_tail());
  return std::string(python_->output());
}

}  // namespace leafscore::internal
