// What the fault campaign (tests/faults/campaign.py) has found, each as a test of its own.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/subprocess.h"
#include "engine/process/child_process.h"
#include "io/io_test_util.h"
#include "run/run_testing.h"
#include "sanitized.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;

class FaultTest : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "a sanitizer goes without the fault layer";
    std::string pairs;
    for (int i = 0; i < 24; ++i) {
      const std::string n = std::to_string(i);
      pairs +=
          R"({"id": "r)" + n + R"(", "expected": {"a": ")" + n + R"("}, "actual": {"a": "x)" + n + "\"}}\n";
    }
    WriteFile(folder_ / "pairs.jsonl", pairs);
  }

  // Runs the command with this fault. RETURNS: nothing where it was not reached.
  std::optional<SubprocessResult> RunWith(const std::string& kind, int call, const std::string& what,
                                          const std::vector<std::string>& arguments) {
    const std::string count = folder_ / "count";
    WriteFile(count, std::string(64, '\0'));
    const SubprocessResult run =
        RunCommand(arguments, {},
                   {.environment = {"LD_PRELOAD=" LEAFSCORE_FAULT_LAYER,
                                    "LEAFSCORE_FAULT=" + kind + ":" + std::to_string(call) + ":" + what,
                                    "LEAFSCORE_FAULT_COUNT=" + count, "SOURCE_DATE_EPOCH=0"}});
    hit_ = ReadFile(count).substr(8).c_str();
    return hit_.empty() ? std::nullopt : std::optional(run);
  }

  std::vector<std::string> Score(const std::string& output) const {
    return {
        "score", folder_ / "pairs.jsonl", "-s", "levenshtein", "-q", "--threads", "2", "--batch-bytes", "256",
        "-o",    folder_ / output};
  }

  std::vector<std::string> Judge(const std::string& output) const {
    WriteFile(folder_ / "judge.sh", "while read line; do echo '{\"score\": 0.5}'; done\n");
    WriteFile(folder_ / "judge.yaml",
              "scorers:\n  - {type: code_judge, process: persistent, script: [sh, judge.sh]}\n");
    return {"score", folder_ / "pairs.jsonl", "-c", folder_ / "judge.yaml", "-q", "-o", folder_ / output};
  }

  void RemoveAllOf(const std::string& output) const {
    const std::vector<fs::directory_entry> files{fs::directory_iterator(folder_ / "."), {}};
    for (const fs::directory_entry& file : files) {
      if (file.path().filename().string().starts_with(output)) fs::remove(file.path());
    }
  }

  const TempDir folder_;
  std::string hit_;  // the function that failed
};

TEST_F(FaultTest, MemoryThatIsGoneForGoodEndsTheRunAndNotTheProcess) {
  for (int call = 500, reached = 1; reached != 0; call += 500) {
    const std::optional<SubprocessResult> run =
        RunWith("allocation", call, std::to_string(ENOMEM) + ":stays", Score("out.jsonl"));
    reached = run.has_value();
    if (!run) break;
    EXPECT_EQ(run->exit_code, 2) << call << " signal " << run->signal;
    EXPECT_TRUE(run->err.starts_with("leafscore: ")) << run->err;
  }
}

TEST_F(FaultTest, AThreadThatCannotBeStartedIsNoDefect) {
  for (int call = 1; const std::optional<SubprocessResult> run =
                         RunWith("thread", call, std::to_string(EAGAIN), Score("out.jsonl"));
       ++call) {
    if (run->exit_code == 0) continue;  // that thread was the journal's
    EXPECT_EQ(run->exit_code, 2) << run->err;
    EXPECT_NE(run->err.find("the system has no 2 threads for a run"), std::string::npos) << run->err;
  }
}

TEST_F(FaultTest, APipeToAJudgeThatFailsIsNoReply) {
  ASSERT_EQ(RunCommand(Judge("whole.jsonl")).exit_code, 0);
  const std::string whole = ReadFile(folder_ / "whole.jsonl");
  for (const std::string kind : {"write", "read"}) {
    for (int call = 1; const std::optional<SubprocessResult> run =
                           RunWith(kind, call, std::to_string(EIO), Judge("out.jsonl"));
         ++call) {
      if (run->exit_code == 0) {
        EXPECT_EQ(ReadFile(folder_ / "out.jsonl"), whole) << kind << call;
      }
      for (const char* const name : {"out.jsonl", "out.jsonl.partial", "out.jsonl.journal"}) {
        fs::remove(folder_ / name);
      }
    }
  }
}

