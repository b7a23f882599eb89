#include "engine/render/display_width.h"

#include <gtest/gtest.h>

namespace leafscore::internal {
namespace {

TEST(DisplayWidth, OfTextsOfOneColumnEach) {
  EXPECT_EQ(DisplayWidth(""), 0u);
  EXPECT_EQ(DisplayWidth("gpt-4o"), 6u);
  EXPECT_EQ(DisplayWidth("größe"), 5u);
  EXPECT_EQ(DisplayWidth("модель"), 6u);
  EXPECT_EQ(DisplayWidth("a\u00A0b"), 3u);
  EXPECT_EQ(DisplayWidth("\uFF76\uFF85"), 2u);  // half-width kana
}

TEST(DisplayWidth, WideAndFullWidthTakeTwo) {
  EXPECT_EQ(DisplayWidth("模型"), 4u);
  EXPECT_EQ(DisplayWidth("모델"), 4u);
  EXPECT_EQ(DisplayWidth("モデル"), 6u);
  EXPECT_EQ(DisplayWidth("\uFF27\uFF30\uFF34"), 6u);  // GPT, full-width
  EXPECT_EQ(DisplayWidth("\U00020000"), 2u);          // Han beyond the basic plane
  EXPECT_EQ(DisplayWidth("a模b"), 4u);
}

// Hangul as letters, which are drawn as the syllable of two columns that they make up.
TEST(DisplayWidth, ConjoiningLettersAreOneSyllable) { EXPECT_EQ(DisplayWidth("\u1112\u1161\u11AB"), 2u); }

TEST(DisplayWidth, AmbiguousTakeOne) { EXPECT_EQ(DisplayWidth("±α…§"), 4u); }

TEST(DisplayWidth, CombiningMarksAndInvisiblesTakeNone) {
  EXPECT_EQ(DisplayWidth("e\u0301"), 1u);
  EXPECT_EQ(DisplayWidth("a\u20DD"), 1u);  // in a circle
  EXPECT_EQ(DisplayWidth("か\u3099"), 2u);
  EXPECT_EQ(DisplayWidth("a\u200Bb\u2060c"), 3u);
  EXPECT_EQ(DisplayWidth("क\u094D"), 1u);
}

TEST(DisplayWidth, AnEmojiTakesTwoHoweverManyCodePointsItHas) {
  EXPECT_EQ(DisplayWidth("🚀"), 2u);
  EXPECT_EQ(DisplayWidth("👩\u200D👩\u200D👧\u200D👦"), 2u);   // a family
  EXPECT_EQ(DisplayWidth("👍🏽"), 2u);                 // a skin tone
  EXPECT_EQ(DisplayWidth("🏃🏽\u200D♀\uFE0F"), 2u);  // a woman running, a skin tone
  EXPECT_EQ(DisplayWidth("❤\uFE0F\u200D🔥"), 2u);
  EXPECT_EQ(DisplayWidth("🇩🇪"), 2u);
  EXPECT_EQ(DisplayWidth("🇩🇪🇰🇷"), 4u);
  EXPECT_EQ(DisplayWidth("🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F"), 2u);  // England
  EXPECT_EQ(DisplayWidth("1\uFE0F\u20E3"), 2u);  // a key cap
  EXPECT_EQ(DisplayWidth("🚀🚀"), 4u);
}

// U+2764 is a text of one column unless VS16 makes it a picture, and a letter is no picture.
TEST(DisplayWidth, VariationSelectorsWidenPicturesAlone) {
  EXPECT_EQ(DisplayWidth("❤"), 1u);
  EXPECT_EQ(DisplayWidth("❤\uFE0F"), 2u);
  EXPECT_EQ(DisplayWidth("❤\uFE0E"), 1u);
  EXPECT_EQ(DisplayWidth("a\uFE0F"), 1u);
  EXPECT_EQ(DisplayWidth("🚀\uFE0F"), 2u);
}

TEST(DisplayWidth, JoinersAndSkinTonesOfTextJoinNothing) {
  EXPECT_EQ(DisplayWidth("a\u200D🚀"), 3u);
  EXPECT_EQ(DisplayWidth("a🏽"), 3u);
  EXPECT_EQ(DisplayWidth("🚀\u200Da"), 3u);
}

}  // namespace
}  // namespace leafscore::internal
