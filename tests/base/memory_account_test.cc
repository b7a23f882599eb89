#include "engine/base/memory_account.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

namespace leafscore::internal {
namespace {

TEST(MemoryAccount, CountsWhatIsTakenLessWhatIsGivenBack) {
  const MemoryScope scope;
  auto first = std::make_unique<char[]>(1000);
  const std::int64_t with_first = scope.used();
  EXPECT_GE(with_first, 1000);
  EXPECT_LE(with_first, 1100);
  std::vector<char> second(5000);
  EXPECT_GE(scope.used(), 6000);
  first.reset();
  second = std::vector<char>();
  EXPECT_EQ(scope.used(), 0);
}

TEST(MemoryAccount, CountsAlignedMemoryAndKeepsItsAlignment) {
  struct alignas(256) Wide {
    char bytes[256];
  };
  const MemoryScope scope;
  auto wide = std::make_unique<Wide[]>(3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide.get()) % 256, 0u);
  EXPECT_GE(scope.used(), 3 * 256);
  wide.reset();
  EXPECT_EQ(scope.used(), 0);
}

TEST(MemoryAccount, EndsWorkThatTakesMoreThanItsLimit) {
  EXPECT_TRUE(DoneWithin(10000, [] { std::vector<char>(9000); }));
  EXPECT_FALSE(DoneWithin(10000, [] { std::vector<char>(11000); }));
  EXPECT_FALSE(DoneWithin(10000, [] {
    const std::vector<char> half(6000);
    std::vector<char>(6000);
  }));
  EXPECT_TRUE(DoneWithin(10000, [] {
    for (int i = 0; i < 3; ++i) std::vector<char>(6000);
  }));
  EXPECT_EQ(std::make_unique<char[]>(20000)[0], '\0');  // the limit has ended
}

TEST(MemoryAccount, AnInnerScopeSharesTheOuterLimit) {
  EXPECT_FALSE(DoneWithin(10000, [] {
    const MemoryScope inner;
    std::vector<char>(11000);
  }));
  EXPECT_TRUE(DoneWithin(10000, [] { EXPECT_FALSE(DoneWithin(1000, [] { std::vector<char>(2000); })); }));
  EXPECT_FALSE(DoneWithin(10000, [] { DoneWithin(1000000, [] { std::vector<char>(11000); }); }) &&
               DoneWithin(10000, [] { std::vector<char>(11000); }));
}

TEST(MemoryAccount, OtherErrorsAndMemoryThatRanOutStayWhatTheyAre) {
  EXPECT_THROW(DoneWithin(10000, [] { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_THROW(DoneWithin(10000, [] { throw std::runtime_error("other"); }), std::runtime_error);
}

TEST(MemoryAccount, AThreadMayGiveBackWhatOthersTook) {
  std::vector<char> of_other(100000);
  bool fits = false;
  std::thread([&] {
    of_other = std::vector<char>();
    fits = DoneWithin(10000, [] { std::vector<char>(9000); }) && std::vector<char>(100).size() == 100;
  }).join();
  EXPECT_TRUE(fits);
}

TEST(MemoryAccount, SharedWorkAndOtherThreadsAreNotCounted) {
  EXPECT_TRUE(DoneWithin(10000, [] {
    const MemoryScope scope;
    {
      const UncountedMemory uncounted;
      std::vector<char>(100000);
    }
    EXPECT_EQ(scope.used(), 0);
  }));
  std::vector<char> of_other;
  std::thread([&] { of_other.resize(100000); }).join();
  const MemoryScope scope;
  EXPECT_EQ(scope.used(), 0);
}

}  // namespace
}  // namespace leafscore::internal
