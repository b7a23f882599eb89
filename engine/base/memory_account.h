// engine/base/memory_account.h: counts the memory that a piece of work uses, and can limit it.
//
// It works only in a program whose operator new reports every allocation, as in the command
// (cli/counted_new.cc). Each thread then counts the bytes that it has allocated, minus the bytes that it has
// freed. Requested sizes count, so the result depends only on the work, and not on the state of the heap. In
// any other program, nothing is counted and no limit is reached.
// THREADS: each thread has its own account, which does not include what other threads allocate for it.
#ifndef LEAFSCORE_ENGINE_BASE_MEMORY_ACCOUNT_H_
#define LEAFSCORE_ENGINE_BASE_MEMORY_ACCOUNT_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>

namespace leafscore::internal {

struct MemoryAccount {
  std::int64_t used = 0;
  std::int64_t limit = std::numeric_limits<std::int64_t>::max();
  bool refused = false;  // an allocation was refused, because it would have exceeded the limit
};

inline constinit thread_local MemoryAccount thread_memory;

// Counts the allocations of this thread during the lifetime of the scope. An allocation that would exceed the
// limit is refused: operator new fails as if memory had run out. Scopes can be nested.
class MemoryScope {
 public:
  explicit MemoryScope(std::size_t limit = std::numeric_limits<std::size_t>::max()) : outer_(thread_memory) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const bool is_less = limit < static_cast<std::uint64_t>(outer_.used > 0 ? kMost - outer_.used : kMost);
    const std::int64_t own = is_less ? outer_.used + static_cast<std::int64_t>(limit) : kMost;
    own_limit_ = own < outer_.limit ? own : outer_.limit;
    thread_memory.limit = own_limit_;
    thread_memory.refused = false;
  }
  ~MemoryScope() {
    thread_memory.limit = outer_.limit;
    const bool was_outer_limit = thread_memory.refused && own_limit_ == outer_.limit;
    thread_memory.refused = outer_.refused || was_outer_limit;
  }
  MemoryScope(const MemoryScope&) = delete;
  MemoryScope& operator=(const MemoryScope&) = delete;

  std::int64_t used() const { return thread_memory.used - outer_.used; }
  bool refused() const { return thread_memory.refused; }

 private:
  MemoryAccount outer_;
  std::int64_t own_limit_;
};

// Excludes from the account what the thread allocates and frees during the lifetime of this object. Work that
// is shared with other threads or a GPU needs this, because a thread's part of such work varies.
class UncountedMemory {
 public:
  UncountedMemory() : outer_(thread_memory) { thread_memory.limit = MemoryAccount().limit; }
  ~UncountedMemory() { thread_memory = outer_; }
  UncountedMemory(const UncountedMemory&) = delete;
  UncountedMemory& operator=(const UncountedMemory&) = delete;

 private:
  MemoryAccount outer_;
};

// Calls work(), which may use `limit` bytes of memory. RETURNS: false if work() was stopped because it needed
// more memory.
// ERRORS: as `work`, including std::bad_alloc if memory runs out below the limit.
template <class Work>
bool DoneWithin(std::size_t limit, Work work) {
  const MemoryScope scope(limit);
  try {
    work();
    return true;
  } catch (const std::bad_alloc&) {
    if (!scope.refused()) throw;
    return false;
  }
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_MEMORY_ACCOUNT_H_
