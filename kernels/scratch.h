// kernels/scratch.h: allocates arrays from the caller's scratch memory, one after another. If the base is
// null, it only counts bytes, so that the same code computes the size and lays out the arrays.
#ifndef LEAFSCORE_KERNELS_SCRATCH_H_
#define LEAFSCORE_KERNELS_SCRATCH_H_

#include <cstddef>

namespace leafscore::internal {

class ScratchArena {
 public:
  static constexpr std::size_t kAlignment = 64;

  explicit ScratchArena(std::byte* base) : base_(base) {}

  // Returns the next `count` elements, uninitialized and aligned to kAlignment.
  template <typename T>
  T* Take(std::size_t count) {
    T* array = base_ == nullptr ? nullptr : reinterpret_cast<T*>(base_ + used_);
    used_ += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    return array;
  }

  std::size_t used() const { return used_; }

 private:
  std::byte* base_;
  std::size_t used_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_SCRATCH_H_
