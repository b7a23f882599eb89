// tests/sanitized.h: tests under a sanitizer, which takes several times as long, needs more address space
// than any limit that says something, and takes calls of the system for itself.
#ifndef LEAFSCORE_TESTS_SANITIZED_H_
#define LEAFSCORE_TESTS_SANITIZED_H_

namespace leafscore::internal {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

// Returns the rounds of a test that goes through the same code with ever other values.
constexpr int Rounds(int without_sanitizer) { return kSanitized ? without_sanitizer / 8 : without_sanitizer; }

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_SANITIZED_H_
