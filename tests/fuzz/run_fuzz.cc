// Fuzzes whole runs of the command: arguments, closed standard files, odd files and configurations. Each ends
// with a documented exit status and leaves its inputs alone; another number of threads gives the same status
// and bytes; and one that ends well leaves nothing unfinished.
//
// An input is the command line, a line of words, then the files pairs.jsonl, gold.jsonl, config.yaml and
// run.json, each behind a byte 0x1e. A word that is not in the list below stands for one that is, so that no
// name leads out of the folder. Words "0<&-", "1>&-" and "2>&-" close a standard file. No run starts a
// program.
#include <fcntl.h>
#include <sanitizer/common_interface_defs.h>
#include <stdlib.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/standard_files.h"
#include "engine/base/resource_error.h"
#include "fuzz/fuzz_check.h"

// Whatever a configuration says, no program is started.
extern "C" pid_t fork() {
  errno = EAGAIN;
  return -1;
}

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWords[] = {"score",
                                       "evaluate",
                                       "leaderboard",
                                       "explain",
                                       "generate",
                                       "scorers",
                                       "pairs.jsonl",
                                       "gold.jsonl",
                                       "config.yaml",
                                       "runs",
                                       "runs/1.json",
                                       "data",
                                       ".",
                                       "-",
                                       "",
                                       "absent",
                                       "data/loop",
                                       "/dev/null",

                                       "-o",
                                       "out.jsonl",
                                       "out.csv",
                                       "out.jsonl.gz",
                                       "out.csv.zst",
                                       "out.jsonl.partial",
                                       "out.jsonl.journal",
                                       "out.jsonl.manifest.json",
                                       "runs/out.jsonl",
                                       "link.jsonl",
                                       "--gold",
                                       "-c",
                                       "-s",
                                       "json_similarity",
                                       "exact_match",
                                       "levenshtein",
                                       "contains",
                                       "field_accuracy",
                                       "json_diff",
                                       "strict_json",
                                       "static_json",
                                       "tool_calls",
                                       "fmea",
                                       "numeric_match",
                                       "exact_string_match",
                                       "--resume",
                                       "--trailer",
                                       "--details",
                                       "none",
                                       "basic",
                                       "leaves",
                                       "--group-by",
                                       "model",
                                       "meta.task",
                                       "--repeats",
                                       "last",
                                       "first",
                                       "all",
                                       "error",
                                       "--join",
                                       "id",
                                       "--gold-id-field",
                                       "--gold-expected-field",
                                       "expected",
                                       "--csv-raw",
                                       "--summary",
                                       "summary.json",
                                       "-q",
                                       "--input-format",
                                       "jsonl",
                                       "json",
                                       "auto",
                                       "--id-field",
                                       "--expected-field",
                                       "--actual-field",
                                       "--calls-field",
                                       "actual",
                                       "--parse-texts",
                                       "never",
                                       "always",
                                       "--strict-json",
                                       "--max-line-bytes",
                                       "2",
                                       "100",
                                       "--max-depth",
                                       "1",
                                       "--max-pair-cells",
                                       "--max-ratio",
                                       "--max-details-bytes",
                                       "--max-groups",
                                       "--batch-bytes",
                                       "--allow-absent-paths",
                                       "--strict",
                                       "--fail-under",
                                       "0.5",
                                       "levenshtein=0.9",
                                       "--min-pass-rate",
                                       "--min-coverage",
                                       "--max-errors",
                                       "0%",
                                       "--gate-by",
                                       "--trajectories",
                                       "--scenarios",
                                       "--reports-dir",
                                       "reports",
                                       "--scorer-default",
                                       "--scenario-ids",
                                       "--aggregate-only",
                                       "--clean",
                                       "--prices",
                                       "--by",
                                       "--cluster",
                                       "--pass-k",
                                       "--format",
                                       "md",
                                       "csv",
                                       "table",
                                       "--unverified",
                                       "--pairs",
                                       "3",
                                       "--seed",
                                       "--profile",
                                       "mixed",
                                       "--error-rate",
                                       "r1",
                                       "--help",
                                       "--no-such-option",
                                       "0<&-",
                                       "1>&-",
                                       "2>&-"};
constexpr std::string_view kClosing[] = {"0<&-", "1>&-", "2>&-"};  // by descriptor
constexpr std::string_view kFiles[] = {"pairs.jsonl", "gold.jsonl", "config.yaml", "run.json"};

using Files = std::map<std::string, std::string>;

// The standard files of the fuzzer, which runs do not get.
class StandardFiles {
 public:
  StandardFiles() {
    for (int fd = 0; fd < 3; ++fd) own_.at(fd) = fcntl(fd, F_DUPFD_CLOEXEC, 100);
    null_ = fcntl(open("/dev/null", O_RDWR | O_CLOEXEC), F_DUPFD_CLOEXEC, 100);
    __sanitizer_set_report_fd(reinterpret_cast<void*>(static_cast<std::intptr_t>(own_[2])));
  }
  void Hide(const std::array<bool, 3>& closed) const {
    for (int fd = 0; fd < 3; ++fd) {
      dup2(null_, fd);
      if (closed.at(fd)) close(fd);
    }
  }
  void Show() const {
    for (int fd = 0; fd < 3; ++fd) dup2(own_.at(fd), fd);
  }

 private:
  std::array<int, 3> own_ = {};
  int null_ = -1;
};

