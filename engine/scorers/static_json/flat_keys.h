// engine/scorers/static_json/flat_keys.h: the keys of flattened answers, such as answer.items[0].name.
//
// A key is a node of a tree: its parent and the piece of text that it adds, where a piece begins with '.' or
// '[' and holds no further one. So equal nodes are equal texts, however the text came about ({"a.b": 1} and
// {"a": {"b": 1}}), and keys take linear time and memory (about 24 bytes each) even where the sum of their
// lengths is quadratic.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_FLAT_KEYS_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_FLAT_KEYS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/id_table.h"
#include "engine/json/shape_table.h"

namespace leafscore::internal {

using FlatKey = std::uint32_t;

// THREADS: one at a time; each worker owns one.
class FlatKeys {
 public:
  static constexpr FlatKey kAnswer = 0;  // "answer"

  explicit FlatKeys(const ShapeTable* shapes) : shapes_(shapes) { Clear(); }

  // Forgets all keys, which become invalid. Needed when the shapes become invalid.
  void Clear();

  // Makes room for so many keys in all.
  void Reserve(std::size_t keys);

  // Returns the key of a member of an object, by its name.
  FlatKey Member(FlatKey parent, std::string_view name);

  // Returns the position of the pieces of a shape's first member. COST: constant after a shape's first time.
  std::size_t FirstMember(ShapeId shape);

  // Returns the key of the member whose pieces begin at *position, and moves *position to the next member.
  FlatKey NextMember(FlatKey parent, std::size_t* position);

  FlatKey Element(FlatKey parent, std::uint32_t position) { return Child(parent, kIsElement | position); }

  // Tells whether a key is `ancestor` or within it. COST: linear in the depth.
  bool IsWithin(FlatKey key, FlatKey ancestor) const {
    while (key > ancestor) key = nodes_[key].parent;  // which came before
    return key == ancestor;
  }

  // The key around another one. REQUIRES: not kAnswer.
  FlatKey Parent(FlatKey key) const { return nodes_[key].parent; }

  // Returns the name that a key adds to the one around it; empty for an element of an array.
  std::string_view LastName(FlatKey key) const {
    const Piece piece = nodes_[key].piece;
    if (key == kAnswer || (piece & kIsElement) != 0 || texts_[piece][0] != '.') return {};
    return std::string_view(texts_[piece]).substr(1);
  }

  // Appends the text of a key. COST: linear in it.
  void AppendText(FlatKey key, std::string& out) const;

  std::size_t size() const { return nodes_.size(); }

 private:
  // The piece "[n]" is kIsElement | n, another one the index of its text.
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
  FlatKey last_ = kAnswer;          // the child asked for last; the next one is often the next node
  std::vector<std::string> texts_;  // of pieces
  IdTable texts_by_hash_;
  std::vector<Piece> pieces_;                // of the members of shapes, shape by shape
  std::vector<std::size_t> first_piece_of_;  // by shape; kNotMet before
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_FLAT_KEYS_H_
