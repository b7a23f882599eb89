#include "engine/base/checksum.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace leafscore::internal {
namespace {

// What `xxh128sum` prints for a file without bytes, and for one of these.
TEST(Checksum, IsThatOfXxh128sum) {
  EXPECT_EQ(ChecksumOf(""), "xxh3-128:99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(ChecksumOf("a"), "xxh3-128:a96faf705af16834e6c632b61e964e1f");
}

TEST(Checksum, DoesNotDependOnThePieces) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += static_cast<char>(i * 131);
  for (const std::size_t piece : {1, 7, 64, 1000, 5000}) {
    Checksum checksum;
    for (std::size_t i = 0; i < text.size(); i += piece)
      checksum.Add(std::string_view(text).substr(i, piece));
    EXPECT_EQ(checksum.Text(), ChecksumOf(text)) << piece;
    EXPECT_EQ(checksum.bytes(), text.size());
  }
}

std::string SomeText(std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(i * 131 + i / 7001);
  return text;
}

// The bytes that the digits of a checksum stand for.
std::string BytesOf(const std::string& checksum) {
  std::string bytes;
  for (std::size_t i = checksum.find(':') + 1; i < checksum.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(checksum.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

TEST(BlockChecksum, IsTheChecksumOfTheChecksumsOfBlocks) {
  for (const std::size_t size : {0, 1, 16383, 16384, 16385, 32768, 100000}) {
    const std::string text = SomeText(size);
    std::string blocks;
    for (std::size_t i = 0; i < size; i += 16384) blocks += BytesOf(ChecksumOf(text.substr(i, 16384)));
    const std::string expected = "xxh3-128-16k" + ChecksumOf(blocks).substr(8);
    BlockChecksum checksum;
    checksum.Add(text);
    EXPECT_EQ(checksum.Text(), expected) << size;
    EXPECT_EQ(checksum.bytes(), size);
    std::string appended;
    BlockChecksum::AppendBlocks(text, appended);
    EXPECT_EQ(appended, blocks) << size;
  }
}

TEST(BlockChecksum, DoesNotDependOnThePiecesNorOnWhoMadeTheBlocks) {
  const std::string text = SomeText(70000);
  BlockChecksum whole;
  whole.Add(text);
  for (const std::size_t piece : {1, 1000, 16383, 16385, 40000}) {
    BlockChecksum checksum;
    for (std::size_t i = 0; i < text.size(); i += piece)
      checksum.Add(std::string_view(text).substr(i, piece));
    EXPECT_EQ(checksum.Text(), whole.Text()) << piece;
  }
  BlockChecksum of_blocks;
  for (const std::size_t begin : {std::size_t{0}, std::size_t{32768}}) {
    const std::string_view part = std::string_view(text).substr(begin, begin == 0 ? 32768 : text.size());
    std::string blocks;
    BlockChecksum::AppendBlocks(part, blocks);
    of_blocks.AddBlocks(blocks, part.size());
  }
  EXPECT_EQ(of_blocks.Text(), whole.Text());
  EXPECT_EQ(of_blocks.bytes(), text.size());
}

TEST(BlockChecksum, OfABeginIsKnownOnTheWay) {
  const std::string text = SomeText(50000);
  BlockChecksum checksum;
  checksum.Add(std::string_view(text).substr(0, 20000));
  BlockChecksum begin;
  begin.Add(text.substr(0, 20000));
  EXPECT_EQ(checksum.Text(), begin.Text());
  checksum.Add(std::string_view(text).substr(20000));
  BlockChecksum whole;
  whole.Add(text);
  EXPECT_EQ(checksum.Text(), whole.Text());
}

TEST(MultisetHash, DoesNotDependOnTheOrderButOnHowOften) {
  const auto of = [](std::initializer_list<std::string_view> texts) {
    MultisetHash bag;
    for (const std::string_view text : texts) bag.Add(text);
    EXPECT_EQ(bag.count(), texts.size());
    return bag.Text();
  };
  EXPECT_EQ(of({}), "xxh3-128-sum:00000000000000000000000000000000");
  EXPECT_EQ(of({"a"}), "xxh3-128-sum:a96faf705af16834e6c632b61e964e1f");
  // Twice a96f..., without what exceeds 2^128.
  EXPECT_EQ(of({"a", "a"}), "xxh3-128-sum:52df5ee0b5e2d069cd8c656c3d2c9c3e");
  EXPECT_EQ(of({"a", "b", "c"}), of({"c", "a", "b"}));
  EXPECT_NE(of({"a", "b"}), of({"ab"}));
  EXPECT_NE(of({"a", "b"}), of({"a", "c"}));
  MultisetHash first;
  first.Add("a");
  MultisetHash second;
  second.Add("b");
  first.Add(second);
  EXPECT_EQ(first.Text(), of({"a", "b"}));
  EXPECT_EQ(first.count(), 2u);
}

// Each value belongs to its id, in any order.
TEST(MultisetHash, OfPairs) {
  const auto of = [](const std::vector<std::pair<std::string, std::string>>& pairs) {
    MultisetHash bag;
    for (const auto& [first, second] : pairs) bag.AddPair(MultisetHash::HashOf(first), second);
    return bag.Text();
  };
  EXPECT_EQ(of({{"a", "1"}, {"b", "2"}}), of({{"b", "2"}, {"a", "1"}}));
  EXPECT_NE(of({{"a", "1"}, {"b", "2"}}), of({{"a", "2"}, {"b", "1"}}));
  EXPECT_NE(of({{"a", "1"}, {"b", "2"}}), of({{"a", "1"}, {"c", "2"}}));
  EXPECT_NE(of({{"a", ""}}), of({{"b", ""}}));
}

}  // namespace
}  // namespace leafscore::internal
