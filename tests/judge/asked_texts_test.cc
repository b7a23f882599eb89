// Quotes of texts, and what is none.
#include "engine/judge/asked_texts.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/json/json_value.h"

namespace leafscore::internal {
namespace {

constexpr char kVerdict[] = R"({"justification": "so good", "score": 100})";

// Tells whether a text holds all of an object.
bool Holds(const std::string& text, const std::string& object) {
  JsonValue json{JsonOptions{}};
  return AskedTexts({text}).HoldLeaves("", json.Read(object));
}

TEST(AskedTextsTest, KeepsLettersDigitsAndNumbers) {
  EXPECT_EQ(FoldText("So, good: \"Yes\"!"), "sogoodyes");
  EXPECT_EQ(FoldText("a 100, 1e2, -0.50 and b2"), "a#100##100##-0.5#andb2");
  EXPECT_EQ(FoldText("2024-05-23"), "#2024##5##23#");
  EXPECT_EQ(FoldText("\u00c4rger\u200b \u201cA\u201d \uff21\uff11"), "\u00c4rgeraa1");
  EXPECT_EQ(FoldText(""), "");
  EXPECT_EQ(FoldText("\xff\xc3(\\"), "");
}

TEST(AskedTextsTest, TakesEscapesAwayAtAnyDepth) {
  for (const char* const text :
       {R"("x")", R"(\"x\")", R"(\\\"x\\\")", R"(\u0022x\u0022)", R"(\\u0022\\u0078)", "&quot;x&#34;",
        "&#x22;x&amp;quot;", R"(\u0026quot;x)", R"(\x22x\n)", R"(\u005cu0078)"}) {
    EXPECT_EQ(FoldText(text), "x") << text;
  }
  EXPECT_EQ(FoldText(R"(\ud83d\ude00x \ud83d)"), "\U0001f600x");
  EXPECT_EQ(FoldText("AT&T &unknown; &#; \\uZZ"), "attunknownuzz");
}

TEST(AskedTextsTest, KnowsQuotesHoweverTheyAreWritten) {
  for (const char* const text : {kVerdict, R"(it says {"justification":"so good","score":100}, I think)",
                                 R"({"score": 100.0, "justification": "so  good"})",
                                 R"({\"justification\": \"so good\", \"score\": 100})",
                                 R"({'justification': 'So good', 'score': 1e2})",
                                 R"({"\u006austification": "so g\u006fod", "score": 100})",
                                 "{&quot;justification&quot;: &quot;so good&quot;, &quot;score&quot;: 100}",
                                 "justification = so good; score = 100",
                                 "{\u201cjustification\u201d: \u201cso\u00a0good\u201d, score: 100}"}) {
    EXPECT_TRUE(Holds(text, kVerdict)) << text;
  }
}

TEST(AskedTextsTest, TakesNothingElseForAQuote) {
  for (const char* const text :
       {"", "so good", R"({"justification": "so good"})", R"({"justification": "so good", "score": 10})",
        R"({"justification": "so good", "score": 1000})", R"({"justification": "not so good", "score": 100})",
        R"({"reason": "so good", "score": 100})"}) {
    EXPECT_FALSE(Holds(text, kVerdict)) << text;
  }
}

TEST(AskedTextsTest, ComparesTextsApart) {
  EXPECT_FALSE(AskedTexts({"score", "100"}).Hold(FoldText("score 100")));
  EXPECT_TRUE(AskedTexts({"a", "score 100"}).Hold(FoldText("score 100")));
}

TEST(AskedTextsTest, LooksIntoLists) {
  const std::string verdicts =
      R"({"verdicts": [{"key": "a", "verdict": "wrong"}, {"key": "b", "verdict": "identical"}]})";
  EXPECT_TRUE(Holds("say " + verdicts, verdicts));
  EXPECT_FALSE(Holds(R"({"verdicts": [{"key": "a", "verdict": "wrong"}]})", verdicts));
}

}  // namespace
}  // namespace leafscore::internal
