// Patterns of JavaScript. The wants are what `new RegExp(pattern, flags).test(text)` gives.
#include "engine/languages/javascript_regex.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <atomic>
#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>

namespace leafscore::internal {
namespace {

using State = JavaScriptRegex::State;
using Search = JavaScriptRegex::Search;

bool Finds(std::string_view pattern, std::string_view text, std::string_view flags = "") {
  const JavaScriptRegex regex(pattern, flags);
  if (regex.state() != State::kReady) {
    ADD_FAILURE() << pattern << ": " << regex.fault();
    return false;
  }
  const Search found = regex.Test(text);
  EXPECT_NE(found, Search::kTooLong) << pattern;
  return found == Search::kFound;
}

State StateOf(std::string_view pattern, std::string_view flags = "") {
  return JavaScriptRegex(pattern, flags).state();
}

TEST(JavaScriptRegex, ClassesAreThoseOfJavaScript) {
  EXPECT_TRUE(Finds("^\\d+$", "123"));
  EXPECT_FALSE(Finds("^\\d+$", "１２"));  // digits of another script
  EXPECT_FALSE(Finds("^\\w+$", "é"));
  EXPECT_TRUE(Finds("^\\s+$", " \t\n\u00A0\u2003\u2028\uFEFF"));
  EXPECT_FALSE(Finds("\\s", "\u0085\u200B"));
  EXPECT_TRUE(Finds("^[\\s\\S]+$", "a\n\u2028b"));
  EXPECT_TRUE(Finds("^[^]$", "\n"));
  EXPECT_FALSE(Finds("[]", "a"));
  EXPECT_TRUE(Finds("^[[:alpha:]]$", "a]"));
  EXPECT_TRUE(Finds("[\\w-x]", "-"));
  EXPECT_TRUE(Finds("^[\\b]$", "\b"));
  EXPECT_TRUE(Finds("\\bcat\\b", "a cat."));
  EXPECT_FALSE(Finds("\\bcat\\b", "cats"));
  EXPECT_TRUE(Finds("\\Bcat", "a1cat"));
  EXPECT_FALSE(Finds("é\\b", "é "));
}

TEST(JavaScriptRegex, EndsOfLines) {
  EXPECT_FALSE(Finds("^a$", "a\n"));  // Perl's $ would match
  EXPECT_TRUE(Finds("^a$", "x\na\r", "m"));
  EXPECT_TRUE(Finds("^b$", "a\u2028b", "m"));
  EXPECT_FALSE(Finds("a.b", "a\nb"));
  EXPECT_FALSE(Finds("a.b", "a\u2029b"));
  EXPECT_TRUE(Finds("a.b", "a\vb"));
  EXPECT_TRUE(Finds("a.b", "a\nb", "s"));
  EXPECT_TRUE(Finds("^b", "ab", "") == false);
}

TEST(JavaScriptRegex, CodeUnitsWithoutTheFlagU) {
  EXPECT_FALSE(Finds("^.$", "😀"));
  EXPECT_TRUE(Finds("^..$", "😀"));
  EXPECT_TRUE(Finds("^.$", "😀", "u"));
  EXPECT_TRUE(Finds("\\ud83d", "😀"));
  EXPECT_TRUE(Finds("^\\u{1F600}$", "😀", "u"));
  EXPECT_TRUE(Finds("^\\ud83d\\ude00$", "😀", "u"));
  EXPECT_TRUE(Finds("^u{3}$", "uuu"));
  EXPECT_TRUE(Finds("^\\u{3}$", "uuu"));  // the u repeats
  EXPECT_TRUE(Finds("^\\p{L}$", "é", "u"));
  EXPECT_TRUE(Finds("^\\p{Letter}+\\P{Script=Greek}$", "éa", "u"));
  EXPECT_TRUE(Finds("^p{L}$", "p{L}"));
  EXPECT_TRUE(Finds("^\\p{L}$", "p{L}"));
}

TEST(JavaScriptRegex, OtherCases) {
  EXPECT_TRUE(Finds("^FOUR|4$", "four", "i"));
  EXPECT_TRUE(Finds("é", "É", "i"));
  EXPECT_TRUE(Finds("[à-ý]", "É", "i"));
  EXPECT_TRUE(Finds("σ", "ς", "i"));
  EXPECT_FALSE(Finds("k", "\u212A", "i"));  // the sign of kelvin
  EXPECT_TRUE(Finds("k", "\u212A", "iu"));
  EXPECT_FALSE(Finds("s", "ſ", "i"));
  EXPECT_FALSE(Finds("[\\W]", "s", "i"));
  EXPECT_FALSE(Finds("ss", "ß", "i"));
  EXPECT_FALSE(Finds("ß", "ẞ", "i"));
  EXPECT_FALSE(Finds("[^a]", "A", "i"));
  EXPECT_TRUE(Finds("(a)\\1", "aA", "i"));
  EXPECT_TRUE(Finds("(?i:a)b", "Ab"));
  EXPECT_FALSE(Finds("(?i:a)b", "AB"));
  EXPECT_FALSE(Finds("(?-i:a)b", "AB", "i"));
}

TEST(JavaScriptRegex, GroupsAndReferences) {
  EXPECT_TRUE(Finds("^(a)?\\1b$", "b"));  // an unset group is empty
  EXPECT_TRUE(Finds("^\\1(a)$", "a"));
  EXPECT_TRUE(Finds("(?<year>\\d{4})-\\k<year>", "2025-2025"));
  EXPECT_FALSE(Finds("(?<year>\\d{4})-\\k<year>", "2025-2024"));
  EXPECT_TRUE(Finds("^\\k<a>$", "k<a>"));
  EXPECT_TRUE(Finds("(?<!\\$)\\b\\d+", "5"));
  EXPECT_TRUE(Finds("(?<=a|bc)d", "bcd"));
  EXPECT_TRUE(Finds("^(?=.*\\d)(?=.*[a-z]).{2,}$", "a1"));
  EXPECT_TRUE(Finds("^\\101$", "A"));  // octal
  EXPECT_TRUE(Finds("^\\8$", "8"));
  EXPECT_TRUE(Finds("^\\0$", std::string_view("\0", 1)));
  EXPECT_TRUE(Finds("^\\cA\\x41\\u0041$",
                    "\x01"
                    "AA"));
  EXPECT_TRUE(Finds("^\\c$", "\\c"));
}

TEST(JavaScriptRegex, BracesThatAreNoQuantifier) {
  EXPECT_TRUE(Finds("^{a}$", "{a}"));
  EXPECT_TRUE(Finds("^a{,5}$", "a{,5}"));
  EXPECT_TRUE(Finds("^x{$", "x{"));
  EXPECT_TRUE(Finds("^]}$", "]}"));
  EXPECT_TRUE(Finds("^a{2,3}?$", "aaa"));
}

TEST(JavaScriptRegex, WhatJavaScriptRefuses) {
  for (const char* const pattern : {"(",
                                    ")",
                                    "[",
                                    "a**",
                                    "a{2}{3}",
                                    "*",
                                    "+",
                                    "?",
                                    "{1}",
                                    "a++",
                                    "(?>a)",
                                    "(?P<n>a)",
                                    "(?#x)",
                                    "\\",
                                    "[b-a]",
                                    "a{3,2}",
                                    "(?<n>a)(?<n>b)",
                                    "(?<1>a)",
                                    "(?<n>a)\\k<m>",
                                    "(?<=a)*",
                                    "^*",
                                    "(?i)a",
                                    "(?",
                                    "(?:",
                                    "(*FAIL)"}) {
    EXPECT_EQ(StateOf(pattern), State::kInvalid) << pattern;
  }
  for (const char* const pattern :
       {"{", "}", "]", "\\-", "\\8", "\\1", "\\c", "a{", "(?=a)*", "[\\w-x]", "\\p", "\\u{110000}", "\\01"}) {
    EXPECT_EQ(StateOf(pattern, "u"), State::kInvalid) << pattern;
  }
  for (const char* const flags : {"zz", "ii", "x", "uv", "I"})
    EXPECT_EQ(StateOf("a", flags), State::kInvalid) << flags;
  for (const char* const flags : {"", "dgimsuy", "v"}) EXPECT_EQ(StateOf("a", flags), State::kReady) << flags;
}

// The wants are those of node 20 (V8 11.3). Left out are characters that its Unicode 17 and ours tell apart.
TEST(JavaScriptRegex, PatternsAsNodeSearchesForThem) {
  std::ifstream file(LEAFSCORE_TEST_DATA "/javascript_patterns.jsonl");
  std::size_t checked = 0;
  for (std::string line; std::getline(file, line); ++checked) {
    rapidjson::Document vector;
    vector.Parse(line.c_str());
    const JavaScriptRegex regex(vector["pattern"].GetString(), vector["flags"].GetString());
    const std::string want = vector["want"].GetString();
    if (want == "invalid") {
      EXPECT_EQ(regex.state(), State::kInvalid) << line;
      continue;
    }
    ASSERT_EQ(regex.state(), State::kReady) << line << regex.fault();
    const Search found = regex.Test({vector["text"].GetString(), vector["text"].GetStringLength()});
    EXPECT_EQ(found, want == "found" ? Search::kFound : Search::kNotFound) << line;
  }
  EXPECT_EQ(checked, 800u);
}

// Once \p{Lu} was only itself.
TEST(JavaScriptRegex, PropertiesHaveOtherCases) {
  for (const char* const flags : {"iu", "iv"}) {
    EXPECT_TRUE(Finds("\\p{Lu}", "abc", flags));
    EXPECT_TRUE(Finds("\\p{Ll}", "ABC", flags));
    EXPECT_FALSE(Finds("[^\\p{Lu}]", "abc", flags));
    EXPECT_TRUE(Finds("[^\\p{Lu}]", "1", flags));
    EXPECT_TRUE(Finds("\\p{L}", "\u0345", flags));  // folds to iota
    EXPECT_FALSE(Finds("\\p{Lu}", "\u4E2D", flags));
  }
  EXPECT_TRUE(Finds("\\P{Lu}", "A", "iu"));  // a is another case of A
  EXPECT_FALSE(Finds("\\P{Lu}", "A", "iv"));
  EXPECT_FALSE(Finds("\\P{Lu}", "a", "iv"));
  EXPECT_FALSE(Finds("\\P{Uppercase}", "a", "iv"));  // by the standard; V8 11.3 says otherwise
  EXPECT_FALSE(Finds("\\p{Lu}", "abc", "u"));
}

TEST(JavaScriptRegex, NamesOfPropertiesAreExact) {
  for (const char* const name : {"Lu", "gc=Lu", "General_Category=Uppercase_Letter", "punct", "LC",
                                 "Script=Greek", "sc=Grek", "scx=Qaac", "Alphabetic", "Alpha", "space", "Any",
                                 "ASCII", "Assigned", "Changes_When_NFKC_Casefolded", "XIDS"}) {
    for (const char* const flags : {"u", "v"})
      EXPECT_EQ(StateOf("\\p{" + std::string(name) + "}", flags), State::kReady) << name;
  }
  for (const char* const name : {"Latin",
                                 "Greek",
                                 "greek",
                                 "L&",
                                 "lu",
                                 "Upper Case",
                                 "IsGreek",
                                 "Foo",
                                 "",
                                 "=",
                                 "gc=",
                                 "gc=Greek",
                                 "sc=greek",
                                 "Script=Lu",
                                 "Bidi_Class=L",
                                 "Block=Latin",
                                 "Xan",
                                 "any",
                                 "ascii",
                                 "Expands_On_NFC",
                                 "Alphabetic=Y",
                                 "sc",
                                 "sc=Katakana_Or_Hiragana",
                                 "sc=Blis",
                                 "^Lu"}) {
    for (const char* const flags : {"u", "v", "iu"})
      EXPECT_EQ(StateOf("\\p{" + std::string(name) + "}", flags), State::kInvalid) << name;
  }
  EXPECT_EQ(StateOf(std::string_view("\\p{Lu\0}", 7), "u"), State::kInvalid);
  EXPECT_EQ(StateOf("\\p{RGI_Emoji}", "u"), State::kInvalid);
  EXPECT_EQ(StateOf("\\P{RGI_Emoji}", "v"), State::kInvalid);
  EXPECT_EQ(StateOf("[^\\p{RGI_Emoji}]", "v"), State::kInvalid);
  EXPECT_EQ(StateOf("[^a]\\p{RGI_Emoji}", "v"), State::kUnsupported);
  EXPECT_TRUE(Finds("^\\p{Latin}$", "p{Latin}"));  // without the flag u it is a letter
}

TEST(JavaScriptRegex, TheFlagVKeepsCharactersOfClasses) {
  for (const char* const pattern : {"[\\w-]+", "[a-]", "[-a]", "[(]", "[a|b]", "[{}]", "[/]", "[a!!]",
                                    "[^^^]", "[&&a]", "[a&&]", "[a--]", "[\\d-z]", "[\\']"}) {
    EXPECT_EQ(StateOf(pattern, "v"), State::kInvalid) << pattern;
  }
  EXPECT_TRUE(Finds("^[\\w\\-]+$", "a-b", "v"));
  EXPECT_TRUE(Finds("^[\\&\\!\\#\\%\\,\\:\\;\\<\\=\\>\\@\\`\\~]+$", "&!#%,:;<=>@`~", "v"));
  EXPECT_TRUE(Finds("^[a&b]$", "&", "v"));
  EXPECT_EQ(StateOf("[\\&]", "u"), State::kInvalid);
}

// By the standard of 2025; node 20 does not know them yet.
TEST(JavaScriptRegex, GroupsOfOneNameStandInDifferentAlternatives) {
  EXPECT_TRUE(Finds("^(?:(?<a>x)|(?<a>y))\\k<a>$", "xx"));
  EXPECT_TRUE(Finds("^(?:(?<a>x)|(?<a>y))\\k<a>$", "yy"));
  EXPECT_FALSE(Finds("^(?:(?<a>x)|(?<a>y))\\k<a>$", "xy"));
  EXPECT_TRUE(Finds("^(?:(?<a>x)|(?<a>y))\\k<a>{2}$", "yyy"));
  EXPECT_TRUE(Finds("^(?:(?<a>x)|(?<a>y))\\k<a>$", "yY", "i"));
  EXPECT_TRUE(Finds("^(?:(?<a>x)|(y))\\2$", "yy"));
  EXPECT_TRUE(Finds("^(?:(?<a>x)|(?:(?<a>y)|(z(?<a>z))))\\k<a>$", "zzz"));
  for (const char* const pattern :
       {"(?<a>x)|(?<a>y)", "(?:(?<a>x)|(?<a>y))+", "((?<a>x)|z)|(?<a>y)", "(?<a>x)(?<b>z)|(?<a>y)(?<b>z)"}) {
    EXPECT_EQ(StateOf(pattern), State::kReady) << pattern;
  }
  for (const char* const pattern :
       {"(?<a>x)(?<a>y)", "(?<a>x(?<a>y))", "(?:(?<a>x)|y)(?<a>z)", "(?:x|(?<a>y))(?:z|(?<a>z))",
        "((?<a>x)|(?<b>y))|((?<b>x)(?<b>y))", "(?:(?<a>x)(?:y|(?<a>z)))|w"}) {
    EXPECT_EQ(StateOf(pattern), State::kInvalid) << pattern;
  }
}

TEST(JavaScriptRegex, WhatIsNotDoneHereIsToldApart) {
  EXPECT_EQ(StateOf("(?<=a+)b"), State::kUnsupported);
  EXPECT_EQ(StateOf("[\\w--\\d]", "v"), State::kUnsupported);
  EXPECT_EQ(StateOf("a{70000}"), State::kUnsupported);
  EXPECT_EQ(StateOf("[[a-z]&&\\w]", "v"), State::kUnsupported);
  EXPECT_EQ(StateOf("\\p{RGI_Emoji}", "v"), State::kUnsupported);
  EXPECT_EQ(StateOf("(?:(?<n>a)|(?<n>b))+\\k<n>"), State::kUnsupported);
  EXPECT_EQ(StateOf(std::string(5000, '(') + std::string(5000, ')')), State::kUnsupported);
}

TEST(JavaScriptRegex, StickySearchesAtTheStart) {
  EXPECT_TRUE(Finds("a", "ab", "y"));
  EXPECT_FALSE(Finds("b", "ab", "y"));
  EXPECT_TRUE(Finds("b", "ab", "g"));
}

TEST(JavaScriptRegex, CatastrophicSearchesEnd) {
  EXPECT_EQ(JavaScriptRegex("(a+)+$", "").Test(std::string(60, 'a') + "b"), Search::kTooLong);
  EXPECT_EQ(JavaScriptRegex("(.*)*x", "s").Test(std::string(60, 'a')), Search::kNotFound);  // no x at all
  EXPECT_EQ(JavaScriptRegex("(a|aa)+$", "").Test(std::string(80, 'a') + "b"), Search::kTooLong);
  EXPECT_EQ(JavaScriptRegex("\\s+$", "").Test(std::string(1'000'000, ' ') + "x"), Search::kTooLong);
  EXPECT_EQ(JavaScriptRegex("\\d{4}-\\d{2}", "").Test(std::string(4'000'000, '1')), Search::kNotFound);
}

// What a part of the pattern passes over counts as that many steps.
TEST(JavaScriptRegex, TheStepsOfASearchDoNotGrowWithTheTextForever) {
  const std::string text = std::string(8'000'000, 'a') + "x";
  const auto search = [&](int passes) {
    std::string pattern = "^(?:[ab]*c";
    for (int i = 1; i < passes; ++i) pattern += "|[ab]*c";
    return JavaScriptRegex(pattern + ")", "").Test(text + "c");
  };
  EXPECT_EQ(search(62), Search::kNotFound);  // 496 million
  EXPECT_EQ(search(63), Search::kTooLong);   // 504 million, of the 810 million that 100 a character would be
}

TEST(JavaScriptRegex, ASearchIsStopped) {
  const std::atomic<bool> stop = true;
  const JavaScriptRegex endless("(a+)+$", "");
  EXPECT_EQ(endless.Test(std::string(60, 'a') + "b", &stop), Search::kStopped);
  const std::atomic<bool> go_on = false;
  EXPECT_EQ(endless.Test("aa", &go_on), Search::kFound);
}

}  // namespace
}  // namespace leafscore::internal
