#include <gtest/gtest.h>

#include <string>

#include "engine/languages/python_repr.h"
#include "json/reader_probe.h"

namespace leafscore::internal {
namespace {

std::string TextOf(const std::string& json, PythonNumbers numbers = PythonNumbers::kReals) {
  ReaderProbe probe;
  EXPECT_TRUE(probe.Read(json).tree) << json;
  std::string out = ">";
  AppendPythonText(probe.table(), probe.shapes(), 0, out, numbers);
  return out.substr(1);
}

// Each is what Python 3.11 prints of the value that its json module reads, once its numbers are reals.
TEST(PythonValueText, Scalars) {
  EXPECT_EQ(TextOf("5"), "5.0");
  EXPECT_EQ(TextOf("-0"), "0.0");
  EXPECT_EQ(TextOf("-0.0"), "-0.0");
  EXPECT_EQ(TextOf("0.00001"), "1e-05");
  EXPECT_EQ(TextOf("1234567890123456789"), "1.2345678901234568e+18");
  EXPECT_EQ(TextOf("1e16"), "1e+16");
  EXPECT_EQ(TextOf("1e400"), "inf");
  EXPECT_EQ(TextOf("NaN"), "nan");
  EXPECT_EQ(TextOf("-Infinity"), "-inf");
  EXPECT_EQ(TextOf("true"), "True");
  EXPECT_EQ(TextOf("false"), "False");
  EXPECT_EQ(TextOf("null"), "None");
  EXPECT_EQ(TextOf(R"("it's \"so\"\n")"), "it's \"so\"\n");
}

TEST(PythonValueText, IntegersAsTheyAreRead) {
  EXPECT_EQ(TextOf("[5, -3, 12345678901234567890]", PythonNumbers::kAsRead), "[5, -3, 12345678901234567890]");
  EXPECT_EQ(TextOf("[-0, -0.0, 5.0, 5e0]", PythonNumbers::kAsRead), "[0, -0.0, 5.0, 5.0]");
}

TEST(PythonValueText, Containers) {
  EXPECT_EQ(TextOf("[]"), "[]");
  EXPECT_EQ(TextOf("{}"), "{}");
  EXPECT_EQ(TextOf(R"({"b":[1,"x",null],"a":{"":true}})"), "{'b': [1.0, 'x', None], 'a': {'': True}}");
  EXPECT_EQ(TextOf(R"(["it's", "\"", "it's \"", "a\\b\n\u00e9\u200b"])"),
            R"(["it's", '"', 'it\'s "', 'a\\b\né\u200b'])");
  EXPECT_EQ(TextOf(R"({"it's":1})"), R"({"it's": 1.0})");
}

}  // namespace
}  // namespace leafscore::internal
