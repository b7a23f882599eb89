// engine/run/kept_files.h: the summary that a run which ended early left for people, and the next run makes
// anew. One that is still as it was left is no file of the user's, as its checksum and its number in the file
// system tell. Those of a summary of the whole run, which lacked nothing but its name, are in a last part of
// the journal; the summary of what was scored so far proves itself, as there may be no journal, or no room in
// it. Nothing is looked for but under the partial names of the summary that the next run writes. THREADS: no
// state.
#ifndef LEAFSCORE_ENGINE_RUN_KEPT_FILES_H_
#define LEAFSCORE_ENGINE_RUN_KEPT_FILES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

struct KeptFile {
  std::uint64_t number;  // in the file system
  std::string checksum;
};

// Notes a file in a journal to which nothing else is written any more; it is open as `fd`, and `content` is
// what it will hold. Where that cannot be written, the file is nobody's.
void AddKeptFile(const std::string& journal, int fd, std::string_view content);

// Returns the files that are noted in the journal with which a run to this output, a path that is no link,
// would go on; nothing where that cannot be read.
std::vector<KeptFile> ReadKeptFiles(const std::string& output);

// Removes those of the files that lie under the partial names of a summary, unchanged. REQUIRES: the run has
// gone on; a path that is no link.
void RemoveKeptFiles(std::span<const KeptFile> files, const std::string& summary);

// Returns a summary of a run that ended early, an object in JSON, with a last member that says so and proves
// that nobody changed or copied it: it has a checksum, and the number of its file, which is open as `fd`, in
// the file system.
std::string SealedSummary(std::string_view summary, int fd);

// Returns whether a file is such a summary of this user, as it was written. One that cannot be read is none.
bool IsSealedSummary(const std::string& name);

// Removes those that earlier runs left beside a summary, once a newer one is there. REQUIRES: a path that is
// no link.
void RemoveSealedSummaries(const std::string& path, const std::string& but_this);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_KEPT_FILES_H_
