// tests/kernels/guarded_scratch.h: scratch memory for a kernel, filled so that nothing in it is zero by
// chance. On destruction, it checks that nobody wrote beyond its size.
#ifndef LEAFSCORE_TESTS_KERNELS_GUARDED_SCRATCH_H_
#define LEAFSCORE_TESTS_KERNELS_GUARDED_SCRATCH_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>

namespace leafscore::internal {

class GuardedScratch {
 public:
  explicit GuardedScratch(std::size_t size)
      : size_(size),
        allocated_((size + kAlignment - 1) / kAlignment * kAlignment + kAlignment),
        bytes_(static_cast<std::byte*>(std::aligned_alloc(kAlignment, allocated_)), &std::free) {
    std::fill_n(bytes_.get(), allocated_, kFilling);
  }
  ~GuardedScratch() {
    EXPECT_TRUE(std::all_of(bytes_.get() + size_, bytes_.get() + allocated_, [](std::byte byte) {
      return byte == kFilling;
    })) << "wrote beyond the scratch";
  }
  GuardedScratch(const GuardedScratch&) = delete;
  GuardedScratch& operator=(const GuardedScratch&) = delete;

  std::span<std::byte> span() const { return {bytes_.get(), size_}; }

 private:
  static constexpr std::size_t kAlignment = 64;
  static constexpr std::byte kFilling{0xA5};

  std::size_t size_;
  std::size_t allocated_;
  std::unique_ptr<std::byte, decltype(&std::free)> bytes_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_KERNELS_GUARDED_SCRATCH_H_
