// cli/memory_option.h: the option --memory.
#ifndef LEAFSCORE_CLI_MEMORY_OPTION_H_
#define LEAFSCORE_CLI_MEMORY_OPTION_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace leafscore::internal {

// Reads a number of bytes, which may have a unit (2G), or a percentage of `available` (1% to 100%). The
// result goes into `bytes`. RETURNS: the fault of `text`; empty if the number is within kMemory.
std::string ReadMemory(const std::string& text, std::uint64_t available, std::uint64_t& bytes);

// Adds the option. If it is not given, `bytes` stays as it is.
void AddMemory(CLI::App& command, std::uint64_t& bytes);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_MEMORY_OPTION_H_
