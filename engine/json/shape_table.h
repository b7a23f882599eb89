// engine/json/shape_table.h: interned rows of object keys.
//
// Most records of a run have the same keys in the same order. A shape is such a row of keys. Two objects of
// the same shape are matched without any key comparison. For two different shapes, the correspondence of
// their keys is computed once for all objects with these shapes.
//
// Reading an object takes one comparison for each key, with the key that is predicted. The prediction is a
// track while there is one: the whole row of the shape that an object at the same place had before, if that
// shape comes often. An object that leaves its track is predicted key by key, from the place and the key
// before, and its shape is looked up when its row is complete. A key that was not predicted is found in a
// small cache, else in the table of all keys.
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

  // The keys of an object, as far as a reader has come.
  struct KeyRow {
    std::uint32_t next = 0;   // index into predictions_ of what should come next
    std::uint32_t place = 0;  // where the object stands: the same for all in members of one key
    std::uint32_t first = 0;  // on a track: its begin; otherwise the index into rows_ of the first key
  };

  // Returns the empty row around a whole text. Rows that were not finished before are dropped.
  KeyRow Outermost() {
    rows_end_ = 0;
    return {};
  }

  // Returns the empty row of an object, or what stands for it in an array, in a member of an object whose row
  // so far is `around`, or in an array.
  KeyRow Within(const KeyRow& around, bool in_object) const {
    const std::uint32_t place = in_object ? PlaceWithin(LastKey(around)) : around.place;
    KeyRow row{.next = starts_[place], .place = place};
    row.first = IsOnTrack(row) ? row.next : rows_end_;
    return row;
  }

  // Compares the raw text after a key's opening quote with the predicted key.
  // REQUIRES: kKeyLookAhead readable bytes.
  // RETURNS: true if the text begins with that key and a closing quote; it is then the last key of *row.
  // COST: one comparison.
  bool Follow(const char* text, KeyRow* row) {
    const Prediction& predicted = predictions_[row->next];
    const WordMasks& mask = kMasks[predicted.key.size];
    const std::uint64_t low = (LoadWord64(text) ^ predicted.key.low) & mask.low;
    const std::uint64_t high = (LoadWord64(text + 8) ^ predicted.key.high) & mask.high;
    if ((low | high) != 0) return false;
    Step(row);
    return true;
  }
  static constexpr std::size_t kKeyLookAhead = 16;

  // Appends a key that Follow did not find. With `padded`, `key` is raw text, a quote follows, and
  // kKeyLookAhead bytes from its start can be read.
  void Append(std::string_view key, bool padded, KeyRow* row);

  // Returns the shape of a complete row.
  ShapeId Finish(const KeyRow& row) {
    const ShapeId shape = predictions_[row.next].ended;
    return shape != kEmptyShape ? shape : FinishOffTrack(row);
  }

  // Returns the shape of a row of keys.
  // REQUIRES: no object is being read.
  ShapeId ShapeOf(std::span<const std::string_view> keys);

  std::uint32_t member_count(ShapeId shape) const { return shapes_[shape].member_count; }

  // Returns whether a key occurs twice.
  bool HasDuplicateKeys(ShapeId shape) const { return shapes_[shape].has_duplicates; }

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
    return shapes_.size() * sizeof(Shape) + predictions_.size() * sizeof(Prediction) +
           keys_.size() * (sizeof(Key) + sizeof(Mark)) + correspondences_.size() * sizeof(Correspondence) +
           stored_bytes_;
  }

  // Drops everything; all shape ids become invalid.
  void Clear();

  // Clears a table that is not worth keeping for the next text, because its many keys are data or damage
  // rather than structure, and would push useful data out of the cache.
  void ClearIfLarge() {
    if (memory_bytes() > (512 << 10)) Clear();
  }

 private:
  static constexpr std::uint32_t kNoKey = 0xffffffffu;
  static constexpr std::uint32_t kSlots = 1024;      // predictions of single keys
  static constexpr std::uint32_t kCachedKeys = 512;  // a power of two

  // A key with its closing quote, as two words, if it is short enough and has no characters that JSON
  // escapes. Otherwise these are words that match no text.
  struct QuotedKey {
    std::uint64_t low = ~std::uint64_t{0};  // never valid UTF-8
    std::uint64_t high = 0;
    std::uint32_t size = kKeyLookAhead;  // in bytes
    std::uint32_t id = kNoKey;
  };
  // What should come next, with all that a reader needs in half a cache line.
  struct alignas(32) Prediction {
    QuotedKey key;
    std::uint32_t next = 0;       // off tracks: index of the prediction after the key
    ShapeId ended = kEmptyShape;  // on a track: its shape, if all keys have come
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
    std::uint64_t hash = 0;
    const std::uint32_t* keys = nullptr;  // indexes into keys_
    std::uint32_t member_count = 0;
    std::uint32_t track = 0;     // index of its first prediction, if it has a track
    std::uint32_t finished = 0;  // how many objects off tracks had it
    bool has_duplicates = false;
  };
  struct Key {
    std::string_view text;  // kKeyLookAhead bytes can be read
    std::uint64_t hash = 0;
  };
  // Where a key is in the shape that is being looked at.
  struct Mark {
    std::uint32_t shape = 0;  // == current_mark_: the key is in it
    std::uint32_t position = 0;
  };
  struct Correspondence {
    ShapeId from;
    ShapeId to;
    const std::uint32_t* members;
  };

  static bool IsOnTrack(const KeyRow& row) { return row.next >= kSlots; }
  // Appends the predicted key to a row.
  void Step(KeyRow* row) {
    if (IsOnTrack(*row)) {
      ++row->next;
    } else {
      const Prediction& predicted = predictions_[row->next];
      AddKey(predicted.key.id);
      row->next = predicted.next;
    }
  }
  void AddKey(std::uint32_t key) {
    if (rows_end_ == rows_.size()) [[unlikely]]
      rows_.resize(2 * rows_.size());
    rows_[rows_end_++] = key;
  }
  std::uint32_t LastKey(const KeyRow& row) const {
    if (IsOnTrack(row)) return row.next == row.first ? kNoKey : predictions_[row.next - 1].key.id;
    return row.first == rows_end_ ? kNoKey : rows_[rows_end_ - 1];
  }
  // Return where objects in the members of a key stand, and where the key after another one is predicted. Two
  // that share a slot cost time, no more.
  static std::uint32_t PlaceWithin(std::uint32_t key) { return (key * 0x9e3779b1u) >> 22; }
  static std::uint32_t SlotBehind(std::uint32_t key) { return ((key + 1) * 0x85ebca6bu) >> 22; }
  static_assert(kSlots == 1u << (32 - 22));

  QuotedKey Quote(std::uint32_t key) const;
  void LeaveTrack(KeyRow* row);
  ShapeId FinishOffTrack(KeyRow row);
  ShapeId Intern(std::span<const std::uint32_t> keys);
  ShapeId AddShape(std::span<const std::uint32_t> keys, std::uint64_t hash);
  void AddTrack(ShapeId id);
  bool HaveDuplicates(std::span<const std::uint32_t> keys);
  std::span<const std::uint32_t> RowOf(ShapeId shape) const {
    return {shapes_[shape].keys, shapes_[shape].member_count};
  }
  QuotedKey FindKey(std::string_view key, bool padded, std::uint32_t last_key);
  std::uint32_t InternKey(std::string_view key);
  char* Store(std::size_t bytes);
  std::uint32_t* StoreRow(std::size_t size) {
    return reinterpret_cast<std::uint32_t*>(Store(size * sizeof(std::uint32_t)));
  }
  void NewMark();

  std::uint64_t hash_seed_;
  std::vector<Prediction> predictions_;  // kSlots of single keys, then the tracks
  std::vector<std::uint32_t> starts_;    // by place: index of what is predicted for the first key
  std::vector<QuotedKey> cached_keys_;   // by a hash of their text
  std::vector<std::uint32_t> rows_;  // up to rows_end_: keys of the objects being read that are off tracks
  std::vector<Shape> shapes_;
  std::vector<Key> keys_;
  std::vector<Mark> marks_;  // one for each key
  std::vector<Correspondence> correspondences_;
  IdTable shape_ids_;           // shape ids by row
  IdTable key_ids_;             // indexes into keys_ by text
  IdTable correspondence_ids_;  // indexes into correspondences_ by (from, to)
  std::uint32_t rows_end_ = 0;
  std::uint32_t current_mark_ = 0;
  std::vector<std::unique_ptr<char[]>> blocks_;  // texts of keys, rows and correspondences; never moved
  std::size_t stored_bytes_ = 0;                 // in the blocks
  std::size_t block_left_ = 0;
  char* block_next_ = nullptr;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JSON_SHAPE_TABLE_H_
