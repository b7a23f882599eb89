// Days as JavaScript's Date reads them. The wants of the tables are what Node 24 gives in UTC.
#include "engine/languages/javascript_date.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

namespace leafscore::internal {
namespace {

// Returns the day as year-month-day, or "invalid".
std::string DayOf(std::string_view text) {
  const auto day = ParseJavaScriptDate(text);
  if (!day) return "invalid";
  const std::chrono::year_month_day date(*day);
  return std::to_string(static_cast<int>(date.year())) + "-" +
         std::to_string(static_cast<unsigned>(date.month())) + "-" +
         std::to_string(static_cast<unsigned>(date.day()));
}

TEST(JavaScriptDate, StandardForms) {
  EXPECT_EQ(DayOf("2025-03-04"), "2025-3-4");
  EXPECT_EQ(DayOf("2025-03"), "2025-3-1");
  EXPECT_EQ(DayOf("2025"), "2025-1-1");
  EXPECT_EQ(DayOf("+002025-03-04"), "2025-3-4");
  EXPECT_EQ(DayOf("2025-03-04T23:30:00Z"), "2025-3-4");
  EXPECT_EQ(DayOf("2025-03-04T23:30:00-05:00"), "2025-3-5");
  EXPECT_EQ(DayOf("2025-03-04T00:30+01:00"), "2025-3-3");
  EXPECT_EQ(DayOf("2025-03-04T23:30:00.123456"), "2025-3-4");
  EXPECT_EQ(DayOf("2025-03-04T24:00"), "2025-3-5");
  EXPECT_EQ(DayOf("2025-03-04T24:01"), "invalid");
  EXPECT_EQ(DayOf("2025-03-04T"), "invalid");
  EXPECT_EQ(DayOf("2025-03-04T10:00 "), "invalid");
  EXPECT_EQ(DayOf("2025-02-31"), "2025-3-3");
  EXPECT_EQ(DayOf("2025-02-32"), "invalid");
}

TEST(JavaScriptDate, FormsThatTheStandardLeavesOpen) {
  EXPECT_EQ(DayOf("2025/03/04"), "2025-3-4");
  EXPECT_EQ(DayOf("2025-3-4"), "2025-3-4");
  EXPECT_EQ(DayOf("03/04/2025"), "2025-3-4");
  EXPECT_EQ(DayOf("03-04-2025"), "2025-3-4");
  EXPECT_EQ(DayOf("04.03.2025"), "2025-4-3");
  EXPECT_EQ(DayOf("4 March 2025"), "2025-3-4");
  EXPECT_EQ(DayOf("March 4, 2025"), "2025-3-4");
  EXPECT_EQ(DayOf("4-MAR-2025"), "2025-3-4");
  EXPECT_EQ(DayOf("2025-MAR-04"), "2025-3-4");
  EXPECT_EQ(DayOf("Tue Mar 04 2025"), "2025-3-4");
  EXPECT_EQ(DayOf("Marvellous 4 2025"), "2025-3-4");
  EXPECT_EQ(DayOf("2025-03-04 (approx.)"), "2025-3-4");
  EXPECT_EQ(DayOf("(about) 4 March (or so) 2025"), "2025-3-4");
  EXPECT_EQ(DayOf("31-FEB-2025"), "2025-3-3");
  EXPECT_EQ(DayOf("13/03/2025"), "invalid");
  EXPECT_EQ(DayOf("20250304"), "invalid");
  EXPECT_EQ(DayOf("1741046400000"), "invalid");
  EXPECT_EQ(DayOf("4 March 25"), "2025-3-4");
  EXPECT_EQ(DayOf("4 March 75"), "1975-3-4");
  EXPECT_EQ(DayOf("March 4"), "2001-3-4");
  EXPECT_EQ(DayOf("5"), "2001-5-1");
  EXPECT_EQ(DayOf(""), "invalid");
  EXPECT_EQ(DayOf("today"), "invalid");
  EXPECT_EQ(DayOf("March"), "invalid");
  EXPECT_EQ(DayOf("12abc"), "invalid");
  EXPECT_EQ(DayOf("4th March 2025"), "invalid");
  EXPECT_EQ(DayOf("4 - 3 - 2025"), "invalid");
  EXPECT_EQ(DayOf("1 2 3 4"), "invalid");
  EXPECT_EQ(DayOf("date: 2025-03-04"), "2025-3-4");
}

TEST(JavaScriptDate, TimesAndZonesBehindOtherForms) {
  EXPECT_EQ(DayOf("2025-03-04 23:30"), "2025-3-4");
  EXPECT_EQ(DayOf("3/4/2025 11:30 PM"), "2025-3-4");
  EXPECT_EQ(DayOf("3/4/2025 11:30PM"), "invalid");
  EXPECT_EQ(DayOf("3/4/2025 13:30 PM"), "invalid");
  EXPECT_EQ(DayOf("3/4/2025 25:00"), "invalid");
  EXPECT_EQ(DayOf("Tue, 04 Mar 2025 23:30:00 GMT"), "2025-3-4");
  EXPECT_EQ(DayOf("Tue, 04 Mar 2025 23:30:00 EST"), "2025-3-5");
  EXPECT_EQ(DayOf("Tue Mar 04 2025 23:30:00 GMT-0500 (EST)"), "2025-3-5");
  EXPECT_EQ(DayOf("4 Mar 2025 23:30 +02:00"), "2025-3-4");
  EXPECT_EQ(DayOf("4 Mar 2025 00:30 GMT+1"), "2025-3-3");
  EXPECT_EQ(DayOf("4 Mar 2025 10:00:00.5"), "2025-3-4");
}

TEST(JavaScriptDate, DaysBeyondAMonthRollOver) {
  EXPECT_EQ(JavaScriptDay(2025, 1, 31), std::chrono::sys_days(std::chrono::year(2025) / 3 / 3));
  EXPECT_EQ(JavaScriptDay(2025, 12, 3), std::chrono::sys_days(std::chrono::year(2026) / 1 / 3));
  EXPECT_EQ(JavaScriptDay(2025, -1, 1), std::chrono::sys_days(std::chrono::year(2024) / 12 / 1));
  for (int year = 1890; year < 2110; ++year) {
    for (int month = 1; month <= 12; ++month) {
      const std::chrono::year_month_day date =
          std::chrono::year(year) / std::chrono::month(static_cast<unsigned>(month)) / 1;
      EXPECT_EQ(JavaScriptDay(year, month - 1, 1), std::chrono::sys_days(date));
    }
  }
}

TEST(JavaScriptDate, OddTextsEnd) {
  for (const std::string_view text :
       {"(((((", ")", "::::", "1::2", "+", "-", "\xC2\xA0", "T", "1:2:3:4:5", "99999999999999999999:1"}) {
    DayOf(text);
  }
}

}  // namespace
}  // namespace leafscore::internal
