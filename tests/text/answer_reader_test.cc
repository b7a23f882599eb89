#include "engine/text/answer_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "corpus/random.h"
#include "engine/json/compact_text.h"
#include "engine/languages/python_text.h"
#include "repeat.h"

namespace leafscore::internal {
namespace {

// What a text is read as: the steps, the bytes read, and the value.
std::string Read(const std::string& text, bool counts = true) {
  ShapeTable shapes;
  AnswerReader reader(&shapes, 64);
  ReadAnswer answer;
  reader.Read(text, counts ? CountRule::kAny : CountRule::kNone, answer);
  std::string result;
  answer.steps.AppendText(result);
  EXPECT_EQ(answer.text, text.substr(answer.steps.begin, answer.steps.end - answer.steps.begin)) << text;
  result += " `" + std::string(answer.text) + "`";
  if (answer.root != kNoNode) {
    result += " = ";
    AppendCompactJson(answer.table, shapes, answer.root, result);
  }
  return result;
}

TEST(AnswerReader, EachRung) {
  EXPECT_EQ(Read(R"( {"a": 1} )"), R"(json `{"a": 1}` = {"a":1})");
  EXPECT_EQ(Read(R"({'a': (1, None)})"), R"(python `{'a': (1, None)}` = {"a":[1,null]})");
  EXPECT_EQ(Read(R"({'a': true})"), R"(quotes `{'a': true}` = {"a":true})");
  EXPECT_EQ(Read(R"(Here: {'a': true}!)"), R"(balanced/quotes `{'a': true}` = {"a":true})");
  EXPECT_EQ(Read("The answer is 34."), "count `34` = 34");
  EXPECT_EQ(Read(" not enough data "), "text `not enough data`");
  EXPECT_EQ(Read(""), "text ``");
}

TEST(AnswerReader, LabelsAndFencesComeFirst) {
  EXPECT_EQ(Read("{\"no\": 0}\nAnswer: {\"a\": 1}"), R"(label/json `{"a": 1}` = {"a":1})");
  EXPECT_EQ(Read("{\"no\": 0} ```json\n[1]``` {\"no\": 0}"), "fence/json `[1]` = [1]");
  EXPECT_EQ(Read("[0]\nOutput:\n```py\n[1,]\n```"), "label/fence/python `[1,]` = [1]");
  EXPECT_EQ(Read("Final Answer: 34 pumps"), "label/count `34` = 34");
  EXPECT_EQ(Read("Answer: yes"), "label/text `yes`");
  EXPECT_EQ(Read("Answer:"), "label/text ``");
}

TEST(AnswerReader, TheLastStretchThatCanBeReadWins) {
  EXPECT_EQ(Read("First {\"a\": 1}, no: {\"a\": 2}. Or {x}?"), R"(balanced/json `{"a": 2}` = {"a":2})");
  EXPECT_EQ(Read("see [1], (2, 3)"), "balanced/json `[1]` = [1]");
  EXPECT_EQ(Read("see {x}, (2, 3)"), "balanced/python `(2, 3)` = [2,3]");
  EXPECT_EQ(Read("{\"a\": 1}{\"a\": 2}"), R"(balanced/json `{"a": 2}` = {"a":2})");
}

TEST(AnswerReader, WhatOnlyPythonsJsonReads) {
  EXPECT_EQ(Read("[NaN, -Infinity, 1e999, 123456789012345678901234567890]"),
            "json `[NaN, -Infinity, 1e999, 123456789012345678901234567890]` = "
            "[NaN,-Infinity,1e999,123456789012345678901234567890]");
}

TEST(AnswerReader, CountsOnlyWhenAllowed) {
  EXPECT_EQ(Read("COMP-01", false), "text `COMP-01`");
  EXPECT_EQ(Read("5 kg", false), "text `5 kg`");
  EXPECT_EQ(Read("5", false), "json `5` = 5");
}

TEST(AnswerReader, DepthBombsAreText) {
  constexpr std::size_t kMany = 100'000;
  for (const std::string_view unit : {"[", "{\"a\":", "(", "{'a':", "[1,"}) {
    const std::string text = Repeat(unit, kMany);
    EXPECT_EQ(Read(text, false), "text `" + text + "`");
  }
  const std::string closed = std::string(kMany, '[') + std::string(kMany, ']');
  EXPECT_EQ(Read(closed), "text `" + closed + "`");
}

TEST(AnswerReader, WhatIsPlainAtAGlanceIsReadAsItself) {
  constexpr std::string_view kParts[] = {
      "a",      "r",        " ",        "'",      "\"",    "-",      "1",    ".",  "{",    "}",
      "[1]",    "(",        "`",        "```",    "\n",    "\r",     "#",    "\\", "true", "None",
      "NaN",    "inf",      "Infinity", "answer", ":",     "Final ", "u'x'", "b",  "\f",   "é",
      "\u00a0", "<answer>", "3j",       "...",    "False", "rb\"",   "null", "+",  "_",    "٣"};
  corpus::Random random(7, 0);
  ShapeTable shapes;
  AnswerReader reader(&shapes, 64);
  ReadAnswer answer;
  int plain = 0;
  for (int round = 0; round < 60000; ++round) {
    std::string text;
    for (int i = 0; i < 1 + round % 6; ++i) text += random.Pick(kParts);
    if (!AnswerReader::IsPlain(text)) continue;
    ++plain;
    reader.Read(text, CountRule::kNone, answer);
    ASSERT_EQ(answer.root, kNoNode) << text;
    ASSERT_EQ(answer.text, StripSpace(text)) << text;
  }
  EXPECT_GT(plain, 10000);
}

}  // namespace
}  // namespace leafscore::internal
