// Runs of the command that are killed, and go on.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cli/counting_judge.h"
#include "cli/subprocess.h"
#include "engine/base/packed_bytes.h"
#include "engine/process/child_process.h"
#include "engine/run/run_journal.h"
#include "run/run_testing.h"
#include "sanitized.h"

namespace leafscore::internal {
namespace {

class ResumeCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string records;
    for (int i = 0; i < 20000; ++i) {
      const std::string n = std::to_string(i * 7919 % 100003);
      records += R"({"id": )" + std::to_string(i) + R"(, "model": "m)" + std::to_string(i % 5) +
                 R"(", "expected": {"total": )" + n + R"(, "name": "name )" + n +
                 R"(" }, "actual": {"total": )" + n + R"(, "name": "mane )" + n + "\"}}\n";
    }
    WriteFile(input_, records);
  }

  std::vector<std::string> Arguments(const std::string& output) const {
    return {"score",
            input_,
            "-s",
            "json_similarity",
            "-s",
            "levenshtein",
            "-o",
            folder_ / output,
            "-q",
            "--group-by",
            "model",
            "--batch-bytes",
            "20000",
            "--summary",
            folder_ / "summary.json"};
  }

  // The summary, but for times.
  std::string Summary() const {
    std::string kept;
    for (const std::string& line : SplitLines(ReadFile(folder_ / "summary.json"))) {
      if (line.find("seconds") == std::string::npos && line.find("per_second") == std::string::npos)
        kept += line + "\n";
    }
    return kept;
  }

  // Kills the run to an output again and again, each time a little later, until one ends by itself.
  // RETURNS: the number of kills.
  int KillUntilDone(const std::string& output, int signal) {
    std::mt19937 random(12);
    std::vector<std::string> arguments = Arguments(output);
    arguments.emplace_back("--resume");
    for (int kills = 0;; ++kills) {
      Subprocess command(arguments);
      const std::chrono::milliseconds life(5 + random() % 20 + 3 * static_cast<unsigned>(kills));
      if (!command.EndsWithin(life)) command.Signal(signal);
      const SubprocessResult run = command.Wait();
      if (run.exit_code == 0) return kills;
      const bool by_signal = run.signal == signal || run.exit_code == 130;
      EXPECT_TRUE(by_signal) << run.exit_code << " " << run.err;
      if (!by_signal) return kills;
    }
  }

  // Returns the names of files that runs left which did not end.
  std::vector<std::string> Unfinished() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / ".")) {
      const std::string name = entry.path().filename();
      const bool is_unfinished =
          name.find(".partial") != std::string::npos || name.find(".journal") != std::string::npos;
      if (is_unfinished) names.push_back(name);
    }
    return names;
  }

  const TempDir folder_;
  const std::string input_ = folder_ / "in.jsonl";
};

TEST_F(ResumeCommandTest, KilledAtAnyMomentTheEndHasTheSameBytes) {
  for (const std::string output : {"out.csv.gz", "out.jsonl", "out.jsonl.zst"}) {
    if (kSanitized && output != "out.csv.gz") break;
    ASSERT_EQ(RunCommand(Arguments(output)).exit_code, 0);
    const std::string whole = ReadFile(folder_ / output);
    const std::string manifest = ReadFile(folder_ / (output + ".manifest.json"));
    const std::string summary = Summary();
    for (const int signal : {SIGKILL, SIGINT}) {
      std::filesystem::remove(folder_ / output);
      std::filesystem::remove(folder_ / (output + ".manifest.json"));
      for (const std::string& name : Unfinished()) std::filesystem::remove(folder_ / name);
      EXPECT_GT(KillUntilDone(output, signal), 0);
      EXPECT_TRUE(ReadFile(folder_ / output) == whole) << output;
      EXPECT_EQ(ReadFile(folder_ / (output + ".manifest.json")), manifest);
      EXPECT_EQ(Summary(), summary);
      // SIGKILL can come when there are bytes and no entry in the journal yet: the next run names such a file
      // and leaves it, as nothing proves whose it is.
      if (signal != SIGKILL) {
        EXPECT_EQ(Unfinished(), std::vector<std::string>());
      }
    }
  }
}

TEST_F(ResumeCommandTest, AFullDiskKeepsWhatIsThereAndTheRunGoesOn) {
  ASSERT_EQ(RunCommand(Arguments("out.jsonl")).exit_code, 0);
  const std::string whole = ReadFile(folder_ / "out.jsonl");
  std::filesystem::remove(folder_ / "out.jsonl");
  const SubprocessResult full = RunCommand(Arguments("out.jsonl"), {}, {.max_file_size = 300000});
  EXPECT_EQ(full.exit_code, 2);
  EXPECT_NE(full.err.find("out.jsonl.partial; --resume goes on with them"), std::string::npos) << full.err;
  std::vector<std::string> arguments = Arguments("out.jsonl");
  arguments.emplace_back("--resume");
  const SubprocessResult run = RunCommand(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("went on after "), std::string::npos) << run.err;
  EXPECT_TRUE(ReadFile(folder_ / "out.jsonl") == whole);
}

