#include "engine/base/packed_bytes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace leafscore::internal {
namespace {

enum class Colour : std::uint8_t { kRed = 3 };

std::string PackOneOfEach() {
  std::string bytes;
  PackedWriter out(bytes);
  out.Value<std::uint32_t>(7);
  out.Value(-0.5);
  out.Value(Colour::kRed);
  out.Text(std::string("a\0b", 3));
  out.Array(std::vector<std::uint16_t>{1, 65535});
  out.Text("");
  return bytes;
}

TEST(PackedBytesTest, ReadsBackWhatWasWritten) {
  const std::string bytes = PackOneOfEach();
  PackedReader in(bytes);
  EXPECT_EQ(in.Value<std::uint32_t>(), 7u);
  EXPECT_EQ(in.Value<double>(), -0.5);
  EXPECT_EQ(in.Value<Colour>(), Colour::kRed);
  EXPECT_EQ(in.Text(), std::string_view("a\0b", 3));
  EXPECT_EQ(in.Array<std::uint16_t>(), (std::vector<std::uint16_t>{1, 65535}));
  EXPECT_TRUE(in.good());
  EXPECT_FALSE(in.done());
  EXPECT_EQ(in.Text(), "");
  EXPECT_TRUE(in.done());
}

TEST(PackedBytesTest, CutBytesFailAndGiveNothing) {
  const std::string bytes = PackOneOfEach();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    PackedReader in(std::string_view(bytes).substr(0, size));
    in.Value<std::uint32_t>();
    in.Value<double>();
    in.Value<Colour>();
    in.Text();
    in.Array<std::uint16_t>();
    in.Text();
    EXPECT_FALSE(in.good()) << size;
    EXPECT_FALSE(in.done()) << size;
    EXPECT_EQ(in.Value<std::uint32_t>(), 0u) << size;
    EXPECT_EQ(in.Text(), "") << size;
  }
}

TEST(PackedBytesTest, ASizeBeyondTheEndIsRefused) {
  std::string bytes;
  PackedWriter(bytes).Value(~std::uint64_t{0});
  EXPECT_EQ(PackedReader(bytes).Text(), "");
  PackedReader in(bytes);
  EXPECT_TRUE(in.Array<std::uint64_t>().empty());
  EXPECT_FALSE(in.good());
}

}  // namespace
}  // namespace leafscore::internal
