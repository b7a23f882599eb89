#include "engine/run/thread_arena.h"

#include <fmt/format.h>

#include <atomic>
#include <latch>
#include <system_error>
#include <thread>
#include <vector>

#include "leafscore/error.h"

namespace leafscore::internal {

void CheckThreads(unsigned threads) {
  static std::atomic<unsigned> most = 1;  // that were there at once before
  if (threads <= most) return;
  std::latch all_tried(1);
  std::vector<std::jthread> started;
  started.reserve(threads - 1);
  try {
    while (started.size() + 1 < threads) started.emplace_back([&] { all_tried.wait(); });
  } catch (const std::system_error& failure) {
    all_tried.count_down();
    ThrowNoThreads(threads, failure.what());
  }
  all_tried.count_down();
  most = threads;
}

void ThrowNoThreads(unsigned threads, const char* why) {
  throw Error(
      ErrorCode::kResources,
      fmt::format("the system has no {} threads for a run: {}; give a lower --threads", threads, why));
}

}  // namespace leafscore::internal
