#include "engine/base/display.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

// The code points that Unicode calls controls, line and paragraph separators, and bidirectional controls.
bool IsListed(std::uint32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0) || code_point == 0x61C ||
         code_point == 0x200E || code_point == 0x200F || (code_point >= 0x2028 && code_point <= 0x202E) ||
         (code_point >= 0x2066 && code_point <= 0x2069);
}

TEST(Display, ReplacesExactlyWhatSteersATerminalOrTurnsText) {
  for (std::uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
    if (code_point >= 0xD800 && code_point < 0xE000) continue;
    std::string text;
    AppendUtf8(code_point, text);
    ASSERT_EQ(DisplayCodePoint(text), IsListed(code_point) ? "\uFFFD" : text) << std::hex << code_point;
  }
}

// Escapes tell two names apart that only differ in what cannot be seen.
TEST(Display, WhatCannotBeSeenIsAnEscape) {
  for (std::uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
    if (code_point >= 0xD800 && code_point < 0xE000) continue;
    std::string text;
    AppendUtf8(code_point, text);
    if (IsListed(code_point)) {
      ASSERT_EQ(VisibleCodePoint(text), fmt::format("\\u{:04X}", code_point));
    }
  }
  EXPECT_EQ(VisibleCodePoint("a"), "a");
  EXPECT_EQ(VisibleCodePoint("é"), "é");
  EXPECT_EQ(VisibleCodePoint("\U0001F600"), "\U0001F600");
  EXPECT_EQ(VisibleCodePoint("\u00AD"), "\\u00AD");          // soft hyphen
  EXPECT_EQ(VisibleCodePoint("\u200B"), "\\u200B");          // zero-width space
  EXPECT_EQ(VisibleCodePoint("\uFEFF"), "\\uFEFF");          // byte order mark
  EXPECT_EQ(VisibleCodePoint("\U000E0041"), "\\U000E0041");  // tag letter
  EXPECT_EQ(VisibleCodePoint("\uFFFE"), "\\uFFFE");          // noncharacters
  EXPECT_EQ(VisibleCodePoint("\uFDD0"), "\\uFDD0");
  EXPECT_EQ(VisibleCodePoint("\U0010FFFF"), "\\U0010FFFF");
  EXPECT_EQ(VisibleCodePoint("\uFFFD"), "\uFFFD");
}

TEST(Display, TextKeepsItsLinesAndIsValid) {
  EXPECT_EQ(DisplayText("a\nb\tc\x1b[2J\xff é\u202Ex"), "a\nb\uFFFDc\uFFFD[2J\uFFFD é\uFFFDx");
  EXPECT_EQ(DisplayText(""), "");
}

}  // namespace
}  // namespace leafscore::internal
