#include "engine/base/text_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {
namespace {

// Texts of 16 bytes that std::hash of GNU's library makes one number of: MurmurHash64A, whose step
// can be undone. The first eight bytes are free, and the others undo what these did.
std::vector<std::string> CollidingTexts(std::uint32_t count) {
  constexpr std::uint64_t kSeed = 0xc70f6907u;
  constexpr std::uint64_t kFactor = 0xc6a4a7935bd1e995u;
  std::uint64_t inverse = kFactor;  // modulo 2^64, by Newton's iteration
  for (int i = 0; i < 5; ++i) inverse *= 2 - kFactor * inverse;
  const auto fold = [](std::uint64_t word) { return word ^ word >> 47; };  // undoes itself
  std::vector<std::string> texts;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t first = 0x2020202020202020u + i;
    const std::uint64_t state = ((kSeed ^ 16 * kFactor) ^ fold(first * kFactor) * kFactor) * kFactor;
    const std::uint64_t second = fold(state * inverse) * inverse;
    std::string& text = texts.emplace_back(16, '\0');
    std::memcpy(text.data(), &first, 8);
    std::memcpy(text.data() + 8, &second, 8);
  }
  return texts;
}

constexpr std::uint32_t kTexts = 20000;

TEST(TextMap, TextsMadeToCollideUnderTheStandardHashDoNotCollide) {
  const std::vector<std::string> texts = CollidingTexts(kTexts);
  TextMap<std::string, std::uint32_t> map;
  for (const std::string& text : texts) map.emplace(text, 0);
  ASSERT_EQ(map.size(), kTexts);
  std::size_t longest = 0;
  for (std::size_t bucket = 0; bucket < map.bucket_count(); ++bucket) {
    longest = std::max(longest, map.bucket_size(bucket));
  }
  // 20,000 keys by chance: the chance of one bucket with 16 of them is below 1e-9.
  EXPECT_LT(longest, 16u);
#ifdef __GLIBCXX__
  const std::hash<std::string_view> standard;
  EXPECT_EQ(standard(texts.front()), standard(texts.back())) << "the texts show nothing";
#endif
}

TEST(TextMap, FindsByViewAndKeepsDifferentTextsApart) {
  TextMap<std::string, int> map = {{"a", 1}, {"", 2}, {std::string(1, '\0'), 3}};
  EXPECT_EQ(map.find(std::string_view("a"))->second, 1);
  EXPECT_EQ(map.find(std::string_view(""))->second, 2);
  EXPECT_EQ(map.find(std::string_view("\0", 1))->second, 3);
  EXPECT_EQ(map.find(std::string_view("b")), map.end());
}

}  // namespace
}  // namespace leafscore::internal
