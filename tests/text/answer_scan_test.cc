#include "engine/text/answer_scan.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "corpus/random.h"
#include "repeat.h"

namespace leafscore::internal {
namespace {

using Stretches = std::vector<std::string_view>;

Stretches Balanced(std::string_view text) {
  Stretches stretches;
  FindBalanced(text, stretches);
  return stretches;
}

std::string Count(std::string_view text) {
  std::string json;
  std::string_view number;
  return FindCount(text, json, &number) ? json : "none";
}

std::string StatedCount(std::string_view text) {
  std::string json;
  std::string_view number;
  return FindStatedCount(text, json, &number) ? json : "none";
}

TEST(AnswerScan, SkipsLabelsAtTheStartOfLines) {
  EXPECT_EQ(SkipAnswerLabel("Answer: 34"), "34");
  EXPECT_EQ(SkipAnswerLabel("ANSWER 34"), "34");
  EXPECT_EQ(SkipAnswerLabel("<Answer> :\n 34"), "34");
  EXPECT_EQ(SkipAnswerLabel("I looked.\n\n  Final answer\u00a0: a: b"), "a: b");
  EXPECT_EQ(SkipAnswerLabel("Output:"), "");
  EXPECT_EQ(SkipAnswerLabel("results"), "s");  // no word boundary is asked for, as in the origin
  EXPECT_EQ(SkipAnswerLabel("The answer: 34"), "The answer: 34");
  EXPECT_EQ(SkipAnswerLabel("x\u2028Answer: 34"), "x\u2028Answer: 34");  // a line ends with \n only
  EXPECT_EQ(SkipAnswerLabel(""), "");
}

TEST(AnswerScan, TheFirstLabelOfTheListCountsAtItsFirstPlace) {
  EXPECT_EQ(SkipAnswerLabel("Answer: 1\nResult: 2"), "1\nResult: 2");
  EXPECT_EQ(SkipAnswerLabel("Result: 2\nAnswer: 1"), "1");
  EXPECT_EQ(SkipAnswerLabel("Answer: 1\nno,\nAnswer: 2"), "1\nno,\nAnswer: 2");
  EXPECT_EQ(SkipAnswerLabel("Answer: {}\n\nAnswer explanation: so"), "{}\n\nAnswer explanation: so");
  EXPECT_EQ(SkipAnswerLabel("Answer: 1\nFinal Answer: 2\nFinal Answer: 3"), "2\nFinal Answer: 3");
}

TEST(AnswerScan, TakesTheFirstClosedFence) {
  EXPECT_EQ(FenceContent("a ```json\n{}\n``` b ```c```"), "{}");
  EXPECT_EQ(FenceContent("```PYTHON\n1```"), "1");
  EXPECT_EQ(FenceContent("```py 1```"), "1");
  EXPECT_EQ(FenceContent("```1```"), "1");
  EXPECT_EQ(FenceContent("```yaml\n1```"), "yaml\n1");
  EXPECT_EQ(FenceContent("``````"), "");
  EXPECT_EQ(FenceContent("```json"), "```json");
  EXPECT_EQ(FenceContent("`````"), "`````");
}

TEST(AnswerScan, FindsBalancedStretchesLastOnesFirst) {
  EXPECT_EQ(Balanced("a {b} [c] {d{e}} (f) [g]"), (Stretches{"{d{e}}", "{b}", "[g]", "[c]", "(f)"}));
  EXPECT_EQ(Balanced("{{\"a\": 1}"), Stretches{"{\"a\": 1}"});
  EXPECT_EQ(Balanced("{\"}\": '{'}"), Stretches{"{\"}\": '{'}"});
  EXPECT_EQ(Balanced("{\"\\\"}\"}"), Stretches{"{\"\\\"}\"}"});
  EXPECT_EQ(Balanced("don't {x}"), Stretches{"{x}"});    // quotes before the bracket do not count
  EXPECT_EQ(Balanced("{don't} {x}"), Stretches{"{x}"});  // this one hides what closes the first
  EXPECT_EQ(Balanced("[{]}"), (Stretches{"{]}", "[{]"}));
  EXPECT_EQ(Balanced("}{"), Stretches{});
  EXPECT_EQ(Balanced(""), Stretches{});
}

// The stretch from an opening bracket, by a walk from there.
std::string_view WalkBalanced(std::string_view text, std::size_t begin, char open, char close) {
  int depth = 0;
  char quote = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\') {
        ++i;
      } else if (c == quote) {
        quote = 0;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == open) {
      ++depth;
    } else if (c == close && --depth == 0) {
      return text.substr(begin, i + 1 - begin);
    }
  }
  return {};
}

