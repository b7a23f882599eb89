#include "engine/base/utf8.h"

#include <gtest/gtest.h>

namespace leafscore::internal {
namespace {

// é has two bytes, 中 three.
TEST(Utf8, TextsAreClippedBetweenCodePoints) {
  EXPECT_EQ(ClipText("", 0), "");
  EXPECT_EQ(ClipText("abc", 2), "ab");
  EXPECT_EQ(ClipText("abc", 3), "abc");
  EXPECT_EQ(ClipText("aé中", 6), "aé中");
  EXPECT_EQ(ClipText("aé中", 5), "aé");
  EXPECT_EQ(ClipText("aé中", 4), "aé");
  EXPECT_EQ(ClipText("aé中", 3), "aé");
  EXPECT_EQ(ClipText("aé中", 2), "a");
  EXPECT_EQ(ClipText("中", 2), "");
  EXPECT_EQ(ClipText("\x80\x80", 1), "");
}

}  // namespace
}  // namespace leafscore::internal
