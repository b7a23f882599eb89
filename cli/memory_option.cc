#include "cli/memory_option.h"

#include <fmt/format.h>

#include "cli/byte_size.h"
#include "cli/limit_option.h"
#include "cli/option_groups.h"
#include "engine/base/limits.h"
#include "engine/threads/memory_plan.h"

namespace leafscore::internal {

std::string ReadMemory(const std::string& text, std::uint64_t available, std::uint64_t& bytes) {
  const bool is_percentage = text.ends_with('%');
  std::string number = is_percentage ? text.substr(0, text.size() - 1) : text;
  std::string fault = is_percentage ? CheckWholeNumber(number) : ExpandByteSize(number);
  if (!fault.empty()) return fault;
  bytes = std::stoull(number);
  if (is_percentage) {
    if (bytes < 1 || bytes > 100) return fmt::format("{} is not from 1% to 100%", text);
    bytes = available / 100 * bytes;
  }
  if (bytes >= kMemory.min && bytes <= kMemory.max) return {};
  const std::string is = is_percentage ? fmt::format("{} is {} bytes here", text, bytes) : text;
  return fmt::format("{}; give at least {} bytes, and at most {}", is, kMemory.min, kMemory.max);
}

void AddMemory(CLI::App& command, std::uint64_t& bytes) {
  command
      .add_option_function<std::string>(
          std::string(kMemory.option),
          [&bytes](const std::string& text) {
            const std::string fault = ReadMemory(text, AvailableMemory(), bytes);
            if (!fault.empty()) throw CLI::ValidationError(std::string(kMemory.option), fault);
          },
          fmt::format("{} [default: 50% of what the machine or the cgroup has; from {} on]", kMemory.reason,
                      LimitInWords(kMemory, kMemory.min)))
      ->type_name("BYTES|N%")
      ->group(kMachineGroup);
}

}  // namespace leafscore::internal
