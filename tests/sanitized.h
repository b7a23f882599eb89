// tests/sanitized.h: adapts tests to sanitizers, under which they take several times as long and need more
// address space than any useful limit, and which intercept system calls themselves.
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

// Returns the number of rounds for a test that repeats the same code with other values.
constexpr int Rounds(int without_sanitizer) { return kSanitized ? without_sanitizer / 8 : without_sanitizer; }

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_SANITIZED_H_
