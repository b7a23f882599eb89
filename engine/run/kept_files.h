// engine/run/kept_files.h: what a run that ended early left for people beside its output, such as the summary
// so far, and a run that goes on with it makes anew. A last part of the journal names these files, with
// checksums: one that is still as it was left is no file of the user's. THREADS: no state.
#ifndef LEAFSCORE_ENGINE_RUN_KEPT_FILES_H_
#define LEAFSCORE_ENGINE_RUN_KEPT_FILES_H_

#include <optional>
#include <string>
#include <string_view>

namespace leafscore::internal {

// Names a file in a journal to which nothing else is written any more; `content` is what it will hold, or
// holds now if none is given. Where that cannot be written, the file is nobody's.
void AddKeptFile(const std::string& journal, const std::string& file,
                 std::optional<std::string_view> content = {});

// Removes the files that are named in a journal, and unchanged. REQUIRES: the run goes on.
void RemoveKeptFiles(const std::string& journal);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_KEPT_FILES_H_
