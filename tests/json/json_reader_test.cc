// What single texts become: grammar, strings, numbers, duplicate keys, offsets of faults.
#include "engine/json/json_reader.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "json/reader_probe.h"

namespace leafscore::internal {
namespace {

// Reads a text and shows its tree or the reason of its rejection.
std::string Shown(ReaderProbe& probe, std::string_view text) {
  const Reading reading = probe.Read(text);
  EXPECT_EQ(probe.Disagreement(reading), "") << text;
  return reading.tree ? reference::Show(*reading.tree) : std::string(RejectReasonName(reading.result.reason));
}
std::string Shown(std::string_view text) {
  ReaderProbe probe;
  return Shown(probe, text);
}

TEST(JsonReader, ReadsEveryKindOfValue) {
  EXPECT_EQ(Shown("null"), "null");
  EXPECT_EQ(Shown(" \t\r\n true \n"), "true");
  EXPECT_EQ(Shown("false"), "false");
  EXPECT_EQ(Shown("-12.50E+3"), "-12.50E+3");
  EXPECT_EQ(Shown(R"("")"), "<>");
  EXPECT_EQ(Shown(R"("größer 東京 😀")"), "<größer 東京 😀>");
  EXPECT_EQ(Shown("[]"), "[]");
  EXPECT_EQ(Shown("{ }"), "{}");
  EXPECT_EQ(Shown(R"([1,[2,[]],{},"x" , null])"), "[1 [2 []] {} <x> null]");
  EXPECT_EQ(Shown(R"({"a":1, "b" :{"a":[true]},"":""})"), "{<a>:1 <b>:{<a>:[true]} <>:<>}");
}

TEST(JsonReader, ResolvesEscapes) {
  EXPECT_EQ(Shown(R"("a\"\\\/\b\f\n\r\t")"), "<a\"\\/\b\f\n\r\t>");
  EXPECT_EQ(Shown(R"("\u0041\u00e9\u20AC\ud83d\uDE00")"), "<Aé€😀>");
  EXPECT_EQ(Shown(R"("\u0000")"), std::string_view("<\0>", 3));
  EXPECT_EQ(Shown(R"("\uffff\ud7ff\ue000")"), "<\xef\xbf\xbf\xed\x9f\xbf\xee\x80\x80>");
  EXPECT_EQ(Shown(R"(["\\","\\\\","\\\""])"), R"([<\> <\\> <\">])");
}

TEST(JsonReader, EscapedKeysEqualPlainOnes) {
  EXPECT_EQ(Shown(R"({"\u0061\n":1,"\"":2,"\ud83d\ude00":3})"), "{<a\n>:1 <\">:2 <😀>:3}");
  ReaderProbe probe;
  const Reading reading = probe.Read(R"([{"\u0061":1},{"a":2},{"b":3}])");
  const LeafTable& table = probe.table();
  ASSERT_NE(reading.result.root, kNoNode);
  EXPECT_EQ(table.shape(table.Child(0, 0)), table.shape(table.Child(0, 1)));
  EXPECT_NE(table.shape(table.Child(0, 0)), table.shape(table.Child(0, 2)));
}

TEST(JsonReader, LoneSurrogatesBecomeReplacementCharacters) {
  for (const auto& [text, shown] :
       {std::pair(R"("\ud83d")", "<\xef\xbf\xbd>"), std::pair(R"("\ude00")", "<\xef\xbf\xbd>"),
        std::pair(R"("\ude00\ud83d")", "<\xef\xbf\xbd\xef\xbf\xbd>"),
        std::pair(R"("\ud83d\ud83d\ude00")", "<\xef\xbf\xbd😀>"),
        std::pair(R"("\ud83d\u0041")", "<\xef\xbf\xbd\x41>"),
        std::pair(R"("\ud83d\n\ude00")", "<\xef\xbf\xbd\n\xef\xbf\xbd>"),
        std::pair(R"({"\ud83d":1,"\ude00":2})", "{<\xef\xbf\xbd>:2}")}) {
    ReaderProbe probe;
    EXPECT_EQ(Shown(probe, text), shown);
    EXPECT_TRUE(probe.Read(text).result.nonstandard) << text;
  }
}

TEST(JsonReader, StrictModeRejectsWhatOnlyPythonReads) {
  ReaderProbe probe({.strict = true});
  EXPECT_EQ(Shown(probe, R"({"a":[1.5e308,18446744073709551615,"\ud83d\ude00"]})"),
            "{<a>:[1.5e308 18446744073709551615 <😀>]}");
  for (const auto& [text, offset] :
       {std::pair(R"([1,NaN])", 3u), std::pair("Infinity", 0u), std::pair(" -Infinity", 1u),
        std::pair("1e309", 0u), std::pair("[-1e400]", 1u), std::pair("18446744073709551616", 0u),
        std::pair("[0, -9223372036854775809]", 4u), std::pair(R"(["ab\ud83d"])", 4u),
        std::pair(R"({"\n\ude00":1})", 4u)}) {
    const Reading reading = probe.Read(text);
    EXPECT_EQ(reading.result.reason, RejectReason::kNonstandardJson) << text;
    EXPECT_EQ(reading.result.offset, offset) << text;
    EXPECT_EQ(probe.Disagreement(reading), "") << text;
    EXPECT_TRUE(ReaderProbe().Read(text).result.nonstandard) << text;
  }
}

TEST(JsonReader, NumbersAreStandardWithinTheirRange) {
  for (const char* text :
       {"0", "-0", "-0.0", "9007199254740991", "9007199254740992", "9007199254740993", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "18446744073709551615", "1e308", "-1e308", "1e-400",
        "-1e-400", "0e999999999999", "0.1e309", "123456789012345678901234567890.5"}) {
    ReaderProbe probe;
    EXPECT_EQ(Shown(probe, text), text);
    EXPECT_FALSE(probe.Read(text).result.nonstandard) << text;
  }
  for (const char* text : {"18446744073709551616", "-9223372036854775809", "100000000000000000000", "1e309",
                           "-1e400", "1.7976931348623159e308", "10e308", "1e99999999999999999999"}) {
    ReaderProbe probe;
    EXPECT_EQ(Shown(probe, text), text);
    EXPECT_TRUE(probe.Read(text).result.nonstandard) << text;
  }
  const std::string digits(5000, '7');
  ReaderProbe probe;
  EXPECT_EQ(Shown(probe, digits), digits);
  EXPECT_TRUE(probe.Read(digits).result.nonstandard);
  EXPECT_TRUE(probe.Read(digits + ".5").result.nonstandard);
  EXPECT_FALSE(probe.Read("0." + digits).result.nonstandard);
  EXPECT_FALSE(probe.Read(digits + "e-4999").result.nonstandard);
}

struct Fault {
  std::string_view text;
  std::uint32_t offset;
};

TEST(JsonReader, RejectsWithTheOffsetOfTheFault) {
  constexpr Fault kFaults[] = {
      {"", 0},
      {"  ", 2},
      {"nul", 0},
      {"nulll", 0},
      {"True", 0},
      {"[nan]", 1},
      {"-NaN", 0},
      {"+1", 0},
      {"01", 0},
      {"-", 0},
      {"[-]", 1},
      {".5", 0},
      {"[1, 5.]", 4},
      {"1e", 0},
      {"1e+", 0},
      {"0x10", 0},
      {"1_0", 0},
      {"1 2", 2},
      {"1,", 1},
      {"-01", 0},
      {"00", 0},
      {"--1", 0},
      {"1.e1", 0},
      {"1.5.5", 0},
      {"1e5.5", 0},
      {"1e5e5", 0},
      {"-Infinity1", 0},
      {"123\"abc\"", 0},
      {"true\"a\"", 0},
      {"\"a\"1", 3},
      {"\"a\" \"b\"", 4},
      {"[", 1},
      {"]", 0},
      {"[1,]", 3},
      {"[,1]", 1},
      {"[1 2]", 3},
      {"[1}", 2},
      {"[1:2]", 2},
      {"[1]]", 3},
      {"[[1]", 4},
      {"{", 1},
      {"}", 0},
      {"{]", 1},
      {"{\"a\"}", 4},
      {"{\"a\":}", 5},
      {"{\"a\" 1}", 5},
      {"{\"a\":1,}", 7},
      {"{\"a\":1 2}", 7},
      {"{a:1}", 1},
      {"{1:1}", 1},
      {"{\"a\"::1}", 5},
      {"{,}", 1},
      {"{\"a\":1]", 6},
      {"{\"a\"\"b\":1}", 4},
      {"{\"a\"x:1}", 4},
      {"\f1", 0},
      {"1\f", 1},
      {"[1\f2]", 2},
      {"{\"a\"\x1a"
       "1}",
       4},
      {"[1\x1a]", 2},
      {"\xc2\xa0", 0},
      {"'a'", 0},
      {"/**/1", 0},
      {"[1]//", 3},
      {"\\u0031", 0},
      {"\"", 0},
      {"[\"a]", 1},
      {"\"\\\"", 0},
      {"[1,\"a\\\"]", 3},
      {"\"a\tb\"", 2},
      {"[\"a\nb\"]", 3},

      {"\\\"\"", 2},
      {"\"\\x\"", 1},
      {"\"ab\\u12\"", 3},
      {"\"\\u12g4\"", 1},
      {"\"\\u+123\"", 1},
      {"\"\\U0041\"", 1},
      {"\"\\ud83d\\u12\"", 7},
      {"{\"\\a\":1}", 2},
      {std::string_view("\0", 1), 0},
      {std::string_view("1\0", 2), 0},
      {std::string_view("\"\0\"", 3), 1},
      {std::string_view("[1,\0]", 5), 3},
  };
  for (const Fault& fault : kFaults) {
    ReaderProbe probe;
    const Reading reading = probe.Read(fault.text);
    EXPECT_EQ(reading.result.reason, RejectReason::kInvalidJson) << fault.text;
    EXPECT_EQ(reading.result.offset, fault.offset) << fault.text << ": " << reading.result.message;
    EXPECT_EQ(probe.Disagreement(reading), "") << fault.text;
  }
}

TEST(JsonReader, ATextThatEndsWhereAValueShouldStandIsRejected) {
  for (const std::string_view text : {"", "[", "[1,", "{\"a\":", "{\"a\": ", "[[{\"a\":[1],\"b\":"}) {
    for (const bool shared_index : {true, false}) {
      ReaderProbe probe;
      const auto readings = probe.ReadLines(std::string(text) + "\n1", shared_index);
      ASSERT_EQ(readings.size(), 2u);
      EXPECT_EQ(readings[0].result.reason, RejectReason::kInvalidJson) << text;
      EXPECT_EQ(readings[0].result.offset, text.size()) << text;
      EXPECT_TRUE(readings[1].tree) << text;
    }
  }
}

TEST(JsonReader, AControlCharacterBehindABackslashIsLocated) {
  for (const auto& [text, offset] : {std::pair("\"a\\\tb\"", 3u), std::pair("[\"\\\n\", \"\"]", 3u),
                                     std::pair("{\"\\\\\\\x01\":1}", 5u), std::pair("\"a\\", 0u)}) {
    const Reading reading = ReaderProbe().Read(text);
    EXPECT_EQ(reading.result.reason, RejectReason::kInvalidJson) << text;
    EXPECT_EQ(reading.result.offset, offset) << text;
  }
}

struct Duplicates {
  const char* text;
  const char* shown;
  std::uint32_t count;
};

TEST(JsonReader, OfDuplicateKeysTheLastWinsAtThePlaceOfTheFirst) {
  constexpr Duplicates kCases[] = {
      {R"({"a":1,"b":2,"a":3})", "{<a>:3 <b>:2}", 1},
      {R"({"a":1,"a":2,"a":3,"b":4,"b":5})", "{<a>:3 <b>:5}", 3},
      {R"({"\u0061":1,"a":2})", "{<a>:2}", 1},
      {R"({"a":1,"\u0061":2,"b":0})", "{<a>:2 <b>:0}", 1},
      {R"({"":1,"":2})", "{<>:2}", 1},
      {R"({"x":{"a":1,"a":[2,{"b":1,"b":"\n"}]},"y":0})", "{<x>:{<a>:[2 {<b>:<\n>}]} <y>:0}", 2},
      {R"([{"a":1,"a":2},{"a":1},{"a":{},"a":[]}])", "[{<a>:2} {<a>:1} {<a>:[]}]", 2},
      {R"({"a":[1,2,3],"b":{"c":1},"a":{"d":[]}})", "{<a>:{<d>:[]} <b>:{<c>:1}}", 1},
      {R"({"a":1,"A":2,"a ":3})", "{<a>:1 <A>:2 <a >:3}", 0},
      {R"({"a":{"a":1},"b":{"a":2}})", "{<a>:{<a>:1} <b>:{<a>:2}}", 0},
      // What a dropped value holds counts for its nonstandard numbers but not for its own duplicates.
      {R"({"a":{"b":1,"b":NaN},"a":0})", "{<a>:0}", 1},
  };
  for (const Duplicates& c : kCases) {
    ReaderProbe probe;
    EXPECT_EQ(Shown(probe, c.text), c.shown);
    EXPECT_EQ(probe.Read(c.text).result.duplicate_keys, c.count) << c.text;
  }
}

TEST(JsonReader, DuplicatesLeaveTheNeighboursAlone) {
  ReaderProbe probe;
  const auto readings = probe.ReadLines("{\"a\":1,\"b\":[2]}\n{\"a\":1,\"a\":[3]}\n{\"a\":4}", true);
  ASSERT_EQ(readings.size(), 3u);
  EXPECT_EQ(reference::Show(*readings[0].tree), "{<a>:1 <b>:[2]}");
  EXPECT_EQ(reference::Show(*readings[1].tree), "{<a>:[3]}");
  EXPECT_EQ(reference::Show(*readings[2].tree), "{<a>:4}");
  EXPECT_EQ(reference::Show(TreeOf(probe.table(), probe.shapes(), readings[0].result.root)),
            "{<a>:1 <b>:[2]}");
}

TEST(JsonReader, ObjectsMayHaveManyKeys) {
  const int most_keys = hash_mask == 0 ? 1000 : 100000;  // fewer where every key collides with every other
  for (int keys = 1000; keys <= most_keys; keys *= 10) {
    std::string members;
    for (int i = 0; i < keys; ++i)
      members += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":" + std::to_string(i);
    ReaderProbe probe;
    const Reading once = probe.Read("{" + members + "}");
    ASSERT_TRUE(once.tree);
    const Reading twice = probe.Read("{" + members + "," + members + "}");
    ASSERT_TRUE(twice.tree);
    EXPECT_EQ(twice.result.duplicate_keys, static_cast<std::uint32_t>(keys));
    EXPECT_EQ(*twice.tree, *once.tree);
    ASSERT_EQ(once.tree->keys.size(), static_cast<std::size_t>(keys));
    for (std::size_t i = 0; i < once.tree->keys.size(); ++i) {
      ASSERT_EQ(once.tree->keys[i], "k" + std::to_string(i));
      ASSERT_EQ(once.tree->items[i].text, std::to_string(i));
    }
  }
}

TEST(JsonReader, ReadTextTakesAnyValidUtf8AsAString) {
  ShapeTable shapes;
  JsonReader reader(&shapes);
  LeafTable table;
  reader.Begin("a\"\\\n\x01é|b\xff|", false, &table);
  const JsonResult good = reader.ReadText(0, 7);
  ASSERT_EQ(good.root, 0u);
  EXPECT_EQ(table.kind(0), ValueKind::kString);
  EXPECT_EQ(table.token(0), "a\"\\\n\x01é");
  const JsonResult bad = reader.ReadText(8, 10);
  EXPECT_EQ(bad.root, kNoNode);
  EXPECT_EQ(bad.reason, RejectReason::kInvalidUtf8);
  EXPECT_EQ(bad.offset, 9u);
  const JsonResult empty = reader.ReadText(11, 11);
  ASSERT_EQ(empty.root, 1u);
  EXPECT_EQ(table.token(1), "");
}

}  // namespace
}  // namespace leafscore::internal
