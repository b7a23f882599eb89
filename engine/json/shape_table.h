// engine/json/shape_table.h: interned rows of object keys.
//
// Most records of a run have the same keys in the same order. A shape is such a row of keys. Shapes form a
// tree, in which a child is its parent plus one key, like the hidden classes of a JavaScript engine. Reading
// an object mostly takes one key comparison for each member, because each place in the tree remembers the key
// that came next the last time. An object with a key that the tree does not have there leaves the tree, but
// does not make it grow: when it ends, the rest of its keys becomes one shape. This shape is added to the
// tree, key by key, only if it comes often. So keys that are data or damage cost little. Two objects of the
// same shape are matched without any key comparison. For two different shapes, the correspondence of their
// keys is computed once for all objects with these shapes.
//
// Keys are stored unescaped, so "\u0061" and "a" are the same key. Shape ids are valid until Clear.
// THREADS: one at a time; each worker owns one table.
#ifndef LEAFSCORE_ENGINE_JSON_SHAPE_TABLE_H_
#define LEAFSCORE_ENGINE_JSON_SHAPE_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/hash.h"
#include "engine/base/id_table.h"

namespace leafscore::internal {

using ShapeId = std::uint32_t;

class ShapeTable {
 public:
  static constexpr ShapeId kEmptyShape = 0;
  static constexpr std::uint32_t kNoMember = 0xffffffffu;

  explicit ShapeTable(std::uint64_t hash_seed = HashSeed());

  // The position of a reader in an object: after the keys of a shape. Before the object's first key, it is
  // the position in the enclosing object, marked as inside (Within). The two keys that most recently came
  // next at a place are tried first.
  using Place = std::uint32_t;
  static constexpr Place Within(Place around) { return around | 1; }
  static constexpr Place kStart = 0;  // of an object on its own

  // Begins a text. Objects that have not ended, because their text was rejected, are forgotten.
  void BeginText() {
    ++text_;
    open_rows_.clear();
    open_keys_.clear();
  }

  // Returns the place after `key`, which is the next key at `place`. With `padded`, kKeyLookAhead bytes from
  // the start of `key` can be read.
  // REQUIRES: Finish was called for all objects that began after this one.
  Place Extend(Place place, std::string_view key, bool padded = false);

  // Returns the shape of an object that ends at a place.
  ShapeId Finish(Place place) {
    const ShapeId shape = ShapeAt(place);
    return IsRowShape(shape) ? FinishRow() : shape;
  }

  // Compares the raw text after a key's opening quote with the key that came next the last time.
  // REQUIRES: kKeyLookAhead readable bytes.
  // RETURNS: true if the text begins with that key and a closing quote; *place is then after it.
  // COST: one comparison.
  bool FollowPrediction(const char* text, Place* place) const {
    const Prediction& next = predictions_[*place];
    const WordMasks& mask = kMasks[next.key.size];
    const std::uint64_t low = (LoadWord64(text) ^ next.key.low) & mask.low;
    const std::uint64_t high = (LoadWord64(text + 8) ^ next.key.high) & mask.high;
    if ((low | high) != 0) return false;
    *place = next.place;
    return true;
  }
  static constexpr std::size_t kKeyLookAhead = 16;

  std::uint32_t member_count(ShapeId shape) const { return shapes_[shape].member_count; }

  // Returns whether a key occurs twice.
  // COST: linear in the number of keys, once for each shape.
  bool HasDuplicateKeys(ShapeId shape) {
    const Shape& s = shapes_[shape];
    return s.duplicates == Duplicates::kUnknown ? CheckDuplicates(shape) : s.duplicates == Duplicates::kSome;
  }

  // Returns the keys of a shape in order. The views are valid until Clear.
  // COST: linear in the number of keys.
  std::vector<std::string_view> Keys(ShapeId shape) const;

  // Returns the position of `key` in `shape`, or kNoMember.
  // REQUIRES: no duplicate keys.
  std::uint32_t FindMember(ShapeId shape, std::string_view key) const;

  // Returns, for every member of `from`, the position of its key in `to`, or kNoMember.
  // REQUIRES: no duplicate keys on either side.
  // COST:     linear in both, once for each pair of shapes.
  const std::uint32_t* CorrespondingMembers(ShapeId from, ShapeId to);

