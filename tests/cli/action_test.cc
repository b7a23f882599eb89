// The steps of action.yml, run as GitHub runs them: by bash, with the inputs in the environment.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <yaml-cpp/yaml.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "cli/subprocess.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

class ActionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v bash >/dev/null") != 0) GTEST_SKIP() << "there is no bash";
    std::filesystem::create_symlink(LEAFSCORE_COMMAND, folder_ / "leafscore");
    Score("base", "1");
    Score("new one", "1");
    Score("worse", "2");
  }

  // Makes scores of 50 records with this answer, where 1 is right.
  void Score(const std::string& name, const std::string& answer) {
    std::string pairs;
    for (int i = 0; i < 50; ++i) {
      pairs += "{\"id\": " + std::to_string(i) + ", \"expected\": 1, \"actual\": " + answer + "}\n";
    }
    WriteFile(folder_ / "pairs.jsonl", pairs);
    EXPECT_EQ(RunCommand({"score", folder_ / "pairs.jsonl", "-q", "-s", "exact_match", "-o",
                          folder_ / (name + ".jsonl")})
                  .exit_code,
              0);
  }

  // Runs all steps. RETURNS: the exit status of the first that fails, or 0.
  int Run(const std::string& base, const std::string& now, const std::string& args) {
    const YAML::Node action = YAML::LoadFile(LEAFSCORE_SOURCE_DIR "/action.yml");
    EXPECT_EQ(action["runs"]["using"].as<std::string>(), "composite");
    for (const YAML::Node& step : action["runs"]["steps"]) {
      EXPECT_EQ(step["shell"].as<std::string>(), "bash");
      WriteFile(folder_ / "step.sh", step["run"].as<std::string>());
      // No input may be put into the script itself, where it would be code.
      EXPECT_EQ(step["run"].as<std::string>().find("${{"), std::string::npos);
      for (const auto& variable : step["env"]) {
        const auto input = variable.second.as<std::string>();
        const std::string& value = input == "${{ inputs.base }}"  ? base
                                   : input == "${{ inputs.new }}" ? now
                                                                  : args;
        setenv(variable.first.as<std::string>().c_str(), value.c_str(), 1);
      }
      setenv("GITHUB_STEP_SUMMARY", (folder_ / "summary.md").c_str(), 1);
      const std::string folder = folder_ / "";
      // As GitHub runs steps whose shell is bash.
      const int status = std::system(("cd '" + folder +
                                      "' && PATH=\"$PWD:$PATH\" bash --noprofile --norc -eo pipefail "
                                      "step.sh >>out.txt 2>err.txt")
                                         .c_str());
      if (status != 0) return WEXITSTATUS(status);
    }
    return 0;
  }

  TempDir folder_;
};

TEST_F(ActionTest, HoldsWhereNothingGotWorse) {
  EXPECT_EQ(Run("base.jsonl", "new one.jsonl\n", "--fail-on regressed"), 0) << ReadFile(folder_ / "err.txt");
  EXPECT_TRUE(ReadFile(folder_ / "summary.md").starts_with("## ")) << ReadFile(folder_ / "summary.md");
  EXPECT_NE(ReadFile(folder_ / "out.txt").find("\n::notice title=leafscore compare::"), std::string::npos);
}

TEST_F(ActionTest, FailsWhereOneFileGotWorse) {
  EXPECT_EQ(Run("base.jsonl", "new one.jsonl\nworse.jsonl", "--fail-on regressed\n  -o comparison.xml"), 1)
      << ReadFile(folder_ / "err.txt");
  EXPECT_TRUE(
      ReadFile(folder_ / "summary.md").starts_with("## regressed\n\nexact\\_match in worse.jsonl went from "))
      << ReadFile(folder_ / "summary.md");
  EXPECT_NE(
      ReadFile(folder_ / "out.txt").find("\n::error title=leafscore compare::fail-on regressed, exact_match"),
      std::string::npos);
  EXPECT_NE(ReadFile(folder_ / "comparison.xml").find("<failure message="), std::string::npos);
}

TEST_F(ActionTest, InputsAreNoCode) {
  EXPECT_EQ(Run("$(touch ran)", "`touch ran`", "; touch ran *"), 2) << ReadFile(folder_ / "out.txt");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "ran"));
  EXPECT_EQ(Run("base.jsonl", "new one.jsonl", ""), 0) << ReadFile(folder_ / "err.txt");
}

}  // namespace
}  // namespace leafscore::internal
