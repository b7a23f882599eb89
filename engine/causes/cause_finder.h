// engine/causes/cause_finder.h: names the causes of an answer's low score, by fixed rules (docs/causes.md)
// and without a model.
#ifndef LEAFSCORE_ENGINE_CAUSES_CAUSE_FINDER_H_
#define LEAFSCORE_ENGINE_CAUSES_CAUSE_FINDER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/answer_causes.h"
#include "engine/json/json_reader.h"
#include "engine/json/leaf_table.h"
#include "engine/match/pair_walker.h"
#include "engine/text/answer_reader.h"
#include "engine/text/normaliser.h"

namespace leafscore::internal {

// Finds the causes of answers, one answer at a time. THREADS: one at a time; each worker owns one.
class CauseFinder {
 public:
  CauseFinder(ShapeTable* shapes, const JsonOptions& json);

  // Returns what is wrong with an answer that may be absent; nothing if either value is longer than 1 MiB.
  // COST: near linear in both values.
  // REQUIRES: the tables have the shapes of the constructor.
  AnswerCauses Find(ValueRef expected, ValueRef actual);

  // Return hashes of the two values that Find compared last. Equal values have the same hash, whatever text
  // is around the answer. A hash is 0 if its value was not found, or has too little content to tell it from
  // other values.
  std::uint64_t expected_hash() const { return expected_hash_; }
  std::uint64_t actual_hash() const { return actual_hash_; }

 private:
  // A place of both values that is still to be compared.
  struct Place {
    ValueRef expected;
    ValueRef actual;
    bool renamed;  // it is below a key that is written differently
  };
  // Counts the leaves of the expected value by how the answer has them. `extra` counts leaves of the answer
  // only.
  struct Leaves {
    std::uint64_t equal = 0;
    std::uint64_t renamed = 0;  // the same, but below a key that is written differently
    std::uint64_t reordered = 0;
    std::uint64_t number_form = 0;
    std::uint64_t date_form = 0;
    std::uint64_t letter_case = 0;
    std::uint64_t nested_text = 0;
    std::uint64_t missing = 0;
    std::uint64_t wrong = 0;
    std::uint64_t extra = 0;
  };

  AnswerCauses FindCauses(ValueRef expected, ValueRef actual);
  bool IsRefusal(ValueRef expected, ValueRef actual) const;
  bool IsFailure(ValueRef expected, ValueRef actual) const;
  AnswerCauses OfText(ValueRef expected, std::string_view text);
  // Finds the object or array in a text. RETURNS: the value. If it finds no value, returns an absent value,
  // and `causes` says why.
  ValueRef ReadStructure(ValueRef expected, std::string_view text, AnswerCauses& causes);
  // Removes what is around the expected value in an answer. RETURNS: the actual value, or a value in it.
  ValueRef Unwrap(ValueRef expected, ValueRef actual, AnswerCauses& causes) const;
  // Returns whether both are objects that have a key in common, whatever its case and separators.
  bool ShareKeys(ValueRef expected, ValueRef actual) const;
  AnswerCauses Compare(ValueRef expected, ValueRef actual);
  void CompareObjects(const Place& place);
  void CompareArrays(const Place& place);
  // Counts the equal elements, and marks them among the actual ones. RETURNS: the other expected elements.
  std::vector<ValueRef> TakeEqual(const Place& place, std::span<const ValueRef> expected,
                                  std::span<const ValueRef> actual, std::vector<bool>& used);
  void CompareLeaves(const Place& place);
  // If a text means the same as the expected text, returns how its form differs; else nullopt. `of_two_kinds`
  // says that only one of the two values is a text.
  std::optional<AnswerCause> FormOf(std::string_view expected, std::string_view actual,
                                    bool of_two_kinds) const;

  ShapeTable* shapes_;
  AnswerReader answer_reader_;
  std::string answer_text_;
  ReadAnswer answer_;
  JsonReader nested_reader_;
  std::string nested_text_;
  LeafTable nested_table_;
  Normaliser letters_;  // texts that differ only in case, spaces and punctuation become equal
  PairWalker walker_;
  std::vector<Place> places_;
  Leaves leaves_;
  std::uint64_t expected_hash_ = 0;
  std::uint64_t actual_hash_ = 0;
  std::uint64_t work_left_ = 0;  // nodes that may still be hashed
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CAUSES_CAUSE_FINDER_H_
