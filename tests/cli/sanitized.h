// tests/cli/sanitized.h: whether a sanitizer is built in. It needs more address space than any limit that
// says something, and takes calls of the system for itself.
#ifndef LEAFSCORE_TESTS_CLI_SANITIZED_H_
#define LEAFSCORE_TESTS_CLI_SANITIZED_H_

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LEAFSCORE_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LEAFSCORE_SANITIZED
#endif
#endif

#endif  // LEAFSCORE_TESTS_CLI_SANITIZED_H_
