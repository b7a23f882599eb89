// engine/scorers/static_json/flat_answer.h: an answer as flat keys with scalars, such as
// answer.items[0].name. THREADS: one at a time; each worker owns one of each.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_FLAT_ANSWER_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_FLAT_ANSWER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/leaf_table.h"
#include "engine/match/pair_walker.h"
#include "engine/scorers/static_json/flat_keys.h"
#include "engine/text/answer_reader.h"

namespace leafscore::internal {

// A scalar. Its token is as in a LeafTable.
struct FlatLeaf {
  FlatKey key;
  ValueKind kind;
  std::string_view token;
};

// Returns the text as which a leaf is compared, a view into `buffer` or static: none, true, false; an integer
// in full; a real with six decimals, without the zeros at their end; a string stripped and in lower case.
std::string_view ComparedText(const FlatLeaf& leaf, std::string& buffer);

// The leaves of one side of a record in document order. A key that comes again has its last value, at
// its first position; how many values were replaced so is counted.
class FlatAnswer {
 public:
  static constexpr std::uint32_t kNoLeaf = 0xffffffffu;

  void Clear();
  void Add(const FlatLeaf& leaf);

  // Makes room for so many further leaves, with keys below `keys`.
  void Reserve(std::size_t leaves, std::size_t keys);

  // Counts values that were replaced before they became leaves.
  void AddRepeatedKeys(std::uint32_t count) { repeated_keys_ += count; }

  std::uint32_t size() const { return static_cast<std::uint32_t>(leaves_.size()); }
  FlatLeaf leaf(std::uint32_t index) const {
    const PackedLeaf& leaf = leaves_[index];
    return {leaf.key, kinds_[index], {leaf.token, leaf.token_bytes}};
  }
  std::uint32_t repeated_keys() const { return repeated_keys_; }

  // RETURNS: the index of the leaf with this key, or kNoLeaf.
  std::uint32_t Find(FlatKey key) const { return key < leaf_of_key_.size() ? leaf_of_key_[key] : kNoLeaf; }

 private:
  // A leaf without its kind, which would take eight bytes here.
  struct PackedLeaf {
    const char* token;
    std::uint32_t token_bytes;
    FlatKey key;
  };

  std::vector<PackedLeaf> leaves_;
  std::vector<ValueKind> kinds_;
  std::vector<std::uint32_t> leaf_of_key_;
  std::uint32_t repeated_keys_ = 0;
};

// Flattens answers. A string is read by the ladder of AnswerReader, and as a count only when it is the whole
// answer. When it holds a string again, that one is read too, once; strings in a structure that it holds are
// read likewise.
class AnswerFlattener {
 public:
  AnswerFlattener(ShapeTable* shapes, std::uint32_t max_depth) : keys_(shapes), reader_(shapes, max_depth) {}

  // Forgets what the leaves of earlier records point into.
  void BeginRecord() { arena_.release(); }

  FlatKeys& keys() { return keys_; }

  // Adds the leaves of a whole answer. RETURNS: how it was read. REQUIRES: `value` outlives `flat`'s use.
  AnswerSteps FlattenAnswer(ValueRef value, FlatAnswer& flat);

  // Adds the leaves of a whole answer that was read from a text as FlattenAnswer reads it.
  // REQUIRES: `answer` outlives flat's use.
  void FlattenRead(const ReadAnswer& answer, FlatAnswer& flat);

  // Adds the leaves of a value within an answer, whose strings are not read as counts.
  void FlattenValue(ValueRef value, FlatKey key, FlatAnswer& flat);

 private:
  // A container being walked.
  struct OpenContainer {
    const LeafTable* table;
    NodeId next;  // child
    NodeId end;
    FlatKey key;
    bool is_object;
    std::size_t position;      // of the next element; of an object, of the pieces of the next member
    std::uint32_t text_depth;  // strings around it
  };

  // A string at some depth of strings within strings: its text, and what was read from it.
  struct TextLevel {
    std::string text;
    ReadAnswer answer;
  };

  AnswerSteps Add(ValueRef value, FlatKey key, std::uint32_t text_depth, CountRule counts, FlatAnswer& flat);
  void Open(ValueRef value, FlatKey key, std::uint32_t text_depth, FlatAnswer& flat);
  AnswerSteps AddString(FlatLeaf leaf, int reads, std::uint32_t text_depth, CountRule counts,
                        FlatAnswer& flat);
  void AddLeaf(FlatLeaf leaf, bool stable, FlatAnswer& flat);
  void WalkOpen(FlatAnswer& flat);

  FlatKeys keys_;
  AnswerReader reader_;
  std::vector<OpenContainer> open_;
  std::vector<std::unique_ptr<TextLevel>> levels_;
  std::pmr::monotonic_buffer_resource arena_;  // tokens of what was read from texts
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_FLAT_ANSWER_H_
