#include "engine/text/date.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace leafscore::internal {
namespace {

using std::chrono::day;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;

using Day = std::optional<sys_days>;

Day Parse(std::string_view text, DayMonthOrder order = DayMonthOrder::kByValue) {
  return ParseDate(text, order);
}
Day On(int y, unsigned m, unsigned d) { return sys_days(year(y) / month(m) / day(d)); }

TEST(Date, EveryFormat) {
  for (const std::string text :
       {"2025-01-15", "2025-01-15T10:20:30", "2025-01-15T10:20:30.123456789", "2025-01-15T10:20:30Z",
        "2025-01-15T10:20:30.5+05:30", "2025-01-15T10:20:30-0800", "01/15/2025", "1/15/2025", "01-15-2025",
        "15/01/2025", "15-1-2025", "15-JAN-2025", "15-jan-2025", "15-January-2025"}) {
    EXPECT_EQ(Parse(text), On(2025, 1, 15)) << text;
  }
}

TEST(Date, AsPeopleAndTheOriginWriteThem) {
  for (const std::string text :
       {"Jan 15, 2025",     "January 15, 2025",     "Jan. 15, 2025",    "jan 15 2025",
        "January 15,2025",  "15 January 2025",      "15 Jan 2025",      "15 Jan. 2025",
        "15 JANUARY, 2025", "2025/01/15",           "2025/1/15",        "2025-1-15",
        "15/JAN/2025",      "15/January/2025",      "Wed, 15 Jan 2025", "Wednesday, January 15, 2025",
        "Wed Jan 15 2025",  "2025-01-15 (approx.)", "01/15/25",         "15-Jan-25",
        "Jan 15, 25"}) {
    EXPECT_EQ(Parse(text), On(2025, 1, 15)) << text;
  }
  EXPECT_EQ(Parse("2025-01"), On(2025, 1, 1));
  EXPECT_EQ(Parse("Sept 2, 2024"), On(2024, 9, 2));
}

TEST(Date, WithATimeOfDay) {
  for (const std::string text :
       {"2025-01-15 10:00:00", "2025-01-15T10:20", "2025-01-15 9:05", "2025-01-15, 10:00",
        "1/15/2025 10:00 AM", "1/15/2025 12:30am", "1/15/2025 11:59 PM", "Jan 15, 2025, 10:00:00.5 pm",
        "15-JAN-2025 10:00", "Wed, 15 Jan 2025 10:00:00 GMT", "2025-01-15t10:20:30z",
        "2025-01-15 10:20:30+05", "2025-01-15 10:20:30 UTC",
        "Wed Jan 15 2025 10:00:00 GMT+0100 (Central European Time)"}) {
    EXPECT_EQ(Parse(text), On(2025, 1, 15)) << text;
  }
  EXPECT_EQ(Parse("1/15/2025 12:30 AM +01:00"), On(2025, 1, 14));
  EXPECT_EQ(Parse("15 Jan 2025 23:30 GMT-0100"), On(2025, 1, 16));
  for (const std::string text :
       {"1/15/2025 10", "1/15/2025 10 AM", "1/15/2025 0:30 AM", "1/15/2025 13:30 PM", "15-JAN-2025T10:00",
        "2025-01-15 10:0", "2025-01-15 100:00", "2025-01-15 10:00:0", "2025-01-15 10:00 noon",
        "2025-01 10:00", "2025-01-15 ", "2025-01-15,", "Jan 15, 2025 at 10:00", "2025-01-15 10:00 + 01:00"}) {
    EXPECT_EQ(Parse(text), std::nullopt) << text;
  }
}

TEST(Date, YearsOfTwoDigitsAreThoseFrom1950To2049) {
  EXPECT_EQ(Parse("01/15/00"), On(2000, 1, 15));
  EXPECT_EQ(Parse("01/15/49"), On(2049, 1, 15));
  EXPECT_EQ(Parse("01/15/50"), On(1950, 1, 15));
  EXPECT_EQ(Parse("01/15/99"), On(1999, 1, 15));
  EXPECT_EQ(Parse("03-04-25", DayMonthOrder::kDayFirst), On(2025, 4, 3));
  EXPECT_EQ(Parse("25/01/15"),
            On(2015, 1, 25));  // as with a year of four digits, the day is what is above 12
  for (const std::string text : {"01/15/5", "01/15/125", "25-13-15"}) {
    EXPECT_EQ(Parse(text), std::nullopt) << text;
  }
}

TEST(Date, MonthsByName) {
  const std::vector<std::string> names = {"january",   "february", "march",    "april",
                                          "may",       "june",     "july",     "august",
                                          "september", "october",  "november", "december"};
  for (unsigned m = 0; m < 12; ++m) {
    EXPECT_EQ(Parse("02-" + names[m] + "-2024"), On(2024, m + 1, 2));
    EXPECT_EQ(Parse("2-" + names[m].substr(0, 3) + "-2024"), On(2024, m + 1, 2));
  }
  EXPECT_EQ(Parse("02-Sept-2024"), On(2024, 9, 2));
  for (const std::string text : {"02-Janu-2024", "02-ja-2024", "02-xyz-2024", "02-septembers-2024",
                                 "02-x3-2024", "02-March3-2024", "02--2024", "02 Jan-2024", "Jan-02-2024",
                                 "Januar 2, 2024", "Mo, 2 Jan 2024", "2nd Jan 2024", "Jan 2024"}) {
    EXPECT_EQ(Parse(text), std::nullopt) << text;
  }
}

TEST(Date, AZoneMovesTheDay) {
  EXPECT_EQ(Parse("2025-01-15T23:30:00-05:00"), On(2025, 1, 16));
  EXPECT_EQ(Parse("2025-01-01T00:10:00+00:11"), On(2024, 12, 31));
  EXPECT_EQ(Parse("2025-01-01T00:10:00+00:10"), On(2025, 1, 1));
  EXPECT_EQ(Parse("0000-01-01T00:00:00+23:59"), On(-1, 12, 31));
  EXPECT_EQ(Parse("9999-12-31T23:59:59-23:59"), On(10000, 1, 1));
}

TEST(Date, ImpossibleDaysAndTimes) {
  EXPECT_EQ(Parse("2024-02-29"), On(2024, 2, 29));
  EXPECT_EQ(Parse("2000-02-29"), On(2000, 2, 29));
  for (const std::string text :
       {"2025-02-29", "1900-02-29", "2025-02-31", "31-FEB-2025", "2025-04-31", "2025-13-01", "2025-00-10",
        "2025-10-00", "13/13/2025", "00/01/2025", "2025-01-15T24:00:00", "2025-01-15T10:60:00",
        "2025-01-15T10:20:60", "2025-01-15T10:20:30+24:00", "2025-01-15T10:20:30+05:60"}) {
    EXPECT_EQ(Parse(text), std::nullopt) << text;
  }
}

TEST(Date, OtherTexts) {
  for (const std::string text : {"",
                                 "2025",
                                 "2025/01",
                                 "2025-01-",
                                 "2025/01-15",
                                 "2025-01-155",
                                 "2025-001-15",
                                 "12025-01-15",
                                 "15.01.2025",
                                 "2025-01-15T",
                                 "2025-01-15T10",
                                 "2025-01-15T10:20:30.",
                                 "2025-01-15T10:20:30+",
                                 "2025-01-15T10:20:30+5",
                                 "2025-01-15T10:20:30+05:",
                                 "2025-01-15x",
                                 "01/15-2025",
                                 "01/15/20250",
                                 "001/15/2025",
                                 "1//2025",
                                 "/1/2025",
                                 "1/2/",
                                 "unknown",
                                 " 2025-01-15",
                                 "20250115",
                                 "2025-01-15T10:20:30Z0"}) {
    EXPECT_EQ(Parse(text), std::nullopt) << text;
  }
  EXPECT_EQ(Parse(std::string("2025-01-15\0", 11)), std::nullopt);
}

TEST(Date, OrderOfDayAndMonth) {
  EXPECT_EQ(Parse("03/04/2025"), On(2025, 3, 4));
  EXPECT_EQ(Parse("03/04/2025", DayMonthOrder::kMonthFirst), On(2025, 3, 4));
  EXPECT_EQ(Parse("03/04/2025", DayMonthOrder::kDayFirst), On(2025, 4, 3));
  EXPECT_EQ(Parse("13-04-2025"), On(2025, 4, 13));
  EXPECT_EQ(Parse("12-04-2025"), On(2025, 12, 4));
  EXPECT_EQ(Parse("13-04-2025", DayMonthOrder::kMonthFirst), std::nullopt);
  EXPECT_EQ(Parse("04-13-2025", DayMonthOrder::kDayFirst), std::nullopt);
}

TEST(Date, OrderOfFormats) {
  const auto order = [](const std::vector<std::string>& formats) { return OrderOfFormats(formats); };
  EXPECT_EQ(order({}), DayMonthOrder::kByValue);
  EXPECT_EQ(order({"YYYY-MM-DD", "DD-MMM-YYYY", "YYYY-MM-DDTHH:mm:ss"}), DayMonthOrder::kByValue);
  EXPECT_EQ(order({"DD/MM/YYYY"}), DayMonthOrder::kDayFirst);
  EXPECT_EQ(order({"YYYY-MM-DD", "DD-MM-YYYY"}), DayMonthOrder::kDayFirst);
  EXPECT_EQ(order({"DD-MMM-YYYY", "MM/DD/YYYY"}), DayMonthOrder::kMonthFirst);
  EXPECT_EQ(order({"MM-DD-YYYY"}), DayMonthOrder::kMonthFirst);
  EXPECT_EQ(order({"MM-DD-YYYY", "DD/MM/YYYY"}), DayMonthOrder::kByValue);
}

// The calendar of the standard library is what we parse with, so every day is counted here by hand.
TEST(Date, EveryDayOfFourCenturies) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  sys_days expected = *Parse("1899-12-31");
  for (int y = 1900; y < 2300; ++y) {
    const bool leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
    for (int m = 1; m <= 12; ++m) {
      for (int d = 1; d <= kDays[m - 1] + (leap && m == 2); ++d) {
        const auto two = [](int n) { return std::string(n < 10 ? "0" : "") + std::to_string(n); };
        ASSERT_EQ(Parse(std::to_string(y) + "-" + two(m) + "-" + two(d)), expected += std::chrono::days(1));
      }
    }
  }
}

}  // namespace
}  // namespace leafscore::internal
