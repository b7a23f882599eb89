#include "kernels/isa.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

namespace leafscore::internal {
namespace {

TEST(IsaTest, NamesAndParses) {
  for (const Isa isa : {Isa::kPortable, Isa::kNeon, Isa::kAvx2, Isa::kAvx512})
    EXPECT_EQ(ParseIsa(IsaName(isa)), isa);
  EXPECT_EQ(ParseIsa("avx512"), Isa::kAvx512);
  EXPECT_EQ(ParseIsa("AVX2"), std::nullopt);
  EXPECT_EQ(ParseIsa(""), std::nullopt);
}

TEST(IsaTest, OffersThePortableOneEverywhere) {
  ASSERT_FALSE(AvailableIsas().empty());
  EXPECT_EQ(AvailableIsas().front(), Isa::kPortable);
  EXPECT_TRUE(std::ranges::is_sorted(AvailableIsas()));
  std::cout << "this CPU runs:";
  for (const Isa isa : AvailableIsas()) std::cout << ' ' << IsaName(isa);
  std::cout << '\n';
}

TEST(IsaTest, UsesTheOneThatIsForced) {
  const Isa before = ActiveIsa();
  for (const Isa isa : AvailableIsas()) {
    EXPECT_EQ(ForceIsa(IsaName(isa)), "");
    EXPECT_EQ(ActiveIsa(), isa);
  }
  EXPECT_TRUE(ForceIsa("sse9").starts_with("names no instruction set of ours"));
  for (const Isa isa : {Isa::kPortable, Isa::kNeon, Isa::kAvx2, Isa::kAvx512}) {
    if (std::ranges::find(AvailableIsas(), isa) != AvailableIsas().end()) continue;
    EXPECT_TRUE(ForceIsa(IsaName(isa)).starts_with("names an instruction set that this CPU does not have"));
  }
  EXPECT_EQ(ActiveIsa(), AvailableIsas().back());
  ForceIsa(IsaName(before));
}

}  // namespace
}  // namespace leafscore::internal
