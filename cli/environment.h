// cli/environment.h: the environment variables that the command obeys. The library reads none of them.
#ifndef LEAFSCORE_CLI_ENVIRONMENT_H_
#define LEAFSCORE_CLI_ENVIRONMENT_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace leafscore::internal {

// Returns the variable's value, empty when it is not set.
std::string_view EnvironmentVariable(const char* name);

// Makes the kernels use the instruction set that LEAFSCORE_ISA names, if it is set.
// ERRORS: Error(kUsage) for an unknown instruction set, or one that this CPU lacks.
void ObeyIsaVariable();

// Returns the number of threads in LEAFSCORE_THREADS; 0 when it is not set.
// ERRORS: Error(kUsage) when it is not a number from 1 to kMaxThreads.
unsigned ThreadsOfEnvironment();

// Returns the time in SOURCE_DATE_EPOCH (reproducible-builds.org), in seconds since 1970; nothing when it is
// not set. ERRORS: Error(kUsage) when it is not a whole number.
std::optional<std::int64_t> EpochOfEnvironment();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_ENVIRONMENT_H_
