// engine/text/answer_reader.h: reads the value that an answer gives in free text, by a ladder of ways to read
// it, tried in turn.
//
//   label     only what follows `Answer:` or the like is read
//   fence     only the content of the first ``` fence is read
//   json      the text is JSON, as Python's `json` reads it
//   python    it is a literal of Python
//   quotes    it is JSON after each single quote is replaced by a double quote
//   balanced  a part between balanced brackets can be read in one of the three ways above
//   count     it gives a number, as in "The answer is 34."
//   text      it is only text
//
// The ladder comes from AssetOpsBench's static_json scorer.
// THREADS: one at a time; each worker owns one.
#ifndef LEAFSCORE_ENGINE_TEXT_ANSWER_READER_H_
#define LEAFSCORE_ENGINE_TEXT_ANSWER_READER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/json_reader.h"
#include "engine/json/leaf_table.h"

namespace leafscore::internal {

// Which numbers in a text count as the answer.
enum class CountRule : std::uint8_t {
  kNone,
  kAny,     // its only number, wherever it is, or its last line (FindCount)
  kStated,  // the number that it states as an answer, or its last line (FindStatedCount)
};

enum class AnswerRung : std::uint8_t { kValue, kJson, kPython, kQuotes, kCount, kText };

// The steps that led to a value.
struct AnswerSteps {
  AnswerRung rung = AnswerRung::kValue;  // kValue: it was not read from a text
  bool label = false;
  bool fence = false;
  bool balanced = false;
  std::uint32_t begin = 0;  // the part of the text that was finally read
  std::uint32_t end = 0;

  // Appends the steps with a slash between them, as in "label/balanced/json".
  void AppendText(std::string& out) const;
};

// A value read from a text. Its table contains views into the text or into `json`.
struct ReadAnswer {
  AnswerSteps steps;
  std::string_view text;  // the part that was finally read; it is the value if there is no root
  NodeId root = kNoNode;
  std::uint32_t repeated_keys = 0;  // in objects: values replaced by a later one with the same key
  std::string json;
  LeafTable table;
};

// If several parts in brackets of one kind can be read, tells which of them counts: the last or the first.
enum class PartOrder { kLastFirst, kFirstFirst };

class AnswerReader {
 public:
  AnswerReader(ShapeTable* shapes, std::uint32_t max_depth, PartOrder parts = PartOrder::kLastFirst);

  // Reads a text; `counts` says which numbers may be read as a count.
  // REQUIRES: valid UTF-8 that outlives the use of `answer`. COST: linear.
  void Read(std::string_view text, CountRule counts, ReadAnswer& answer);

  // Returns true if a quick check shows that Read, with CountRule::kNone, would find only text: the text
  // itself without surrounding white space.
  static bool IsPlain(std::string_view text);

 private:
  // Each tries to read the text in one way, and sets the members of `answer` that it finds. RETURN: whether
  // it could.
  bool ReadStructure(std::string_view text, ReadAnswer& answer);
  bool ReadStretch(std::string_view text, ReadAnswer& answer);
  bool ReadCount(std::string_view text, CountRule counts, ReadAnswer& answer);
  bool ReadJson(std::string_view json, ReadAnswer& answer);

  JsonReader reader_;
  PartOrder parts_;
  std::vector<std::string_view> stretches_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_ANSWER_READER_H_