TEST(AnswerScan, BalancedStretchesAreThoseOfAWalkFromEachBracket) {
  constexpr std::string_view kAlphabet = "{}{}[]()\"'\\a";
  corpus::Random random(1, 0);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (int i = 0; i < round % 24; ++i) text += kAlphabet[random.Below(kAlphabet.size())];
    Stretches want;
    for (const std::string_view kind : {"{}", "[]", "()"}) {
      Stretches found;
      for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != kind[0]) continue;
        const std::string_view stretch = WalkBalanced(text, i, kind[0], kind[1]);
        if (stretch.empty()) continue;
        found.push_back(stretch);
        i += stretch.size() - 1;
      }
      want.insert(want.end(), found.rbegin(), found.rend());
    }
    ASSERT_EQ(Balanced(text), want) << text;
  }
}

TEST(AnswerScan, LongTextsOfBracketsAndQuotes) {
  constexpr std::size_t kMany = 1'000'000;  // a scan from each bracket would take hours
  EXPECT_EQ(Balanced(Repeat("{", kMany)).size(), 0u);
  EXPECT_EQ(Balanced(Repeat("{'", kMany)).size(), 0u);
  EXPECT_EQ(Balanced(Repeat("{\"\\", kMany)).size(), 0u);
  EXPECT_EQ(Balanced(Repeat("{[(", kMany) + "}").size(), 1u);
  EXPECT_EQ(Balanced(Repeat("{x} ", kMany)).size(), kMany);
  EXPECT_EQ(Balanced(Repeat("{", kMany) + Repeat("}", kMany)).size(), 1u);
}

TEST(AnswerScan, ReadsAStatedCount) {
  EXPECT_EQ(StatedCount("34"), "34");
  EXPECT_EQ(StatedCount("007"), "7");
  EXPECT_EQ(StatedCount("is 34."), "34");  // behind the label `answer`
  EXPECT_EQ(StatedCount("The answer is 34."), "34");
  EXPECT_EQ(StatedCount("So the final count: -2.5"), "-2.5");
  EXPECT_EQ(StatedCount("12 of 13\ncount 34"), "34");
  for (const std::string_view text :
       {"The tool failed after examining 34 records.", "34 pumps", "pump 34", "COMP-01", "The discount is 34",
        "of 12 the answer is 34", "34\nthanks", "**34**", "the answer 34", ""}) {
    EXPECT_EQ(StatedCount(text), "none") << text;
  }
}

TEST(AnswerScan, ReadsTheOnlyNumberAsACount) {
  EXPECT_EQ(Count("34"), "34");
  EXPECT_EQ(Count("The answer is 34."), "34");
  EXPECT_EQ(Count("Count: 7"), "7");
  EXPECT_EQ(Count("It is 2.5"), "2.5");
  EXPECT_EQ(Count("the total is -34 units"), "-34");
  EXPECT_EQ(Count("**-23.0**"), "-23.0");
  EXPECT_EQ(Count("共有42台设备"), "42");
  EXPECT_EQ(Count("a1b2c3 then 12"), "12");
  EXPECT_EQ(Count("007"), "7");
  EXPECT_EQ(Count("-00.50 m"), "-0.50");
  EXPECT_EQ(Count("४२ pumps"), "42");
  EXPECT_EQ(Count("2.5x"), "2");
  EXPECT_EQ(Count("a-5"), "5");
  EXPECT_EQ(Count("34th"), "none");
  EXPECT_EQ(Count("x_12"), "none");
  EXPECT_EQ(Count("between 30 and 38"), "none");
  EXPECT_EQ(Count("1,234"), "none");
  EXPECT_EQ(Count("no number"), "none");
  EXPECT_EQ(Count(""), "none");
}

TEST(AnswerScan, ReadsALastLineThatIsANumber) {
  EXPECT_EQ(Count("4 and 8\n\n12"), "12");
  EXPECT_EQ(Count("4 and 8\nThe sum\u2028 Final  Answer is: 12"), "none");  // "is" or ":", not both
  EXPECT_EQ(Count("4 and 8\u2028Final \t answer is -12 ."), "-12");
  EXPECT_EQ(Count("4 and 8\rcount:0"), "0");
  EXPECT_EQ(Count("4 and 8\nresult12.5"), "12.5");
  EXPECT_EQ(Count("4 and 8\nfinal 12"), "none");
  EXPECT_EQ(Count("4 and 8\n12 kg"), "none");
  EXPECT_EQ(Count("4 and 8\nanswer"), "none");
}

TEST(AnswerScan, ANumberInANameIsNoCount) {
  EXPECT_EQ(Count("Chiller 6"), "none");
  EXPECT_EQ(Count("It was Chiller 6."), "none");
  EXPECT_EQ(Count("Chiller 6 failed"), "6");
  EXPECT_EQ(Count("Total 6"), "6");
  EXPECT_EQ(Count("There are 6"), "6");
}

TEST(AnswerScan, LongTextsOfNumbers) {
  constexpr std::size_t kMany = 1'000'000;
  EXPECT_EQ(Count(Repeat("1 ", kMany)), "none");
  EXPECT_EQ(Count(Repeat("7", kMany)), Repeat("7", kMany));
  EXPECT_EQ(Count(Repeat("7a", kMany)), "none");
  EXPECT_EQ(Count(Repeat("1-", kMany) + "\n5"), "5");
}

}  // namespace
}  // namespace leafscore::internal
