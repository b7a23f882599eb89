#include "kernels/isa.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace leafscore::internal {
namespace {

TEST(IsaTest, NamesAndParses) {
  for (const Isa isa : {Isa::kPortable, Isa::kAvx2, Isa::kAvx512}) EXPECT_EQ(ParseIsa(IsaName(isa)), isa);
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

TEST(IsaTest, ChoosesTheWidestOneUnlessForced) {
  const char* forced = std::getenv("LEAFSCORE_ISA");
  if (forced == nullptr || *forced == '\0') {
    EXPECT_EQ(IsaError(), "");
    EXPECT_EQ(ActiveIsa(), AvailableIsas().back());
  } else if (IsaError().empty()) {
    EXPECT_EQ(IsaName(ActiveIsa()), forced);
  } else {
    EXPECT_EQ(ActiveIsa(), Isa::kPortable);
  }
}

// The choice is made once a process, so each forced one needs a process of its own.
using IsaDeathTest = testing::Test;

[[noreturn]] void ReportWith(const char* forced) {
  setenv("LEAFSCORE_ISA", forced, 1);
  std::cerr << "runs " << IsaName(ActiveIsa()) << "; " << IsaError();
  std::_Exit(0);
}

TEST(IsaDeathTest, HonoursTheEnvironment) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (const Isa isa : AvailableIsas()) {
    const std::string name(IsaName(isa));
    EXPECT_EXIT(ReportWith(name.c_str()), testing::ExitedWithCode(0), "runs " + name + "; $");
  }
  EXPECT_EXIT(ReportWith("sse9"), testing::ExitedWithCode(0),
              "runs portable; LEAFSCORE_ISA names no instruction set");
}

}  // namespace
}  // namespace leafscore::internal