// As main does, with the same exit statuses.
int RunCommand(const std::vector<std::string>& words) {
  std::vector<const char*> arguments = {"leafscore"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  try {
    return WithResourceErrors("", [&] {
      PrepareStandardFiles();
      CLI::App app("", "leafscore");
      app.require_subcommand(1);
      int exit_code = kExitFine;
      AddScoreCommand(app, exit_code);
      AddEvaluateCommand(app, exit_code);
      AddExplainCommand(app);
      AddLeaderboardCommand(app);
      AddScorersCommand(app);
      AddGenerateCommand(app);
      try {
        app.parse(static_cast<int>(arguments.size()), arguments.data());
      } catch (const CLI::ParseError&) {
        return kExitUsage;
      }
      return exit_code;
    });
  } catch (const Error& error) {
    return ExitCodeOf(error.code());
  }
}

std::string Read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Files FilesHere() {
  Files files;
  for (const auto& entry : fs::recursive_directory_iterator(".")) {
    if (entry.is_regular_file()) files[entry.path().lexically_normal().string()] = Read(entry.path());
  }
  return files;
}

// Fills the folder anew.
void Put(const Files& files) {
  for (const auto& entry : fs::directory_iterator(".")) fs::remove_all(entry.path());
  fs::create_directories("runs");
  fs::create_directories("data/scenario_1");
  fs::create_directory_symlink("..", "data/loop");
  fs::create_symlink("behind.jsonl", "link.jsonl");
  std::ofstream("data/scenario_1/groundtruth.txt") << "eleven";
  for (const auto& [name, bytes] : files) {
    std::ofstream(name == "run.json" ? "runs/1.json" : name, std::ios::binary) << bytes;
  }
}

struct Outcome {
  int status = 0;
  Files files;
};

Outcome RunOnce(const std::vector<std::string>& words, const std::array<bool, 3>& closed, const Files& files,
                const char* threads) {
  static const StandardFiles standard;
  Put(files);
  setenv("LEAFSCORE_THREADS", threads, 1);
  setenv("SOURCE_DATE_EPOCH", "0", 1);
  standard.Hide(closed);
  Outcome outcome;
  try {
    outcome.status = RunCommand(words);
  } catch (const std::exception& error) {
    standard.Show();
    Check(false, std::string("not an error of the run: ") + error.what());
  }
  standard.Show();
  outcome.files = FilesHere();
  return outcome;
}

// Returns a file without the times of a summary.
std::string WithoutTimes(std::string_view bytes) {
  std::string kept;
  while (!bytes.empty()) {
    const std::size_t size = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = bytes.substr(0, size);
    bytes.remove_prefix(std::min(size + 1, bytes.size()));
    if (line.find("seconds\": ") == line.npos && line.find("per_second\": ") == line.npos) kept += line;
    kept += '\n';
  }
  return kept;
}

void CheckRun(std::string_view input) {
  std::vector<std::string_view> parts;
  for (std::size_t size = 0; size != input.npos && parts.size() < 5;) {
    size = input.find('\x1e');
    parts.push_back(input.substr(0, size));
    input.remove_prefix(std::min(input.size(), size + 1));
  }
  std::vector<std::string> words;
  std::array<bool, 3> closed = {};
  std::string_view line = parts[0];
  while (!line.empty() && words.size() < 40) {
    const std::size_t size = std::min(line.find(' '), line.size());
    std::string_view word = line.substr(0, size);
    line.remove_prefix(std::min(size + 1, line.size()));
    if (std::ranges::find(kWords, word) == std::end(kWords)) {
      word = kWords[std::hash<std::string_view>()(word) % std::size(kWords)];
    }
    const auto closing = std::ranges::find(kClosing, word);
    if (closing == std::end(kClosing)) {
      words.emplace_back(word);
    } else {
      closed.at(static_cast<std::size_t>(closing - kClosing)) = true;
    }
  }
  Files files;
  for (std::size_t f = 0; f < std::size(kFiles) && f + 1 < parts.size(); ++f) {
    files[std::string(kFiles[f])] = parts[f + 1];
  }

  const Outcome run = RunOnce(words, closed, files, "1");
  Check(run.status >= 0 && run.status <= 2, "the exit status " + std::to_string(run.status));
  for (const auto& [name, bytes] : files) {
    const auto there = run.files.find(name == "run.json" ? "runs/1.json" : name);
    Check(there != run.files.end() && there->second == bytes, name + " changed");
  }
  const Outcome again = RunOnce(words, closed, files, "3");
  Check(again.status == run.status, "another exit status with more threads");
  if (run.status == kExitUsage) return;  // how far the run came may differ
  for (const auto& [name, bytes] : run.files) {
    Check(!name.ends_with(".journal") || std::ranges::find(words, name) != words.end(), name + " was left");
    Check(name.find(".partial") == name.npos || std::ranges::find(words, name) != words.end(),
          name + " was left");
    const auto there = again.files.find(name);
    Check(there != again.files.end() && WithoutTimes(there->second) == WithoutTimes(bytes),
          "another " + name);
  }
}

}  // namespace
}  // namespace leafscore::internal

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace fs = std::filesystem;
  static const fs::path home = fs::current_path();
  static const fs::path folder = [] {
    std::string name = (fs::temp_directory_path() / "leafscore_run_fuzz_XXXXXX").string();
    const fs::path made = mkdtemp(name.data());
    std::atexit([] { fs::remove_all(folder); });
    return made;
  }();
  fs::current_path(folder);
  leafscore::internal::CheckRun({reinterpret_cast<const char*>(data), size});
  fs::current_path(home);
  return 0;
}
