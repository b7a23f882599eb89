#include "engine/json/json_writer.h"

#include <gtest/gtest.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace leafscore::internal {
namespace {

constexpr JsonLayout kLayouts[] = {JsonLayout::kOneLine, JsonLayout::kCompact, JsonLayout::kIndented};

// Returns what `write` makes of a writer.
std::string Written(JsonLayout layout, auto write) {
  std::string out;
  JsonWriter json(out, layout);
  write(json);
  return out;
}

void WriteSample(JsonWriter& json) {
  json.StartObject();
  json.Key<"text">().String("a \"b\"\n");
  json.Key("numbers").StartArray();
  json.Number(0.5);
  json.Integer(-1);
  json.Integer(std::uint64_t{18446744073709551615u});
  json.EndArray();
  json.Key<"nothing">().StartObject();
  json.Key("array").StartArray();
  json.EndArray();
  json.Key("object").StartObject();
  json.EndObject();
  json.EndObject();
  json.RawKey(R"("\u0061")").Raw("[1,  2]");
  json.Key("rest").StartArray();
  json.StartObject();
  json.Key("").Bool(true);
  json.EndObject();
  json.StartArray();
  json.Bool(false);
  json.EndArray();
  json.Null();
  json.EndArray();
  json.EndObject();
}

TEST(JsonWriter, OneLine) {
  EXPECT_EQ(
      Written(JsonLayout::kOneLine, WriteSample),
      R"({"text": "a \"b\"\n", "numbers": [0.5, -1, 18446744073709551615], )"
      R"("nothing": {"array": [], "object": {}}, "\u0061": [1,  2], "rest": [{"": true}, [false], null]})");
}

TEST(JsonWriter, Compact) {
  EXPECT_EQ(Written(JsonLayout::kCompact, WriteSample),
            R"({"text":"a \"b\"\n","numbers":[0.5,-1,18446744073709551615],)"
            R"("nothing":{"array":[],"object":{}},"\u0061":[1,  2],"rest":[{"":true},[false],null]})");
}

TEST(JsonWriter, Indented) {
  EXPECT_EQ(Written(JsonLayout::kIndented, WriteSample), R"({
  "text": "a \"b\"\n",
  "numbers": [
    0.5,
    -1,
    18446744073709551615
  ],
  "nothing": {
    "array": [],
    "object": {}
  },
  "\u0061": [1,  2],
  "rest": [
    {
      "": true
    },
    [
      false
    ],
    null
  ]
})");
}

TEST(JsonWriter, OneValueIsAWholeText) {
  for (const JsonLayout layout : kLayouts) {
    EXPECT_EQ(Written(layout, [](JsonWriter& json) { json.String("x"); }), R"("x")");
    EXPECT_EQ(Written(layout, [](JsonWriter& json) { json.Integer(7); }), "7");
    EXPECT_EQ(Written(layout, [](JsonWriter& json) { json.StartArray(), json.EndArray(); }), "[]");
    EXPECT_EQ(Written(layout, [](JsonWriter& json) { json.StartObject(), json.EndObject(); }), "{}");
  }
}

TEST(JsonWriter, Numbers) {
  const auto number = [](JsonLayout layout, std::optional<double> value) {
    return Written(layout, [&](JsonWriter& json) { json.Number(value); });
  };
  for (const JsonLayout layout : kLayouts) {
    EXPECT_EQ(number(layout, 0), "0");
    EXPECT_EQ(number(layout, -2.5), "-2.5");
    EXPECT_EQ(number(layout, 1.0 / 3), "0.3333333333333333");
    EXPECT_EQ(number(layout, 5e-324), "5e-324");
    EXPECT_EQ(number(layout, std::nan("")), "null");
    EXPECT_EQ(number(layout, std::nullopt), "null");
  }
  EXPECT_EQ(number(JsonLayout::kOneLine, 100000), "100000");
  EXPECT_EQ(number(JsonLayout::kOneLine, 0.0001), "0.0001");
  EXPECT_EQ(number(JsonLayout::kIndented, 100000), "1e+05");
  EXPECT_EQ(number(JsonLayout::kIndented, 0.0001), "1e-04");
  EXPECT_EQ(Written(JsonLayout::kOneLine,
                    [](JsonWriter& json) { json.Integer(std::numeric_limits<std::int64_t>::min()); }),
            "-9223372036854775808");
}

