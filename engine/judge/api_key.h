// engine/judge/api_key.h: the keys of services. A key comes from the environment or from a program, never
// from a configuration.
#ifndef LEAFSCORE_ENGINE_JUDGE_API_KEY_H_
#define LEAFSCORE_ENGINE_JUDGE_API_KEY_H_

#include <atomic>
#include <string>

namespace leafscore::internal {

// The source of a key.
struct ApiKeySource {
  std::string variable = {};  // an environment variable; may be empty
  std::string command = {};   // for /bin/sh; prints the key, which may expire; used first; may be empty
  bool empty() const { return variable.empty() && command.empty(); }
};

// Returns the key for a model; empty if the source is empty. A command may run for half a minute. It is ended
// early if *stop becomes true; `stop` may be null.
// ERRORS: Error(kUsage) if there is no key, or if the text found cannot be a key. The message does not show
// the text.
//         Error(kInterrupted) if stopped.
std::string ReadApiKey(const ApiKeySource& source, const std::string& model, const std::atomic<bool>* stop);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_API_KEY_H_
