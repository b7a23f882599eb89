#include "engine/threads/ordered_pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace leafscore::internal {
namespace {

struct Numbered {
  int number = -1;
  int square = -1;
};

// Counts to `count`. RETURNS: the numbers and squares as the sink saw them.
std::vector<Numbered> Squares(unsigned threads, int count) {
  int next = 0;
  std::vector<int> in_between;
  std::vector<Numbered> seen;
  RunOrderedPipeline<Numbered>(
      threads,
      [&](Numbered& batch) {
        batch = {next, -1};
        return next++ < count;
      },
      // Later batches of four come out of this stage first.
      Parallel([](const Numbered& batch) {
        std::this_thread::sleep_for(std::chrono::microseconds(200 * (3 - batch.number % 4)));
      }),
      InOrder([&](const Numbered& batch) { in_between.push_back(batch.number); }),
      Parallel([](Numbered& batch) { batch.square = batch.number * batch.number; }),
      InOrder([&](const Numbered& batch) { seen.push_back(batch); }));
  EXPECT_EQ(in_between.size(), seen.size());
  EXPECT_TRUE(std::ranges::is_sorted(in_between));
  return seen;
}

TEST(OrderedPipeline, KeepsTheOrderForAnyNumberOfThreads) {
  for (unsigned threads = 1; threads <= 8; ++threads) {
    const std::vector<Numbered> seen = Squares(threads, 50);
    ASSERT_EQ(seen.size(), 50u) << threads;
    for (int i = 0; i < 50; ++i) {
      EXPECT_EQ(seen[static_cast<std::size_t>(i)].number, i) << threads;
      EXPECT_EQ(seen[static_cast<std::size_t>(i)].square, i * i) << threads;
    }
  }
}

TEST(OrderedPipeline, ASourceWithoutBatches) {
  EXPECT_TRUE(Squares(4, 0).empty());
  EXPECT_EQ(Squares(4, 1).size(), 1u);
}

TEST(OrderedPipeline, TwoBatchesAThreadAreUnderWayAndUsedAgain) {
  constexpr unsigned kThreads = 3;
  int left = 200;
  std::set<const std::vector<int>*> batches;
  bool memory_was_kept = false;
  RunOrderedPipeline<std::vector<int>>(
      kThreads,
      [&](std::vector<int>& batch) {
        memory_was_kept = memory_was_kept || batch.capacity() >= 100;
        batches.insert(&batch);
        return left-- > 0;
      },
      Parallel([](std::vector<int>& batch) { batch.assign(100, 7); }),
      InOrder([&](const std::vector<int>& batch) {
        EXPECT_EQ(std::accumulate(batch.begin(), batch.end(), 0), 700);
      }));
  EXPECT_LE(batches.size(), 2 * kThreads);
  EXPECT_TRUE(memory_was_kept);
}

TEST(OrderedPipeline, ThrowsWhatTheSourceOrAStageThrows) {
  for (int thrower = 0; thrower < 3; ++thrower) {
    const auto throw_at = [thrower](int place, const Numbered& batch) {
      if (place == thrower && batch.number == 20) throw std::runtime_error("at " + std::to_string(place));
    };
    int next = 0;
    int seen = 0;
    try {
      RunOrderedPipeline<Numbered>(
          4,
          [&](Numbered& batch) {
            batch.number = next++;
            throw_at(0, batch);
            return next <= 100;
          },
          Parallel([&](const Numbered& batch) { throw_at(1, batch); }), InOrder([&](const Numbered& batch) {
            throw_at(2, batch);
            ++seen;
          }));
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), "at " + std::to_string(thrower));
    }
    EXPECT_LE(seen, 20);
  }
}

}  // namespace
}  // namespace leafscore::internal
