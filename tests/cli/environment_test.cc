#include "cli/environment.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "config/config_testing.h"
#include "engine/threads/thread_count.h"

namespace leafscore::internal {
namespace {

TEST(Environment, Threads) {
  unsetenv("LEAFSCORE_THREADS");
  EXPECT_EQ(ThreadsOfEnvironment(), 0u);
  setenv("LEAFSCORE_THREADS", "", 1);
  EXPECT_EQ(ThreadsOfEnvironment(), 0u);
  for (const unsigned good : {1u, 3u, kMaxThreads}) {
    setenv("LEAFSCORE_THREADS", std::to_string(good).c_str(), 1);
    EXPECT_EQ(ThreadsOfEnvironment(), good);
  }
  for (const std::string bad :
       {"0", "1025", "-1", "+1", " 2", "2 ", "two", "1.5", "0x2", "99999999999999999999"}) {
    setenv("LEAFSCORE_THREADS", bad.c_str(), 1);
    EXPECT_EQ(ErrorOf([] { ThreadsOfEnvironment(); }),
              "LEAFSCORE_THREADS is \"" + bad + "\"; set it to a number from 1 to 1024 or unset it");
  }
  unsetenv("LEAFSCORE_THREADS");
}

TEST(Environment, Epoch) {
  unsetenv("SOURCE_DATE_EPOCH");
  EXPECT_EQ(EpochOfEnvironment(), std::nullopt);
  for (const auto& [text, seconds] : {std::pair{"0", 0}, {"86400", 86400}, {"-1", -1}}) {
    setenv("SOURCE_DATE_EPOCH", text, 1);
    EXPECT_EQ(EpochOfEnvironment(), seconds);
  }
  for (const char* const bad : {"", "x", "1.5", "1 ", "99999999999999999999"}) {
    setenv("SOURCE_DATE_EPOCH", bad, 1);
    EXPECT_EQ(ErrorOf([] { EpochOfEnvironment(); }),
              "SOURCE_DATE_EPOCH must be a number of seconds since 1970");
  }
  unsetenv("SOURCE_DATE_EPOCH");
}

TEST(Environment, InstructionSet) {
  unsetenv("LEAFSCORE_ISA");
  EXPECT_NO_THROW(ObeyIsaVariable());
  setenv("LEAFSCORE_ISA", "mmx", 1);
  EXPECT_EQ(
      ErrorOf(ObeyIsaVariable),
      "LEAFSCORE_ISA names no instruction set of ours: use portable, neon, avx2 or avx512, or unset it");
  unsetenv("LEAFSCORE_ISA");
}

}  // namespace
}  // namespace leafscore::internal
