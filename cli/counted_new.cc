// The command's operator new, which counts how much memory each thread takes (engine/base/memory_account.h).
// The size of a block is stored in front of it, so that freeing subtracts exactly what was added, even if the
// heap made the block larger.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "engine/base/memory_account.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kHeader = 16;  // keeps the alignment of malloc

void* Take(std::size_t size, std::size_t header, std::size_t alignment) noexcept {
  MemoryAccount& account = thread_memory;
  const std::size_t all = size + header;
  if (all < size || all > static_cast<std::size_t>(PTRDIFF_MAX)) return nullptr;
  if (account.used > account.limit - static_cast<std::int64_t>(all)) {
    account.refused = true;
    return nullptr;
  }
  void* block = nullptr;
  if (alignment <= kHeader) {
    block = std::malloc(all);
  } else if (posix_memalign(&block, alignment, all) != 0) {
    block = nullptr;
  }
  if (block == nullptr) return nullptr;
  account.used += static_cast<std::int64_t>(all);
  char* const memory = static_cast<char*>(block) + header;
  reinterpret_cast<std::size_t*>(memory)[-1] = all;
  return memory;
}

void* TakeOrThrow(std::size_t size, std::size_t header, std::size_t alignment) {
  void* const memory = Take(size, header, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void GiveBack(void* memory, std::size_t header) noexcept {
  if (memory == nullptr) return;
  thread_memory.used -= static_cast<std::int64_t>(static_cast<std::size_t*>(memory)[-1]);
  std::free(static_cast<char*>(memory) - header);
}

// Returns the size of the header before memory of this alignment.
std::size_t HeaderFor(std::align_val_t alignment) {
  const auto bytes = static_cast<std::size_t>(alignment);
  return bytes < kHeader ? kHeader : bytes;
}

}  // namespace
}  // namespace leafscore::internal

using leafscore::internal::GiveBack;
using leafscore::internal::HeaderFor;
using leafscore::internal::kHeader;
using leafscore::internal::Take;
using leafscore::internal::TakeOrThrow;

void* operator new(std::size_t size) { return TakeOrThrow(size, kHeader, kHeader); }
void* operator new[](std::size_t size) { return TakeOrThrow(size, kHeader, kHeader); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return Take(size, kHeader, kHeader); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return Take(size, kHeader, kHeader);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return TakeOrThrow(size, HeaderFor(alignment), static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return TakeOrThrow(size, HeaderFor(alignment), static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return Take(size, HeaderFor(alignment), static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return Take(size, HeaderFor(alignment), static_cast<std::size_t>(alignment));
}

void operator delete(void* memory) noexcept { GiveBack(memory, kHeader); }
void operator delete[](void* memory) noexcept { GiveBack(memory, kHeader); }
void operator delete(void* memory, std::size_t) noexcept { GiveBack(memory, kHeader); }
void operator delete[](void* memory, std::size_t) noexcept { GiveBack(memory, kHeader); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { GiveBack(memory, kHeader); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { GiveBack(memory, kHeader); }
void operator delete(void* memory, std::align_val_t alignment) noexcept {
  GiveBack(memory, HeaderFor(alignment));
}
void operator delete[](void* memory, std::align_val_t alignment) noexcept {
  GiveBack(memory, HeaderFor(alignment));
}
void operator delete(void* memory, std::size_t, std::align_val_t alignment) noexcept {
  GiveBack(memory, HeaderFor(alignment));
}
void operator delete[](void* memory, std::size_t, std::align_val_t alignment) noexcept {
  GiveBack(memory, HeaderFor(alignment));
}
void operator delete(void* memory, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  GiveBack(memory, HeaderFor(alignment));
}
void operator delete[](void* memory, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  GiveBack(memory, HeaderFor(alignment));
}