  // Returns approximately the memory in use, to decide when to Clear.
  std::size_t memory_bytes() const {
    return shapes_.size() * sizeof(Shape) + predictions_.size() * (sizeof(Prediction) + sizeof(Steps)) +
           row_keys_.size() * sizeof(std::uint32_t) +
           key_texts_.size() * (sizeof(Key) + sizeof(std::string_view)) + stored_bytes_;
  }

  // Drops everything; all shape ids become invalid.
  void Clear();

  // Clears a table that is not worth keeping for the next text, because its many keys are data or damage
  // rather than structure, and would push useful data out of the cache.
  void ClearIfLarge() {
    if (memory_bytes() > (512 << 10)) Clear();
  }

 private:
  enum class Duplicates : std::uint8_t { kUnknown, kNone, kSome };
  // Shapes 1 to kLastRowShape stand for objects that have left the tree. Such an object takes
  // one of these shapes by its last key, so that the values of different members start from different shapes.
  // Nothing is predicted after these shapes.
  static constexpr ShapeId kLastRowShape = 8;
  // A key with its closing quote, as two words, if it is short enough and has no characters that JSON
  // escapes. Otherwise these are words that match no text.
  struct QuotedKey {
    std::uint64_t low = ~std::uint64_t{0};  // never valid UTF-8
    std::uint64_t high = 0;
    std::uint32_t size = kKeyLookAhead;  // in bytes

    bool is_whole() const { return low != ~std::uint64_t{0}; }
  };
  // The key that came next at a place the last time, with all that a reader needs in half a cache line.
  struct alignas(32) Prediction {
    QuotedKey key;
    Place place = 0;  // the place after the key
  };
  // The shapes that came next the last two times, or kEmptyShape. Two are kept so that an object that lacks a
  // key hardly slows down the next object.
  struct Steps {
    ShapeId last = kEmptyShape;
    ShapeId before = kEmptyShape;
    // The last object that left the tree here, and its text.
    ShapeId row = kEmptyShape;
    std::uint32_t text = 0;
  };
  struct WordMasks {
    std::uint64_t low;
    std::uint64_t high;
  };
  // Indexed by the number of bytes to compare.
  static constexpr std::array<WordMasks, kKeyLookAhead + 1> kMasks = [] {
    std::array<WordMasks, kKeyLookAhead + 1> masks{};
    for (std::size_t n = 0; n < masks.size(); ++n) {
      const auto bytes = static_cast<std::int64_t>(n);
      masks[n] = {FirstBytesMask(bytes), FirstBytesMask(bytes - 8)};
    }
    return masks;
  }();
  // A shape has the keys of its parent and then its own keys: exactly one if the shape is in the tree.
  struct Shape {
    std::uint64_t key_bits = 0;  // bit k % 64 for each key k
    ShapeId parent = kEmptyShape;
    std::uint32_t last_key = 0;  // a key's index
    std::uint32_t row = 0;       // index of its own keys in row_keys_
    std::uint32_t own_count = 0;
    std::uint32_t member_count = 0;
    Duplicates duplicates = Duplicates::kUnknown;
    std::uint8_t seen = 0;  // outside the tree: how many objects had it
  };
  struct Key {
    QuotedKey quoted;
    ShapeId row = kEmptyShape;   // the shape of the last object that left the tree with this key
    std::uint32_t mark = 0;      // == current_mark_: seen in the current walk
    std::uint32_t position = 0;  // its position, if seen
  };
  static constexpr std::uint32_t kKeysInBlock = 256;
  // An object that has left the tree and has not ended.
  struct OpenRow {
    ShapeId parent;
    Place place;
    std::uint32_t first_key;  // index into open_keys_
    ShapeId predicted;        // begins with the keys so far, or kEmptyShape
  };
  struct Correspondence {
    ShapeId from;
    ShapeId to;
    std::unique_ptr<std::uint32_t[]> members;
  };

