// engine/lint/gold_values.h: parses the expected values of a gold, block by block, because one pass over many
// values costs half as much as a pass for each value. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_LINT_GOLD_VALUES_H_
#define LEAFSCORE_ENGINE_LINT_GOLD_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/json/json_reader.h"
#include "engine/json/json_view.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/lint/gold_records.h"

namespace leafscore::internal {

class GoldValues {
 public:
  // REQUIRES: the gold outlives this.
  GoldValues(const GoldRecords& gold, const JsonOptions& options);
  GoldValues(const GoldValues&) = delete;  // the reader points to the shapes
  GoldValues& operator=(const GoldValues&) = delete;

  // Returns the expected value of a row; absent if there is none. The value is valid until a row of another
  // block is read, so read all rows of a block before the next block.
  JsonView Read(std::uint32_t row);

  ShapeTable& shapes() { return shapes_; }

  // Returns the first row of each block, and then the number of rows.
  std::span<const std::uint32_t> blocks() const { return blocks_; }

 private:
  void ReadBlock(std::size_t block);

  const GoldRecords& gold_;
  std::vector<std::uint32_t> blocks_;
  ShapeTable shapes_;
  JsonReader reader_;
  LeafTable table_;
  std::string text_;  // of the block, a value each line
  std::uint32_t first_ = 0;
  std::vector<NodeId> roots_;  // of rows from first_ on
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_GOLD_VALUES_H_
