// engine/json/shape_table.h: interned rows of object keys.
//
// The records of a run mostly repeat the same keys in the same order. A shape is such a row of keys; shapes
// form a tree in which a child is its parent plus one key, as the hidden classes of a JavaScript engine do.
// Reading an object costs one key comparison a member (each shape remembers the key that came next the last
// time), two objects of one shape need no key comparison at all to be matched, and how the keys of two
// different shapes correspond is worked out once for all objects that have them.
//
// Keys are held unescaped, so "\u0061" and "a" are one key. Shape ids are valid until Clear.
// THREADS: one at a time; each worker owns one table.
#ifndef LEAFSCORE_ENGINE_JSON_SHAPE_TABLE_H_
#define LEAFSCORE_ENGINE_JSON_SHAPE_TABLE_H_

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

  // An object being read: its shape so far, and as context that of the object around it, up to the member
  // that it is in. The keys that came next the last two times are tried first.
  struct OpenObject {
    ShapeId shape = kEmptyShape;
    ShapeId context = kEmptyShape;
  };

  // Returns the shape of the object's keys and then `key`.
  ShapeId Extend(OpenObject object, std::string_view key);

  // Tries the key that came next last time on the raw text behind a key's opening quote.
  // REQUIRES: kKeyLookAhead readable bytes.
  // RETURNS:  true when the text begins with that key and a closing quote; *child is then its shape.
  // COST:     one comparison.
  bool ExtendAsPredicted(OpenObject object, const char* text, ShapeId* child) {
    const Prediction& next = PredictionsFor(object).last;
    *child = next.child;
    return ((LoadWord64(text) ^ next.low) & next.low_mask) == 0 &&
           ((LoadWord64(text + 8) ^ next.high) & next.high_mask) == 0;
  }
  static constexpr std::size_t kKeyLookAhead = 16;

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

  // Returns the memory in use, about, to decide when to Clear.
  std::size_t memory_bytes() const {
    return shapes_.size() * (sizeof(Shape) + 2 * sizeof(Predictions)) + keys_.size() * sizeof(Key) +
           stored_bytes_;
  }

  // Forgets everything; all shape ids become invalid.
  void Clear();

 private:
  enum class Duplicates : std::uint8_t { kUnknown, kNone, kSome };
  // A key with its closing quote as two words, when it is short enough and holds nothing that JSON escapes;
  // otherwise words that no text matches.
  struct Prediction {
    std::uint64_t low = ~std::uint64_t{0};  // not UTF-8
    std::uint64_t low_mask = ~std::uint64_t{0};
    std::uint64_t high = 0;
    std::uint64_t high_mask = 0;
    ShapeId child = kEmptyShape;
  };
  // The two keys seen last, so that an object that lacks a key costs the next one little.
  struct Predictions {
    Prediction last;
    Prediction before;
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

  Predictions& PredictionsFor(OpenObject object) {
    return object.shape == kEmptyShape ? first_predictions_[object.context] : predictions_[object.shape];
  }
  static Prediction Predict(std::string_view key, ShapeId child);
  ShapeId FindOrAddChild(ShapeId shape, std::string_view key);
  std::uint32_t InternKey(std::string_view key, std::uint64_t hash);
  std::string_view StoreText(std::string_view text);
  bool CheckDuplicates(ShapeId shape);
  void NewMark();
  std::uint64_t ChildHash(ShapeId parent, std::uint64_t key_hash) const;

  std::uint64_t hash_seed_;
  // For each shape what came next, and what began an object in it; apart, as only these are hot.
  std::vector<Predictions> predictions_;
  std::vector<Predictions> first_predictions_;
  std::vector<Shape> shapes_;
  std::vector<Key> keys_;
  std::vector<Correspondence> correspondences_;
  IdTable children_;            // shape ids by (parent, key)
  IdTable key_ids_;             // indexes into keys_ by text
  IdTable correspondence_ids_;  // indexes into correspondences_ by (from, to)
  std::uint32_t current_mark_ = 0;
  std::vector<std::unique_ptr<char[]>> text_blocks_;  // key texts; never moved
  std::size_t stored_bytes_ = 0;                      // of key texts and correspondences
  std::size_t text_left_ = 0;
  char* text_next_ = nullptr;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JSON_SHAPE_TABLE_H_
