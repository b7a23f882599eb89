#include "engine/threads/thread_count.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <thread>

#include "io/io_test_util.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

class CgroupTest : public ::testing::Test {
 protected:
  void Put(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ / path).parent_path());
    WriteFile(root_ / path, text);
  }
  unsigned Limit(const std::string& membership) { return CgroupCpuLimit(root_ / "", membership); }

  TempDir root_;
};

TEST_F(CgroupTest, Version2) {
  EXPECT_EQ(Limit("0::/\n"), 0u);
  Put("cpu.max", "150000 100000\n");
  EXPECT_EQ(Limit("0::/\n"), 2u);
  Put("cpu.max", "100000 100000\n");
  EXPECT_EQ(Limit("0::/\n"), 1u);
  Put("cpu.max", "1000 100000\n");
  EXPECT_EQ(Limit("0::/\n"), 1u);
  Put("cpu.max", "400000\n");
  EXPECT_EQ(Limit("0::/\n"), 0u);
  Put("cpu.max", "max 100000\n");
  EXPECT_EQ(Limit("0::/\n"), 0u);
  Put("cpu.max", "nonsense\n");
  EXPECT_EQ(Limit("0::/\n"), 0u);
  Put("cpu.max", "");
  EXPECT_EQ(Limit("0::/\n"), 0u);
}

TEST_F(CgroupTest, ALimitAboveHoldsAsWell) {
  Put("a/cpu.max", "400000 100000\n");
  Put("a/b/cpu.max", "max 100000\n");
  Put("a/b/c/cpu.max", "800000 100000\n");
  EXPECT_EQ(Limit("0::/a/b/c\n"), 4u);
  EXPECT_EQ(Limit("0::/a/b\n"), 4u);
  EXPECT_EQ(Limit("0::/other\n"), 0u);
  Put("a/b/cpu.max", "300000 100000\n");
  EXPECT_EQ(Limit("0::/a/b/c\n"), 3u);
  // In a container, the path may be one of the host, and only the root's files are there.
  Put("cpu.max", "200000 100000\n");
  EXPECT_EQ(Limit("0::/docker/0123\n"), 2u);
}

TEST_F(CgroupTest, Version1) {
  Put("cpu,cpuacct/x/cpu.cfs_quota_us", "250000\n");
  Put("cpu,cpuacct/x/cpu.cfs_period_us", "100000\n");
  Put("cpu,cpuacct/x/y/cpu.cfs_quota_us", "-1\n");
  Put("cpu,cpuacct/x/y/cpu.cfs_period_us", "100000\n");
  Put("cpuset/x/cpu.cfs_quota_us", "100000\n");
  Put("cpuset/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Limit("12:cpuset:/x\n4:cpu,cpuacct:/x/y\n1:name=systemd:/x\n"), 3u);
  EXPECT_EQ(Limit("12:cpuset:/x\n"), 0u);
  EXPECT_EQ(Limit("4:cpu,cpuacct:/z\n"), 0u);
  Put("cpu,cpuacct/x/cpu.cfs_period_us", "0\n");
  EXPECT_EQ(Limit("4:cpu,cpuacct:/x\n"), 0u);
}

TEST_F(CgroupTest, BothVersionsAtOnce) {
  Put("cpu/x/cpu.cfs_quota_us", "500000\n");
  Put("cpu/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Limit("3:cpu:/x\n0::/x\n"), 5u);
  Put("x/cpu.max", "200000 100000\n");
  EXPECT_EQ(Limit("3:cpu:/x\n0::/x\n"), 2u);
}

TEST_F(CgroupTest, OddMemberships) {
  Put("cpu.max", "200000 100000\n");
  EXPECT_EQ(Limit(""), 0u);
  EXPECT_EQ(Limit("nonsense\n"), 0u);
  EXPECT_EQ(Limit("0:\n"), 0u);
  EXPECT_EQ(Limit("0::\n"), 2u);
  EXPECT_EQ(Limit("0::relative\n"), 0u);
  Put("cpu.max", "1000000000000000000 1\n");
  EXPECT_GE(Limit("0::/\n"), kMaxThreads);
}

TEST(ResolveThreads, AsManyAsAskedFor) {
  EXPECT_EQ(ResolveThreads(0), AvailableThreads());
  EXPECT_EQ(ResolveThreads(7), 7u);
}

TEST(AvailableThreads, NoMoreThanTheAffinityMask) {
  EXPECT_GE(AvailableThreads(), 1u);
  // In a thread of its own, as the mask is a thread's.
  std::jthread([] {
    cpu_set_t all;
    ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    EXPECT_LE(AvailableThreads(), static_cast<unsigned>(CPU_COUNT(&all)));
    int first = 0;
    while (!CPU_ISSET(first, &all)) ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(AvailableThreads(), 1u);
  });
}

}  // namespace
}  // namespace leafscore::internal
