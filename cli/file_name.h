// cli/file_name.h: a check for options that name files.
#ifndef LEAFSCORE_CLI_FILE_NAME_H_
#define LEAFSCORE_CLI_FILE_NAME_H_

#include <string>

namespace leafscore::internal {

// For CLI::Option::check. Refuses an empty name. It mostly comes from a variable that is not set, and must
// not mean that the option was left out. RETURNS: the fault of `name`, or "".
inline std::string CheckFileName(const std::string& name) {
  return name.empty() ? "the file name is empty" : "";
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_FILE_NAME_H_
