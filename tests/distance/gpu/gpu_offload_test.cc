// Batches that share their pairs with a GPU, which is emulated: the distances are those of the CPU alone,
// whatever the GPU takes, and whichever of its calls fails.
#include "engine/distance/gpu/gpu_offload.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/distance/string_pairs.h"
#include "kernels/gpu/emulated_device.h"
#include "tests/distance/run_sequentially.h"
#include "tests/kernels/random_text.h"

namespace leafscore::internal {
namespace {

constexpr std::uint64_t kSmallMemory = 4 << 20;

void Fill(std::uint32_t seed, std::uint32_t count, StringPairs& pairs) {
  constexpr Alphabet kAlphabets[] = {{"ascii", U' ', 95}, {"cyrillic", 0x430, 32}, {"cjk", 0x4E00, 3000}};
  RandomText random(seed);
  pairs.Clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    const Alphabet& alphabet = kAlphabets[random.Below(3)];
    const std::u32string base = random.String(alphabet, random.Below(30) == 0 ? 400 : random.Below(60));
    std::u32string other = base;
    for (std::uint32_t edits = random.Below(6); edits > 0; --edits) random.Edit(alphabet, other);
    pairs.Append(ToUtf8(base), ToUtf8(other), i);
  }
}

std::vector<std::uint32_t> DistancesOf(StringPairs& pairs, PairOffload* offload,
                                       std::uint64_t max_cells = 1u << 30) {
  pairs.ComputeDistances(max_cells, RunSequentially, offload);
  std::vector<std::uint32_t> distances;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) distances.push_back(pairs.distance(i));
  return distances;
}

std::unique_ptr<GpuOffload> Emulated(std::uint32_t failing_call = gpu::EmulatedDevice::kNever,
                                     std::uint64_t memory_bytes = kSmallMemory) {
  return std::make_unique<GpuOffload>(std::make_unique<gpu::EmulatedDevice>(failing_call), memory_bytes,
                                      OffloadPolicy::kAlways);
}

std::uint64_t PairsOf(const DeviceReport& summary) {
  return summary.on_device.pairs + summary.cpu_sooner.pairs + summary.no_room.pairs + summary.too_long.pairs +
         summary.failed.pairs;
}

TEST(GpuOffloadTest, GivesTheDistancesOfTheCpu) {
  const auto offload = Emulated();
  StringPairs pairs;
  std::uint64_t count = 0;
  for (const std::uint32_t size : {0, 1, 2, 100, 1000}) {
    Fill(size, size, pairs);
    const std::vector<std::uint32_t> expected = DistancesOf(pairs, nullptr);
    EXPECT_EQ(DistancesOf(pairs, offload.get()), expected);
    count += size;
  }
  const DeviceReport summary = offload->Report();
  EXPECT_EQ(summary.on_device.pairs, count);
  EXPECT_EQ(PairsOf(summary), count);
  EXPECT_EQ(summary.device, "emulated");
  EXPECT_EQ(summary.warning, "");
}

// Memory of the host comes out of the budget of the run, by which that of the GPU is held.
class CountingDevice final : public gpu::GpuDevice {
 public:
  explicit CountingDevice(std::size_t& host_bytes) : host_bytes_(host_bytes) {}
  std::string name() const override { return device_.name(); }
  std::size_t FreeBytes() noexcept override { return device_.FreeBytes(); }
  void* Allocate(std::size_t bytes) noexcept override { return device_.Allocate(bytes); }
  void* AllocateOnHost(std::size_t bytes) noexcept override {
    host_bytes_ += bytes;
    return device_.AllocateOnHost(bytes);
  }
  void Free(void* memory) noexcept override { device_.Free(memory); }
  void FreeOnHost(void* memory) noexcept override { device_.FreeOnHost(memory); }
  bool CopyIn(void* device, const void* host, std::size_t bytes, int stream) noexcept override {
    return device_.CopyIn(device, host, bytes, stream);
  }
  bool CopyOut(void* host, const void* device, std::size_t bytes, int stream) noexcept override {
    return device_.CopyOut(host, device, bytes, stream);
  }
  bool Launch(const gpu::GpuBatch& batch, int stream) noexcept override {
    return device_.Launch(batch, stream);
  }
  bool Wait(int stream) noexcept override { return device_.Wait(stream); }
  std::string error() const override { return device_.error(); }

 private:
  gpu::EmulatedDevice device_;
  std::size_t& host_bytes_;
};

