// engine/shape_table.h: interned rows of object keys.
//
// The records of a run mostly repeat the same keys in the same order. A shape is such a row of keys; shapes
// form a tree in which a child is its parent plus one key, as the hidden classes of a JavaScript engine do.
// Reading an object costs one key comparison a member (each shape remembers the key that came next the last
// time), two objects of one shape need no key comparison at all to be matched, and how the keys of two
// different shapes correspond is worked out once for all objects that have them.
//
// Keys are held unescaped, so "\u0061" and "a" are one key. Shape ids are valid until Clear.
// THREADS: one at a time; each worker owns one table.
#ifndef LEAFSCORE_ENGINE_SHAPE_TABLE_H_
#define LEAFSCORE_ENGINE_SHAPE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/bytes.h"
#include "engine/hash.h"
#include "engine/id_table.h"

namespace leafscore {

using ShapeId = std::uint32_t;

class ShapeTable {
 public:
  static constexpr ShapeId kEmptyShape = 0;
  static constexpr std::uint32_t kNoMember = 0xffffffffu;

  explicit ShapeTable(std::uint64_t hash_seed = HashSeed());

  // Returns the shape of `shape`'s keys and then `key`. COST: one comparison when `key` came next last time.
  ShapeId Extend(ShapeId shape, std::string_view key) { return Extend(predictions_, shape, shape, key); }

  // Returns the shape of an object that begins with `key`. `context` is the shape that leads to the object
  // (the object around it, up to the member that it is in): what began there last time is tried first.
  ShapeId ExtendEmpty(ShapeId context, std::string_view key) {
    return Extend(first_predictions_, context, kEmptyShape, key);
  }

  std::uint32_t member_count(ShapeId shape) const { return shapes_[shape].member_count; }

  // Tells whether a key occurs twice. COST: linear in the keys, once a shape.
  bool HasDuplicateKeys(ShapeId shape) {
    const Shape& s = shapes_[shape];
    return s.duplicates == Duplicates::kUnknown ? CheckDuplicates(shape) : s.duplicates == Duplicates::kSome;
  }

  // Returns the keys of a shape in order. COST: linear in the keys; the views live until Clear.
  std::vector<std::string_view> Keys(ShapeId shape) const;

  // Returns the position of `key` in `shape`, or kNoMember. REQUIRES: no duplicate keys.
  std::uint32_t FindMember(ShapeId shape, std::string_view key) const;

  // Returns, for every member of `from`, the position of its key in `to` or kNoMember.
  // REQUIRES: no duplicate keys on either side. COST: linear in both, once a pair of shapes.
  const std::uint32_t* CorrespondingMembers(ShapeId from, ShapeId to);

  // The number of shapes and of remembered correspondences, to decide when to Clear.
  std::size_t size() const { return shapes_.size() + correspondences_.size(); }

  // Forgets everything; all shape ids become invalid.
  void Clear();

 private:
  enum class Duplicates : std::uint8_t { kUnknown, kNone, kSome };
  struct Prediction {
    const char* key = nullptr;
    std::uint32_t key_size = 0xffffffffu;  // no key is that long: nothing predicted yet
    ShapeId child = 0;
  };
  struct Shape {
    ShapeId parent = 0;
    std::uint32_t last_key = 0;  // index into keys_
    std::uint32_t member_count = 0;
    Duplicates duplicates = Duplicates::kUnknown;
  };
  struct Key {
    std::string_view text;
    std::uint64_t hash = 0;
    std::uint32_t mark = 0;      // == current_mark_: seen in the walk under way
    std::uint32_t position = 0;  // where, when seen
  };
  struct Correspondence {
    ShapeId from;
    ShapeId to;
    std::unique_ptr<std::uint32_t[]> members;
  };

  ShapeId Extend(std::vector<Prediction>& predictions, ShapeId context, ShapeId shape, std::string_view key) {
    const Prediction& next = predictions[context];
    if (next.key_size == key.size() && EqualBytes(next.key, key.data(), key.size())) return next.child;
    const ShapeId child = FindOrAddChild(shape, key);
    const std::string_view text = keys_[shapes_[child].last_key].text;
    predictions[context] = {text.data(), static_cast<std::uint32_t>(text.size()), child};
    return child;
  }
  ShapeId FindOrAddChild(ShapeId shape, std::string_view key);
  std::uint32_t InternKey(std::string_view key, std::uint64_t hash);
  std::string_view StoreText(std::string_view text);
  bool CheckDuplicates(ShapeId shape);
  void NewMark();
  std::uint64_t ChildHash(ShapeId parent, std::uint64_t key_hash) const;

  std::uint64_t hash_seed_;
  // For each shape what came next, and what began an object in it; apart from the rest, as only these are hot.
  std::vector<Prediction> predictions_;
  std::vector<Prediction> first_predictions_;
  std::vector<Shape> shapes_;
  std::vector<Key> keys_;
  std::vector<Correspondence> correspondences_;
  IdTable children_;              // shape ids by (parent, key)
  IdTable key_ids_;               // indexes into keys_ by text
  IdTable correspondence_ids_;    // indexes into correspondences_ by (from, to)
  std::uint32_t current_mark_ = 0;
  std::vector<std::unique_ptr<char[]>> text_blocks_;  // key texts; never moved
  std::size_t text_left_ = 0;
  char* text_next_ = nullptr;
};

}  // namespace leafscore

#endif  // LEAFSCORE_ENGINE_SHAPE_TABLE_H_
