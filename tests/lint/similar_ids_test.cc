#include "engine/lint/similar_ids.h"

#include <gtest/gtest.h>

#include <string>

namespace leafscore::internal {
namespace {

TEST(SimilarIds, CaseBlanksAndLeadingZerosDoNotMatter) {
  EXPECT_EQ(SimilarIdKey("t034"), "t34");
  EXPECT_EQ(SimilarIdKey(" T 34\t"), "t34");
  EXPECT_EQ(SimilarIdKey("\xC2\xA0t34\xEF\xBB\xBF"), "t34");
  EXPECT_EQ(SimilarIdKey("000"), "0");
  EXPECT_EQ(SimilarIdKey("100"), "100");
  EXPECT_EQ(SimilarIdKey("a-007-b-010"), "a-7-b-10");
  EXPECT_EQ(SimilarIdKey("\xC3\x84x"), "\xC3\xA4x");
  EXPECT_EQ(SimilarIdKey(""), "");
}

TEST(SimilarIds, WhatTellsIdsApartStays) {
  EXPECT_NE(SimilarIdKey("1.05"), SimilarIdKey("1.5"));
  EXPECT_NE(SimilarIdKey("1.005"), SimilarIdKey("1.05"));
  EXPECT_NE(SimilarIdKey("1,05"), SimilarIdKey("1,5"));
  EXPECT_NE(SimilarIdKey("f00d"), SimilarIdKey("f0d"));
  EXPECT_EQ(SimilarIdKey("case 034 a"), SimilarIdKey("case 34 A"));
  EXPECT_NE(SimilarIdKey("t340"), SimilarIdKey("t34"));
  EXPECT_NE(SimilarIdKey("a_1"), SimilarIdKey("a1"));
  EXPECT_NE(SimilarIdKey("-1"), SimilarIdKey("1"));
  EXPECT_NE(SimilarIdKey("\xED\xA0\x80"), SimilarIdKey("\xED\xA0\x81"));  // lone surrogates
}

TEST(SimilarIds, TheFirstIsFound) {
  TextNumbers ids;
  for (const char* id : {"t034", "t34", "x"}) ids.Add(id);
  const SimilarIds similar(ids);
  EXPECT_EQ(similar.Find("T34"), 0u);
  EXPECT_EQ(similar.Find("X"), 2u);
  EXPECT_EQ(similar.Find("y"), TextNumbers::kNone);
}

}  // namespace
}  // namespace leafscore::internal
