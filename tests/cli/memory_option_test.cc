#include "cli/memory_option.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "engine/base/limits.h"

namespace leafscore::internal {
namespace {

constexpr std::uint64_t kAvailable = 1ull << 30;

std::uint64_t Read(const std::string& text) {
  std::uint64_t bytes = 0;
  EXPECT_EQ(ReadMemory(text, kAvailable, bytes), "");
  return bytes;
}

bool Refused(const std::string& text, std::uint64_t available = kAvailable) {
  std::uint64_t bytes = 0;
  return !ReadMemory(text, available, bytes).empty();
}

TEST(MemoryOption, BytesAtTheirLimits) {
  EXPECT_EQ(Read("134217728"), kMemory.min);
  EXPECT_EQ(Read("134217729"), kMemory.min + 1);
  EXPECT_EQ(Read("1125899906842624"), kMemory.max);
  for (const char* text : {"134217727", "1125899906842625", "0", "1", "-1", "0x10000000", "1e9", "", "1 GiB",
                           "99999999999999999999999"}) {
    EXPECT_TRUE(Refused(text)) << text;
  }
}

TEST(MemoryOption, Units) {
  EXPECT_EQ(Read("128M"), kMemory.min);
  EXPECT_EQ(Read("128MiB"), kMemory.min);
  EXPECT_EQ(Read("131072k"), kMemory.min);
  EXPECT_EQ(Read("2G"), 2ull << 30);
  EXPECT_EQ(Read("1024TiB"), kMemory.max);
  for (const char* text : {"127M", "1025T", "2GB", "2 G", "0128M", "G", "1.5G", "17000000T", "2Gi"}) {
    EXPECT_TRUE(Refused(text)) << text;
  }
  std::uint64_t bytes = 0;
  EXPECT_EQ(ReadMemory("2GB", kAvailable, bytes),
            "'2GB' is not a number of bytes; write 20480, 20K or 20KiB, with K, M, G or T");
}

TEST(MemoryOption, PercentOfWhatThereIs) {
  EXPECT_EQ(Read("50%"), kAvailable / 100 * 50);
  EXPECT_EQ(Read("100%"), kAvailable / 100 * 100);
  EXPECT_EQ(Read("13%"), kAvailable / 100 * 13);
  for (const char* text : {"12%", "0%", "101%", "200%", "-5%", "50%%", "%", "50 %", "5.5%"}) {
    EXPECT_TRUE(Refused(text)) << text;
  }
}

TEST(MemoryOption, AMachineTooSmallIsNamed) {
  std::uint64_t bytes = 0;
  EXPECT_EQ(ReadMemory("50%", 200 << 20, bytes),
            "50% is 104857600 bytes here; give at least 134217728 bytes, and at most 1125899906842624");
}

}  // namespace
}  // namespace leafscore::internal
