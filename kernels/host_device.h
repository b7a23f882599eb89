// kernels/host_device.h: marks functions that run on the CPU and, if nvcc compiles them, on a GPU, and
// defines the few operations that differ between the two.
#ifndef LEAFSCORE_KERNELS_HOST_DEVICE_H_
#define LEAFSCORE_KERNELS_HOST_DEVICE_H_

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__CUDACC__)
#define LEAFSCORE_HOST_DEVICE __host__ __device__
#else
#define LEAFSCORE_HOST_DEVICE
#endif

// Before a loop: LEAFSCORE_UNROLL makes nvcc unroll it, so that arrays indexed in it can be in registers.
// LEAFSCORE_KEEP_LOOP keeps nvcc from unrolling it.
#if defined(__CUDACC__)
#define LEAFSCORE_UNROLL _Pragma("unroll")
#define LEAFSCORE_KEEP_LOOP _Pragma("unroll 1")
#else
#define LEAFSCORE_UNROLL
#define LEAFSCORE_KEEP_LOOP
#endif

namespace leafscore::internal {

// Each returns the number of zeros below the lowest set bit, or above the highest. REQUIRES: word != 0.
LEAFSCORE_HOST_DEVICE inline int TrailingZeros(std::uint64_t word) {
#if defined(__CUDA_ARCH__)
  return __ffsll(static_cast<long long>(word)) - 1;
#else
  return std::countr_zero(word);
#endif
}
LEAFSCORE_HOST_DEVICE inline int LeadingZeros(std::uint64_t word) {
#if defined(__CUDA_ARCH__)
  return __clzll(static_cast<long long>(word));
#else
  return std::countl_zero(word);
#endif
}

LEAFSCORE_HOST_DEVICE inline std::uint32_t OneBits(std::uint64_t word) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__popcll(word));
#else
  return static_cast<std::uint32_t>(std::popcount(word));
#endif
}

// Returns the word at an address of any alignment. A GPU reads two aligned words: up to 15 bytes beyond the
// address.
LEAFSCORE_HOST_DEVICE inline std::uint64_t LoadWord(const std::uint8_t* bytes) {
#if defined(__CUDA_ARCH__)
  const auto address = reinterpret_cast<std::uintptr_t>(bytes);
  const auto* words = reinterpret_cast<const std::uint64_t*>(address & ~std::uintptr_t{7});
  const auto shift = static_cast<unsigned>(address & 7) * 8;
  return words[0] >> shift | (words[1] << 1) << (63 - shift);
#else
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
#endif
}

// Returns the word at an address that is a multiple of four.
LEAFSCORE_HOST_DEVICE inline std::uint32_t LoadAligned(const std::uint8_t* bytes) {
#if defined(__CUDA_ARCH__)
  return *reinterpret_cast<const std::uint32_t*>(bytes);
#else
  std::uint32_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
#endif
}

// Returns bits [shift, shift + 32) of high:low. REQUIRES: shift < 32.
LEAFSCORE_HOST_DEVICE inline std::uint32_t FunnelRight(std::uint32_t high, std::uint32_t low,
                                                       std::uint32_t shift) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_r(low, high, shift);
#else
  return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> shift);
#endif
}

// Returns bits [31, 63) of high:low, which is high << 1 with the top bit of low below it.
LEAFSCORE_HOST_DEVICE inline std::uint32_t ShiftIn(std::uint32_t high, std::uint32_t low) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_l(low, high, 1);
#else
  return high << 1 | low >> 31;
#endif
}

// Returns word >> 8 with byte k of `bytes` on top.
LEAFSCORE_HOST_DEVICE inline std::uint32_t TakeByte(std::uint32_t word, std::uint64_t bytes, int k) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(word, static_cast<std::uint32_t>(bytes >> 32 * (k / 4)), 0x4321 + (k % 4 << 12));
#else
  return word >> 8 | static_cast<std::uint32_t>(bytes >> 8 * k) << 24;
#endif
}

// Makes nvcc keep a value in a register. Otherwise it would recompute the value in every round of a loop.
LEAFSCORE_HOST_DEVICE inline void KeepInRegister(std::uint32_t& value) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(value));
#else
  static_cast<void>(value);
#endif
}

// Adds one to a counter that many threads share. RETURNS: its old value, different for each caller.
LEAFSCORE_HOST_DEVICE inline std::uint32_t TakeNumber(std::uint32_t* counter) {
#if defined(__CUDA_ARCH__)
  // Threads of a warp that use the same counter share one atomic addition.
  const unsigned same = __match_any_sync(__activemask(), reinterpret_cast<unsigned long long>(counter));
  const int leader = __ffs(static_cast<int>(same)) - 1;
  const unsigned lane = threadIdx.x % 32;
  unsigned first = 0;
  if (lane == static_cast<unsigned>(leader)) first = atomicAdd(counter, __popc(same));
  return __shfl_sync(same, first, leader) + __popc(same & ((1u << lane) - 1));
#else
  return (*counter)++;
#endif
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_HOST_DEVICE_H_
