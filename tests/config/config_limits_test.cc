#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/base/limits.h"
#include "engine/config/config_parser.h"
#include "repeat.h"
#include "tests/config/config_testing.h"

namespace leafscore::internal {
namespace {

TEST(ConfigLimits, Bytes) {
  const std::string yaml = Repeat(fmt::format("- {}\n", std::string(9997, 'x')), 104);
  const std::string json = fmt::format("[1,{}2]", std::string(104, '\n'));
  for (const std::string& head : {yaml, json}) {
    std::string text = head;
    text.resize(1048575, ' ');
    EXPECT_EQ(ParseError(text), "no error");
    text += ' ';
    EXPECT_EQ(ParseError(text), "no error");
    text += ' ';
    EXPECT_EQ(ParseError(text), "c.yaml:105: more than 1048576 bytes; shorten the configuration");
  }
  EXPECT_EQ(kMaxConfigBytes.default_value, 1048576u);
}

TEST(ConfigLimits, Depth) {
  const std::string message = "c.yaml:1: lists and maps nested more than 64 deep; flatten the configuration";
  const auto json = [](std::size_t depth) { return Repeat("[", depth) + Repeat("]", depth); };
  const auto json_maps = [](std::size_t depth) {
    return Repeat("{\"a\":", depth) + "1" + Repeat("}", depth);
  };
  const auto flow = [&](std::size_t depth) { return "- " + json(depth - 1); };
  const auto block = [](std::size_t depth) { return Repeat("- ", depth) + "x"; };
  const auto keys = [](std::size_t depth) { return Repeat("? ", depth) + "x"; };
  for (const std::size_t depth : {63u, 64u}) {
    EXPECT_EQ(ParseError(json(depth)), "no error");
    EXPECT_EQ(ParseError(json_maps(depth)), "no error");
    EXPECT_EQ(ParseError(flow(depth)), "no error");
    EXPECT_EQ(ParseError(block(depth)), "no error");
  }
  for (const std::size_t depth : {65u, 100u, 10000u, 100000u}) {
    EXPECT_EQ(ParseError(json(depth)), message) << depth;
    EXPECT_EQ(ParseError(json_maps(depth)), message) << depth;
    EXPECT_EQ(ParseError(block(depth)), message) << depth;
    EXPECT_EQ(ParseError(Repeat("[", depth)), message) << depth;
    EXPECT_EQ(ParseError(keys(depth)), "c.yaml:1: a list or map as a key; a key must be text") << depth;
  }
  EXPECT_EQ(ParseError(flow(65)), message);
  EXPECT_EQ(ParseError(flow(50000)), message);
}

TEST(ConfigLimits, Nodes) {
  const auto message = [](int line) {
    return fmt::format("c.yaml:{}: more than 10000 keys and values; shorten the configuration", line);
  };
  const auto json = [](std::size_t items) { return fmt::format("[{}1]", Repeat("1,\n", items - 1)); };
  for (const std::size_t items : {9998u, 9999u}) {  // the list is a node itself
    EXPECT_EQ(ParseError(Repeat("- 1\n", items)), "no error");
    EXPECT_EQ(ParseError(json(items)), "no error");
  }
  EXPECT_EQ(ParseError(Repeat("- 1\n", 10000)), message(10000));
  EXPECT_EQ(ParseError(json(10000)), message(10000));

  const auto map = [](int keys) {
    std::string text;
    for (int i = 0; i < keys; ++i) text += fmt::format("k{}: 1\n", i);
    return text;
  };
  EXPECT_EQ(ParseError(map(4999)), "no error");
  EXPECT_EQ(ParseError(map(5000)), message(5000));
  EXPECT_EQ(ParseError(map(100000)), message(5000));
}

TEST(ConfigLimits, BillionLaughs) {
  std::string text = "a: &a [lol, lol]\n";
  for (char name = 'b'; name <= 'k'; ++name) {
    const std::string before = fmt::format("*{}, ", static_cast<char>(name - 1));
    text += fmt::format("{0}: &{0} [{1}]\n", name, Repeat(before, 9));
  }
  EXPECT_EQ(ParseError(text), "c.yaml:1: anchors (&) and aliases (*) are not supported; write the value out");
  EXPECT_EQ(ParseError("a: &a [*a]\n"),
            "c.yaml:1: anchors (&) and aliases (*) are not supported; write the value out");
}

// Without the cap on reading ahead these take some 240 MiB in yaml-cpp before the first event.
TEST(ConfigLimits, ReadAhead) {
  const std::string message =
      "c.yaml:1: a value, comment or [...] list of more than 128 KiB follows; shorten it";
  EXPECT_EQ(ParseError("-\n " + Repeat("[", 1000000)), message);
  EXPECT_EQ(ParseError("-\n " + Repeat(Repeat("[", 60) + "\n ", 16000)), message);
  EXPECT_EQ(ParseError("-\n [" + Repeat("a,", 500000)), message);
  const auto value = [](std::size_t size) { return fmt::format("- {}\n", std::string(size, 'x')); };
  EXPECT_EQ(ParseError(value(200000)), message);
  EXPECT_EQ(ParseError(Repeat("# comment\n", 20000)), message);
  EXPECT_EQ(ParseError(value(100000)), "no error");
  EXPECT_EQ(ParseError(Repeat(value(100000), 10)), "no error");
}

TEST(ConfigLimits, LongNamesAreCutInMessages) {
  const std::string key(100000, 'k');
  EXPECT_EQ(
      ParseError("[{\"" + key + "\": 1, \"" + key + "\": 2}]"),
      "c.yaml:1: duplicate key \"" + std::string(60, 'k') + "\"..., first on line 1; remove one of them");
}

}  // namespace
}  // namespace leafscore::internal
