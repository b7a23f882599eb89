#include "engine/judge/redact.h"

#include <gtest/gtest.h>

#include <string>

namespace leafscore::internal {
namespace {

std::string Redacted(std::string text, std::string_view key = "sk/12+\"abc") {
  Redact(key, text);
  return text;
}

TEST(RedactTest, TakesTheKeyOutWhereverItStands) {
  EXPECT_EQ(Redacted("sk/12+\"abc"), "[key]");
  EXPECT_EQ(Redacted("bad sk/12+\"abcsk/12+\"abc, really"), "bad [key][key], really");
  EXPECT_EQ(Redacted("aaaaaaaab", "aaaaaaaa"), "[key]b");
}

TEST(RedactTest, SeesThroughEscapesOfJson) {
  EXPECT_EQ(Redacted(R"({"m": "bad sk\/12+\"abc"})"), R"({"m": "bad [key]"})");
  EXPECT_EQ(Redacted(R"(\u0073\u006B\u002f12\u002b\u0022abc.)"), "[key].");
}

TEST(RedactTest, LeavesEverythingElse) {
  for (const char* const text :
       {"", "sk/12", "sk/12+\"ab", "SK/12+\"abc", "sk/12+\\u0023abc", "\\", "\\u00", "s\\u00zzk"}) {
    EXPECT_EQ(Redacted(text), text);
  }
  EXPECT_EQ(Redacted("none of it", "none"), "none of it");
  EXPECT_EQ(Redacted("x", ""), "x");
}

TEST(RedactTest, FindsAKeyThatIsHiddenByFurtherEscapes) {
  EXPECT_TRUE(HidesKey("sk/12+\"abc", R"({"content": "{\"why\": \"\\u0073k/12+\\\"abc\"}"})"));
  EXPECT_TRUE(HidesKey("sk/12+345", R"(\\\\/ sk\\\/12+345)"));
  EXPECT_FALSE(HidesKey("sk/12+345", R"(sk/12+34 \\ \u00 \)"));
  EXPECT_FALSE(HidesKey("none", R"(no\u006ee)"));
}

}  // namespace
}  // namespace leafscore::internal
