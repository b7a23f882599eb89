// What python3 itself says of thousands of literals, and of as many that are damaged.
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <string>

#include "engine/json_text.h"
#include "engine/text/python_literal.h"
#include "text/python_literal_generator.h"

namespace leafscore {
namespace {

// Runs a shell command. Returns its exit code and appends what it prints.
int RunShell(const std::string& command, std::string& output) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return -1;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) != 0;)
    output.append(buffer.data(), n);
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(PythonLiteralOracle, AgreesWithPython) {
  std::string output;
  if (RunShell("python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>&1", output) != 0)
    GTEST_SKIP() << "needs python3, 3.9 or later: " << output;

  constexpr int kLiterals = 20000;
  const std::string path = testing::TempDir() + "python_literals_" + std::to_string(getpid()) + ".jsonl";
  std::ofstream file(path);
  corpus::Random random(20250301, 0);
  for (int i = 0; i < kLiterals; ++i) {
    std::string text = RandomPythonLiteral(random);
    if (i % 2 == 1) text = DamagedPythonLiteral(text, random);
    std::string line = "[";
    AppendJsonString(line, text);
    line += ',';
    std::string json;
    if (PythonLiteralToJson(text, json)) {
      AppendJsonString(line, json);
    } else {
      line += "null";
    }
    file << line << "]\n";
  }
  file.close();
  ASSERT_TRUE(file.good()) << path;

  output.clear();
  const std::string script = LEAFSCORE_TEST_DATA "/../text/python_literal_oracle.py";
  EXPECT_EQ(RunShell("python3 '" + script + "' < '" + path + "' 2>&1", output), 0) << output;
  EXPECT_TRUE(output.starts_with(std::to_string(kLiterals) + " checked")) << output;
  std::remove(path.c_str());
}

}  // namespace
}  // namespace leafscore
