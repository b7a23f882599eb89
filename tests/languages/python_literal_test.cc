#include "engine/languages/python_literal.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "engine/base/limits.h"
#include "engine/languages/python_tokens.h"
#include "repeat.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kRefused = "refused";

// Returns the JSON of a literal.
std::string Json(std::string_view text) {
  std::string json = "before ";
  const bool read = PythonLiteralToJson(text, json);
  EXPECT_TRUE(json.starts_with("before "));
  json.erase(0, 7);
  if (read) return json;
  EXPECT_EQ(json, "") << text;
  return std::string(kRefused);
}

void ExpectRefused(std::initializer_list<std::string_view> texts) {
  for (const std::string_view text : texts) EXPECT_EQ(Json(text), kRefused) << text;
}

TEST(PythonLiteral, Containers) {
  EXPECT_EQ(Json("{'a': 1, 'b': [1, 2, (3, 4)]}"), R"({"a":1,"b":[1,2,[3,4]]})");
  EXPECT_EQ(Json("{}"), "{}");
  EXPECT_EQ(Json("[[], (), {}]"), "[[],[],{}]");
  EXPECT_EQ(Json("[1, 2,]"), "[1,2]");
  EXPECT_EQ(Json("(1,)"), "[1]");
  EXPECT_EQ(Json("(1)"), "1");
  std::string marked;
  EXPECT_TRUE(PythonLiteralToJson("[(1, ()), [2]]", marked, TupleForm::kMarked));
  EXPECT_EQ(marked, "[[ 1,[ ]],[2]]");
  EXPECT_TRUE(IsMarkedTuple("[ ]"));
  EXPECT_FALSE(IsMarkedTuple("[]"));
  EXPECT_EQ(Json("((('a')),)"), R"(["a"])");
  EXPECT_EQ(Json("{'a': 1,}"), R"({"a":1})");
  EXPECT_EQ(Json("1, 'b'"), R"([1,"b"])");
  EXPECT_EQ(Json("1,"), "[1]");
  EXPECT_EQ(Json("[None, True, False]"), "[null,true,false]");
}

TEST(PythonLiteral, BrokenContainers) {
  ExpectRefused({"", " ", ",", "(", ")", "[1", "[1)", "(1]", "{1]", "[,]", "(,)", "{,}", "[1,,2]", "[1 2]"});
  ExpectRefused(
      {"{1:}", "{:1}", "{1:2:3}", "{1: 2, 3}", "{1, 2: 3}", "{'a' 1}", "[1:2]", "1:2", "{1:2,,}", "1]"});
  ExpectRefused(
      {"1 2", "1,,", "(1)(2)", "[1][0]", "[*[1]]", "{**{}}", "[1 for x in y]", "(1;)", "1;", "1 = 1"});
}

TEST(PythonLiteral, NamesAreNotLiterals) {
  ExpectRefused(
      {"a", "none", "true", "null", "nan", "inf", "Nonee", "None1", "Noné", "_None", "None.x", "f()"});
  ExpectRefused(
      {"not True", "1 if 1 else 2", "lambda: 1", "set", "[set]", "{set: 1}", "{'a': Trüe}", "$", "\x7f"});
}

TEST(PythonLiteral, SpaceAndComments) {
  EXPECT_EQ(Json(" \t\n [1]\xc2\xa0\x1f\xe2\x80\xa9\v\r\n"), "[1]");  // what str.strip() removes
  EXPECT_EQ(Json("{\n  'a': 1,  # first\r\n  'b': 2,\r}"), R"({"a":1,"b":2})");
  EXPECT_EQ(Json("[1,\f\t2 \\\n , \\\r\n3]"), "[1,2,3]");
  EXPECT_EQ(Json("# a\n\n  # b\n[1] # c"), "[1]");
  EXPECT_EQ(Json("1\n\n  # é"), "1");
  EXPECT_EQ(Json("\\\n1"), "1");
  EXPECT_EQ(Json("1 \\\n# a"), "1");
  EXPECT_EQ(Json("# a\n  \f1"), "1");  // a form feed begins the line anew
  ExpectRefused(
      {"# a", "# a\n 1", "\\\n 1", "1\n2", "1,\n2", "-\n1", "1 \\", "1 \\ \n,", "[1\\]", "1 \\\n\\"});
  ExpectRefused({"[1\v]", "[1\xc2\xa0]", "\xef\xbb\xbf[1]", "# a\n\t'a'", "[1] # a\n2"});
  EXPECT_EQ(Json(std::string_view("'\0'", 3)), kRefused);
  EXPECT_EQ(Json(std::string_view("1 # \0", 5)), kRefused);
}

