#include "engine/threads/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace leafscore::internal {
namespace {

constexpr std::size_t kCount = 1000;

TEST(ParallelFor, CallsEachOnceAndOwnOnTheCaller) {
  for (const unsigned threads : {1u, 4u}) {
    std::vector<std::atomic<int>> calls(kCount);
    int own_calls = 0;
    WithThreads(threads, [&] {
      const std::thread::id caller = std::this_thread::get_id();
      ParallelFor(
          kCount, [&](std::size_t i) { ++calls[i]; },
          [&] {
            EXPECT_EQ(std::this_thread::get_id(), caller);
            ++own_calls;
          });
    });
    EXPECT_EQ(own_calls, 1);
    for (const std::atomic<int>& each : calls) ASSERT_EQ(each, 1);
  }
}

TEST(ParallelFor, ReportsAnErrorOfOwnOnceTheOthersAreDone) {
  for (const unsigned threads : {1u, 4u}) {
    std::atomic<std::size_t> calls = 0;
    std::string error;
    WithThreads(threads, [&] {
      try {
        ParallelFor(
            kCount, [&](std::size_t) { ++calls; }, [] { throw std::runtime_error("own"); });
      } catch (const std::runtime_error& thrown) {
        error = thrown.what();
        EXPECT_EQ(calls, kCount);
      }
    });
    EXPECT_EQ(error, "own");
  }
}

TEST(ParallelFor, ReportsAnErrorOfTheOthers) {
  for (const unsigned threads : {1u, 4u}) {
    bool own_ran = false;
    WithThreads(threads, [&] {
      EXPECT_THROW(ParallelFor(
                       kCount,
                       [&](std::size_t i) {
                         if (i == 7) throw std::runtime_error("7");
                       },
                       [&] { own_ran = true; }),
                   std::runtime_error);
    });
    EXPECT_TRUE(own_ran);
  }
}

}  // namespace
}  // namespace leafscore::internal