TEST(GpuOffloadTest, TakesNoMoreOfTheHostThanOfTheDevice) {
  for (const std::uint64_t memory_bytes : {std::uint64_t{1} << 20, kSmallMemory, std::uint64_t{64} << 20}) {
    std::size_t host_bytes = 0;
    StringPairs pairs;
    Fill(7, 1000, pairs);
    const GpuOffload offload(std::make_unique<CountingDevice>(host_bytes), memory_bytes,
                             OffloadPolicy::kAlways);
    EXPECT_GT(host_bytes, 0u);
    EXPECT_LE(host_bytes, memory_bytes);
  }
}

TEST(GpuOffloadTest, ServesManyThreads) {
  const auto offload = Emulated();
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      StringPairs pairs;
      for (std::uint32_t batch = 0; batch < 20; ++batch) {
        Fill(100 * t + batch, 50 + t, pairs);
        const std::vector<std::uint32_t> expected = DistancesOf(pairs, nullptr);
        EXPECT_EQ(DistancesOf(pairs, offload.get()), expected);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(PairsOf(offload->Report()), 20u * (8 * 50 + 28));
  EXPECT_EQ(offload->Report().failed.pairs, 0u);
}

TEST(GpuOffloadTest, FallsBackWhicheverCallFails) {
  StringPairs pairs;
  Fill(1, 200, pairs);
  const std::vector<std::uint32_t> expected = DistancesOf(pairs, nullptr);
  bool failed = true;
  std::uint32_t call = 0;
  for (; failed; ++call) {
    ASSERT_LT(call, 100u);
    const auto offload = Emulated(call);
    for (int batch = 0; batch < 3; ++batch) EXPECT_EQ(DistancesOf(pairs, offload.get()), expected) << call;
    const DeviceReport summary = offload->Report();
    failed = !summary.warning.empty();
    EXPECT_EQ(PairsOf(summary), 600u) << call;
    EXPECT_EQ(summary.failed.pairs != 0, failed) << call;
    if (failed) {
      EXPECT_EQ(summary.warning, "emulated failed (the emulated failure); the CPU computes all distances");
    }
  }
  // Asking for free memory, two allocations for each slot, and seven calls for each of three launches.
  EXPECT_EQ(call - 1, 1u + 2 * gpu::kStreams + 3 * 7);
}

TEST(GpuOffloadTest, LeavesToTheCpuWhatIsTooLong) {
  const auto offload = Emulated();
  StringPairs pairs;
  pairs.Append(std::string(200, 'a'), std::string(200, 'b'), 0);
  pairs.Append("kitten", "sitting", 0);
  EXPECT_EQ(DistancesOf(pairs, offload.get(), 39'999), (std::vector<std::uint32_t>{200, 3}));
  const DeviceReport summary = offload->Report();
  EXPECT_EQ(summary.too_long.pairs, 1u);
  EXPECT_EQ(summary.too_long.cells, 40'000u);
  EXPECT_EQ(summary.on_device.pairs, 1u);
}

TEST(GpuOffloadTest, KeepsWhatThereIsNoRoomFor) {
  const auto offload = Emulated(gpu::EmulatedDevice::kNever, 1 << 20);
  StringPairs pairs;
  Fill(2, 20'000, pairs);
  const std::vector<std::uint32_t> expected = DistancesOf(pairs, nullptr);
  EXPECT_EQ(DistancesOf(pairs, offload.get()), expected);
  EXPECT_EQ(offload->Report().no_room.pairs, 20'000u);
}

TEST(GpuOffloadTest, WarnsAboutTooLittleMemory) {
  const auto offload = Emulated(gpu::EmulatedDevice::kNever, 1000);
  StringPairs pairs;
  pairs.Append("kitten", "sitting", 0);
  EXPECT_EQ(DistancesOf(pairs, offload.get()), std::vector<std::uint32_t>{3});
  EXPECT_EQ(offload->Report().warning,
            "1000 bytes of GPU memory are not enough; give more with --gpu-memory");
}

TEST(GpuOffloadTest, ComparesCostsUnlessToldToTakeAll) {
  GpuOffload offload(std::make_unique<gpu::EmulatedDevice>(), 1 << 20, OffloadPolicy::kWhenSooner);
  StringPairs pairs;
  Fill(3, 300, pairs);
  const std::vector<std::uint32_t> expected = DistancesOf(pairs, nullptr);
  EXPECT_EQ(DistancesOf(pairs, &offload), expected);
  // The emulation is slower than the CPU at everything.
  EXPECT_EQ(offload.Report().cpu_sooner.pairs, 300u);
}

}  // namespace
}  // namespace leafscore::internal
