#include "engine/base/suggest.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace leafscore::internal {
namespace {

constexpr std::string_view kNames[] = {"json_similarity", "exact_match", "contains", "levenshtein"};

TEST(Suggest, NearestName) {
  EXPECT_EQ(NearestName("levenstein", kNames), "levenshtein");
  EXPECT_EQ(NearestName("json-similarity", kNames), "json_similarity");
  EXPECT_EQ(NearestName("exactmatch", kNames), "exact_match");
  EXPECT_EQ(NearestName("contain", kNames), "contains");
  EXPECT_EQ(NearestName("contains", kNames), "contains");
  EXPECT_EQ(NearestName("regex", kNames), "");
  EXPECT_EQ(NearestName("", kNames), "");
  EXPECT_EQ(NearestName("contains", {}), "");
  EXPECT_EQ(NearestName(std::string(1 << 20, 'c'), kNames), "");
}

TEST(Suggest, AThirdOfTheLongerNameMayDiffer) {
  constexpr std::string_view kSix[] = {"abcdef"};
  EXPECT_EQ(NearestName("abcdXY", kSix), "abcdef");
  EXPECT_EQ(NearestName("abcXYZ", kSix), "");
  constexpr std::string_view kModel[] = {"model"};
  EXPECT_EQ(NearestName("modle", kModel), "model");  // two letters in the wrong order are one mistake
  constexpr std::string_view kTwo[] = {"id"};
  EXPECT_EQ(NearestName("ix", kTwo), "id");
  EXPECT_EQ(NearestName("xy", kTwo), "");
}

TEST(Suggest, TheFirstOfEqualsWins) {
  constexpr std::string_view kEquals[] = {"abcx", "abcy", "abc1"};
  EXPECT_EQ(NearestName("abcz", kEquals), "abcx");
  constexpr std::string_view kCloserLater[] = {"abcxx", "abczx"};
  EXPECT_EQ(NearestName("abczz", kCloserLater), "abczx");
}

TEST(Suggest, UnknownNameMessage) {
  EXPECT_EQ(UnknownNameMessage("scorer type", "levenstein", kNames),
            "unknown scorer type \"levenstein\"; did you mean \"levenshtein\"? valid: json_similarity, "
            "exact_match, "
            "contains, levenshtein");
  EXPECT_EQ(UnknownNameMessage("option", "x", {}), "unknown option \"x\"; there is none to give");
}

TEST(Suggest, QuoteForMessage) {
  EXPECT_EQ(QuoteForMessage("plain é"), "\"plain é\"");
  EXPECT_EQ(QuoteForMessage("a\nb\"c\x1b[0m"), "\"a\\nb\\\"c\\x1b[0m\"");
  EXPECT_EQ(QuoteForMessage(std::string(60, 'x')), "\"" + std::string(60, 'x') + "\"");
  EXPECT_EQ(QuoteForMessage(std::string(61, 'x')), "\"" + std::string(60, 'x') + "\"...");
  EXPECT_EQ(QuoteForMessage(std::string(59, 'x') + "éé"), "\"" + std::string(59, 'x') + "\"...");
}

}  // namespace
}  // namespace leafscore::internal