TEST(JsonWriter, LossyStringReplacesWhatIsNotUtf8) {
  const auto text = [](std::string_view bytes) {
    return Written(JsonLayout::kOneLine, [&](JsonWriter& json) { json.LossyString(bytes); });
  };
  EXPECT_EQ(text("größer \"東京\""), R"("größer \"東京\"")");
  EXPECT_EQ(text("a\xff\xc3z\xed\xa0\x80"), "\"a\uFFFD\uFFFDz\uFFFD\uFFFD\uFFFD\"");
}

TEST(JsonWriter, TheTextMayBeTakenAwayMeanwhile) {
  std::string out;
  JsonWriter json(out, JsonLayout::kIndented);
  json.StartArray();
  json.Integer(1);
  const std::string before = std::exchange(out, "");
  json.RawValue() += "{}";
  json.EndArray();
  EXPECT_EQ(before + out, "[\n  1,\n  {}\n]");
}

// A random value of the same calls to both writers. No text holds a control character without a short form:
// RapidJSON writes their hexadecimal digits in capitals.
class RandomValue {
 public:
  explicit RandomValue(std::uint32_t seed) : random_(seed) {}

  template <class RapidWriter>
  void Write(int depth, JsonWriter& json, RapidWriter& rapid) {
    switch (random_() % (depth == 0 ? 6 : 10)) {
      case 0: {
        const std::string text = Text();
        json.String(text);
        rapid.String(text.c_str());
        break;
      }
      case 1: {
        const std::uint64_t value = std::uint64_t{random_()} << random_() % 33;
        json.Integer(value);
        rapid.Uint64(value);
        break;
      }
      case 2: {
        const std::int64_t value = -static_cast<std::int64_t>(random_());
        json.Integer(value);
        rapid.Int64(value);
        break;
      }
      case 3: {  // RapidJSON adds ".0" to whole numbers
        const double value = random_() % 1000 + 0.25;
        json.Number(value);
        rapid.Double(value);
        break;
      }
      case 4: {
        const bool value = random_() % 2 == 0;
        json.Bool(value);
        rapid.Bool(value);
        break;
      }
      case 5:
        json.Null();
        rapid.Null();
        break;
      case 6:
      case 7:
        json.StartArray();
        rapid.StartArray();
        for (std::uint32_t left = random_() % 5; left > 0; --left) Write(depth - 1, json, rapid);
        json.EndArray();
        rapid.EndArray();
        break;
      default:
        json.StartObject();
        rapid.StartObject();
        for (std::uint32_t left = random_() % 5; left > 0; --left) {
          const std::string key = Text();
          json.Key(key);
          rapid.Key(key.c_str());
          Write(depth - 1, json, rapid);
        }
        json.EndObject();
        rapid.EndObject();
    }
  }

 private:
  std::string Text() {
    constexpr std::string_view kTextPieces[] = {"a",  "some words ", "\"", "\\",   "/", "\n",
                                                "\t", "\b",          "é",  "東京", "😀"};
    std::string text;
    for (std::uint32_t left = random_() % 6; left > 0; --left)
      text += kTextPieces[random_() % std::size(kTextPieces)];
    return text;
  }

  std::mt19937 random_;
};

template <class RapidWriter>
void ExpectSameAs(JsonLayout layout) {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    std::string out;
    JsonWriter json(out, layout);
    rapidjson::StringBuffer buffer;
    RapidWriter rapid(buffer);
    if constexpr (requires { rapid.SetIndent(' ', 2); }) rapid.SetIndent(' ', 2);
    RandomValue(seed).Write(/*depth=*/5, json, rapid);
    ASSERT_EQ(out, buffer.GetString()) << "seed " << seed;
  }
}

TEST(JsonWriter, CompactAsRapidJson) {
  ExpectSameAs<rapidjson::Writer<rapidjson::StringBuffer>>(JsonLayout::kCompact);
}

TEST(JsonWriter, IndentedAsRapidJson) {
  ExpectSameAs<rapidjson::PrettyWriter<rapidjson::StringBuffer>>(JsonLayout::kIndented);
}

}  // namespace
}  // namespace leafscore::internal
