#include "engine/bytes.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace leafscore {
namespace {

// In blocks of exactly the size compared, so that the address sanitizer sees every byte too many.
TEST(Bytes, EveryLengthWithADifferenceAnywhere) {
  for (std::size_t size = 0; size <= 70; ++size) {
    const std::vector<char> a(size, 'a');
    std::vector<char> b = a;
    EXPECT_TRUE(EqualBytes(a.data(), b.data(), size));
    EXPECT_EQ(CommonPrefix(a.data(), b.data(), size), size);
    for (std::size_t at = size; at-- != 0;) {  // all bytes from `at` on differ
      b[at] = at % 2 == 0 ? '\xe1' : 'b';
      EXPECT_FALSE(EqualBytes(a.data(), b.data(), size));
      EXPECT_EQ(CommonPrefix(a.data(), b.data(), size), at);
    }
    for (std::size_t at = 0; at < size; ++at) {  // just one does
      b = a;
      b[at] = '\0';
      EXPECT_FALSE(EqualBytes(a.data(), b.data(), size));
      EXPECT_EQ(CommonPrefix(a.data(), b.data(), size), at);
    }
  }
}

}  // namespace
}  // namespace leafscore
