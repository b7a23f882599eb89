#include "engine/run/number_marks.h"

#include <gtest/gtest.h>

#include <string>

namespace leafscore::internal {
namespace {

TEST(NumberMarks, BecomeTheNumbersOfTheirRecords) {
  const std::string lines = R"({"id": )" + NumberMark(NumberIn::kRun, 0) + R"(, "record": )" +
                            NumberMark(NumberIn::kInput, 12) + "}\n" + NumberMark(NumberIn::kRun, 3);
  std::string out = "before ";
  EXPECT_TRUE(AppendNumbered(lines, 100, 5000, out));
  EXPECT_EQ(out, "before {\"id\": 5000, \"record\": 112}\n5003");
}

TEST(NumberMarks, WhatIsNoMarkIsRefused) {
  const std::string mark = NumberMark(NumberIn::kRun, 7);
  std::string out;
  for (std::size_t size = 1; size < mark.size(); ++size) {
    EXPECT_FALSE(AppendNumbered(mark.substr(0, size), 1, 1, out)) << size;
  }
  EXPECT_FALSE(AppendNumbered("\xffrx\xfe", 1, 1, out));
  EXPECT_FALSE(AppendNumbered("\xffz1\xfe", 1, 1, out));
  EXPECT_FALSE(AppendNumbered("\xff\xfe", 1, 1, out));
}

}  // namespace
}  // namespace leafscore::internal