// It is made anew from the journal, which has its lines.
TEST_F(ResumeCommandTest, CountsAddUpWhereACompressedOutputCannotBeMadeAnew) {
  std::vector<std::string> arguments = Arguments("out.jsonl.gz");
  arguments.emplace_back("--resume");
  for (const std::uint64_t size : {80000u, 10000u}) {
    const SubprocessResult full = RunCommand(arguments, {}, {.max_file_size = size});
    EXPECT_EQ(full.exit_code, 2);
    EXPECT_EQ(full.err.find("DO NOT ADD UP"), std::string::npos) << full.err;
  }
  EXPECT_EQ(RunCommand(arguments).exit_code, 0);
}

// Each run that was interrupted left one more.
TEST_F(ResumeCommandTest, TheSummaryOfAnInterruptedRunIsReplacedByTheNext) {
  std::vector<std::string> arguments = Arguments("out.jsonl");
  arguments.emplace_back("--resume");
  const auto partial_summaries = [&] {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / ".")) {
      count += entry.path().filename().string().starts_with("summary.json.") ? 1 : 0;
    }
    return count;
  };
  for (const std::uint64_t size : {300000u, 400000u, 500000u, 600000u}) {
    const SubprocessResult full = RunCommand(arguments, {}, {.max_file_size = size});
    EXPECT_EQ(full.exit_code, 2);
    EXPECT_NE(full.err.find("a summary, also of scores that could not be written, is in "), std::string::npos)
        << full.err;
    EXPECT_EQ(partial_summaries(), 1) << size;
  }
  const SubprocessResult run = RunCommand(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err.find("left as it is"), std::string::npos) << run.err;
  EXPECT_EQ(partial_summaries(), 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.jsonl.journal"));
}

// Nor where there is no journal.
TEST_F(ResumeCommandTest, AFullDiskLeavesNoMoreFilesEachTime) {
  const std::vector<std::string> arguments = Arguments("out.jsonl.gz");
  const auto partial_summaries = [&] {
    std::vector<std::string> names = Unfinished();
    std::erase_if(names, [](const std::string& name) { return !name.starts_with("summary.json."); });
    std::ranges::sort(names);
    return names;
  };
  for (const std::string expected :
       {"summary.json.partial", "summary.json.partial-2", "summary.json.partial"}) {
    const SubprocessResult full = RunCommand(arguments, {}, {.max_file_size = 20000});
    EXPECT_EQ(full.exit_code, 2);
    EXPECT_NE(full.err.find("could not be written, is in " + (folder_ / expected)), std::string::npos)
        << full.err;
    EXPECT_EQ(partial_summaries(), std::vector{expected});
  }
  EXPECT_TRUE(ReadFile(folder_ / "summary.json.partial").ends_with(",\n  \"ended_early\": true\n}\n"));
  EXPECT_EQ(RunCommand(arguments).exit_code, 0);
  EXPECT_EQ(partial_summaries(), std::vector<std::string>());
}

TEST_F(ResumeCommandTest, ASummaryThatWasChangedIsTheUsers) {
  std::vector<std::string> arguments = Arguments("out.jsonl");
  ASSERT_EQ(RunCommand(arguments, {}, {.max_file_size = 300000}).exit_code, 2);
  const std::string kept = folder_ / "summary.json.partial";
  const std::string summary = ReadFile(kept);
  ASSERT_NE(summary, "");
  WriteFile(kept, summary + "my notes");
  arguments.emplace_back("--resume");
  // Where the run does not go on, nothing is removed either.
  std::vector<std::string> other = arguments;
  other.insert(other.end(), {"--max-depth", "7"});
  ASSERT_EQ(RunCommand(other).exit_code, 2);
  ASSERT_EQ(RunCommand(arguments).exit_code, 0);
  EXPECT_EQ(ReadFile(kept), summary + "my notes");
}

