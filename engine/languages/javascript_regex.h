// engine/languages/javascript_regex.h: whether a text has a place that a RegExp of JavaScript matches.
//
// PCRE2 matches UTF-16, as JavaScript does: without the flag u code unit by code unit. The pattern is
// translated for it (engine/languages/javascript_pattern.h). A search that takes too many steps ends with
// that answer, the same one on every machine: 10 million and 100 for each code unit are allowed, 500 million
// at most. THREADS: a compiled one may be used by many threads at once.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_REGEX_H_
#define LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_REGEX_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace leafscore::internal {

class JavaScriptRegex {
 public:
  enum class State : std::uint8_t {
    kReady,
    kInvalid,      // JavaScript refuses it
    kUnsupported,  // JavaScript takes it, and it cannot be searched for here
  };
  enum class Search : std::uint8_t {
    kFound,
    kNotFound,
    kTooLong,  // it took more steps or memory than allowed
    kStopped,
  };

  // REQUIRES: valid UTF-8.
  JavaScriptRegex(std::string_view pattern, std::string_view flags);
  ~JavaScriptRegex();
  JavaScriptRegex(const JavaScriptRegex&) = delete;
  JavaScriptRegex& operator=(const JavaScriptRegex&) = delete;

  State state() const { return state_; }
  // Says why it is not ready.
  const std::string& fault() const { return fault_; }

  // What new RegExp(pattern, flags).test(text) tells. Ends early once *stop, which may be null, is true.
  // REQUIRES: ready; valid UTF-8.
  Search Test(std::string_view text, const std::atomic<bool>* stop = nullptr) const;

 private:
  struct Code;

  State state_ = State::kReady;
  std::string fault_;
  std::unique_ptr<Code> code_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_REGEX_H_
