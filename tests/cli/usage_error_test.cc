// Command lines that are nearly right: what the command says about them.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <string>
#include <vector>

#include "cli/subprocess.h"
#include "leafscore/plan.h"
#include "leafscore/version.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

// Returns what standard error has of a command line that is refused.
std::string Refusal(const std::vector<std::string>& arguments) {
  const SubprocessResult run = RunCommand(arguments);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  return run.err;
}

TEST(UsageError, UnknownOptionsAreSuggested) {
  EXPECT_EQ(Refusal({"score", "a.jsonl", "--scorrer", "levenshtein"}),
            "leafscore: leafscore score has no option \"--scorrer\"; did you mean \"--scorer\"?\n");
  EXPECT_EQ(Refusal({"score", "a.jsonl", "--fail-unter=0.9"}),
            "leafscore: leafscore score has no option \"--fail-unter\"; did you mean \"--fail-under\"?\n");
  EXPECT_EQ(Refusal({"--versoin"}),
            "leafscore: leafscore has no option \"--versoin\"; did you mean \"--version\"?\n");
}

TEST(UsageError, OptionsOfOtherCommandsAreSaidToBeTheirs) {
  EXPECT_EQ(
      Refusal({"leaderboard", "a.jsonl", "--pass-score", "0.5"}),
      "leafscore: leafscore leaderboard has no option \"--pass-score\", but these commands have it: lint\n");
  EXPECT_EQ(
      Refusal({"check", "c.yaml", "--zebra"}),
      "leafscore: leafscore check has no option \"--zebra\"; `leafscore check --help` lists its options\n");
}

TEST(UsageError, AnArgumentTooManySaysWhatToDo) {
  EXPECT_EQ(Refusal({"check", "a.yaml", "b.yaml"}),
            "leafscore: unexpected argument \"b.yaml\": leafscore check takes only config and options; leave "
            "it out, "
            "name its option, or quote a text that holds blanks\n");
  EXPECT_EQ(Refusal({"generate", "--pairs", "1", "out.jsonl"}),
            "leafscore: unexpected argument \"out.jsonl\": leafscore generate takes options only; leave it "
            "out, name "
            "its option, or quote a text that holds blanks\n");
}

TEST(UsageError, CommandsAreSuggested) {
  EXPECT_EQ(Refusal({"judge-cache", "exprot", "a.db"}),
            "leafscore: unknown command \"exprot\"; did you mean \"export\"? valid: ls, verify, drop, "
            "export, import\n");
  EXPECT_EQ(
      Refusal({"judge-cache"}),
      "leafscore: name a command: ls, verify, drop, export, import; `leafscore judge-cache --help` explains "
      "them\n");
  EXPECT_NE(Refusal({}).find("name a command: score, "), std::string::npos);
}

TEST(UsageError, OtherErrorsNameTheHelp) {
  EXPECT_EQ(Refusal({"score"}),
            "leafscore: inputs is required; `leafscore score --help` explains the options\n");
}

TEST(UsageError, ScorersAndTheirOptionsAreSuggested) {
  EXPECT_NE(Refusal({"score", "a.jsonl", "-s", "json_similarty"}).find("did you mean \"json_similarity\"?"),
            std::string::npos);
  const std::string error = Refusal({"score", "a.jsonl", "-s", "json_similarity:number_tolerence=0.1"});
  EXPECT_EQ(error.find("leafscore: scorer \"json_similarity\" (json_similarity): unknown option "
                       "\"number_tolerence\"; did you mean \"number_tolerance\"?"),
            0u)
      << error;
  EXPECT_NE(Refusal({"scorers", "json_simlarity"}).find("did you mean \"json_similarity\"?"),
            std::string::npos);
}

TEST(UsageError, MembersOfAConfigurationAreSuggested) {
  const TempDir folder;
  const std::string config = folder / "c.yaml";
  WriteFile(config, "evaluator:\n  - type: levenshtein\n");
  EXPECT_NE(
      Refusal({"check", config}).find("c.yaml:1: unknown member \"evaluator\"; did you mean \"evaluators\"?"),
      std::string::npos);
  WriteFile(config, "evaluators:\n  - typ: levenshtein\n");
  EXPECT_NE(
      Refusal({"check", config}).find("c.yaml:2: a scorer without a type; did you mean \"type\" by \"typ\"?"),
      std::string::npos)
      << Refusal({"check", config});
}

TEST(Version, IsAlsoJson) {
  const SubprocessResult run = RunCommand({"--version", "--json"});
  EXPECT_EQ(run.exit_code, 0);
  rapidjson::Document version;
  ASSERT_FALSE(version.Parse(run.out.c_str()).HasParseError()) << run.out;
  EXPECT_EQ(version["leafscore"].GetString(), std::string(Version()));
  for (const char* const part : {"edit_distances", "json_tokens"}) {
    const std::string in_use = version[part]["in_use"].GetString();
    bool is_built_in = false;
    for (const auto& name : version[part]["built_in"].GetArray()) is_built_in |= name.GetString() == in_use;
    EXPECT_TRUE(is_built_in) << in_use;
  }
  EXPECT_EQ(RunCommand({"--json", "--version"}).out, run.out);
  EXPECT_NE(Refusal({"--json"}).find("--json requires --version"), std::string::npos);
}

}  // namespace
}  // namespace leafscore::internal
