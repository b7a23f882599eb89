// tests/fuzz/fuzz_check.h: ends a fuzz target at what must not be.
#ifndef LEAFSCORE_TESTS_FUZZ_FUZZ_CHECK_H_
#define LEAFSCORE_TESTS_FUZZ_FUZZ_CHECK_H_

#include <cstdio>
#include <cstdlib>
#include <string>

namespace leafscore::internal {

inline void Check(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_FUZZ_FUZZ_CHECK_H_