TEST_F(ResumeCommandTest, ARefusalTouchesNoFile) {
  const std::string gz = Gzip(R"({"id": "z", "expected": "abc", "actual": "abc"})");
  for (const std::string output : {"out.jsonl", "out.jsonl.gz"}) {
    std::vector<std::string> arguments = Arguments(output);
    arguments.insert(arguments.begin() + 2, folder_ / "b.gz");
    arguments.emplace_back("--resume");
    WriteFile(folder_ / "b.gz", gz.substr(0, gz.size() - 1));
    ASSERT_EQ(RunCommand(arguments).exit_code, 2);
    WriteFile(folder_ / "b.gz", gz);
    const std::string input = ReadFile(input_);
    std::string changed = input;
    changed[changed.find("mane 0")] = 'n';
    WriteFile(input_, changed);
    const auto files = [&] {
      std::map<std::string, std::string> there;
      for (const auto& entry : std::filesystem::directory_iterator(folder_ / ".")) {
        there[entry.path().filename()] = ReadFile(entry.path());
      }
      return there;
    };
    const std::map<std::string, std::string> before = files();
    ASSERT_TRUE(before.contains(output + ".journal") && before.contains("summary.json.partial"));
    const SubprocessResult run = RunCommand(arguments);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find("in.jsonl changed since the earlier run"), std::string::npos) << run.err;
    EXPECT_TRUE(files() == before) << output;
    WriteFile(input_, input);
    EXPECT_EQ(RunCommand(arguments).exit_code, 0);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "summary.json.partial"));
  }
}

TEST_F(ResumeCommandTest, WhatCannotBeGoneOnWithIsToldAndStays) {
  std::vector<std::string> arguments = Arguments("out.jsonl");
  ASSERT_EQ(RunCommand(arguments, {}, {.max_file_size = 300000}).exit_code, 2);
  arguments.emplace_back("--resume");
  const std::string journal = folder_ / "out.jsonl.journal";
  const std::string partial = folder_ / "out.jsonl.partial";
  const std::string whole = ReadFile(journal);
  const std::string lines = ReadFile(partial);
  std::string damaged = whole;
  damaged[100] ^= 1;
  std::string other_head;
  PackedWriter(other_head).Text("leafscore journal 11");
  const auto expect_told = [&](const std::string& with_journal, const std::string& with_lines,
                               const std::string& told) {
    WriteFile(journal, with_journal);
    WriteFile(partial, with_lines);
    const SubprocessResult run = RunCommand(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(run.err.find("--resume starts over: " + told), std::string::npos) << run.err;
    EXPECT_EQ(run.err.find("nothing to go on with"), std::string::npos) << run.err;
    EXPECT_EQ(ReadFile(journal), with_journal);
    EXPECT_EQ(ReadFile(partial), with_lines);
  };
  expect_told(damaged, lines,
              journal + " is damaged, or is not leafscore's; existing files stay as they are");
  expect_told("", lines, journal + " is damaged, or is not leafscore's");
  expect_told(FramedPart(other_head), lines, journal + " is from another version of leafscore");
  expect_told(whole, lines.substr(0, 10), partial + " does not match " + journal + ";");
  // Such a journal says nothing of the options, either.
  std::vector<std::string> other = arguments;
  other.insert(other.end(), {"--max-depth", "7"});
  std::swap(arguments, other);
  expect_told(whole, lines.substr(0, 10), partial + " does not match " + journal + ";");
  std::swap(arguments, other);
  std::filesystem::remove(journal);
  const SubprocessResult anew = RunCommand(arguments);
  EXPECT_EQ(anew.err.find("starts over"), std::string::npos) << anew.err;
  EXPECT_NE(anew.err.find("there was nothing to go on with: scored from the start"), std::string::npos)
      << anew.err;
  WriteFile(journal, whole);
  WriteFile(partial, lines);
  const SubprocessResult run = RunCommand(arguments);
  EXPECT_EQ(run.err.find("starts over"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("went on after"), std::string::npos) << run.err;
}

// What an input's end has cut off is not kept when that was not its end.
TEST_F(ResumeCommandTest, ARecordThatWasCutOffIsScoredAgain) {
  const std::string good = R"({"id": 1, "expected": "abc", "actual": "abc"})";
  const std::string damaged = Gzip(good);
  WriteFile(folder_ / "b.gz", damaged.substr(0, damaged.size() - 1));
  const std::string output = folder_ / "out.jsonl";
  const std::vector<std::string> arguments = {
      "score", folder_ / "a.jsonl", folder_ / "b.gz", "-q", "-s", "levenshtein", "-o", output, "--resume"};
  for (const bool first_input : {true, false}) {
    const std::string cut = good + "\n" + good.substr(0, good.size() - 5);
    const std::string cut_off = Gzip(cut).substr(0, Gzip(cut).size() - 1);
    WriteFile(folder_ / "a.jsonl", first_input ? cut : good + "\n");
    WriteFile(folder_ / "b.gz", first_input ? damaged.substr(0, damaged.size() - 1) : cut_off);
    ASSERT_EQ(RunCommand(arguments).exit_code, 2);
    WriteFile(folder_ / "a.jsonl", first_input ? good + "\n" + good : good + "\n");
    WriteFile(folder_ / "b.gz", Gzip(good + "\n" + good));
    const SubprocessResult run = RunCommand(arguments);
    if (first_input) {
      EXPECT_EQ(run.exit_code, 2);
      EXPECT_NE(run.err.find("a.jsonl changed since the earlier run"), std::string::npos) << run.err;
      std::filesystem::remove(output + ".partial");
      std::filesystem::remove(output + ".journal");
    } else {
      EXPECT_EQ(run.exit_code, 0) << run.err;
      const std::string scores = ReadFile(output);
      EXPECT_EQ(SplitLines(scores).size(), 3u) << scores;
      EXPECT_EQ(scores.find("error"), std::string::npos) << scores;
    }
  }
}

TEST_F(ResumeCommandTest, AnOutputIsFoundFromAnyFolderAndBehindALink) {
  ASSERT_EQ(RunCommand(Arguments("out.jsonl")).exit_code, 0);
  const std::string whole = ReadFile(folder_ / "out.jsonl");
  std::filesystem::remove(folder_ / "out.jsonl");
  ASSERT_EQ(RunCommand(Arguments("out.jsonl"), {}, {.max_file_size = 300000}).exit_code, 2);
  std::filesystem::create_directory(folder_ / "sub");
  const auto resume_to = [&](const std::string& output) {
    std::vector<std::string> arguments = Arguments("");
    *std::ranges::find(arguments, folder_ / "") = output;
    arguments.emplace_back("--resume");
    return RunCommand(arguments);
  };
  const SubprocessResult run = resume_to(folder_ / "sub/../out.jsonl");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("went on after"), std::string::npos) << run.err;
  EXPECT_TRUE(ReadFile(folder_ / "out.jsonl") == whole);
  std::filesystem::create_symlink(folder_ / "out.jsonl", folder_ / "link.jsonl");
  ASSERT_EQ(RunCommand(Arguments("link.jsonl"), {}, {.max_file_size = 300000}).exit_code, 2);
  const SubprocessResult behind = resume_to(folder_ / "out.jsonl");
  EXPECT_NE(behind.err.find("went on after"), std::string::npos) << behind.err;
  EXPECT_TRUE(ReadFile(folder_ / "out.jsonl") == whole);
}

// Nothing but what the run itself has made is gone on with.
TEST_F(ResumeCommandTest, AFileThatIsLinkedElsewhereIsNotCut) {
  ASSERT_EQ(RunCommand(Arguments("out.jsonl"), {}, {.max_file_size = 300000}).exit_code, 2);
  const std::string partial = ReadFile(folder_ / "out.jsonl.partial");
  std::filesystem::create_hard_link(folder_ / "out.jsonl.partial", folder_ / "mine");
  std::vector<std::string> arguments = Arguments("out.jsonl");
  arguments.emplace_back("--resume");
  const SubprocessResult run = RunCommand(arguments);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("is no file of this user alone"), std::string::npos) << run.err;
  EXPECT_EQ(ReadFile(folder_ / "mine"), partial);
}

