// The completions of shells: bash completes with them; zsh and fish read them, where they are installed.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/subprocess.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

class CompletionsTest : public ::testing::Test {
 protected:
  // Writes the completions of a shell to a file. RETURNS: its path.
  std::string Completions(const std::string& shell) {
    const SubprocessResult run = RunCommand({"completions", shell});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::string path = folder_ / shell;
    WriteFile(path, run.out);
    return path;
  }

  // Runs a shell command. RETURNS: the lines of its output.
  static std::vector<std::string> LinesOf(const std::string& command, int* status = nullptr) {
    FILE* const pipe = popen(command.c_str(), "r");
    std::string out;
    std::array<char, 4096> buffer;
    while (const std::size_t size = fread(buffer.data(), 1, buffer.size(), pipe))
      out.append(buffer.data(), size);
    const int ended = pclose(pipe);
    if (status != nullptr) *status = ended;
    return SplitLines(out);
  }

  // Returns what bash would offer for the last of the words.
  std::vector<std::string> Offered(const std::string& words, int last) {
    return LinesOf("bash -c '. " + Completions("bash") + "; COMP_WORDS=(" + words + "); COMP_CWORD=" +
                   std::to_string(last) + "; _leafscore; printf \"%s\\n\" \"${COMPREPLY[@]}\"'");
  }

  static bool IsInstalled(const std::string& program) {
    return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
  }

  TempDir folder_;
};

using Words = std::vector<std::string>;

TEST_F(CompletionsTest, BashOffersCommandsOptionsAndValues) {
  EXPECT_EQ(Offered("leafscore le", 1), Words{"leaderboard"});
  EXPECT_EQ(Offered("leafscore score --fail", 2), (Words{"--fail-under", "--fail-on"}));
  EXPECT_EQ(Offered("leafscore score --details \"\"", 3), (Words{"none", "basic", "leaves"}));
  EXPECT_EQ(Offered("leafscore score -s json_si", 3), Words{"json_similarity"});
  EXPECT_EQ(Offered("leafscore scorers rec", 2), Words{"records"});
  EXPECT_EQ(Offered("leafscore judge-cache ex", 2), Words{"export"});
  EXPECT_EQ(Offered("leafscore judge-cache export --out", 3), Words{"--output"});
  EXPECT_EQ(Offered("leafscore score a.js", 2), Words{""});  // bash goes on with the names of files
}

TEST_F(CompletionsTest, EveryOptionOfTheHelpIsThere) {
  const std::string fish = ReadFile(Completions("fish"));
  const std::string zsh = ReadFile(Completions("zsh"));
  for (const std::string& line : SplitLines(RunCommand({"score", "--help"}).out)) {
    const std::size_t begin = line.find("--");
    if (!line.starts_with("  -") || begin == std::string::npos) continue;
    const std::string option = line.substr(begin, line.find_first_of(" ,", begin) - begin);
    EXPECT_NE(zsh.find(option), std::string::npos) << option;
    EXPECT_NE(fish.find(" -l " + option.substr(2) + " "), std::string::npos) << option;
  }
}

TEST_F(CompletionsTest, AFlagTakesNoValue) {
  EXPECT_EQ(RunCommand({"completions", "bash"}).out.find("'score -q')"), std::string::npos);
  EXPECT_NE(RunCommand({"completions", "zsh"}).out.find("{-q,--quiet}'[Print no summary table]' "),
            std::string::npos);
  EXPECT_NE(RunCommand({"completions", "fish"}).out.find(" -s q -l quiet -d "), std::string::npos);
}

TEST_F(CompletionsTest, ShellsReadThem) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string path = Completions(shell);
    if (!IsInstalled(shell)) continue;
    int status = -1;
    LinesOf(shell + " -n " + path + " 2>&1", &status);
    EXPECT_EQ(status, 0) << shell;
  }
}

TEST_F(CompletionsTest, OtherShellsAreRefused) {
  ExpectRefused(RunCommand({"completions", "fisch"}), "did you mean \"fish\"?");
}

}  // namespace
}  // namespace leafscore::internal
