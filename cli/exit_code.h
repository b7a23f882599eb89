// cli/exit_code.h: the exit statuses of the command, part of its interface.
#ifndef LEAFSCORE_CLI_EXIT_CODE_H_
#define LEAFSCORE_CLI_EXIT_CODE_H_

#include "leafscore/error.h"

namespace leafscore::internal {

inline constexpr int kExitFine = 0;
inline constexpr int kExitGateFailed = 1;
inline constexpr int kExitUsage =
    2;  // usage, input or output error; out of memory; nothing read, matched or scored
inline constexpr int kExitInternal = 3;

inline int ExitCodeOf(ErrorCode code) { return code == ErrorCode::kInternal ? kExitInternal : kExitUsage; }

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_EXIT_CODE_H_