TEST_F(FaultTest, AFileOfAJudgeThatCannotBeReadIsNotLeftOutOfTheManifest) {
  ASSERT_EQ(RunCommand(Judge("out.jsonl")).exit_code, 0);
  const std::string whole = ReadFile(folder_ / "out.jsonl.manifest.json");
  using Fault = std::pair<std::string, int>;
  for (const auto& [kind, error] : {Fault("open", EMFILE), Fault("stat", EIO)}) {
    // There are hundreds of looks at names, the first at those of the configuration.
    for (int call = 1; kind == "open" || call <= 20; ++call) {
      const std::optional<SubprocessResult> run =
          RunWith(kind, call, std::to_string(error), Judge("out.jsonl"));
      if (!run) break;
      EXPECT_EQ(ReadFile(folder_ / "out.jsonl.manifest.json"), whole) << kind << call;
    }
  }
}

// Every run left empty files more when it was killed as it made them, and the next ones named them all.
TEST_F(FaultTest, WhatAKilledRunHasMadeIsNotLeftForGood) {
  const int unnamed = open((folder_ / ".").c_str(), O_RDWR | O_TMPFILE, 0600);
  if (unnamed < 0) GTEST_SKIP() << "this file system has no files without a name";
  close(unnamed);
  for (const std::string shard : {"", "1/2"}) {
    std::vector<std::string> arguments = Score(shard.empty() ? "out.csv" : "out.jsonl");
    const std::vector<std::string> more =
        shard.empty() ? std::vector<std::string>{"--summary", folder_ / "summary.json"}
                      : std::vector<std::string>{"--shard", shard};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::vector<std::string> again = arguments;
    again.emplace_back("--resume");
    // Removes what runs made. RETURNS: the names that are no outputs.
    const auto remove_all = [&] {
      std::string others;
      for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / ".")) {
        const std::string name = entry.path().filename();
        if (name == "pairs.jsonl" || name == "count") continue;
        // Lines that no journal tells of yet, and a summary that was about to get its name, are nobody's.
        const std::string bytes = ReadFile(folder_ / name);
        const bool is_whole = (name == "out.csv.partial" && bytes.starts_with("id,")) ||
                              (name == "summary.json.partial" && bytes.starts_with("{"));
        const bool is_output = name == "out.csv" || name == "out.csv.manifest.json" ||
                               name == "summary.json" || name == "out.jsonl.shard-1-of-2";
        if (!is_output && !is_whole) others += name + " ";
        fs::remove(entry.path());
      }
      return others;
    };
    for (const std::string kind : {"open", "name", "write", "close"}) {
      for (int call = 1; RunWith(kind, call, "signal=9", arguments); ++call) {
        const SubprocessResult run = RunCommand(again);
        EXPECT_EQ(run.exit_code, 0) << kind << call << run.err;
        EXPECT_EQ(remove_all(), "") << kind << call << run.err;
      }
      remove_all();
    }
  }
}

TEST_F(FaultTest, AnInputThatCannotBeReadHasNotChanged) {
  std::vector<std::string> arguments = Score("out.jsonl");
  ASSERT_EQ(RunCommand(arguments, {}, {.max_file_size = 3000}).exit_code, 2);
  const std::string partial = ReadFile(folder_ / "out.jsonl.partial");
  const std::string journal = ReadFile(folder_ / "out.jsonl.journal");
  ASSERT_GT(journal.size(), 0u);
  arguments.emplace_back("--resume");
  for (int call = 1;
       const std::optional<SubprocessResult> run = RunWith("read", call, std::to_string(EIO), arguments);
       ++call) {
    EXPECT_EQ(run->err.find("changed since"), std::string::npos) << run->err;
    fs::remove(folder_ / "out.jsonl");
    WriteFile(folder_ / "out.jsonl.partial", partial);
    WriteFile(folder_ / "out.jsonl.journal", journal);
  }
}

