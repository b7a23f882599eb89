// engine/io/path.h: paths as users give them. Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_IO_PATH_H_
#define LEAFSCORE_ENGINE_IO_PATH_H_

#include <string>

namespace leafscore::internal {

// Checks a path before it is opened or made.
// ERRORS: Error(kUsage) if it contains a null byte: the system would end it there and use another file.
void CheckPath(const std::string& path);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_PATH_H_
