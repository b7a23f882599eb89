#include "engine/io/replaced_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// An existing file, or the place of one that will be made.
struct Place {
  dev_t device;
  ino_t inode;
  std::string name;  // not empty: a file that will be made, in the folder that the numbers identify

  bool operator==(const Place&) const = default;
};

std::optional<Place> PlaceOf(const std::string& path, int standard_file) {
  struct stat status {};
  const bool is_standard = path == "-";
  if (is_standard ? fstat(standard_file, &status) == 0 : stat(path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) return std::nullopt;
    return Place{status.st_dev, status.st_ino, ""};
  }
  const std::filesystem::path place(path);
  const std::string folder = place.has_parent_path() ? place.parent_path().string() : ".";
  if (is_standard || path.empty() || stat(folder.c_str(), &status) != 0) return std::nullopt;
  return Place{status.st_dev, status.st_ino, place.filename().string()};
}

[[noreturn]] void Refuse(const std::string& output, std::string other, const char* standard) {
  if (other == "-") other = standard;
  throw Error(ErrorCode::kUsage, "writing " + (output == "-" ? "standard output" : output) +
                                     " would change " + other +
                                     ", which this run uses too: name another file");
}

}  // namespace

void CheckReplacesNone(std::span<const std::string> outputs, std::span<const std::string> inputs) {
  std::vector<std::optional<Place>> read;  // once each: there may be many inputs, on a remote file system
  for (const std::string& input : inputs) read.push_back(PlaceOf(input, STDIN_FILENO));
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const std::optional<Place> place = PlaceOf(outputs[o], STDOUT_FILENO);
    if (!place) continue;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (read[i] == place) Refuse(outputs[o], inputs[i], "standard input");
    }
    for (std::size_t n = 0; n < outputs.size(); ++n) {
      const std::string& other = outputs[n];
      if (n == o || other.empty()) continue;
      if (PlaceOf(other, STDOUT_FILENO) == place) Refuse(outputs[o], other, "standard output");
      for (const auto& [suffix, what] : {std::pair{".partial", ""}, {".journal", "the journal of "}}) {
        if (other == "-" || PlaceOf(other + suffix, STDOUT_FILENO) != place) continue;
        throw Error(ErrorCode::kUsage, outputs[o] + " is the name of " + what + other +
                                           " until that is complete: name another file");
      }
    }
  }
}

void CheckHoldsNone(const std::string& folder, std::span<const std::string> inputs) {
  struct stat reports {};
  if (stat(folder.c_str(), &reports) != 0) return;
  for (const std::string& input : inputs) {
    struct stat status {};
    if (!input.ends_with(".json") || stat(input.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    const std::filesystem::path parent = std::filesystem::path(input).parent_path();
    if (stat(parent.empty() ? "." : parent.c_str(), &status) != 0) continue;
    if (status.st_dev != reports.st_dev || status.st_ino != reports.st_ino) continue;
    throw Error(ErrorCode::kUsage, "a report could replace " + input +
                                       ", which this run reads: name another folder for the reports");
  }
}

}  // namespace leafscore::internal
