#include "engine/judge/api_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>

#include "engine/base/suggest.h"
#include "engine/judge/redact.h"
#include "engine/process/child_process.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::chrono::seconds kCommandTimeout{30};
constexpr std::size_t kMostKeyBytes = 64 << 10;
constexpr std::uint64_t kCommandMemory = 1ull << 40;  // tools of clouds map much more memory than they use

std::string FromVariable(const std::string& variable, const std::string& model) {
  const char* const key = std::getenv(variable.c_str());
  if (key != nullptr && *key != '\0') return key;
  throw Error(ErrorCode::kUsage,
              fmt::format("the variable {} for the key of the judge {} is not set; set it, or name another "
                          "with api_key_env",
                          variable, QuoteForMessage(model)));
}

// If the command fails, the message shows the command's standard error, without the key.
std::string FromCommand(const std::string& command, const std::string& model, const std::atomic<bool>* stop) {
  ChildProcess shell({"/bin/sh", {"sh", "-c", command}, ".", kCommandMemory});
  const TurnEnd end = shell.ExchangeAll("", {kCommandTimeout, kMostKeyBytes, stop});
  std::string key(shell.output());
  while (!key.empty() && (key.back() == '\n' || key.back() == '\r')) key.pop_back();
  if (end == TurnEnd::kStopped) throw Error(ErrorCode::kInterrupted, "the run was interrupted");
  std::string errors(shell.error_tail());
  Redact(key, errors);
  std::string why;
  if (end == TurnEnd::kTimedOut) {
    why = "did not end within half a minute";
  } else if (end != TurnEnd::kExited) {
    why = "printed too much";
  } else if (shell.wait_status() != 0) {
    why = "failed: " + shell.EndMessage() + " " + QuoteForMessage(errors, 200);
  } else if (key.empty()) {
    why = "printed nothing";
  }
  if (why.empty()) return key;
  throw Error(ErrorCode::kUsage, fmt::format("the api_key_command for the judge {} {}; it must print the key",
                                             QuoteForMessage(model), why));
}

}  // namespace

std::string ReadApiKey(const ApiKeySource& source, const std::string& model, const std::atomic<bool>* stop) {
  if (source.empty()) return {};
  const bool by_command = !source.command.empty();
  std::string key =
      by_command ? FromCommand(source.command, model, stop) : FromVariable(source.variable, model);
  if (std::ranges::any_of(key, [](char c) { return static_cast<unsigned char>(c) < ' '; })) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("{} has a line break or another control character, so it is not a key",
                    by_command ? "what the api_key_command printed" : "the variable " + source.variable));
  }
  return key;
}

}  // namespace leafscore::internal
