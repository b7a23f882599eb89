// engine/run/kept_files.h: the summary that a run which ended early left for people, and the next run makes
// anew. One that is still as it was left is no file of the user's, as checksums tell. A summary of the whole
// run, which lacked nothing but its name, is named by a last part of the journal; that of what was scored so
// far proves itself, as there may be no journal, or no room in it. THREADS: no state.
#ifndef LEAFSCORE_ENGINE_RUN_KEPT_FILES_H_
#define LEAFSCORE_ENGINE_RUN_KEPT_FILES_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Names a file in a journal to which nothing else is written any more; `content` is what it will hold. Where
// that cannot be written, the file is nobody's.
void AddKeptFile(const std::string& journal, const std::string& file, std::string_view content);

// Removes the files that are named in a journal, and unchanged. REQUIRES: the run goes on.
void RemoveKeptFiles(const std::string& journal);

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
