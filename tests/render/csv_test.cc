#include "engine/render/csv.h"

#include <gtest/gtest.h>

#include <string>

namespace leafscore::internal {
namespace {

std::string CsvField(std::string_view text, CsvFields fields = CsvFields::kSafe) {
  std::string out;
  AppendCsvField(out, text, fields);
  return out;
}

TEST(CsvField, QuotesWhereItMust) {
  EXPECT_EQ(CsvField(""), "");
  EXPECT_EQ(CsvField("a b"), "a b");
  EXPECT_EQ(CsvField("a,b"), "\"a,b\"");
  EXPECT_EQ(CsvField("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(CsvField("a\nb"), "\"a\nb\"");
}

TEST(CsvField, IsNoFormula) {
  for (const std::string formula :
       {"=1", "+", "-", "-x", "+1+1", "--1", "-inf", "-nan", "@SUM(A1)", "\t=1"}) {
    EXPECT_EQ(CsvField(formula), "'" + formula);
    EXPECT_EQ(CsvField(formula, CsvFields::kRaw), formula);
  }
  EXPECT_EQ(CsvField("\r=1"), "\"'\r=1\"");
  for (const std::string number : {"-1", "+1", "-2.5e3", "0", "a=1"}) EXPECT_EQ(CsvField(number), number);
}

// As in strings of JSON, so that details, which are JSON, stay what they are. Tabs and line ends are
// harmless.
TEST(CsvField, HoldsNoControlCharacters) {
  const std::string text("a\0b\x1b[2J\x7f\u0085\u202E\tc", 15);
  EXPECT_EQ(CsvField(text), "a\\u0000b\\u001B[2J\\u007F\\u0085\\u202E\tc");
  EXPECT_EQ(CsvField(text, CsvFields::kRaw), text);
  EXPECT_EQ(CsvField("\x1b\"\r\n"), "\"\\u001B\"\"\r\n\"");
  EXPECT_EQ(CsvField("\u00A0\u00E9\u061B\u200B\u2030"), "\u00A0\u00E9\u061B\u200B\u2030");
}

}  // namespace
}  // namespace leafscore::internal
