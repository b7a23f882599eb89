// The help of every command: how wide and in which order it is, and what it does without.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/subprocess.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

std::string HelpOf(std::vector<std::string> command) {
  command.emplace_back("--help");
  const SubprocessResult help = RunCommand(command);
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.err, "");
  return help.out;
}

// Returns the names in the sections of commands, which begin after the options of `help`.
std::vector<std::string> CommandsIn(const std::string& help) {
  std::vector<std::string> names;
  const std::string listed = help.substr(0, help.find("\nExamples:"));
  for (const std::string& line : SplitLines(listed)) {
    if (line.starts_with("  ") && line.size() > 2 && line[2] >= 'a' && line[2] <= 'z')
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return names;
}

std::vector<std::vector<std::string>> AllCommands() {
  std::vector<std::vector<std::string>> commands = {{}};
  for (const std::string& name : CommandsIn(HelpOf({}))) {
    commands.push_back({name});
    if (name != "judge-cache") continue;
    for (const std::string& part : CommandsIn(HelpOf({name}))) commands.push_back({name, part});
  }
  return commands;
}

bool Has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

TEST(Help, ListsTheCommands) {
  const std::vector<std::string> names = CommandsIn(HelpOf({}));
  EXPECT_GE(names.size(), 14u);
  for (const std::string name : {"score", "lint", "judge-cache", "scorers"}) {
    EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
  }
}

TEST(Help, LinesFitHundredColumns) {
  for (const std::vector<std::string>& command : AllCommands()) {
    for (const std::string& line : SplitLines(HelpOf(command))) EXPECT_LE(line.size(), 100u) << line;
  }
}

TEST(Help, SaysNoneOfTheWordsOfItsLibrary) {
  for (const std::vector<std::string>& command : AllCommands()) {
    const std::string help = HelpOf(command);
    for (const std::string_view word :
         {"Needs:", "Excludes:", "UINT", "FLOAT", " TEXT", " in [", "REQUIRED"}) {
      EXPECT_FALSE(Has(help, word)) << word << " in " << help;
    }
  }
}

TEST(Help, EndsWithThreeExamplesOfTheCommand) {
  for (const std::vector<std::string>& command : AllCommands()) {
    if (command.empty()) continue;
    const std::string help = HelpOf(command);
    const std::size_t begin = help.find("\nExamples:\n");
    ASSERT_NE(begin, std::string::npos) << help;
    const std::vector<std::string> examples = SplitLines(help.substr(begin + 11));
    EXPECT_EQ(examples.size(), 3u) << help;
    for (const std::string& example : examples)
      EXPECT_TRUE(Has(example, "leafscore " + command[0])) << example;
  }
}

// Returns the options among the words of a text.
std::vector<std::string> OptionsIn(const std::string& text) {
  std::vector<std::string> options;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string word = text.substr(at, end - at);
    if (word.size() > 1 && word[0] == '-') options.push_back(word);
    at = end + 1;
  }
  return options;
}

TEST(Help, ExamplesUseOptionsThatThereAre) {
  for (const std::string command : {"score", "evaluate", "merge", "explain", "compare", "leaderboard",
                                    "judge-check", "lint", "plan-test", "import"}) {
    const std::string help = HelpOf({command});
    const std::size_t begin = help.find("\nExamples:\n");
    for (const std::string& option : OptionsIn(help.substr(begin))) {
      if (!option.starts_with("--")) continue;
      EXPECT_TRUE(Has(help.substr(0, begin), option + " ")) << command << " " << option;
    }
  }
}

TEST(Help, GroupsComeInOneOrder) {
  const std::string help = HelpOf({"score"});
  std::size_t before = 0;
  for (const std::string_view title :
       {"\nArguments:\n", "\nInput:\n", "\nFields of a record:\n", "\nGold:\n", "\nScorers:\n", "\nOutput:\n",
        "\nGates:\n", "\nComparison (with --compare-to):\n",
        "\nGates on the comparison (with --compare-to):\n", "\nJudges:\n", "\nLimits:\n", "\nMachine:\n",
        "\nOther options:\n"}) {
    const std::size_t at = help.find(title);
    ASSERT_NE(at, std::string::npos) << title << help;
    EXPECT_GT(at, before) << title;
    before = at;
  }
}

TEST(Help, RangesAreInWords) {
  const std::string help = HelpOf({"score"});
  EXPECT_TRUE(Has(help, "[default: 64 MiB; 2 B to 1 GiB]")) << help;
  EXPECT_TRUE(Has(help, "[default: 1,024; 1 to 1,024]")) << help;
}

TEST(Help, ExitStatusesAreToldOnce) {
  for (const std::vector<std::string>& command : AllCommands()) {
    EXPECT_EQ(Has(HelpOf(command), "Exit status:"), command.empty());
  }
}

TEST(Help, TheManualPageHasEveryCommandAndOption) {
  const SubprocessResult page = RunCommand({"--man"});
  EXPECT_EQ(page.exit_code, 0);
  EXPECT_EQ(page.out.find(".TH LEAFSCORE 1 "), 0u);
  for (const std::vector<std::string>& command : AllCommands()) {
    std::string name = "leafscore";
    for (const std::string& part : command) name += " " + part;
    std::string escaped;
    for (const char c : name) escaped += c == '-' ? "\\-" : std::string(1, c);
    EXPECT_TRUE(Has(page.out, escaped + " ")) << escaped;
  }
  EXPECT_TRUE(Has(page.out, ".TP\n.B \\-o, \\-\\-output FILE\n"));
  EXPECT_FALSE(Has(HelpOf({}), "--man"));
}

TEST(Help, UsageNamesWhatIsRequired) {
  EXPECT_TRUE(Has(HelpOf({"generate"}), "Usage: leafscore generate --pairs N [OPTIONS]\n"));
  EXPECT_TRUE(Has(HelpOf({"plan-test"}), "Usage: leafscore plan-test [OPTIONS] [files...]\n"));
  EXPECT_TRUE(Has(HelpOf({"lint"}), "Usage: leafscore lint [OPTIONS] gold [answers...]\n"));
}

}  // namespace
}  // namespace leafscore::internal
