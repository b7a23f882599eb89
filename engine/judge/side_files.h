// engine/judge/side_files.h: the files that SQLite keeps beside a database, and removes or writes over
// without a look at whose they are. THREADS: no state.
#ifndef LEAFSCORE_ENGINE_JUDGE_SIDE_FILES_H_
#define LEAFSCORE_ENGINE_JUDGE_SIDE_FILES_H_

#include <string>

namespace leafscore::internal {

// Checks that under the names of these files, PATH-journal, PATH-wal and PATH-shm, lies nothing but what
// SQLite has left of this database; without a database that is nothing at all. ERRORS: Error(kOutput).
void CheckSideFiles(const std::string& path);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_SIDE_FILES_H_
