#include "engine/arrow/owned.h"

#include <utility>

#include "arrow/arrow_testing.h"

namespace leafscore::internal {
namespace {

TEST(OwnedTest, TakesOverAndReleasesOnce) {
  int releases = 0;
  ArrowArray imported = ExportTest<ArrowArray>(TestArray{.length = 3}, &releases);
  {
    const OwnedArray owned(&imported);
    EXPECT_EQ(imported.release, nullptr);
    EXPECT_TRUE(owned);
    EXPECT_EQ(owned->length, 3);
    EXPECT_EQ(releases, 0);
  }
  EXPECT_EQ(releases, 1);
}

TEST(OwnedTest, MovesWithoutRelease) {
  int releases = 0;
  OwnedSchema first = Export(TestSchema{.format = "u"}, &releases);
  OwnedSchema second = std::move(first);
  EXPECT_FALSE(first);  // NOLINT: what a moved-from owner holds is the point
  EXPECT_TRUE(second);
  first = std::move(second);
  EXPECT_TRUE(first);
  EXPECT_FALSE(second);  // NOLINT
  EXPECT_EQ(releases, 0);
  first = OwnedSchema();
  EXPECT_EQ(releases, 1);
}

TEST(OwnedTest, GivesUp) {
  int releases = 0;
  ArrowArray target;
  {
    OwnedArray owned = Export(TestArray{.length = 3}, &releases);
    owned.MoveTo(&target);
    EXPECT_FALSE(owned);
  }
  EXPECT_EQ(releases, 0);
  target.release(&target);
  EXPECT_EQ(releases, 1);
}

TEST(OwnedTest, ReleasedStructIsNone) {
  ArrowArrayStream released{};
  const OwnedStream owned(&released);
  EXPECT_FALSE(owned);
}

}  // namespace
}  // namespace leafscore::internal
