#include "engine/languages/python_date.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string_view>

namespace leafscore::internal {
namespace {

using std::chrono::day;
using std::chrono::month;
using std::chrono::year;
using Date = std::optional<std::chrono::year_month_day>;

Date Read(std::string_view text) { return ReadPythonDate(text, 2026); }
Date Of(int y, unsigned m, unsigned d) { return std::chrono::year_month_day(year(y), month(m), day(d)); }

// dateutil 2.9.0 reads all of these as the same day.
TEST(PythonDate, ReadsADayInManyForms) {
  for (const std::string_view text : {"2024-03-05",       "2024-3-5",          "2024/03/05",
                                      "2024.3.5",         "03/05/2024",        "3/5/2024",
                                      "3/5/24",           "03-05-2024",        "3-5-24",
                                      "March 5, 2024",    "March 5 2024",      "Mar 5, 2024",
                                      "Mar. 5, 2024",     "mar-5-2024",        "Mar/05/2024",
                                      "5 March 2024",     "5 Mar 2024",        "05 MARCH 2024",
                                      "05-Mar-2024",      "2024-Mar-05",       "Tuesday March 5 2024",
                                      "Tue, Mar 5, 2024", "5th of March 2024", "20240305",
                                      "3/5/2024.",        " 2024-03-05 ",      "2024 March 5"}) {
    EXPECT_EQ(Read(text), Of(2024, 3, 5)) << text;
  }
}

TEST(PythonDate, ReadsTimesAndZonesBehindIt) {
  for (const std::string_view text :
       {"2024-03-05T10:30:00Z", "2024-03-05T10:30:15.250+05:30", "2024-03-05 10:30", "3/5/2024 10:30 PM",
        "3/5/2024 10:30PM", "3/5/2024 10 pm", "2024-03-05T1030", "2024-03-05T103059", "2024-03-05 10:30 EST",
        "2024-03-05 10:30 GMT+3", "2024-03-05 10:30 -0300 (BRST)", "10:30 3/5/2024",
        "March 5, 2024 at 10:30"}) {
    EXPECT_EQ(Read(text), Of(2024, 3, 5)) << text;
  }
}

TEST(PythonDate, TellsDaysMonthsAndYearsApart) {
  EXPECT_EQ(Read("13/05/2024"), Of(2024, 5, 13));
  EXPECT_EQ(Read("5/13/2024"), Of(2024, 5, 13));
  EXPECT_EQ(Read("31/12/99"), Of(1999, 12, 31));
  EXPECT_EQ(Read("10-11-12"), Of(2012, 10, 11));
  EXPECT_EQ(Read("99-01-02"), Of(1999, 1, 2));
  EXPECT_EQ(Read("12/31/75"), Of(2075, 12, 31));
  EXPECT_EQ(Read("12/31/76"), Of(1976, 12, 31));
  EXPECT_EQ(Read("June 19 44"), Of(2044, 6, 19));
  EXPECT_EQ(Read("June 44 19"), Of(2044, 6, 19));
  EXPECT_EQ(Read("240305"), Of(2005, 3, 24));
  EXPECT_EQ(Read("1/1/0099"), Of(99, 1, 1));
}

TEST(PythonDate, RefusesWhatIsNoDay) {
  for (const std::string_view text : {"",
                                      " ",
                                      "12",
                                      "March 2024",
                                      "2024-02-30",
                                      "2024-13-05",
                                      "13/13/2024",
                                      "(3/5/2024)",
                                      "Due 03/05/2024",
                                      "5 March 2024 to 6 March 2024",
                                      "123-45-6789",
                                      "03/05/2024 UTC",
                                      "3/5/2024 25:00",
                                      "3/5/2024 10:61",
                                      "3/5/2024 13 PM",
                                      "1/2/3/4",
                                      "March May 2024",
                                      "Invoice 5 March 2024",
                                      "5.3.2024 x",
                                      "é/5/2024"}) {
    EXPECT_EQ(Read(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace leafscore::internal
