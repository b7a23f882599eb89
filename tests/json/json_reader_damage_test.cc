// What damage does to a line and, above all, does not do to its neighbours: cuts and mutations, against the
// reference.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/random.h"
#include "json/reader_probe.h"
#include "sanitized.h"

namespace leafscore::internal {
namespace {

using corpus::Random;

constexpr std::string_view kRichLine =
    R"({"id":"inv-1","expected":{"total":-12.50e+1,"paid":true,"void":false,"note":null,"größe":"Ä 東京 😀",)"
    R"("esc\u0061ped":"a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00","lines":[{"sku":"A","n":0},[],{},[[1],""]]},)"
    R"( "actual" : { "total" : "125", "a":1, "a":2 } , "big":18446744073709551616,"not":NaN })";
constexpr std::string_view kBefore = R"({"id":7,"k":["é",null]})";
constexpr std::string_view kAfter = R"({"k":{"k":"\n"},"id":-0.5e1})";

// Reads a text between two neighbours, by one index and one by one, and compares everything.
void CheckAmongNeighbours(ReaderProbe& probe, std::string_view line) {
  const std::string text = std::string(kBefore) + '\n' + std::string(line) + '\n' + std::string(kAfter);
  for (const bool shared_index : {true, false}) {
    const std::vector<Reading> readings = probe.ReadLines(text, shared_index);
    for (const Reading& reading : readings) {
      const std::string disagreement = probe.Disagreement(reading);
      ASSERT_EQ(disagreement, "") << (shared_index ? "shared: " : "alone: ") << text;
    }
    ASSERT_TRUE(readings.front().tree && readings.back().tree);
    ASSERT_EQ(readings.front().text, kBefore);
    ASSERT_EQ(readings.back().text, kAfter);
  }
}

TEST(JsonReaderDamage, ALineCutAnywhereHarmsNoNeighbour) {
  ReaderProbe probe;
  ASSERT_TRUE(probe.Read(kRichLine).tree);
  for (std::size_t size = 0; size <= kRichLine.size(); ++size) {
    const std::string head(kRichLine.substr(0, size));
    const std::string tail(kRichLine.substr(size));
    for (const std::string& piece : {head, tail}) {
      const Reading alone = probe.Read(piece);
      ASSERT_EQ(probe.Disagreement(alone), "") << piece;
      ASSERT_EQ(alone.tree.has_value(), piece.size() == kRichLine.size()) << piece;
      ASSERT_NO_FATAL_FAILURE(CheckAmongNeighbours(probe, piece));
    }
    ASSERT_NO_FATAL_FAILURE(CheckAmongNeighbours(probe, head + '\n' + tail));
  }
}

TEST(JsonReaderDamage, LinesThatAreJsonOnlyTogetherAreRejected) {
  for (const std::string_view text :
       {"{\"a\":1,\n\"b\":2}", "[1,\n2]", "{\"a\"\n:1}", "[\n]", "{\"a\": \"x\ny\"}", "\"\n\"", "-\n1",
        "tr\nue", "\"a\\\n\"", "\"\\\nn\"", "[\"\n\",\"\n\"]", "[1\n,2]", "{\n}", "[[1]\n,2]"}) {
    for (const bool shared_index : {true, false}) {
      ReaderProbe probe;
      const std::vector<Reading> readings = probe.ReadLines(text, shared_index);
      EXPECT_FALSE(readings.front().tree) << text;
      for (const Reading& reading : readings) EXPECT_EQ(probe.Disagreement(reading), "") << text;
    }
  }
}

// Each of them would go on into the next ones, to the greatest depth.
TEST(JsonReaderDamage, LinesThatStayOpenDoNotReadOnIntoEachOther) {
  for (const std::string_view line :
       {R"(["a",)", R"(["",[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],)", R"({"a\n":["",)"}) {
    constexpr std::size_t kLines = 20000;
    std::string text;
    for (std::size_t i = 0; i < kLines; ++i) text += std::string(line) + '\n';
    ReaderProbe probe;
    const std::vector<Reading> readings = probe.ReadLines(text, /*shared_index=*/true);
    ASSERT_EQ(readings.size(), kLines + 1);
    for (std::size_t i = 0; i < kLines; ++i) {
      ASSERT_EQ(readings[i].result.reason, RejectReason::kInvalidJson) << line;
      ASSERT_EQ(readings[i].result.offset, line.size()) << line;
    }
  }
}

TEST(JsonReaderDamage, EmptyLinesAndCarriageReturns) {
  for (const bool shared_index : {true, false}) {
    ReaderProbe probe;
    const auto readings = probe.ReadLines("\n \n1\r\n\t\r\n \"a\" \r\n\n[2]", shared_index);
    ASSERT_EQ(readings.size(), 7u);
    for (const Reading& reading : readings) EXPECT_EQ(probe.Disagreement(reading), "") << reading.text;
    EXPECT_EQ(reference::Show(*readings[2].tree), "1");
    EXPECT_EQ(reference::Show(*readings[4].tree), "<a>");
    EXPECT_EQ(reference::Show(*readings[6].tree), "[2]");
  }
}

constexpr std::string_view kSeeds[] = {
    kRichLine,
    kBefore,
    kAfter,
    R"([0,-0.0,1e5,12345678901234567,9007199254740993,-9223372036854775809,1e308,1e309,-1e-400,Infinity])",
    R"({"a":{"b":{"c":[[[{"d":"e"}]]]}},"f":[true,false,null,"",{}],"a":"\u0000"})",
    R"("\ud83d\ude00 \\\" \/ \ud83d Ελλάδα, العربية, 한국어")",
    "  [ 1 , 2 ,\t{ \"x\" : [ ] , \"y\" : { } }\r, \"z\" ]  ",
};

constexpr std::string_view kPieces[] = {
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    " ",
    "\n",
    "\r",
    "\t",
    "\x01",
    "\f",
    "\x1a",
    "\x7f",
    "0",
    "9",
    "-",
    "+",
    ".",
    "e",
    "\\\"",
    "\\\\",
    "\x80",
    "\xc2",
    "\xe2\x82",
    "\xed\xa0\x80",
    "\xf4\x90",
    "\xff",
    "é",
    "😀",
    "\\u0061",
    "\\ud83d",
    "\\ude00",
    "\\u12",
    "NaN",
    "-Infinity",
    "null",
    "true",
    "1e400",
    "\"a\":",
    "\"id\":1,",
    "18446744073709551616",
    std::string_view("\0", 1),
};

std::string Mutate(Random& random, std::string text) {
  for (std::uint64_t changes = 1 + random.Below(2); changes != 0; --changes) {
    const std::size_t at = random.Below(text.size() + 1);
    const std::size_t from = random.Below(text.size() + 1);
    const std::size_t size = random.Below(20);
    switch (random.Below(6)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << random.Below(8)));
        break;
      case 1:
        text.insert(at, random.Pick(kPieces));
        break;
      case 2:
        text.erase(at, 1 + (random.OneIn(2) ? 0 : size));
        break;
      case 3:
        text.insert(at, text.substr(from, size));
        break;
      case 4:
        text.replace(at, 1, random.Pick(kPieces));
        break;
      default:
        text.insert(at, random.Pick(kSeeds).substr(0, size));
        break;
    }
  }
  return text;
}

TEST(JsonReaderDamage, MutatedLinesAreReadAsTheReferenceReadsThem) {
  constexpr int kMutations = Rounds(200000);
  Random random(2, 0);
  ReaderProbe probe;
  ReaderProbe strict({.strict = true});
  int valid = 0;
  for (int i = 0; i < kMutations; ++i) {
    const std::string text = Mutate(random, std::string(random.Pick(kSeeds)));
    const Reading alone = probe.Read(text);
    valid += alone.tree.has_value();
    const std::string disagreement = probe.Disagreement(alone);
    ASSERT_EQ(disagreement, "") << text;
    const std::string strict_disagreement = strict.Disagreement(strict.Read(text));
    ASSERT_EQ(strict_disagreement, "") << text;
    ASSERT_NO_FATAL_FAILURE(CheckAmongNeighbours(probe, text));
  }
  EXPECT_GT(valid, kMutations / 20);  // both verdicts occur often
  EXPECT_LT(valid, kMutations * 19 / 20);
}

}  // namespace
}  // namespace leafscore::internal
