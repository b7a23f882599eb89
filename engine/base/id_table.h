// engine/base/id_table.h: a hash table of ids whose keys live elsewhere (open addressing, linear probing). It
// stores only 32-bit ids; the caller compares keys, so a hash collision never changes an answer. THREADS: one
// at a time.
#ifndef LEAFSCORE_ENGINE_BASE_ID_TABLE_H_
#define LEAFSCORE_ENGINE_BASE_ID_TABLE_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace leafscore::internal {

class IdTable {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  // Returns the id with this hash for which `equal(id)` holds, else kNone.
  template <class Equal>
  std::uint32_t Find(std::uint64_t hash, Equal equal) const {
    if (slots_.empty()) return kNone;
    for (std::size_t slot = hash & mask(); slots_[slot] != kNone; slot = (slot + 1) & mask()) {
      if (equal(slots_[slot])) return slots_[slot];
    }
    return kNone;
  }

  // Adds an id that Find did not find. `hash_of(id)` returns the hash of any id that was added before.
  template <class HashOf>
  void Insert(std::uint64_t hash, std::uint32_t id, HashOf hash_of) {
    if (2 * (size_ + 1) > slots_.size()) Resize(slots_.empty() ? 64 : 2 * slots_.size(), hash_of);
    Place(hash, id);
    ++size_;
  }

  // Makes room for `ids` ids, so that the table need not grow. `hash_of` is as in Insert.
  template <class HashOf>
  void Reserve(std::size_t ids, HashOf hash_of) {
    if (2 * ids > slots_.size()) Resize(std::bit_ceil(2 * ids), hash_of);
  }

  void Clear() {
    slots_.clear();
    size_ = 0;
  }

 private:
  std::size_t mask() const { return slots_.size() - 1; }

  void Place(std::uint64_t hash, std::uint32_t id) {
    std::size_t slot = hash & mask();
    while (slots_[slot] != kNone) slot = (slot + 1) & mask();
    slots_[slot] = id;
  }

  template <class HashOf>
  void Resize(std::size_t slots, HashOf hash_of) {
    const std::vector<std::uint32_t> old = std::move(slots_);
    slots_.assign(slots, kNone);
    for (const std::uint32_t id : old) {
      if (id != kNone) Place(hash_of(id), id);
    }
  }

  std::vector<std::uint32_t> slots_;  // their number is a power of two, and at most half are full
  std::size_t size_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_ID_TABLE_H_
