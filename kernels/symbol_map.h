// kernels/symbol_map.h: numbers the symbols of a pattern densely, so that any alphabet fits small tables.
// Open addressing, keys in insertion order get 1, 2, 3, ...; 0 means "not in the pattern". The memory belongs
// to the caller; one map serves one thread.
#ifndef LEAFSCORE_KERNELS_SYMBOL_MAP_H_
#define LEAFSCORE_KERNELS_SYMBOL_MAP_H_

#include <bit>
#include <cstdint>
#include <cstring>

namespace leafscore {

class SymbolMap {
 public:
  struct Slot {
    std::uint32_t key;
    std::uint32_t number;  // 0: the slot is free
  };

  // RETURNS: the slots that a map of up to `keys` code points needs: a power of two, at most half of them
  // used.
  static std::uint32_t SlotCount(std::uint32_t keys) {
    constexpr std::uint32_t kCodePoints = 0x110000;
    if (keys > kCodePoints) keys = kCodePoints;
    return std::bit_ceil(keys + keys / 2 + 1);
  }

  // REQUIRES: SlotCount(keys) slots.
  SymbolMap(Slot* slots, std::uint32_t keys) : slots_(slots), mask_(SlotCount(keys) - 1) {
    std::memset(slots, 0, (mask_ + 1) * sizeof(Slot));
  }

  // RETURNS: the number of `key`, a new one if it has none.
  std::uint32_t Insert(std::uint32_t key) {
    Slot& slot = Probe(key);
    if (slot.number == 0) slot = {key, ++count_};
    return slot.number;
  }

  // RETURNS: the number of `key`, or 0.
  std::uint32_t Find(std::uint32_t key) const { return Probe(key).number; }

  std::uint32_t count() const { return count_; }

 private:
  Slot& Probe(std::uint32_t key) const {
    std::uint32_t i = key * 0x9E3779B1u >> 7 & mask_;  // Fibonacci hashing; the low bits mix least
    while (slots_[i].number != 0 && slots_[i].key != key) i = (i + 1) & mask_;
    return slots_[i];
  }

  Slot* slots_;
  std::uint32_t mask_;
  std::uint32_t count_ = 0;
};

}  // namespace leafscore

#endif  // LEAFSCORE_KERNELS_SYMBOL_MAP_H_
