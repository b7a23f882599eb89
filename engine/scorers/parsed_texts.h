// engine/scorers/parsed_texts.h: JSON texts found inside strings, each with its own leaf table. The texts
// form a stack that reuses its memory and never moves its elements. THREADS: one at a time; each scorer batch
// that needs one owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_PARSED_TEXTS_H_
#define LEAFSCORE_ENGINE_SCORERS_PARSED_TEXTS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/json/json_reader.h"
#include "engine/match/pair_walker.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

struct ParsedText {
  std::string text;
  LeafTable table;
};

class ParsedTexts {
 public:
  explicit ParsedTexts(WorkerTools tools) : reader_(tools.shapes, tools.json) {}

  std::size_t size() const { return size_; }

  // Drops the texts from index `size` on. REQUIRES: size <= size().
  void Truncate(std::size_t size) { size_ = size; }

  // Adds an empty text.
  ParsedText& Push() {
    if (size_ == texts_.size()) texts_.push_back(std::make_unique<ParsedText>());
    ParsedText& parsed = *texts_[size_++];
    parsed.text.clear();
    return parsed;
  }

  // Adds a JSON text, and reads it. RETURNS: its value; an absent value if the text is not JSON.
  ValueRef Add(std::string json) {
    ParsedText& parsed = Push();
    parsed.text = std::move(json);
    return {&parsed.table, Read(parsed).root};
  }

  // Reads a text into its table; the text must not change from then on.
  JsonResult Read(ParsedText& parsed) { return Read(parsed, 0, parsed.text.size()); }

  // Reads only text[begin, end).
  JsonResult Read(ParsedText& parsed, std::size_t begin, std::size_t end) {
    reader_.Begin(parsed.text, /*lines=*/false, &parsed.table);
    return reader_.Read(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end));
  }

 private:
  JsonReader reader_;
  std::vector<std::unique_ptr<ParsedText>> texts_;
  std::size_t size_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_PARSED_TEXTS_H_
