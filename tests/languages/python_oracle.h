// tests/languages/python_oracle.h: python3 as the reference for Python literals, a process that answers one
// text after another. Nothing here needs GoogleTest. THREADS: one at a time.
#ifndef LEAFSCORE_TESTS_LANGUAGES_PYTHON_ORACLE_H_
#define LEAFSCORE_TESTS_LANGUAGES_PYTHON_ORACLE_H_

#include <optional>
#include <string>
#include <string_view>

#include "engine/process/child_process.h"

namespace leafscore::internal {

class PythonOracle {
 public:
  // Starts python3 with the script at this path, tests/languages/python_literal_oracle.py.
  explicit PythonOracle(const std::string& script);

  bool available() const { return python_.has_value(); }

  // Returns Python's answer about a text in UTF-8 and its JSON (nullptr if it was rejected), as documented in
  // the script. REQUIRES: available().
  std::string Ask(std::string_view text, const std::string* json);

 private:
  std::string Exchange(std::string_view line);

  std::optional<ChildProcess> python_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_LANGUAGES_PYTHON_ORACLE_H_
