#include "engine/base/bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace leafscore::internal {
namespace {

TEST(FirstBytesMask, Literals) {
  EXPECT_EQ(FirstBytesMask(-8), 0u);
  EXPECT_EQ(FirstBytesMask(0), 0u);
  EXPECT_EQ(FirstBytesMask(1), 0xffu);
  EXPECT_EQ(FirstBytesMask(7), 0x00ffffffffffffffu);
  EXPECT_EQ(FirstBytesMask(8), ~std::uint64_t{0});
  EXPECT_EQ(FirstBytesMask(9), ~std::uint64_t{0});
}

// In blocks that end with the text, or with its look-ahead, so that the address sanitizer sees a byte too
// many.
TEST(EqualTexts, EveryLengthWithADifferenceAnywhere) {
  for (const bool padded : {false, true}) {
    for (std::size_t size = 0; size <= 40; ++size) {
      const std::size_t readable = padded ? std::max(size, kEqualLookAhead) : size;
      std::vector<char> a(readable, 'a');
      std::vector<char> b(readable, 'a');
      for (std::size_t i = size; i < readable; ++i) b[i] = 'x';  // what is behind makes no difference
      const auto equal = [&](std::size_t b_size) {
        return EqualTexts({a.data(), size}, {b.data(), b_size}, padded);
      };
      EXPECT_TRUE(equal(size)) << size;
      if (size > 0) {
        EXPECT_FALSE(equal(size - 1)) << size;
      }
      for (std::size_t at = 0; at < size; ++at) {
        for (const char other : {'\0', 'b', '\xe1'}) {
          b[at] = other;
          EXPECT_FALSE(equal(size)) << at << " of " << size;
        }
        b[at] = 'a';
      }
    }
  }
}

}  // namespace
}  // namespace leafscore::internal
