#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "cli/subprocess.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;

// Folders of programs, which are made the PATH.
class ExternalCommand : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(folder_); }

  // Makes a program of a script.
  std::string Add(const std::string& folder, const std::string& name, const std::string& script,
                  bool executable = true) {
    const fs::path path = folder_ / folder / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << script;
    if (executable) fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }
  SubprocessResult Run(const std::vector<std::string>& arguments,
                       const std::string& command = LEAFSCORE_COMMAND) const {
    const std::string path = (folder_ / "first").string() + "::" + (folder_ / "second").string() + ":/bin";
    return RunCommand(arguments, "", {.environment = {"PATH=" + path}, .command = command});
  }

  // The command where no program lies beside it but those that are added to the folder "alone".
  std::string Alone() const {
    const fs::path command = folder_ / "alone" / "leafscore";
    fs::create_directories(command.parent_path());
    fs::copy_file(LEAFSCORE_COMMAND, command, fs::copy_options::skip_existing);
    return command.string();
  }

 private:
  fs::path folder_ = fs::path(testing::TempDir()) / ("external-" + std::to_string(getpid()));
};

TEST_F(ExternalCommand, RunsTheFirstProgramOnThePathWithItsArguments) {
  const std::string program = Add("first", "leafscore-greet", "#!/bin/sh\necho \"$0: $# $1\"\nexit 7\n");
  Add("second", "leafscore-greet", "#!/bin/sh\necho second\n");
  const SubprocessResult result = Run({"greet", "good day", "--help"});
  EXPECT_EQ(result.out, program + ": 2 good day\n");
  EXPECT_EQ(result.exit_code, 7);
}

TEST_F(ExternalCommand, WithoutACommandTheProgramsThatAreThereAreNamed) {
  const std::string before = Run({}, Alone()).err;
  EXPECT_EQ(before.find("of the Python package"), std::string::npos) << before;
  Add("alone", "leafscore-report", "#!/bin/sh\n");
  Add("second", "leafscore-convert", "#!/bin/sh\n");
  Add("second", "leafscore-greet", "#!/bin/sh\n");
  const SubprocessResult result = Run({}, Alone());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("; of the Python package: convert, report\n"), std::string::npos) << result.err;
}

TEST_F(ExternalCommand, ProgramsDieOfClosedPipesAsUsual) {
  Add("first", "leafscore-signals", "#!/bin/sh\ngrep SigIgn /proc/self/status\n");
  const std::string out = Run({"signals"}).out;
  ASSERT_EQ(out.rfind("SigIgn:\t", 0), 0) << out;
  // Whoever runs the tests may ignore other signals, as nohup does.
  const auto ignored = std::stoull(out.substr(8), nullptr, 16);
  EXPECT_EQ(ignored & (1ULL << (SIGPIPE - 1) | 1ULL << (SIGXFSZ - 1)), 0) << out;
}

TEST_F(ExternalCommand, TheCommandsOwnNamesComeFirst) {
  Add("first", "leafscore-scorers", "#!/bin/sh\necho mine\n");
  EXPECT_EQ(Run({"scorers"}).out.find("mine"), std::string::npos);
}

TEST_F(ExternalCommand, WithoutAProgramTheNameIsUnknown) {
  ExpectRefused(Run({"sccore"}), "unknown command \"sccore\"; did you mean \"score\"?");
  EXPECT_EQ(Run({"../greet"}).exit_code, 2);
  EXPECT_EQ(Run({""}).exit_code, 2);
}

// They were unknown commands where an environment was not activated: its programs lie beside the command, and
// need not be on the PATH.
TEST_F(ExternalCommand, ProgramsBesideTheCommandAreFoundHoweverItIsCalled) {
  const std::string program = Add("alone", "leafscore-report", "#!/bin/sh\necho \"$0: $1\"\n");
  Add("first", "leafscore-report", "#!/bin/sh\necho another environment\n");
  EXPECT_EQ(Run({"report", "a.jsonl"}, Alone()).out, program + ": a.jsonl\n");
  const std::string link = Add("elsewhere", "other", "") + "-leafscore";
  fs::create_symlink(Alone(), link);
  EXPECT_EQ(Run({"report", "b.jsonl"}, link).out, program + ": b.jsonl\n");
}

TEST_F(ExternalCommand, HelpListsTheProgramsOfThePythonPackage) {
  const std::string help = Run({"--help"}).out;
  for (const std::string name : {"bench", "convert", "mcp", "report"}) {
    EXPECT_NE(help.find("\n  " + name + "  "), std::string::npos) << help;
  }
  EXPECT_NE(help.find("pip install ."), std::string::npos);
}

// It was an unknown command: did you mean "import"?
TEST_F(ExternalCommand, AProgramOfThePythonPackageIsNamedAsSuch) {
  for (const std::string name : {"bench", "convert", "mcp", "report"}) {
    const SubprocessResult result = Run({name}, Alone());
    ExpectRefused(result, "leafscore " + name + " is a program of the Python package");
    EXPECT_NE(result.err.find("`pip install .` in leafscore's sources brings it"), std::string::npos)
        << result.err;
  }
}

TEST_F(ExternalCommand, OneThatCannotBeExecutedIsToldUnlessAnotherCan) {
  const std::string program = Add("first", "leafscore-greet", "#!/bin/sh\n", /*executable=*/false);
  const SubprocessResult result = Run({"greet"});
  EXPECT_EQ(result.err, "leafscore: " + program + " cannot be executed: Permission denied\n");
  EXPECT_EQ(result.exit_code, 2);
  Add("second", "leafscore-greet", "#!/bin/sh\necho second\n");
  EXPECT_EQ(Run({"greet"}).out, "second\n");
}

}  // namespace
}  // namespace leafscore::internal