TEST(PythonLiteral, Integers) {
  EXPECT_EQ(Json("[0, 00, 0_0, 7, 1_000_000]"), "[0,0,0,7,1000000]");
  EXPECT_EQ(Json("[0x10, 0XfF, 0o17, 0O7, 0b101, 0B1, 0x_f_f]"), "[16,255,15,7,5,1,255]");
  EXPECT_EQ(Json("123456789012345678901234567890"), "123456789012345678901234567890");
  EXPECT_EQ(Json("0xffffffffffffffffffffffff"), "79228162514264337593543950335");
  EXPECT_EQ(Json("0x" + std::string(40, '0') + "3b9aca00"), "1000000000");
  EXPECT_EQ(Json("[-1, +1, - 1, -(1), (-1), -0]"), "[-1,1,-1,-1,-1,0]");
  ExpectRefused(
      {"01", "0_7", "1__0", "1_", "_1", "0x", "0x_", "0x__1", "0xg", "0o8", "0b2", "0b1_", "1a", "1é"});
  ExpectRefused(
      {"--1", "-+1", "+-1", "-", "1-", "1+2", "-True", "-'a'", "-(1,)", "-(-1)", "-[1]", "~1", "2*3"});
  ExpectRefused({"\xd9\xa1", "\xef\xbc\x91", "1'a'", "0777"});  // digits of other scripts
}

TEST(PythonLiteral, IntegerDigits) {
  for (const std::size_t digits : {kMaxPythonIntegerDigits - 1, kMaxPythonIntegerDigits}) {
    const std::string nines(digits, '9');
    EXPECT_EQ(Json(nines), nines);
    EXPECT_EQ(Json("-" + nines), "-" + nines);
  }
  EXPECT_EQ(Json(std::string(kMaxPythonIntegerDigits + 1, '9')), kRefused);
  EXPECT_EQ(Json(std::string(5000, '0')), "0");
  EXPECT_EQ(Json(std::string(5000, '0') + ".5"), "0.5");
  // 2^14283 has 4,300 digits, 2^14285 has 4,301.
  EXPECT_EQ(Json("0b1" + std::string(14283, '0')).size(), kMaxPythonIntegerDigits);
  EXPECT_EQ(Json("0b1" + std::string(14285, '0')), kRefused);
  EXPECT_EQ(Json("0x" + std::string(4000, 'f')), kRefused);
  EXPECT_EQ(Json("0x" + std::string(1 << 20, 'f')), kRefused);
  EXPECT_EQ(Json("0b" + std::string(1 << 20, '0') + "1"), "1");
}

TEST(PythonLiteral, Reals) {
  EXPECT_EQ(Json("[1.0, 1., .5, 1_0.0_1, 0.10]"), "[1.0,1.0,0.5,10.01,0.10]");
  EXPECT_EQ(Json("[1e5, 1E-7, 1.e+0_5, .5e3, 00.5, 09.5, 01e2]"), "[1e5,1e-7,1.0e+05,0.5e3,0.5,9.5,1e2]");
  EXPECT_EQ(Json("[-0.0, +.5, 1e400, -1e400, 1e-400]"), "[-0.0,0.5,Infinity,-Infinity,1e-400]");
  EXPECT_EQ(Json("0.1000000000000000055511151231257827"), "0.1000000000000000055511151231257827");
  ExpectRefused(
      {".", "..", "1._5", "1_.5", "1e", "1e+", "1e_5", "1e5_", "1.5.2", "1..", "1.a", "0x1.8", "1e 5"});
}

