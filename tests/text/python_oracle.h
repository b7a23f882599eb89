// tests/text/python_oracle.h: python3 as the reference for Python literals, a process that answers one text
// after the other. Nothing here needs GoogleTest. THREADS: one at a time.
#ifndef LEAFSCORE_TESTS_TEXT_PYTHON_ORACLE_H_
#define LEAFSCORE_TESTS_TEXT_PYTHON_ORACLE_H_

#include <cstdio>
#include <string>
#include <string_view>

namespace leafscore {

class PythonOracle {
 public:
  // Starts python3 with tests/text/python_literal_oracle.py, whose path this is.
  explicit PythonOracle(const std::string& script);
  ~PythonOracle();
  PythonOracle(const PythonOracle&) = delete;
  PythonOracle& operator=(const PythonOracle&) = delete;

  bool available() const { return available_; }

  // Returns what Python says of a text in UTF-8 and the JSON it became (nullptr when it was refused): what
  // the script documents.
  std::string Ask(std::string_view text, const std::string* json);

 private:
  std::string ReadLine();

  int child_ = -1;
  FILE* questions_ = nullptr;
  FILE* answers_ = nullptr;
  bool available_ = false;
};

}  // namespace leafscore

#endif  // LEAFSCORE_TESTS_TEXT_PYTHON_ORACLE_H_
