#include "cli/environment.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string>

#include "engine/threads/thread_count.h"
#include "kernels/isa.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Returns the text as a number; nothing unless the whole text is a number.
template <class Integer>
std::optional<Integer> ParseInteger(std::string_view text) {
  Integer number = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), text_end, number);
  return error == std::errc() && end == text_end ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string_view EnvironmentVariable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void ObeyIsaVariable() {
  const std::string_view name = EnvironmentVariable("LEAFSCORE_ISA");
  if (name.empty()) return;
  if (const std::string_view problem = ForceIsa(name); !problem.empty()) {
    throw Error(ErrorCode::kUsage, fmt::format("LEAFSCORE_ISA {}, or unset it", problem));
  }
}

unsigned ThreadsOfEnvironment() {
  const std::string_view text = EnvironmentVariable("LEAFSCORE_THREADS");
  if (text.empty()) return 0;
  const std::optional<unsigned> threads = ParseInteger<unsigned>(text);
  if (!threads || *threads == 0 || *threads > kMaxThreads) {
    throw Error(ErrorCode::kUsage,
                fmt::format("LEAFSCORE_THREADS is \"{}\"; set it to a number from 1 to {} or unset it", text,
                            kMaxThreads));
  }
  return *threads;
}

std::optional<std::int64_t> EpochOfEnvironment() {
  if (std::getenv("SOURCE_DATE_EPOCH") == nullptr) return std::nullopt;
  const std::optional<std::int64_t> seconds =
      ParseInteger<std::int64_t>(EnvironmentVariable("SOURCE_DATE_EPOCH"));
  if (!seconds) {
    throw Error(ErrorCode::kUsage, "SOURCE_DATE_EPOCH must be a number of seconds since 1970");
  }
  return seconds;
}

}  // namespace leafscore::internal