  static constexpr Place Behind(ShapeId shape) { return 2 * shape; }
  static constexpr ShapeId ShapeAt(Place place) { return place % 2 == 0 ? place / 2 : kEmptyShape; }
  static constexpr bool IsRowShape(ShapeId shape) { return shape - 1 < kLastRowShape; }
  static constexpr Place InRow(std::uint32_t last_key) { return Behind(1 + last_key % kLastRowShape); }
  Key& KeyAt(std::uint32_t id) { return key_blocks_[id / kKeysInBlock][id % kKeysInBlock]; }
  const Key& KeyAt(std::uint32_t id) const { return key_blocks_[id / kKeysInBlock][id % kKeysInBlock]; }
  // Returns a key that stands before a closing quote. REQUIRES: size < kKeyLookAhead readable bytes.
  static QuotedKey QuotedAt(const char* key, std::size_t size) {
    const WordMasks& mask = kMasks[size + 1];
    return {LoadWord64(key) & mask.low, LoadWord64(key + 8) & mask.high,
            static_cast<std::uint32_t>(size + 1)};
  }
  static QuotedKey Quote(std::string_view key);
  std::uint64_t HashOf(const QuotedKey& quoted, std::string_view key) const;
  std::uint64_t ChildHash(ShapeId parent, std::uint32_t key) const;
  std::uint64_t RowHash(ShapeId parent, std::span<const std::uint32_t> keys) const;
  bool EndsWith(ShapeId shape, std::string_view key, const QuotedKey& quoted) const {
    return shape != kEmptyShape && IsKey(shapes_[shape].last_key, key, quoted);
  }
  void Predict(Place place, ShapeId child);
  ShapeId FindChild(ShapeId parent, std::uint32_t key) const;
  void AddToTree(ShapeId shape);
  ShapeId AddShape(ShapeId parent, std::span<const std::uint32_t> keys);
  std::uint32_t AppendToRow(std::string_view key, const QuotedKey& quoted);
  ShapeId FinishRow();
  ShapeId FindOrAddRow(ShapeId parent, std::span<const std::uint32_t> keys);
  void Plant(ShapeId row);
  // Returns the keys that a shape adds to the keys of its parent.
  std::span<const std::uint32_t> RowOf(ShapeId shape) const {
    return std::span(row_keys_).subspan(shapes_[shape].row, shapes_[shape].own_count);
  }
  bool IsKey(std::uint32_t id, std::string_view key, const QuotedKey& quoted) const {
    const QuotedKey& known = KeyAt(id).quoted;
    return ((known.low ^ quoted.low) | (known.high ^ quoted.high)) == 0 &&
           (quoted.is_whole() || key_texts_[id] == key);
  }
  std::uint32_t InternKey(std::string_view key, const QuotedKey& quoted);
  std::string_view StoreText(std::string_view text);
  bool CheckDuplicates(ShapeId shape);
  void NewMark();
  // Calls visit(key, position) for the keys of a shape, from the last to the first, until `visit` returns
  // false.
  template <class Visit>
  void VisitKeys(ShapeId shape, Visit visit) const;

  std::uint64_t hash_seed_;
  // Indexed by place; in a separate array, because only the predictions are hot.
  std::vector<Prediction> predictions_;
  std::vector<Steps> steps_;
  std::vector<Shape> shapes_;
  std::vector<std::string_view> key_texts_;         // kKeyLookAhead bytes of each can be read
  std::vector<std::unique_ptr<Key[]>> key_blocks_;  // keys are never moved, as there may be very many
  std::vector<Correspondence> correspondences_;
  std::vector<std::uint32_t> row_keys_;   // own keys of shapes
  std::vector<std::uint32_t> open_keys_;  // of open_rows_
  std::vector<OpenRow> open_rows_;
  std::uint32_t text_ = 0;      // counts the texts
  IdTable children_;            // ids of shapes in the tree by (parent, key)
  IdTable row_ids_;             // ids of shapes outside the tree by (parent, own keys)
  IdTable key_ids_;             // indexes of keys by text
  IdTable correspondence_ids_;  // indexes into correspondences_ by (from, to)
  std::uint32_t current_mark_ = 0;
  std::vector<std::unique_ptr<char[]>> text_blocks_;  // key texts; never moved
  std::size_t stored_bytes_ = 0;                      // key texts and correspondences
  std::size_t text_left_ = 0;
  char* text_next_ = nullptr;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JSON_SHAPE_TABLE_H_
