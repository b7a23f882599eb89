#include "engine/threads/thread_arena.h"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <latch>
#include <system_error>
#include <thread>
#include <vector>

#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Address space for a thread's tables, in addition to its stack.
constexpr std::size_t kThreadBytes = 16 << 20;

// Address space that is reserved and not used.
class HeldSpace {
 public:
  HeldSpace()
      : begin_(mmap(nullptr, kThreadBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~HeldSpace() {
    if (is_there()) munmap(begin_, kThreadBytes);
  }
  HeldSpace(const HeldSpace&) = delete;
  HeldSpace& operator=(const HeldSpace&) = delete;

  bool is_there() const { return begin_ != MAP_FAILED; }

 private:
  void* begin_;
};

}  // namespace

bool CheckThreads(unsigned threads) {
  static std::atomic<unsigned> most = 1;  // the most threads that existed at once
  if (threads <= most) return false;
  std::atomic<bool> lacks_space = false;
  std::latch all_hold(threads - 1);
  std::latch go_on(1);
  std::vector<std::jthread> started;
  started.reserve(threads - 1);
  try {
    while (started.size() + 1 < threads) {
      started.emplace_back([&] {
        // At a thread's first allocation, the heap reserves memory. It keeps this memory for a later thread.
        void* volatile const allocated = std::malloc(1);
        std::free(allocated);
        const HeldSpace space;
        if (!space.is_there()) lacks_space = true;
        all_hold.count_down();
        go_on.wait();
      });
    }
  } catch (const std::system_error& failure) {
    go_on.count_down();
    ThrowNoThreads(threads, failure.what());
  }
  all_hold.wait();
  go_on.count_down();
  if (lacks_space) ThrowNoThreads(threads, std::generic_category().message(ENOMEM).c_str());
  most = threads;
  return true;
}

void StartThreads(unsigned threads) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  std::atomic<unsigned> arrived = 0;
  const auto wait_for_all = [&](unsigned) {
    ++arrived;
    while (arrived < threads && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  };
  tbb::parallel_for(0U, threads, wait_for_all, tbb::simple_partitioner());
}

void ThrowNoThreads(unsigned threads, const char* why) {
  throw Error(
      ErrorCode::kResources,
      fmt::format("the system has no {} threads for a run: {}; give a lower --threads", threads, why));
}

}  // namespace leafscore::internal
