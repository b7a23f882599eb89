#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <thread>

#include "arrow/arrow_testing.h"
#include "config/config_testing.h"
#include "leafscore/distance.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// An array of large_string, and what its column is.
struct Column {
  explicit Column(const Texts& texts, std::string format = "U")
      : schema(Export(TestSchema{.format = std::move(format)}, &releases)),
        array(Export(OffsetArray<std::int64_t>(texts), &releases)) {}
  operator TextArrayView() const { return {*schema, *array}; }

  int releases = 0;
  OwnedSchema schema;
  OwnedArray array;
};

using Distances = std::vector<std::uint32_t>;

TEST(TextDistances, RowByRowInCodePoints) {
  const Column left({"kitten", "", "żółć", "same"});
  const Column right({"sitting", "ab", "zolc", "same"});
  EXPECT_EQ(LevenshteinDistances(left, right), (Distances{3, 2, 4, 0}));
  EXPECT_EQ(LevenshteinDistances(left, right, 2), (Distances{3, 2, 3, 0}));
  EXPECT_EQ(LevenshteinDistances(left, right, 0), (Distances{1, 1, 1, 0}));
  const std::vector<double> similarities =
      JaroWinklerSimilarities(Column({"MARTHA", "a"}), Column({"MARHTA", "b"}));
  EXPECT_NEAR(similarities[0], 0.96111, 1e-5);
  EXPECT_EQ(similarities[1], 0);
}

TEST(TextDistances, ANullOnEitherSideHasNone) {
  const Column left({"a", std::nullopt, std::nullopt, "b"});
  const Column right({std::nullopt, "x", std::nullopt, "bc"});
  EXPECT_EQ(LevenshteinDistances(left, right), (Distances{kNoDistance, kNoDistance, kNoDistance, 1}));
  const std::vector<double> similarities = JaroWinklerSimilarities(left, right);
  EXPECT_TRUE(std::isnan(similarities[0]) && std::isnan(similarities[1]) && std::isnan(similarities[2]));
  EXPECT_GT(similarities[3], 0.8);
}

TEST(TextDistances, RowsOfSlices) {
  Column left({"no", "ab", "abc", "no"});
  left.array.get()->offset = 1;
  left.array.get()->length = 2;
  EXPECT_EQ(LevenshteinDistances(left, Column({"a", "a"})), (Distances{1, 2}));
}

TEST(TextDistances, AnyNumberOfThreadsGivesTheSame) {
  Texts left;
  Texts right;
  Distances distances;
  for (std::uint32_t i = 0; i < 20'000; ++i) {  // several tasks
    left.emplace_back(std::string(i % 50, 'a'));
    right.emplace_back(std::string(i % 50, 'a') + std::string(i % 7, 'b'));
    distances.push_back(i % 7);
    if (i % 100 == 0) {
      left.back().reset();
      distances.back() = kNoDistance;
    }
  }
  for (const unsigned threads : {1u, 2u, 0u}) {
    EXPECT_EQ(LevenshteinDistances(Column(left), Column(right), kNoDistance, {.threads = threads}),
              distances);
  }
}

// More cells than kTableCells.
TEST(TextDistances, ALongPairIsComputedInTiles) {
  std::string text;
  for (int i = 0; i < 40'000; ++i) text += static_cast<char>('a' + i * i % 23);
  std::string other = text;
  for (const std::size_t place : {0u, 1'000u, 20'000u, 39'999u}) other[place] = 'z';
  for (const unsigned threads : {1u, 2u}) {
    const DistanceOptions options{.threads = threads};
    EXPECT_EQ(LevenshteinDistances(Column({text, "a"}), Column({other, "b"}), kNoDistance, options),
              (Distances{4, 1}));
    EXPECT_EQ(LevenshteinDistances(Column({text}), Column({other}), 4, options), Distances{4});
    EXPECT_EQ(LevenshteinDistances(Column({text}), Column({other}), 3, options), Distances{4});
    EXPECT_EQ(LevenshteinDistances(Column({text}), Column({other}), 2, options), Distances{3});
  }
}

TEST(TextDistances, ALongPairStopsWhenAsked) {
  std::string left;
  std::string right;
  for (unsigned i = 0, x = 1; i < 1'000'000; ++i) {  // many seconds
    left += static_cast<char>('a' + (x = x * 1'664'525 + 1'013'904'223) / 200'000'000);
    right += static_cast<char>('a' + (x = x * 1'664'525 + 1'013'904'223) / 200'000'000);
  }
  std::atomic<bool> stop = false;
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop = true;
  });
  EXPECT_THROW(LevenshteinDistances(Column({left}), Column({right}), kNoDistance, {.stop = &stop}), Error);
  stopper.join();
}

TEST(TextDistances, NoRows) {
  EXPECT_EQ(LevenshteinDistances(Column({}), Column({})), Distances{});
  EXPECT_EQ(JaroWinklerSimilarities(Column({}), Column({})), std::vector<double>{});
}

TEST(TextDistances, WhatIsWrongWithColumnsIsAnError) {
  EXPECT_EQ(ErrorOf([] {
              LevenshteinDistances(Column({"a"}), Column({"a", "b"}));
            }),
            "one column has 1 texts and the other 2; give two columns of equal size");
  EXPECT_EQ(ErrorOf([] {
              LevenshteinDistances(Column({"a", "b"}), Column({"a", "xy\xff"}));
            }),
            "not a usage error: row 1 of the right column is not UTF-8 (byte 2)");
  EXPECT_NE(ErrorOf([] { LevenshteinDistances(Column({"a"}, "l"), Column({"a"})); }).find("left"),
            std::string::npos);
  Column torn({"a"});
  torn.array.get()->n_buffers = 1;
  EXPECT_NE(ErrorOf([&] { LevenshteinDistances(torn, Column({"a"})); }), "");
}

TEST(TextDistances, StopsWhenAsked) {
  const std::atomic<bool> stop = true;
  try {
    LevenshteinDistances(Column({"a"}), Column({"b"}), kNoDistance, {.stop = &stop});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInterrupted);
  }
}

}  // namespace
}  // namespace leafscore::internal
