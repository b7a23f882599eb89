// engine/judge/api_key.h: the keys of services. A key comes from the environment or from a program, never
// from a configuration.
#ifndef LEAFSCORE_ENGINE_JUDGE_API_KEY_H_
#define LEAFSCORE_ENGINE_JUDGE_API_KEY_H_

#include <atomic>
#include <string>

namespace leafscore::internal {

// Where a key comes from.
struct ApiKeySource {
  std::string variable = {};  // of the environment; empty: none
  std::string command = {};   // for /bin/sh, which prints a key that may expire; before the variable
  bool empty() const { return variable.empty() && command.empty(); }
};

// Returns the key for a model; empty if there is no source. A command may take half a minute, and ends early
// if *stop, which may be null, becomes true.
// ERRORS: Error(kUsage) if there is no key, or what is there cannot be one; the message has no part of it.
//         Error(kInterrupted) if stopped.
std::string ReadApiKey(const ApiKeySource& source, const std::string& model, const std::atomic<bool>* stop);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_API_KEY_H_
