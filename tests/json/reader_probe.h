// tests/json/reader_probe.h: JsonReader's results in the terms of the reference, so that the tests and the
// fuzz target can compare the two. Nothing here needs GoogleTest.
#ifndef LEAFSCORE_TESTS_JSON_READER_PROBE_H_
#define LEAFSCORE_TESTS_JSON_READER_PROBE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/json_reader.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "json/json_reference.h"

namespace leafscore::internal {

// One text and its result.
struct Reading {
  std::string_view text;
  JsonResult result;                     // its offset is from the start of `text`
  std::optional<reference::Value> tree;  // nullopt if it was rejected
};

// Returns how a reading differs from the reference, or "" if they agree: in the verdict, the tree, the
// nonstandard flag, and the offset of invalid UTF-8.
std::string Disagreement(const Reading& reading, bool strict = false);

class ReaderProbe {
 public:
  explicit ReaderProbe(JsonOptions options = {}) : strict_(options.strict), reader_(&shapes_, options) {}

  // Reads values of a text by the contract of JsonReader: Begin, then ranges in ascending order.
  void Begin(std::string_view text, bool lines);
  Reading ReadRange(std::size_t begin, std::size_t end);

  // Reads a text by itself.
  Reading Read(std::string_view text);

  // Reads each line of a text, including empty ones; with `shared_index`, as the lines of one batch, in a
  // padded copy that is valid until the next call.
  std::vector<Reading> ReadLines(std::string_view text, bool shared_index);

  std::string Disagreement(const Reading& reading) const {
    return leafscore::internal::Disagreement(reading, strict_);
  }

  LeafTable& table() { return table_; }
  ShapeTable& shapes() { return shapes_; }

 private:
  bool strict_;
  std::string_view text_;
  std::string padded_text_;
  ShapeTable shapes_;
  JsonReader reader_;
  LeafTable table_;
};

// Returns the tree below a node. Throws std::logic_error if the columns of the table contradict each other.
reference::Value TreeOf(const LeafTable& table, const ShapeTable& shapes, NodeId node);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_JSON_READER_PROBE_H_
