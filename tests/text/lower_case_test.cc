#include "engine/text/lower_case.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace leafscore::internal {
namespace {

std::string Lower(std::string text) {
  ToLowerCase(text);
  return text;
}

TEST(ToLowerCase, AsciiAtEveryPosition) {
  for (int byte = 0; byte < 128; ++byte) {
    const char lower = static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
    for (std::size_t size = 1; size <= 70; ++size) {
      for (std::size_t at = 0; at < size; ++at) {
        std::string text(size, 'q');
        text[at] = static_cast<char>(byte);
        std::string wanted(size, 'q');
        wanted[at] = lower;
        ASSERT_EQ(Lower(text), wanted) << byte << " at " << at << " of " << size;
      }
    }
  }
  EXPECT_EQ(Lower(""), "");
}

TEST(ToLowerCase, LettersOfOtherScripts) {
  EXPECT_EQ(Lower("GRÖSSE Ñ Ÿ"), "grösse ñ ÿ");
  EXPECT_EQ(Lower("ẞß"), "ßß");
  EXPECT_EQ(Lower("ПРИВЕТ ЁЖ"), "привет ёж");
  EXPECT_EQ(Lower("Ǆǅ"), "ǆǆ");                                // upper and title case
  EXPECT_EQ(Lower("\xf0\x90\x90\x80Z"), "\xf0\x90\x90\xa8z");  // U+10400, four bytes
  EXPECT_EQ(Lower("\xe1\x8e\xa0"), "\xea\xad\xb0");            // Cherokee A
  EXPECT_EQ(Lower("K"), "k");                                  // the Kelvin sign, three bytes become one
  EXPECT_EQ(Lower("東京 العربية 😀 É"), "東京 العربية 😀 é");
}

TEST(ToLowerCase, FullMappings) {
  EXPECT_EQ(Lower("İ"), "i\xcc\x87");  // a dot above stays
  EXPECT_EQ(Lower("İSTANBUL I ı"), "i\xcc\x87stanbul i ı");
  EXPECT_EQ(Lower("ΟΔΥΣΣΕΥΣ ΣΑΣ Σ"), "οδυσσευς σας σ");  // ς only at the end of a word
  EXPECT_EQ(Lower("aΣ aΣb Σ."), "aς aσb σ.");
}

TEST(ToLowerCase, TextsThatGrow) {
  for (std::size_t count : {1u, 10u, 1000u}) {
    std::string text;
    std::string wanted;
    for (std::size_t i = 0; i < count; ++i) {
      text += "İ";  // two bytes become three
      wanted += "i\xcc\x87";
      ASSERT_EQ(Lower("Ⱥ"), "ⱥ");  // likewise
    }
    EXPECT_EQ(Lower(text), wanted);
  }
}

}  // namespace
}  // namespace leafscore::internal
