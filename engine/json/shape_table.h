// engine/json/shape_table.h: interned rows of object keys.
//
// Most records of a run have the same keys in the same order. A shape is such a row of keys. Shapes form a
// tree, in which a child is its parent plus one key, like the hidden classes of a JavaScript engine. Reading
// an object takes one key comparison for each member, because each place remembers the key that came next the
// last time. Two objects of the same shape are matched without any key comparison. For two different shapes,
// the correspondence of their keys is computed once for all objects with these shapes.
//
// Keys are stored unescaped, so "\u0061" and "a" are the same key. Shape ids are valid until Clear.
// THREADS: one at a time; each worker owns one table.
#ifndef LEAFSCORE_ENGINE_JSON_SHAPE_TABLE_H_
#define LEAFSCORE_ENGINE_JSON_SHAPE_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
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

  // The position of a reader in an object: after the keys of a shape or, before the first key, in a member of
  // the enclosing object. The two keys that most recently came next at a place are tried first.
  using Place = std::uint32_t;
  static constexpr Place Behind(ShapeId shape) { return 2 * shape; }
  static constexpr Place Within(Place around) { return around | 1; }
  static constexpr ShapeId ShapeAt(Place place) { return place % 2 == 0 ? place / 2 : kEmptyShape; }

  // Returns the shape with the keys before a place and then `key`. With `padded`, kKeyLookAhead bytes from
  // the start of `key` can be read.
  ShapeId Extend(Place place, std::string_view key, bool padded = false);

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
    return shapes_.size() * (sizeof(Shape) + 2 * (sizeof(Steps) + sizeof(Prediction))) +
           keys_.size() * sizeof(Key) + stored_bytes_;
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
  // A key with its closing quote, as two words, if it is short enough and has no characters that JSON
  // escapes. Otherwise these are words that match no text.
  struct QuotedKey {
    std::uint64_t low = ~std::uint64_t{0};  // never valid UTF-8
    std::uint64_t high = 0;
    std::uint32_t size = kKeyLookAhead;  // in bytes
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
  struct Shape {
    std::uint64_t key_bits = 0;  // bit k % 64 for each key k
    ShapeId parent = 0;
    std::uint32_t last_key = 0;  // index into keys_
    std::uint32_t member_count = 0;
    Duplicates duplicates = Duplicates::kUnknown;
  };
  struct Key {
    std::string_view text;  // kKeyLookAhead bytes can be read
    QuotedKey quoted;
    std::uint64_t hash = 0;
    std::uint32_t mark = 0;      // == current_mark_: seen in the current walk
    std::uint32_t position = 0;  // its position, if seen
  };
  struct Correspondence {
    ShapeId from;
    ShapeId to;
    std::unique_ptr<std::uint32_t[]> members;
  };

  static QuotedKey Quote(std::string_view key);
  bool EndsWith(ShapeId shape, std::string_view key, bool padded) const;
  ShapeId FindOrAddChild(ShapeId shape, std::uint32_t key);
  std::uint32_t InternKey(std::string_view key);
  std::string_view StoreText(std::string_view text);
  bool CheckDuplicates(ShapeId shape);
  void NewMark();
  std::uint64_t ChildHash(ShapeId parent, std::uint32_t key) const;

  std::uint64_t hash_seed_;
  // Indexed by place; in a separate array, because only the predictions are hot.
  std::vector<Prediction> predictions_;
  std::vector<Steps> steps_;
  std::vector<Shape> shapes_;
  std::vector<Key> keys_;
  std::vector<Correspondence> correspondences_;
  IdTable children_;            // shape ids by (parent, key)
  IdTable key_ids_;             // indexes into keys_ by text
  IdTable correspondence_ids_;  // indexes into correspondences_ by (from, to)
  std::uint32_t current_mark_ = 0;
  std::vector<std::unique_ptr<char[]>> text_blocks_;  // key texts; never moved
  std::size_t stored_bytes_ = 0;                      // key texts and correspondences
  std::size_t text_left_ = 0;
  char* text_next_ = nullptr;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JSON_SHAPE_TABLE_H_
