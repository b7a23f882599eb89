// engine/languages/javascript_regex.h: searches a text for a match of a JavaScript RegExp.
//
// PCRE2 matches UTF-16, as JavaScript does; without the flag u, it matches code unit by code unit. The
// pattern is translated for PCRE2 (engine/languages/javascript_pattern.h). The number of steps is limited to
// 10 million plus 100 for each code unit, but at most 500 million. A search that takes more steps ends with
// kTooLong, and does so on every machine. THREADS: many threads may share a compiled expression.
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
    kUnsupported,  // JavaScript accepts it, but we cannot search for it
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
  // Returns why it is not ready.
  const std::string& fault() const { return fault_; }

  // Returns the result of new RegExp(pattern, flags).test(text). Ends early once *stop, which may be null, is
  // true.
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
