// engine/json/json_value.h: parses one JSON text into a value.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_JSON_JSON_VALUE_H_
#define LEAFSCORE_ENGINE_JSON_JSON_VALUE_H_

#include <cstdint>
#include <string_view>

#include "engine/json/json_reader.h"
#include "engine/json/json_view.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"

namespace leafscore::internal {

class JsonValue {
 public:
  explicit JsonValue(const JsonOptions& options) : reader_(&shapes_, options) {}
  JsonValue(const JsonValue&) = delete;  // the reader points to the shapes
  JsonValue& operator=(const JsonValue&) = delete;

  // Reads a text, which must outlive the value.
  // RETURNS: the value; absent if the text is not JSON.
  JsonView Read(std::string_view text) {
    shapes_.ClearIfLarge();  // keys may come from data, so their number has no bound
    return ReadNext(text, table_);
  }

  // As Read, but reads the text into the caller's table. The shapes of all values since the last Read stay
  // valid.
  JsonView ReadNext(std::string_view text, LeafTable& table) {
    reader_.Begin(text, /*lines=*/false, &table);
    const JsonResult result = reader_.Read(0, static_cast<std::uint32_t>(text.size()));
    has_duplicate_keys_ = result.duplicate_keys != 0;
    return {table, shapes_, result.root};
  }

  // Returns whether any object in the value that was read last has a key twice.
  bool has_duplicate_keys() const { return has_duplicate_keys_; }

  const LeafTable& table() const { return table_; }
  ShapeTable& shapes() { return shapes_; }

 private:
  ShapeTable shapes_;
  JsonReader reader_;
  LeafTable table_;
  bool has_duplicate_keys_ = false;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JSON_JSON_VALUE_H_
