#include "engine/config/config_parser.h"

#include <gtest/gtest.h>

#include "tests/config/config_testing.h"

namespace leafscore::internal {
namespace {

TEST(ConfigParser, YamlKindsAndQuotes) {
  EXPECT_EQ(Parsed("a: 1.50\nb: 'x'\nc: \"y\"\nd:\ne: ~\nf: [1, {g: true}]\nh: |\n  text\n"),
            "{a: 1.50, b: 'x', c: 'y', d: ~, e: ~, f: [1, {g: true}], h: 'text\n'}");
  EXPECT_EQ(Parsed("- a\n- null\n- 'null'\n- ''\n"), "[a, ~, 'null', '']");
  EXPECT_EQ(Parsed("'null': 1\n'<<': 2\n"), "{null: 1, <<: 2}");
  EXPECT_EQ(Parsed(""), "~");
  EXPECT_EQ(Parsed("# only a comment\n"), "~");
  EXPECT_EQ(Parsed("---\na: 1\n...\n"), "{a: 1}");
  EXPECT_EQ(Parsed("just text"), "just text");
  EXPECT_EQ(Parsed("a: |\n  x\n"), "{a: 'x\n'}");
  EXPECT_EQ(Parsed("a: |+\n  x\n\n"), "{a: 'x\n\n'}");
  EXPECT_EQ(Parsed("a: >-\n  x\n  y\n\n"), "{a: 'x y'}");
}

TEST(ConfigParser, LinesAreThoseOfTheText) {
  for (const std::string_view text :
       {"a: 1\nb:\n  - x\n  - y: 2\n    z: 3\n", "a: 1\r\nb:\r\n  - x\r\n  - y: 2\r\n    z: 3\r\n",
        "{\"a\": 1,\n\"b\":\n  [\"x\",\n  {\"y\": 2,\n\"z\": 3}]}"}) {
    const ConfigValue root = ParseConfig(text, "c.yaml");
    EXPECT_EQ(root.line, 1);
    const ConfigMember* b = root.Find("b");
    ASSERT_NE(b, nullptr);
    EXPECT_EQ(b->line, 2);
    ASSERT_EQ(b->value.items.size(), 2u);
    EXPECT_EQ(b->value.line, 3);
    EXPECT_EQ(b->value.items[0].line, 3);
    EXPECT_EQ(b->value.items[1].line, 4);
    EXPECT_EQ(b->value.items[1].Find("z")->line, 5);
    EXPECT_EQ(b->value.items[1].Find("z")->value.line, 5);
    EXPECT_EQ(b->value.items[1].Find("nothing"), nullptr);
  }
}

TEST(ConfigParser, ByteOrderMarkCrLfAndTabs) {
  EXPECT_EQ(Parsed("\xEF\xBB\xBF"
                   "a: 1\r\nb:\r\n  - x\r\n"),
            "{a: 1, b: [x]}");
  EXPECT_EQ(Parsed("\xEF\xBB\xBF{\"a\": 1}"), "{a: 1}");
  EXPECT_EQ(Parsed("a:\t1\t# note\nb: [1,\t2]\n"), "{a: 1, b: [1, 2]}");
  EXPECT_EQ(ParseError("a: 1\nb:\n\tc: 2\n"),
            "c.yaml:3: invalid YAML: illegal map value; check the indentation (spaces, no tabs), quotes and "
            "brackets here and above");
}

TEST(ConfigParser, Json) {
  EXPECT_EQ(Parsed("\n\t{\n\t\"a\": [1, -2.50e+3, 0.1],\r\n\t\"b\":{\"c\":true,\"d\":false,\"e\":null}}\n"),
            "{a: [1, -2.50e+3, 0.1], b: {c: true, d: false, e: ~}}");
  EXPECT_EQ(Parsed("[]"), "[]");
  EXPECT_EQ(Parsed("{\"<<\": {}, \"null\": 1, \"\": 2}"), "{<<: {}, null: 1, : 2}");
  EXPECT_EQ(Parsed(R"(["\u00e9\u4E2D\ud83d\ude00\/\"\\\b\f\n\r\t"])"), "['é中😀/\"\\\b\f\n\r\t']");
  EXPECT_EQ(ParseConfig(R"(["a\u0000b"])", "c").items[0].scalar, std::string("a\0b", 3));
  EXPECT_EQ(Parsed("[123456789012345678901234567890]"), "[123456789012345678901234567890]");
  EXPECT_EQ(Parsed("[\"*x\", \"&y\", \"!z\"]"), "['*x', '&y', '!z']");
}

TEST(ConfigParser, JsonErrorsNameTheLine) {
  EXPECT_EQ(
      ParseError("{\"a\": 1,\n\"b\": }"),
      "c.yaml:2: invalid JSON: Invalid value. A configuration that begins with { or [ is read as JSON.");
  EXPECT_EQ(ParseError("{\n\"a\": 1,\n}").substr(0, 23), "c.yaml:3: invalid JSON:");
  EXPECT_EQ(ParseError("{\"a\": 1}\n\n{}").substr(0, 23), "c.yaml:3: invalid JSON:");
  EXPECT_EQ(ParseError("[\"\\ud83d\"]").substr(0, 23), "c.yaml:1: invalid JSON:");
  EXPECT_EQ(ParseError("[\n").substr(0, 23), "c.yaml:2: invalid JSON:");
  EXPECT_EQ(ParseError("[NaN]").substr(0, 23), "c.yaml:1: invalid JSON:");
  EXPECT_EQ(ParseError("[01]").substr(0, 23), "c.yaml:1: invalid JSON:");
  EXPECT_EQ(ParseError("[\"a\nb\"]").substr(0, 23), "c.yaml:1: invalid JSON:");
  EXPECT_EQ(ParseError("{\"a\": 1,\n\"\\u0061\": 2}"),
            "c.yaml:2: duplicate key \"a\", first on line 1; remove one of them");
}

TEST(ConfigParser, YamlSyntaxErrorsNameTheLine) {
  EXPECT_EQ(ParseError("a: 1\n b: 2\n").substr(0, 23), "c.yaml:2: invalid YAML:");
  EXPECT_EQ(ParseError("a:\n  b: [1\nc: 2\n").substr(0, 23), "c.yaml:3: invalid YAML:");
  EXPECT_EQ(ParseError("a: 1\nb: \"x\n").substr(0, 23), "c.yaml:3: invalid YAML:");
  for (const std::string end : {"", "\n", "\n\n", "\n  ", "\r\n", "\n# c\n"}) {
    EXPECT_EQ(ParseError("a: \"x" + end).substr(9, 34), " invalid YAML: illegal EOF in scal") << end;
    EXPECT_EQ(ParseError("a: 'x\nb: 2" + end).substr(9, 34), " invalid YAML: illegal EOF in scal") << end;
  }
  EXPECT_EQ(ParseError("a: @x\n").substr(0, 23), "c.yaml:1: invalid YAML:");
  EXPECT_EQ(ParseError("a: \"\\q\"\n").substr(0, 23), "c.yaml:1: invalid YAML:");
}

TEST(ConfigParser, RefusesAnchorsAliasesTagsAndMergeKeys) {
  const std::string anchors = "anchors (&) and aliases (*) are not supported; write the value out";
  EXPECT_EQ(ParseError("a: 1\nb: &x 2\n"), "c.yaml:2: " + anchors);
  EXPECT_EQ(ParseError("a: &x [1]\n"), "c.yaml:1: " + anchors);
  EXPECT_EQ(ParseError("a: &x {b: 1}\n"), "c.yaml:1: " + anchors);
  EXPECT_EQ(ParseError("&x a: 1\n"), "c.yaml:1: " + anchors);
  EXPECT_EQ(ParseError("a: &x\nb: 1\n").substr(7), ParseError("a: &x\nb: 1\n").substr(7, 3) + anchors);
  EXPECT_EQ(ParseError("a: 1\nb: *x\n").substr(0, 10), "c.yaml:2: ");
  EXPECT_EQ(ParseError("a: !!str 5\n"), "c.yaml:1: tags (!) are not supported; remove it, or quote the text");
  EXPECT_EQ(ParseError("a: !x [1]\n"), "c.yaml:1: tags (!) are not supported; remove it, or quote the text");
  EXPECT_EQ(ParseError("a: 1\n<<: {b: 2}\n"),
            "c.yaml:2: merge keys (<<) are not supported; write the members out");
}

TEST(ConfigParser, RefusesDuplicateAndUnusualKeys) {
  EXPECT_EQ(ParseError("a: 1\nb: 2\n\"\\x61\": 3\n"),
            "c.yaml:3: duplicate key \"a\", first on line 1; remove one of them");
  EXPECT_EQ(ParseError("- {a: 1, a: 1}\n"),
            "c.yaml:1: duplicate key \"a\", first on line 1; remove one of them");
  EXPECT_EQ(Parsed("- {a: 1}\n- {a: 1, b: {a: 2}}\n"), "[{a: 1}, {a: 1, b: {a: 2}}]");
  EXPECT_EQ(ParseError("a: 1\n? [b]\n: 2\n"), "c.yaml:2: a list or map as a key; a key must be text");
  EXPECT_EQ(ParseError("a: 1\nnull: 2\n").substr(0, 22), "c.yaml:2: an empty key");
}

TEST(ConfigParser, RefusesASecondDocument) {
  const std::string message = "more text after the end of the first document; keep one document in the file";
  EXPECT_EQ(ParseError("a: 1\n---\nb: 2\n"), "c.yaml:3: " + message);
  EXPECT_EQ(ParseError("a: 1\n---\n"), "c.yaml:3: " + message);
  EXPECT_EQ(ParseError("- a\nb: 1\n"), "c.yaml:2: " + message);
  EXPECT_EQ(ParseError(",").substr(10), message);  // yaml-cpp makes documents of this without end
  EXPECT_EQ(ParseError("'a'\nb\n").substr(0, 10), "c.yaml:2: ");
}

TEST(ConfigParser, RefusesInvalidUtf8AndControlCharacters) {
  for (const std::string bytes :
       {"\x80", "\xFF", "\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE4\xB8"}) {
    EXPECT_EQ(ParseError("a: 1\nb: '" + bytes + "'\n"), "c.yaml:2: invalid UTF-8; save the file as UTF-8");
    EXPECT_EQ(ParseError("[1,\n\"" + bytes), "c.yaml:2: invalid UTF-8; save the file as UTF-8");
  }
  EXPECT_EQ(ParseError("\xFF\xFE"
                       "a"),
            "c.yaml:1: invalid UTF-8; save the file as UTF-8");
  EXPECT_EQ(ParseError("a: 1\nb: 2\x04\nc: ]"), "c.yaml:2: control character U+0004; remove it");
  EXPECT_EQ(ParseError(std::string("a: 1\n\0", 6)), "c.yaml:2: control character U+0000; remove it");
  EXPECT_EQ(ParseError("a: \"\\ud83d\\ude00\"\n").substr(0, 42),
            "c.yaml:1: invalid YAML: invalid unicode: 5");
  EXPECT_EQ(Parsed("a: \"\\U0001F600\\u00e9\"\nb: 中\n"), "{a: '😀é', b: 中}");
}

ConfigLimits WithAliases(std::uint64_t nodes = 1000) {
  return {.bytes = 100'000, .nodes = nodes, .allows_aliases = true};
}

TEST(ConfigParser, AliasesWhereTheyAreAllowed) {
  const ConfigValue read =
      ParseConfig("a: &x {b: [1, &y two]}\nc: *x\nd: *y\ne: &z\nf: *z\n", "c.yaml", WithAliases());
  EXPECT_EQ(read.Find("c")->value.Find("b")->value.items[1].scalar, "two");
  EXPECT_EQ(read.Find("d")->value.scalar, "two");
  EXPECT_EQ(read.Find("f")->value.kind, ConfigValue::Kind::kNull);
}

TEST(ConfigParser, MergeKeysAddWhatAMapLacks) {
  const ConfigValue read = ParseConfig(
      "one: &one {a: 1, b: 1}\ntwo: &two {b: 2, c: 2}\nm: {<<: [*one, *two], a: 0}\nn: {<<: *two, \"x<<\": "
      "3}\n",
      "c.yaml", WithAliases());
  const ConfigValue& merged = read.Find("m")->value;
  ASSERT_EQ(merged.members.size(), 3u);
  EXPECT_EQ(merged.Find("a")->value.scalar, "0");
  EXPECT_EQ(merged.Find("b")->value.scalar, "1");
  EXPECT_EQ(merged.Find("c")->value.scalar, "2");
  EXPECT_EQ(read.Find("n")->value.members.size(), 3u);
}

TEST(ConfigParser, AliasesCannotBlowUp) {
  std::string text = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + ", " + before + "]\n";
  }
  EXPECT_THROW(ParseConfig(text, "c.yaml", WithAliases()), Error);
  EXPECT_THROW(ParseConfig("a: &a [*a]\n", "c.yaml", WithAliases()), Error);
  EXPECT_THROW(ParseConfig("a: &a x\n*a : 1\n", "c.yaml", WithAliases()), Error);
  EXPECT_THROW(ParseConfig("<<: 1\n", "c.yaml", WithAliases()), Error);
  EXPECT_THROW(ParseConfig("a: *none\n", "c.yaml", WithAliases()), Error);
}

}  // namespace
}  // namespace leafscore::internal
