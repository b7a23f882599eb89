// engine/scorers/parsed_texts.h: JSON that was inside strings of a batch. Each text has a table of its own,
// whose memory serves batch after batch. THREADS: one at a time; a scorer's batch owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_PARSED_TEXTS_H_
#define LEAFSCORE_ENGINE_SCORERS_PARSED_TEXTS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json_reader.h"
#include "engine/pair_walker.h"
#include "engine/scorers/scorer.h"

namespace leafscore {

class ParsedTexts {
 public:
  explicit ParsedTexts(WorkerTools tools) : reader_(tools.shapes, tools.json) {}

  // Forgets all texts and the values read from them.
  void Clear() { size_ = 0; }

  // Returns a new text, empty, to be filled.
  std::string& Add() {
    if (size_ == texts_.size()) texts_.push_back(std::make_unique<Text>());
    Text& text = *texts_[size_++];
    text.bytes.clear();
    return text.bytes;
  }

  // Reads a part of the newest text, which must stay as it is from now on, as JSON.
  // RETURNS: the value, valid until Clear; an absent one when the part is not JSON, with the reason in
  //          *result.
  ValueRef Read(std::string_view part, JsonResult* result) {
    LeafTable& table = texts_[size_ - 1]->table;
    reader_.Begin(part, /*lines=*/false, &table);
    *result = reader_.Read(0, static_cast<std::uint32_t>(part.size()));
    return {&table, result->root};
  }

 private:
  struct Text {
    std::string bytes;
    LeafTable table;
  };

  JsonReader reader_;
  std::vector<std::unique_ptr<Text>> texts_;
  std::size_t size_ = 0;  // in use
};

}  // namespace leafscore

#endif  // LEAFSCORE_ENGINE_SCORERS_PARSED_TEXTS_H_
