// Quotes of texts, and what is none.
#include "engine/judge/asked_texts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/base/random.h"
#include "engine/base/utf8.h"
#include "engine/json/json_value.h"
#include "engine/json/json_writer.h"

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
  EXPECT_EQ(FoldText("\u00c4rger\u200b \u201cA\u201d \uff21\uff11 \u201c5\u201d"), "\u00e4rgeraa1#5#");
  EXPECT_EQ(FoldText("D\u00c9J\u00c0"), FoldText("de\u0301ja\u0300"));
  EXPECT_EQ(FoldText(""), "");
  EXPECT_EQ(FoldText("\xff\xc3(\\"), "");
}

TEST(AskedTextsTest, TakesEscapesAwayAtAnyDepth) {
  for (const char* const text :
       {R"("x")", R"(\"x\")", R"(\\\"x\\\")", R"(\u0022x\u0022)", R"(\\u0022\\u0078)", "&quot;x&#34;",
        "&#x22;x&amp;quot;", R"(\u0026quot;x)", R"(\x22x\n)", R"(\u005cu0078)"}) {
    EXPECT_EQ(FoldText(text), "x") << text;
  }
  EXPECT_EQ(FoldText(R"(\ud801\udc28x \ud801)"), "\U00010428x");
  EXPECT_EQ(FoldText(std::string(1 << 20, '\\') + "x"), "x");  // within the test's time
  // What is not seen, or of full width, may stand within an escape, and an escape within another.
  EXPECT_EQ(FoldText("\\u\u200b00\u200b78"), "x");
  EXPECT_EQ(FoldText("\\\uff5500\uff178"), "x");
  EXPECT_EQ(FoldText(R"(\u\u0030078)"), "x");
  for (const char* const text : {R"(C:\New)", R"(c:\\new)", R"(c:\\\u006eew)", R"(c:\\\\new)"}) {
    EXPECT_EQ(FoldText(text), "cew") << text;
  }
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

// Writes a text otherwise, of valid UTF-8 and such that a reader makes it the same again.
std::string Rewritten(const std::string& text, SplitMix64& random) {
  const auto kind = random.Below(4);
  std::string out;
  if (kind == 0) {
    JsonWriter(out).String(text);
    return out.substr(1, out.size() - 2);
  }
  for (const std::string_view code_point : SplitCodePoints(text)) {
    const char c = code_point[0];
    const bool is_ascii = code_point.size() == 1;
    if (kind == 1 && is_ascii && (std::string_view("\\\"'{}:&").find(c) != std::string_view::npos)) {
      out += random.Below(2) == 0 ? fmt::format("\\u{:04x}", c) : fmt::format("&#{};", int{c});
    } else if (kind == 2 && is_ascii && c > ' ' && c != '\\' && random.Below(2) == 0) {
      AppendUtf8(0xFEE0 + static_cast<unsigned char>(c), out);
    } else {
      out += code_point;
      if (kind == 3 && random.Below(4) == 0) out += "\u200b";
    }
  }
  return out;
}

TEST(AskedTextsTest, FoldsTextsAlikeHoweverTheyAreRewritten) {
  SplitMix64 random{20261124, 0};
  constexpr const char* kTexts[] = {kVerdict, "C:\\new\\table \"x\"", "It\u2019s 100% {\"a\": [-1.50, 2e3]}",
                                    "\u5b8c\u74a7 AT&T D\u00c9J\u00c0\n\tvu", R"(a \u0041 \\" &amp;)"};
  for (int round = 0; round < 500; ++round) {
    for (const char* const text : kTexts) {
      std::string rewritten = text;
      for (int depth = 0; depth < 4; ++depth) {
        rewritten = Rewritten(rewritten, random);
        ASSERT_EQ(FoldText(rewritten), FoldText(text)) << rewritten;
      }
    }
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
