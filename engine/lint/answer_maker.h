// engine/lint/answer_maker.h: makes the easy answers to the records of a gold, as JSON.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_LINT_ANSWER_MAKER_H_
#define LEAFSCORE_ENGINE_LINT_ANSWER_MAKER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/json_value.h"
#include "engine/json/json_view.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/lint/gold_records.h"
#include "leafscore/options.h"

namespace leafscore::internal {

// Answers that are made from an expected value, and know less than it or say more. THREADS: as the values.

// Appends the value as JSON with null in place of each leaf. RETURNS: whether that is another value.
bool AppendWithNulls(const LeafTable& table, const ShapeTable& shapes, NodeId root, std::string& json);

// Appends the value as JSON with only those leaves for which keep[leaf - root]: members without any are left
// out, and elements without any are null. RETURNS: whether that is another value.
// REQUIRES: `keep` has a place for each node; it is overwritten.
bool AppendKeptLeaves(const LeafTable& table, const ShapeTable& shapes, NodeId root, std::vector<bool>& keep,
                      std::string& json);

// Where values are added to an expected value.
enum class AddTo : std::uint8_t { kOutermost, kAll };

// Appends the object or array, compact JSON, with one more member of this key in its objects, and one more
// element in its arrays: a text, or a number behind a number.
void AppendWithMore(std::string_view compact, std::string_view key, AddTo where, std::string& json);

// Returns the only number in a text that is a number or has one run of digits; empty for any other text.
std::string_view OnlyNumber(std::string_view text);

// The answer to one record.
struct MadeAnswer {
  std::string json;
  bool is_right = false;  // it is the gold itself
};

class AnswerMaker {
 public:
  // REQUIRES: the gold outlives this.
  AnswerMaker(const GoldRecords& gold, const EngineOptions& options);

  // RETURNS: nothing where such an answer cannot be put to the record of the row.
  std::optional<MadeAnswer> Same(std::string_view json, std::uint32_t row) const;  // compact, keys sorted
  std::optional<MadeAnswer> Question(std::uint32_t row) const;
  std::optional<MadeAnswer> Other(std::uint32_t row) const;
  std::optional<MadeAnswer> NullValues(std::uint32_t row);
  std::optional<MadeAnswer> ConstantLeaves(std::uint32_t row);
  std::optional<MadeAnswer> NumberInProse(std::uint32_t row);
  std::optional<MadeAnswer> Superset(std::uint32_t row);
  std::optional<MadeAnswer> OneMore(std::uint32_t row);  // of gold that is an object or an array

  // Returns the expected value that most records have, copies of one counted once, the first of several;
  // empty when no two have one, or it is not a common one.
  std::string_view most_common() const { return most_common_; }
  // Whether there are leaves that never vary.
  bool has_constants() const;

 private:
  void FindMostCommon();
  JsonView Read(std::uint32_t row);
  // Returns the container that the gold of a row is, or holds as JSON in a text, as compact JSON with sorted
  // keys; empty where it is none.
  std::string Container(std::uint32_t row);
  std::optional<MadeAnswer> WithMore(std::uint32_t row, AddTo where);

  const GoldRecords& gold_;
  JsonValue value_;
  std::vector<std::uint32_t> others_;  // by row, that whose gold it is given
  std::string_view most_common_;
  std::string new_key_ = "invented";  // which no gold has
  std::vector<std::uint32_t> places_;
  std::vector<bool> keep_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_ANSWER_MAKER_H_