TEST(PythonLiteral, Strings) {
  EXPECT_EQ(Json(R"(['a', "b", "it's", 'say "hi"', ''])"), R"(["a","b","it's","say \"hi\"",""])");
  EXPECT_EQ(Json("'''triple 'quoted' text'''"), R"("triple 'quoted' text")");
  EXPECT_EQ(Json("\"\"\"two\nlines\r\nor\rmore\"\"\""), R"("two\nlines\nor\nmore")");
  EXPECT_EQ(Json("''''a'''"), R"("'a")");
  EXPECT_EQ(Json("''''''"), R"("")");
  EXPECT_EQ(Json("'caf\xc3\xa9 \xf0\x9f\x98\x80\t\x01\x7f#{['"),
            "\"caf\xc3\xa9 \xf0\x9f\x98\x80\\t\\u0001\x7f#{[\"");
  EXPECT_EQ(Json("'a' \"b\" r'\\c' '''d'''"), R"("ab\\cd")");
  EXPECT_EQ(Json("{'m': 'a '\n  'b'}"), R"({"m":"a b"})");
  EXPECT_EQ(Json("('a' # x\n 'b')"), R"("ab")");
  ExpectRefused(
      {"'", "'a", "'a\n'", "'a\r'", "'''a''", "''''", "'''a''''", "'a\\'", "'''\\'''", "'a\"", "'it's'"});
  ExpectRefused({"('a') 'b'", "'a'\n'b'", "'a' + 'b'", "'a' 1", "1 'a'", "'%s' % 1", "None'a'", "[]'a'"});
}

TEST(PythonLiteral, Escapes) {
  EXPECT_EQ(Json(R"('\\ \' \" \n \r \t \a \b \f \v')"), R"("\\ ' \" \n \r \t \u0007 \b \f \u000b")");
  EXPECT_EQ(Json(R"('\x41 \101 \0 \18 \777 \u00e9 \U0001F600')"), "\"A A \\u0000 \\u00018 ǿ é 😀\"");
  EXPECT_EQ(Json(R"('\d \8 \é \ ')"), R"("\\d \\8 \\é \\ ")");  // unknown ones stay
  EXPECT_EQ(Json("'a\\\nb\\\r\nc\\\rd'"), R"("abcd")");
  ExpectRefused(
      {R"('\x4')", R"('\xg1')", R"('\x')", R"('\u12')", R"('\u 123')", R"('\U00110000')", R"('\U1')"});
  // Names of characters, which Python reads where it knows the name.
  ExpectRefused({R"('\N')", R"('\N{')", R"('\N{NO SUCH NAME}')", R"('\N{BELL}')", R"(['a', '\N{nbsp}'])"});
  EXPECT_EQ(Json(R"([r'\N{BELL}', '\\N{BELL}'])"), R"(["\\N{BELL}","\\N{BELL}"])");
}

TEST(PythonLiteral, Surrogates) {
  EXPECT_EQ(Json(R"('a\ud800"b\udfff')"), R"("a\ud800\"b\udfff")");
  EXPECT_EQ(Json(R"('\ud83d\ude00')"), R"("\ud83d\ude00")");
  EXPECT_EQ(Json(R"({'\udc00': '\U0000d800'})"), R"({"\udc00":"\ud800"})");
  EXPECT_EQ(Json("'\xed\x9f\xbf\xee\x80\x80'"), "\"\xed\x9f\xbf\xee\x80\x80\"");  // their neighbours
}

TEST(PythonLiteral, StringPrefixes) {
  EXPECT_EQ(Json(R"([r'C:\temp\new', R'\x', u'\x41', U'a', r'''\''''])"),
            R"(["C:\\temp\\new","\\x","A","a","\\'"])");
  EXPECT_EQ(Json("r'a\\\r\nb'"), R"("a\\\nb")");
  ExpectRefused(
      {"f'a'", "F''", "fr'a'", "rf'a'", "'a' f'b'", "ur'a'", "ru'a'", "bu'a'", "rr'a'", "x'a'", "rbr'a'"});
  ExpectRefused({"r'\\'", "r '"});
}

// What JSON has no value for becomes the text that Python gives it.
TEST(PythonLiteral, Bytes) {
  EXPECT_EQ(Json("{'b': b'raw'}"), R"({"b":"b'raw'"})");
  EXPECT_EQ(Json(R"(b'it\'s \x00\xff\n\t\\' B"a")"), R"("b\"it's \\x00\\xff\\n\\t\\\\a\"")");
  EXPECT_EQ(Json(R"([rb'\n', Rb'\x', bR"'", b'\u0041\N{'])"),
            R"(["b'\\\\n'","b'\\\\x'","b\"'\"","b'\\\\u0041\\\\N{'"])");
  EXPECT_EQ(Json(R"(b'\400\777')"), R"("b'\\x00\\xff'")");
  ExpectRefused({"b'é'", "b'\\x4'", "b'a' 'b'", "'a' b'b'", "rb'é'"});
}

TEST(PythonLiteral, Sets) {
  EXPECT_EQ(Json("{'s': {2, 1}, 'q': 7}"), R"({"s":"{1, 2}","q":7})");
  EXPECT_EQ(Json("{10, 9, 'b', 'a', 'b', True, 1, 1.0}"), R"("{9, 10, 'a', 'b', True}")");
  EXPECT_EQ(Json("{(1, 2), ((3),), 1 + 2j,}"), R"("{(3,), (1+2j), (1, 2)}")");
  EXPECT_EQ(Json("[set(), set (\n# a\n), (set)()]"), R"j(["set()","set()","set()"])j");
  ExpectRefused(
      {"{[1]}", "{{}}", "{{1}}", "{set()}", "{(1, [2])}", "set(1)", "set(,)", "set()()", "set[1]", "-set()"});
}

TEST(PythonLiteral, ComplexNumbers) {
  EXPECT_EQ(Json("[3j, 1+2j, (1+2j), -1.5-2J, 0j, 09j]"),
            R"j(["3j","(1+2j)","(1+2j)","(-1.5-2j)","0j","9j"])j");
  EXPECT_EQ(Json("[-3j, 0-3j, -0.0-3j, -0-3j]"), R"j(["(-0-3j)","-3j","(-0-3j)","-3j"])j");
  EXPECT_EQ(Json("[-(1)+(2j), (-1)+2j, 1e16+1e-5j, 1e400+1e999j]"),
            R"j(["(-1+2j)","(-1+2j)","(1e+16+1e-05j)","(inf+infj)"])j");
  ExpectRefused(
      {"2j+1", "1+2j+3j", "2j+3j", "1+-2j", "1+(-2j)", "-(1+2j)", "(1+2j)+1j", "1*2j", "True+1j", "1+"});
  EXPECT_EQ(Json("1" + std::string(308, '0') + "+1j"), R"j("(1e+308+1j)")j");
  EXPECT_EQ(Json("1" + std::string(309, '0') + "+1j"), kRefused);  // OverflowError
}

TEST(PythonLiteral, Ellipsis) {
  EXPECT_EQ(Json("[1, ...]"), R"([1,"Ellipsis"])");
  ExpectRefused({". . .", "....", "-..."});
}

TEST(PythonLiteral, Keys) {
  EXPECT_EQ(Json("{None: 1, True: 2, 1.5: 3, -7: 4, ...: 5}"),
            R"({"None":1,"True":2,"1.5":3,"-7":4,"Ellipsis":5})");
  EXPECT_EQ(Json("{(1, 2): 'x', ('a', \"it's\"): 'y', (): 0, (1,): 1, ((1)): 2}"),
            R"j({"(1, 2)":"x","('a', \"it's\")":"y","()":0,"(1,)":1,"1":2})j");
  EXPECT_EQ(Json("{0x10: 1, 1e16: 2, 1e15: 3, 1e-5: 4, .1: 5, 1e400: 6, 1+2j: 7, b'a': 8}"),
            R"j({"16":1,"1e+16":2,"1000000000000000.0":3,"1e-05":4,"0.1":5,"inf":6,"(1+2j)":7,"b'a'":8})j");
  EXPECT_EQ(Json(R"({('\n\x7f\xad\u200b\U0001F600é\ue000\ud800',): 1})"),
            R"j({"('\\n\\x7f\\xad\\u200b😀é\\ue000\\ud800',)":1})j");
  EXPECT_EQ(Json("{('a'): {(1): [2]}}"), R"({"a":{"1":[2]}})");
  ExpectRefused({"{[]: 1}", "{{}: 1}", "{(1, []): 1}", "{set(): 1}", "{([1]): 1}", "{((1, {2}), 3): 1}"});
}

TEST(PythonLiteral, EqualKeysHaveTheTextOfTheFirst) {
  EXPECT_EQ(Json("{1: 'a', True: 'b', 1.0: 'c', 1+0j: 'd'}"), R"({"1":"a","1":"b","1":"c","1":"d"})");
  EXPECT_EQ(Json("{False: 1, -0.0: 2, 0: 3}"), R"({"False":1,"False":2,"False":3})");
  EXPECT_EQ(Json("{(1, 2.0): 1, (True, 2): 2}"), R"j({"(1, 2.0)":1,"(1, 2.0)":2})j");
  EXPECT_EQ(Json("{9007199254740993: 1, 9007199254740992.0: 2, 9007199254740992: 3}"),
            R"({"9007199254740993":1,"9007199254740992.0":2,"9007199254740992.0":3})");
  EXPECT_EQ(Json("{1: {True: 2}, 1.0: {1.0: 3, 1: 4}}"), R"({"1":{"True":2},"1":{"1.0":3,"1.0":4}})");
  EXPECT_EQ(Json("{1: 1, '1': 2, b'1': 3, ('1',): 4}"), R"j({"1":1,"1":2,"b'1'":3,"('1',)":4})j");
}

TEST(PythonLiteral, Depth) {
  constexpr std::size_t kMost = kMaxDepth.default_value - 1;  // brackets
  for (const std::size_t depth : {kMost - 1, kMost, kMost + 1}) {
    const std::string arrays = Repeat("[", depth) + Repeat("]", depth);
    EXPECT_EQ(Json(arrays), depth <= kMost ? arrays : kRefused);
    EXPECT_EQ(Json(Repeat("(", depth) + "1" + Repeat(")", depth)), depth <= kMost ? "1" : kRefused);
    EXPECT_EQ(Json(Repeat("(", depth) + Repeat(",)", depth)), kRefused);
    EXPECT_EQ(Json(Repeat("(", depth) + "1" + Repeat(",)", depth)) == kRefused, depth > kMost);
    EXPECT_EQ(Json(Repeat("{1:", depth) + "1" + Repeat("}", depth)) == kRefused, depth > kMost);
  }
}

TEST(PythonLiteral, LongTextsEndSoon) {
  constexpr std::size_t kMany = 1'000'001;  // odd, so that quotes stay open
  for (const char* piece :
       {"(",    "[",    "{",          "{1:",  "[(", "'",        "\"",     "'''", "r'",    "\\",
        "\\\n", "#",    "# \n",       "-",    "+1", "1_",       "0x",     "1 ",  ",",     ":",
        ".",    "set(", "'\\N{BELL}", "\\N{", "b",  "\xc3\xa9", "{(1,):", "1e",  "\f\\\n"}) {
    const std::string text = Repeat(piece, kMany);
    EXPECT_TRUE(Json(text) == kRefused) << piece;  // a failure does not print the text
    EXPECT_TRUE(Json("[" + text) == kRefused) << piece;
  }
}

TEST(PythonLiteral, LongTextsAreRead) {
  constexpr std::size_t kMany = 1'000'000;
  EXPECT_TRUE(Json("[" + Repeat("[],", kMany) + "]").size() == 3 * kMany + 1);
  EXPECT_TRUE(Json(Repeat("'a' ", kMany)) == '"' + Repeat("a", kMany) + '"');
  EXPECT_TRUE(Json("'" + Repeat("\\ud800", kMany / 10) + "'") == '"' + Repeat("\\ud800", kMany / 10) + '"');
  EXPECT_TRUE(Json("{" + Repeat("1:1,True:2,", kMany / 10) + "}") ==
              "{\"1\":1" + Repeat(",\"1\":2,\"1\":1", kMany / 10 - 1) + ",\"1\":2}");
  EXPECT_TRUE(Json("{" + Repeat("1,True,", kMany / 10) + "}") == R"("{1}")");
  EXPECT_TRUE(Json(Repeat("# a\n", kMany) + "1" + Repeat("\n # a", kMany)) == "1");
  EXPECT_TRUE(Json("[" + Repeat("\\\n", kMany) + "1]") == "[1]");
  EXPECT_TRUE(Json(Repeat(" ", kMany) + "1" + Repeat("\n", kMany)) == "1");
  EXPECT_TRUE(Json(Repeat("1", 4300) + "." + Repeat("1", kMany) + "e1").size() ==
              std::string("Infinity").size());
}

}  // namespace
}  // namespace leafscore::internal
