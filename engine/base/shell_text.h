// engine/base/shell_text.h: quotes texts for the shell, in commands that people copy. Stateless.
#ifndef LEAFSCORE_ENGINE_BASE_SHELL_TEXT_H_
#define LEAFSCORE_ENGINE_BASE_SHELL_TEXT_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns a text as one word of a POSIX shell, in quotes if it needs them.
inline std::string ForShell(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+=:@%-";
  if (!text.empty() && text.find_first_not_of(kPlain) == text.npos) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_SHELL_TEXT_H_
