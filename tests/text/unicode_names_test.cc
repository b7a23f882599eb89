#include "engine/text/unicode_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "engine/text/unicode_aliases.h"

namespace leafscore::internal {
namespace {

TEST(CodePointOfName, Names) {
  EXPECT_EQ(CodePointOfName("LATIN SMALL LETTER A"), 'a');
  EXPECT_EQ(CodePointOfName("latin Small letter a"), 'a');
  EXPECT_EQ(CodePointOfName("GRINNING FACE"), 0x1f600);
  EXPECT_EQ(CodePointOfName("BELL"), 0x1f514);
  EXPECT_EQ(CodePointOfName("HANGUL SYLLABLE GAG"), 0xac01);
  EXPECT_EQ(CodePointOfName("CJK UNIFIED IDEOGRAPH-4E00"), 0x4e00);
  EXPECT_EQ(CodePointOfName("VARIATION SELECTOR-17"), 0xe0100);
}

TEST(CodePointOfName, Aliases) {
  EXPECT_TRUE(std::ranges::is_sorted(kUnicodeAliases, {}, &UnicodeAlias::name));
  for (const UnicodeAlias& alias : kUnicodeAliases) EXPECT_EQ(CodePointOfName(alias.name), alias.code_point);
  EXPECT_EQ(CodePointOfName("line feed"), '\n');
  EXPECT_EQ(CodePointOfName("ZWNBSP"), 0xfeff);
  EXPECT_EQ(CodePointOfName("VS1"), 0xfe00);
  EXPECT_EQ(CodePointOfName("vs16"), 0xfe0f);
  EXPECT_EQ(CodePointOfName("VS17"), 0xe0100);
  EXPECT_EQ(CodePointOfName("VS256"), 0xe01ef);
}

TEST(CodePointOfName, NoNames) {
  for (const char* name : {"", "A", " BELL", "BELL ", "NO SUCH NAME", "KEYCAP DIGIT ONE", "VS", "VS0", "VS01",
                           "VS257", "VS1x", "hangul syllable gag", "CJK UNIFIED IDEOGRAPH-4e00",
                           "CJK UNIFIED IDEOGRAPH-0041", "<control-0041>"}) {
    EXPECT_EQ(CodePointOfName(name), -1) << name;
  }
  EXPECT_EQ(CodePointOfName(std::string(1 << 20, 'A')), -1);
}

}  // namespace
}  // namespace leafscore::internal
