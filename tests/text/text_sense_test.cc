#include "engine/text/text_sense.h"

#include <gtest/gtest.h>

namespace leafscore::internal {
namespace {

TEST(TextSenseTest, TextsThatStandForAValueAreKnown) {
  for (const char* text : {"TODO", " todo ", "TODO: ask", "FIXME", "tbd", "Lorem ipsum dolor"}) {
    EXPECT_EQ(SenseOf(text), TextSense::kPlaceholder) << text;
  }
  for (const char* text : {"N/A", "n.a.", "NaN", "null", "undefined"}) {
    EXPECT_EQ(SenseOf(text), TextSense::kNoValue) << text;
  }
  for (const char* text : {"Traceback (most recent call last):\n  File", "Error: 500", "ValueError: no",
                           "openai.RateLimitError: slow down", "HTTPError: 404", "ERROR: no", "HTTP 429",
                           "503 Service Unavailable", "HTTP 500 Internal Server Error", "HTTP 503: try later",
                           "HTTP Error 404: Not Found", "HTTP error occurred: 500", "HTTP error"}) {
    EXPECT_EQ(SenseOf(text), TextSense::kFailure) << text;
  }
  for (const char* text : {"I'm sorry, I can't do that.", "I\xE2\x80\x99m sorry, but I can\xE2\x80\x99t help",
                           "I am unable to read the document.", "I must decline this request."}) {
    EXPECT_EQ(SenseOf(text), TextSense::kRefusal) << text;
  }
  EXPECT_EQ(SenseOf(" \n"), TextSense::kBlank);
  EXPECT_EQ(SenseOf(""), TextSense::kBlank);
  for (const char* text :
       {"none", "NA", "No", "todos", "Todo list of Anna", "error", "Terror: a history", "The error: a fuse",
        "An error: none", "HTTP 404", "I'm sorry to hear that", "nanometre", "Nanny", "HTTP", "HTTP 4290",
        "HTTP 500 ml bottle", "HTTP errors are common", "StandardError: 0.3", "NoError: fine"}) {
    EXPECT_EQ(SenseOf(text), TextSense::kValue) << text;
  }
}

}  // namespace
}  // namespace leafscore::internal