// What an earlier run has scored is not scored again as its journal cannot be read for a moment.
TEST_F(FaultTest, AJournalThatCannotBeReadNowIsNotTakenForNone) {
  std::vector<std::string> arguments = Score("out.jsonl");
  ASSERT_EQ(RunCommand(arguments, {}, {.max_file_size = 3000}).exit_code, 2);
  const std::string partial = ReadFile(folder_ / "out.jsonl.partial");
  const std::string journal = ReadFile(folder_ / "out.jsonl.journal");
  ASSERT_GT(journal.size(), 0u);
  arguments.emplace_back("--resume");
  const auto run_again = [&](const std::string& kind, int call, int error) {
    fs::remove(folder_ / "out.jsonl");
    fs::remove(folder_ / "out.jsonl.manifest.json");
    WriteFile(folder_ / "out.jsonl.partial", partial);
    WriteFile(folder_ / "out.jsonl.journal", journal);
    return RunWith(kind, call, std::to_string(error), arguments);
  };
  int told = 0;
  for (const auto& [kind, error] : {std::pair{"open", EMFILE}, {"open", EACCES}, {"stat", EIO}}) {
    for (int call = 1; const std::optional<SubprocessResult> run = run_again(kind, call, error); ++call) {
      const std::string what = kind + std::to_string(call) + run->err;
      EXPECT_EQ(run->err.find("nothing to go on with"), std::string::npos) << what;
      ASSERT_FALSE(fs::exists(folder_ / "out.jsonl.partial-2")) << what;
      if (run->exit_code != 0) {
        EXPECT_TRUE(ReadFile(folder_ / "out.jsonl.journal").starts_with(journal)) << what;
      }
      told += run->err.find("try again, or leave out --resume to start over") != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_GT(told, 3);
}

TEST_F(FaultTest, AFinishedShardThatCannotBeReadNowIsNotScoredAgain) {
  std::vector<std::string> arguments = Score("out.jsonl");
  arguments.insert(arguments.end(), {"--shard", "1/2", "--resume"});
  ASSERT_EQ(RunCommand(arguments).exit_code, 0);
  for (const auto& [kind, error] : {std::pair{"open", EMFILE}, {"stat", EIO}}) {
    for (int call = 1;
         const std::optional<SubprocessResult> run = RunWith(kind, call, std::to_string(error), arguments);
         ++call) {
      EXPECT_EQ(run->err.find("nothing to go on with"), std::string::npos) << kind << call << run->err;
    }
  }
}

TEST_F(FaultTest, AShortReadIsNoEndOfATrajectory) {
  for (const char* const name : {"runs", "data/scenario_1"}) fs::create_directories(folder_ / name);
  WriteFile(folder_ / "data/scenario_1/groundtruth.txt", "eleven");
  WriteFile(folder_ / "runs/a.json", R"({"run_id": "a", "scenario_id": 1, "answer": "eleven"})");
  const std::vector<std::string> arguments = {"evaluate",    "--trajectories", folder_ / "runs",
                                              "--scenarios", folder_ / "data", "--scorer-default",
                                              "exact_match", "--reports-dir",  folder_ / "reports"};
  ASSERT_EQ(RunCommand(arguments, {}, {.environment = {"SOURCE_DATE_EPOCH=0"}}).exit_code, 0);
  const std::string whole = ReadFile(folder_ / "reports/_aggregate.json");
  for (int call = 1; const std::optional<SubprocessResult> run = RunWith("read", call, "short", arguments);
       ++call) {
    EXPECT_EQ(run->exit_code, 0) << run->err;
    EXPECT_EQ(ReadFile(folder_ / "reports/_aggregate.json"), whole) << call;
  }
}

// An entry of the journal that was not written whole is none.
TEST_F(FaultTest, ARunSaysThatItCanBeGoneOnWithWhereItCan) {
  const std::string compressed = Gzip("{}\n{}\n");
  WriteFile(folder_ / "cut.jsonl.gz", compressed.substr(0, compressed.size() - 4));
  std::vector<std::string> arguments = Score("out.jsonl");
  arguments.insert(arguments.begin() + 2, folder_ / "cut.jsonl.gz");
  std::map<bool, int> counts;
  for (const std::string what : {"28", "28:stays"}) {
    RemoveAllOf("out.jsonl");  // of the run that did not reach the fault
    for (int call = 1; const std::optional<SubprocessResult> first = RunWith("write", call, what, arguments);
         ++call) {
      EXPECT_EQ(first->exit_code, 2) << call << first->err;
      const bool says_so = first->err.find("--resume goes on") != std::string::npos;
      std::vector<std::string> again = arguments;
      again.emplace_back("--resume");
      const std::string went_on = RunCommand(again).err;
      EXPECT_EQ(went_on.find("went on after") != std::string::npos, says_so)
          << what << call << first->err << went_on;
      ++counts[says_so];
      RemoveAllOf("out.jsonl");
    }
  }
  EXPECT_GT(counts[true], 0);
  EXPECT_GT(counts[false], 0);
}

// The summary is the last to be written, and was no longer part of what can be gone on with.
TEST_F(FaultTest, ARunThatIsKilledOrFindsNoRoomAtItsSummaryGoesOn) {
  std::vector<std::string> arguments = Score("out.jsonl");
  arguments.insert(arguments.end(), {"--summary", folder_ / "summary.json"});
  for (const std::string what : {"signal=9", "28:stays"}) {
    for (int call = 1; const std::optional<SubprocessResult> first = RunWith("write", call, what, arguments);
         ++call) {
      std::vector<std::string> again = arguments;
      again.emplace_back("--resume");
      const SubprocessResult run = RunCommand(again);
      EXPECT_EQ(run.exit_code, 0) << call << run.err;
      EXPECT_TRUE(fs::exists(folder_ / "out.jsonl"));
      EXPECT_TRUE(fs::exists(folder_ / "summary.json"));
      if (hit_ == "write" && call > 10 && first->exit_code != 0) {
        EXPECT_NE(run.err.find("went on after"), std::string::npos) << what << call << run.err;
      }
      RemoveAllOf("out.jsonl");
      RemoveAllOf("summary.json");
    }
  }
}

// Between the renames of scores and manifest there was a baseline that nothing could read.
TEST_F(FaultTest, ABaselineIsTheOldOrTheNewOneWheneverItsUpdateIsKilled) {
  struct Case {
    std::string suffix;
    bool old_trailer;
    bool new_trailer;
    bool is_first;
  };
  for (const Case& c : {Case{".jsonl", false, false, false}, Case{".jsonl", true, false, false},
                        Case{".jsonl", false, true, false}, Case{".jsonl", false, false, true}}) {
    const std::string old_scores = folder_ / "old" + c.suffix;
    const std::string new_scores = folder_ / "new" + c.suffix;
    const std::string kept = folder_ / "kept" + c.suffix;
    const auto score = [&](const std::string& output, const std::string& scorer, bool trailer) {
      std::vector<std::string> arguments = {
          "score", folder_ / "pairs.jsonl", "-q", "-s", "levenshtein", "-o", output, "--details", scorer};
      if (trailer) arguments.emplace_back("--trailer");
      ASSERT_EQ(RunCommand(arguments).exit_code, 0);
      if (trailer) fs::remove(output + ".manifest.json");
    };
    score(old_scores, "none", c.old_trailer);
    score(new_scores, "basic", c.new_trailer);
    const auto reset = [&] {
      for (const char* const end : {"", ".manifest.json"}) {
        fs::remove(kept + end);
        for (const char* const partial : {".partial", ".partial-2"}) fs::remove(kept + end + partial);
        if (!c.is_first && fs::exists(old_scores + end)) fs::copy_file(old_scores + end, kept + end);
      }
    };
    int reached = 0;
    for (const std::string kind : {"name", "sync"}) {
      for (int call = 1;; ++call) {
        reset();
        const std::vector<std::string> update = {"compare", new_scores, "--baseline", kept,
                                                 "--update-baseline"};
        if (!RunWith(kind, call, "signal=9", update)) break;
        ++reached;
        const bool exists = fs::exists(kept);
        EXPECT_TRUE(exists || c.is_first);
        if (exists) {
          const SubprocessResult read = RunCommand({"compare", new_scores, "--baseline", kept});
          EXPECT_EQ(read.exit_code, 0) << c.suffix << kind << call << read.err;
          EXPECT_TRUE(ReadFile(kept) == ReadFile(old_scores) || ReadFile(kept) == ReadFile(new_scores));
        }
        EXPECT_EQ(RunCommand(update).exit_code, 0) << c.suffix << kind << call;
        EXPECT_EQ(ReadFile(kept), ReadFile(new_scores));
        ASSERT_EQ(fs::exists(kept + ".manifest.json"), !c.new_trailer);
        if (!c.new_trailer) {
          EXPECT_EQ(ReadFile(kept + ".manifest.json"), ReadFile(new_scores + ".manifest.json"));
        }
      }
    }
    EXPECT_GT(reached, 6);
  }
}

}  // namespace
}  // namespace leafscore::internal