TEST_F(ResumeCommandTest, NoRecordIsJudgedTwice) {
  if (FindProgram("python3", "/").empty()) GTEST_SKIP() << "the judge needs python3";
  const CountingJudge judge(folder_);
  const std::string gz = Gzip(CountingJudge::Records(300));
  for (const std::string output : {"out.jsonl", "out.jsonl.gz"}) {
    judge.Forget();
    WriteFile(folder_ / "in.gz", gz.substr(0, gz.size() - 1));
    std::vector<std::string> arguments = {"score", folder_ / "in.gz", "-q", "--config", judge.config,
                                          "-o",    folder_ / output};
    arguments.emplace_back("--resume");
    ASSERT_EQ(RunCommand(arguments).exit_code, 2);
    WriteFile(folder_ / "in.gz", gz);
    const SubprocessResult run = RunCommand(arguments);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    judge.ExpectAskedOnceAbout(300);
  }
}

// What a judge has been asked when the signal comes is written, if that ends soon.
TEST_F(ResumeCommandTest, NoRecordIsJudgedTwiceAfterASignal) {
  if (FindProgram("python3", "/").empty()) GTEST_SKIP() << "the judge needs python3";
  const CountingJudge judge(folder_, "0.01");
  WriteFile(folder_ / "in.jsonl", CountingJudge::Records(300));
  std::vector<std::string> arguments = {
      "score", folder_ / "in.jsonl", "-q",  "--config", judge.config,         "--threads",
      "2",     "--batch-bytes",      "700", "-o",       folder_ / "out.jsonl"};
  Subprocess command(arguments);
  while (judge.asked() < 60) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  command.Signal(SIGINT);
  ASSERT_TRUE(command.EndsWithin(std::chrono::seconds(2)));
  EXPECT_EQ(command.Wait().exit_code, 130);
  EXPECT_LT(judge.asked(), 300u);
  arguments.emplace_back("--resume");
  const SubprocessResult run = RunCommand(arguments);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  judge.ExpectAskedOnceAbout(300);
}

}  // namespace
}  // namespace leafscore::internal
