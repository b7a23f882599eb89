#include "engine/distance/gpu/lazy_offload.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "engine/distance/gpu/gpu_offload.h"
#include "engine/distance/kernel_memory.h"
#include "kernels/gpu/emulated_device.h"

namespace leafscore::internal {
namespace {

std::unique_ptr<PairOffload> OpenEmulated() {
  return std::make_unique<GpuOffload>(std::make_unique<gpu::EmulatedDevice>(), 1 << 20,
                                      OffloadPolicy::kAlways);
}

// Ten pairs of a hundred cells each.
class TenPairs {
 public:
  TenPairs() {
    for (int i = 0; i < 10; ++i) strings_.Append(std::string(10, static_cast<char>('a' + i)));
  }
  std::unique_ptr<PairOffload::Handle> OfferTo(PairOffload& offload) const {
    return offload.Take(strings_.column(), strings_.column(), 1000);
  }

 private:
  StringColumnBuilder strings_;
};

TEST(LazyOffloadTest, OpensNothingForAShortRun) {
  int opened = 0;
  const TenPairs pairs;
  {
    LazyOffload offload([&] { return ++opened, OpenEmulated(); }, 2001);
    EXPECT_EQ(pairs.OfferTo(offload), nullptr);
    EXPECT_EQ(pairs.OfferTo(offload), nullptr);
    EXPECT_EQ(offload.Report().device, "");
    EXPECT_EQ(offload.Report().cpu_sooner.pairs, 0u);
  }
  EXPECT_EQ(opened, 0);
}

TEST(LazyOffloadTest, OpensOnceBesideALongRun) {
  std::atomic<int> opened = 0;
  const TenPairs pairs;
  LazyOffload offload([&] { return ++opened, OpenEmulated(); }, 2000);
  std::uint64_t on_cpu = 0;
  std::unique_ptr<PairOffload::Handle> share;
  while (share == nullptr) {
    share = pairs.OfferTo(offload);
    if (share == nullptr) on_cpu += 10;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_GE(on_cpu, 20u);
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(share->Distances().size(), 10u);
  share.reset();
  const DeviceReport summary = offload.Report();
  EXPECT_EQ(summary.device, "emulated");
  EXPECT_EQ(summary.on_device.pairs, 10u);
  EXPECT_EQ(summary.cpu_sooner.pairs, on_cpu);
  EXPECT_EQ(summary.cpu_sooner.cells, on_cpu * 100);
}

TEST(LazyOffloadTest, GoesOnWithoutADevice) {
  const TenPairs pairs;
  LazyOffload offload([] { return std::unique_ptr<PairOffload>(); }, 0);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(pairs.OfferTo(offload), nullptr);
  EXPECT_EQ(offload.Report().device, "");
}

}  // namespace
}  // namespace leafscore::internal
