// engine/lint/answer_maker.h: makes easy answers to the records of a gold, as JSON.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_LINT_ANSWER_MAKER_H_
#define LEAFSCORE_ENGINE_LINT_ANSWER_MAKER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/json_value.h"
#include "engine/json/json_view.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/lint/gold_records.h"
#include "engine/lint/gold_values.h"
#include "leafscore/options.h"

namespace leafscore::internal {

// Answers derived from an expected value, with less or more content. THREADS: as the values.

// Appends the value as JSON with null in place of each leaf. RETURNS: whether the value changes.
bool AppendWithNulls(const LeafTable& table, const ShapeTable& shapes, NodeId root, std::string& json);

// Appends the value as JSON, keeping only leaves for which keep[leaf - root] is true: members without leaves
// are left out, and elements without leaves are null. RETURNS: whether the value changes.
// REQUIRES: `keep` has an element for each node; it is overwritten.
bool AppendKeptLeaves(const LeafTable& table, const ShapeTable& shapes, NodeId root, std::vector<bool>& keep,
                      std::string& json);

// The places of an expected value to which values are added.
enum class AddTo : std::uint8_t { kOutermost, kAll };

// Appends a copy of an object or array in compact JSON. In the copy, the objects that `where` selects have
// one more member, named `key`, and the arrays have one more element. The added value is a text; in an array
// that ends with a number, it is a number.
void AppendWithMore(std::string_view compact, std::string_view key, AddTo where, std::string& json);

// Returns the number in a text that is a number or has a single run of digits; empty for any other text.
std::string_view OnlyNumber(std::string_view text);

// The answer to one record.
struct MadeAnswer {
  std::string json;
  bool is_right = false;  // it equals the gold
};

class AnswerMaker {
 public:
  // REQUIRES: the gold outlives this.
  AnswerMaker(const GoldRecords& gold, const EngineOptions& options);

  // RETURNS: nullopt if this kind of answer does not apply to the record of the row.
  std::optional<MadeAnswer> Same(std::string_view json, std::uint32_t row) const;  // compact, keys sorted
  std::optional<MadeAnswer> Question(std::uint32_t row) const;
  std::optional<MadeAnswer> Other(std::uint32_t row) const;
  std::optional<MadeAnswer> NullValues(std::uint32_t row);
  std::optional<MadeAnswer> ConstantLeaves(std::uint32_t row);
  std::optional<MadeAnswer> NumberInProse(std::uint32_t row);
  std::optional<MadeAnswer> Superset(std::uint32_t row);
  std::optional<MadeAnswer> OneMore(std::uint32_t row);  // for gold that is an object or an array

  // Returns the most common expected value, counting copies of a record once; the first one if several are
  // equally common. Empty if no two records share a value, or if even this value is too rare.
  std::string_view most_common() const { return most_common_; }
  // Returns whether there are leaves that never vary.
  bool has_constants() const;

  // Returns the blocks of rows (engine/lint/gold_values.h) whose answers should be made one after another.
  std::span<const std::uint32_t> blocks() const { return values_.blocks(); }

 private:
  void FindMostCommon();
  // Returns the gold of a row, or the JSON in it if it is a text, as compact JSON with sorted keys; empty if
  // this is not a container.
  std::string Container(std::uint32_t row);
  std::optional<MadeAnswer> WithMore(std::uint32_t row, AddTo where);

  const GoldRecords& gold_;
  GoldValues values_;
  JsonValue other_value_;              // of another row, or JSON in a text
  std::vector<std::uint32_t> others_;  // indexed by row: the row whose gold it is given
  std::string_view most_common_;
  std::string new_key_ = "invented";  // not in any gold
  std::vector<std::uint32_t> places_;
  std::vector<bool> keep_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_ANSWER_MAKER_H_
