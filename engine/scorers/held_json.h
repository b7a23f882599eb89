// engine/scorers/held_json.h: reads the JSON that texts hold: whole texts, answers with a label or a fence,
// and the prose of answers, as the options of a scorer say.
#ifndef LEAFSCORE_ENGINE_SCORERS_HELD_JSON_H_
#define LEAFSCORE_ENGINE_SCORERS_HELD_JSON_H_

#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/scorers/pair_selector_options.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/scorer.h"
#include "engine/text/answer_reader.h"

namespace leafscore::internal {

// Values that were read are valid until the next Begin. THREADS: one at a time.
class HeldJsonReader {
 public:
  HeldJsonReader(const PairSelectorOptions* options, WorkerTools tools)
      : options_(options),
        shapes_(tools.shapes),
        parse_texts_(options->parse_texts(tools.parse_texts)),
        texts_(tools),
        answer_reader_(tools.shapes, tools.json.max_depth) {}

  // Begins a batch.
  void Begin() {
    texts_.Truncate(0);
    counts_ = {};
  }

  // Replaces texts that contain JSON with the parsed values, as the options say. RETURNS: whether the answer
  // was read.
  bool ReadTexts(ValueRef& expected, ValueRef& actual);
  // Replaces a text that is JSON as a whole with the object or array in it. RETURNS: false if it is not.
  bool ReadWholeJson(ValueRef& text);
  // Return whether an object or array is expected, and whether a value of this kind is expected. One of
  // several accepted values is enough; if one is neither an object nor an array, every kind is expected.
  bool ExpectsStructure(ValueRef expected) const;
  bool IsExpectedKind(ValueRef expected, ValueKind kind) const;

  // Returns the counts for the batch so far.
  JsonInTexts counts() const { return counts_; }

  // The texts of the batch, for values that the caller reads.
  ParsedTexts& texts() { return texts_; }

 private:
  // Replaces a text with the object or array in it. The JSON may be the whole text, follow an answer label,
  // or be in a fence. RETURNS: false if the text has no object or array.
  bool ReadHeldJson(ValueRef& text);
  // Does the same for an answer with prose around its JSON. `expected` is the expected kind: object or array.
  bool ReadAnswerText(ValueKind expected, ValueRef& text);
  // Parses `parsed`, the last text of texts_, and replaces `text` with the object or array in it. RETURNS: as
  // ReadHeldJson.
  bool ReadParsed(ParsedText& parsed, ValueRef& text);

  const PairSelectorOptions* options_;
  ShapeTable* shapes_;
  ParseTexts parse_texts_;
  ParsedTexts texts_;
  AnswerReader answer_reader_;
  ReadAnswer read_answer_;
  JsonInTexts counts_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_HELD_JSON_H_
