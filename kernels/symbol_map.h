// kernels/symbol_map.h: numbers the symbols of a pattern densely, so that any alphabet fits small tables.
// Open addressing by the low bits of the code point: those of one script are neighbours, so they rarely
// collide. The keys of one pattern get 1, 2, 3, ... in order; 0 means "not in the pattern". A slot remembers
// which pattern it was filled for, which spares clearing. The memory belongs to the caller; one map serves
// one thread.
#ifndef LEAFSCORE_KERNELS_SYMBOL_MAP_H_
#define LEAFSCORE_KERNELS_SYMBOL_MAP_H_

#include <bit>
#include <cstdint>
#include <cstring>

namespace leafscore {

class SymbolMap {
 public:
  struct Slot {
    std::uint32_t key;  // the code point, and above it the generation
    std::uint32_t number;
  };

  // RETURNS: the slots that a map of up to `keys` code points needs: a power of two, some of them free.
  static std::uint32_t SlotCount(std::uint32_t keys) {
    constexpr std::uint32_t kCodePoints = 0x110000;
    constexpr std::uint32_t kLeast = 4096;  // so that short patterns hardly ever collide
    if (keys > kCodePoints) keys = kCodePoints;
    const std::uint32_t slots = std::bit_ceil(keys + keys / 2 + 1);
    return slots < kLeast ? kLeast : slots;
  }

  // REQUIRES: SlotCount(keys) slots, for patterns of up to `keys` symbols.
  SymbolMap(Slot* slots, std::uint32_t keys) : slots_(slots), mask_(SlotCount(keys) - 1) {}

  // Starts on a pattern: no key has a number.
  void Clear() {
    count_ = 0;
    generation_ += kOneGeneration;  // wraps around to 0, which empty slots have
    if (generation_ != 0) return;
    std::memset(slots_, 0, (std::size_t{mask_} + 1) * sizeof(Slot));
    generation_ = kOneGeneration;
  }

  // RETURNS: the number of `code_point`, a new one if it has none. No branch tells the two cases apart.
  std::uint32_t Insert(std::uint32_t code_point) {
    const std::uint32_t key = code_point | generation_;
    Slot& slot = Probe(key);
    const bool is_new = slot.key != key;
    count_ += is_new;
    slot = {key, is_new ? count_ : slot.number};
    return slot.number;
  }

  // RETURNS: the number of `code_point`, or 0.
  std::uint32_t Find(std::uint32_t code_point) const {
    const std::uint32_t key = code_point | generation_;
    const Slot& slot = Probe(key);
    return slot.key == key ? slot.number : 0;
  }

  std::uint32_t count() const { return count_; }

 private:
  static constexpr std::uint32_t kOneGeneration = 1u << 21;  // above all code points

  Slot& Probe(std::uint32_t key) const {
    std::uint32_t i = key & mask_ & (kOneGeneration - 1);
    while (slots_[i].key != key && slots_[i].key / kOneGeneration == key / kOneGeneration)
      i = (i + 1) & mask_;
    return slots_[i];
  }

  Slot* slots_;
  std::uint32_t mask_;
  std::uint32_t generation_ = ~std::uint32_t{0}
                              << 21;  // the last one, so that the first Clear empties the slots
  std::uint32_t count_ = 0;
};

}  // namespace leafscore

#endif  // LEAFSCORE_KERNELS_SYMBOL_MAP_H_
