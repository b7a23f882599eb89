// engine/scorers/static_json/flat_answer.h: flattens an answer to keys such as answer.items[0].name, each
// with a scalar. THREADS: one at a time; each worker owns one object of each class.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_FLAT_ANSWER_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_FLAT_ANSWER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/id_table.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/match/pair_walker.h"
#include "engine/text/answer_reader.h"

namespace leafscore::internal {

// A key of a flattened answer, such as answer.items[0].name. Keys form a tree: a key has a parent and adds a
// piece of text to it. A piece begins with '.' or '[' and contains neither of them elsewhere. Two keys
// therefore have equal texts exactly if they are the same node, even for {"a.b": 1} and {"a": {"b": 1}}. Keys
// take linear time and memory (about 24 bytes each), although the sum of their lengths can be quadratic.

using FlatKey = std::uint32_t;

// THREADS: one at a time; each worker owns one.
class FlatKeys {
 public:
  static constexpr FlatKey kAnswer = 0;  // "answer"

  explicit FlatKeys(const ShapeTable* shapes) : shapes_(shapes) { Clear(); }

  // Drops all keys; their numbers become invalid. Must be called if the shapes become invalid.
  void Clear();

  // Makes room for `keys` keys in total.
  void Reserve(std::size_t keys);

  // Returns the key of the member of an object that has this name.
  FlatKey Member(FlatKey parent, std::string_view name);

  // Returns the position at which the pieces of a shape's first member begin. COST: constant after the first
  // call for a shape.
  std::size_t FirstMember(ShapeId shape);

  // Returns the key of the member whose pieces begin at *position, and moves *position to the next member.
  FlatKey NextMember(FlatKey parent, std::size_t* position);

  FlatKey Element(FlatKey parent, std::uint32_t position) { return Child(parent, kIsElement | position); }

  // Returns whether a key is `ancestor` or below it. COST: linear in the depth.
  bool IsWithin(FlatKey key, FlatKey ancestor) const {
    while (key > ancestor) key = nodes_[key].parent;  // parents have smaller numbers
    return key == ancestor;
  }

  // Returns the parent of a key. REQUIRES: not kAnswer.
  FlatKey Parent(FlatKey key) const { return nodes_[key].parent; }

  // Returns the name that a key adds to its parent; empty for an element of an array.
  std::string_view LastName(FlatKey key) const {
    const Piece piece = nodes_[key].piece;
    if (key == kAnswer || (piece & kIsElement) != 0 || texts_[piece][0] != '.') return {};
    return std::string_view(texts_[piece]).substr(1);
  }

  // Appends the text of a key. COST: linear in the text.
  void AppendText(FlatKey key, std::string& out) const;

  std::size_t size() const { return nodes_.size(); }

 private:
  // The piece "[n]" is kIsElement | n. Any other piece is the index of its text.
  using Piece = std::uint32_t;
  static constexpr Piece kIsElement = 0x80000000u;
  static constexpr Piece kIsContinued = 0x40000000u;  // in pieces_: the member has further pieces

  struct Node {
    FlatKey parent;
    Piece piece;
    bool operator==(const Node&) const = default;
  };
  static std::uint64_t HashOf(const Node& node);

  FlatKey Child(FlatKey parent, Piece piece);
  Piece FindPiece(std::string_view text);
  void AppendPieces(std::string_view name);

  const ShapeTable* shapes_;
  std::vector<Node> nodes_;
  IdTable nodes_by_child_;
  FlatKey last_ = kAnswer;          // the last result; the next key is often the next node
  std::vector<std::string> texts_;  // texts of pieces
  IdTable texts_by_hash_;
  std::vector<Piece> pieces_;                // pieces of the members of shapes, shape by shape
  std::vector<std::size_t> first_piece_of_;  // by shape; kNotMet if not known yet
};

// A scalar. The token is written as in a LeafTable.
struct FlatLeaf {
  FlatKey key;
  ValueKind kind;
  std::string_view token;
};

// Returns the text by which a leaf is compared; it is static or in `buffer`. The constants are `none`, `true`
// and `false`. An integer is written in full, a real with six decimals without trailing zeros. A string is
// stripped and in lower case.
std::string_view ComparedText(const FlatLeaf& leaf, std::string& buffer);

// The leaves of one side of a record, in document order. If a key repeats, its last value takes the place of
// the first one; the replaced values are counted.
class FlatAnswer {
 public:
  static constexpr std::uint32_t kNoLeaf = 0xffffffffu;

  void Clear();
  void Add(const FlatLeaf& leaf);

  // Makes room for `leaves` more leaves, with keys below `keys`.
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
  // A leaf without its kind, which would take eight bytes in this struct.
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

// Flattens answers. A string is read by AnswerReader; only a whole answer may be read as a count. If the
// string contains a string, that string is read as well, but no string within it. If it contains a structure,
// the strings in the structure are read in the same way.
class AnswerFlattener {
 public:
  AnswerFlattener(ShapeTable* shapes, std::uint32_t max_depth) : keys_(shapes), reader_(shapes, max_depth) {}

  // Frees the memory to which the leaves of earlier records point.
  void BeginRecord() { arena_.release(); }

  FlatKeys& keys() { return keys_; }

  // Adds the leaves of a whole answer. RETURNS: how it was read. REQUIRES: `value` outlives the use of
  // `flat`.
  AnswerSteps FlattenAnswer(ValueRef value, FlatAnswer& flat);

  // Like FlattenAnswer, for an answer that was already read from a text. REQUIRES: `answer` outlives the use
  // of `flat`.
  void FlattenRead(const ReadAnswer& answer, FlatAnswer& flat);

  // Adds the leaves of a value within an answer. Its strings are not read as counts.
  void FlattenValue(ValueRef value, FlatKey key, FlatAnswer& flat);

 private:
  // A container being walked.
  struct OpenContainer {
    const LeafTable* table;
    NodeId next;  // the next child
    NodeId end;
    FlatKey key;
    bool is_object;
    std::size_t position;      // array: the next element; object: the pieces of the next member
    std::uint32_t text_depth;  // number of strings around it
  };

  // A string at one depth of strings within strings: its text, and the result of reading it.
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
  std::pmr::monotonic_buffer_resource arena_;  // for tokens that were read from texts
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_FLAT_ANSWER_H_
