#include "engine/distance/gpu/device_costs.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <limits>
#include <vector>

#include "engine/distance/kernel_memory.h"
#include "kernels/levenshtein.h"
#include "kernels/string_column.h"

namespace leafscore::internal {
namespace {

// The least value of a measured rate, so that no rate is zero.
constexpr double kLeastSeconds = 1e-15;

template <class Work>
double SecondsOf(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double Rate(double seconds, double amount) { return std::max(seconds / amount, kLeastSeconds); }

// Pairs in a slot. Each string has `size` characters. The strings of a pair are equal, or differ in every
// character.
class Sample {
 public:
  Sample(gpu::GpuSlot& slot, std::uint32_t pairs, std::uint32_t size, bool equal)
      : slot_(slot),
        pairs_(std::min({pairs, slot.capacity().pairs,
                         (slot.capacity().column_bytes - 2 * std::uint32_t{kStringPadding}) / size})),
        size_(size) {
    const std::vector<std::uint8_t> left(size, 'a');
    const std::vector<std::uint8_t> right(size, equal ? 'a' : 'b');
    staging_seconds_ = SecondsOf([&] {
      for (std::uint32_t i = 0; i <= pairs_; ++i) {
        const std::uint32_t offset = static_cast<std::uint32_t>(kStringPadding) + i * size;
        slot.left_offsets()[i] = slot.right_offsets()[i] = offset;
        if (i == pairs_) break;
        std::memcpy(slot.left_bytes() + offset, left.data(), size);
        std::memcpy(slot.right_bytes() + offset, right.data(), size);
      }
    });
  }

  double pairs() const { return pairs_; }
  double bytes() const { return 2.0 * pairs_ * size_; }
  double cells() const { return 1.0 * pairs_ * size_ * size_; }
  double staging_seconds() const { return staging_seconds_; }

  // Runs the pairs twice, and measures the second run, because the first one is slower. RETURNS: whether both
  // runs succeeded.
  bool RunOnGpu(double& seconds) {
    bool went_well = true;
    for (int i = 0; i < 2; ++i) {
      seconds = SecondsOf(
          [&] { went_well = went_well && slot_.Run(pairs_, std::numeric_limits<std::uint64_t>::max()); });
    }
    return went_well;
  }

  double SecondsOnCpu() {
    const StringColumn left{slot_.left_bytes(), slot_.left_offsets(), pairs_};
    const StringColumn right{slot_.right_bytes(), slot_.right_offsets(), pairs_};
    std::vector<std::uint32_t> distances(pairs_);
    KernelScratch scratch;
    double seconds = 0;
    for (int i = 0; i < 2; ++i) {
      seconds = SecondsOf([&] {
        LevenshteinBatch(left, right, distances, scratch.OfSize(LevenshteinScratchBytes(left, right)));
      });
    }
    return seconds;
  }

 private:
  gpu::GpuSlot& slot_;
  std::uint32_t pairs_;
  std::uint32_t size_;
  double staging_seconds_ = 0;
};

}  // namespace

bool MeasureCosts(gpu::GpuSlot& slot, DeviceCosts& costs) {
  constexpr std::uint32_t kMany = 1 << 16;
  double launch = 0;
  if (!Sample(slot, 1, 16, true).RunOnGpu(launch)) return false;
  Sample equal(slot, kMany, 256, true);
  double copying = 0;
  if (!equal.RunOnGpu(copying)) return false;
  Sample different(slot, kMany, 256, false);
  double computing = 0;
  if (!different.RunOnGpu(computing)) return false;
  costs.launch = launch;
  costs.staged_byte = Rate(different.staging_seconds(), different.bytes());
  costs.gpu_byte = Rate(copying - launch, equal.bytes());
  costs.gpu_cell = Rate(computing - copying, different.cells());

  // Only one core of the CPU is measured, so a few pairs are enough.
  Sample few(slot, 2000, 256, false);
  costs.cpu_cell = Rate(few.SecondsOnCpu(), few.cells());
  Sample small(slot, 10'000, 4, false);
  costs.cpu_pair = Rate(small.SecondsOnCpu(), small.pairs());
  return true;
}

std::uint32_t PairOctaves::OctaveOf(std::uint64_t cells) {
  return cells == 0 ? 0 : static_cast<std::uint32_t>(std::bit_width(cells) - 1);
}

void PairOctaves::Add(std::uint64_t bytes, std::uint64_t cells) {
  Octave& octave = octaves[OctaveOf(cells)];
  ++octave.pairs;
  octave.bytes += bytes;
  octave.cells += cells;
}

double GpuSeconds(const DeviceCosts& costs, std::uint64_t bytes, std::uint64_t cells) {
  return static_cast<double>(bytes) * costs.gpu_byte + static_cast<double>(cells) * costs.gpu_cell;
}

std::uint32_t FirstOctaveForGpu(const PairOctaves& pairs, const DeviceCosts& costs, double backlog) {
  double cpu = 0;
  for (const PairOctaves::Octave& octave : pairs.octaves) {
    cpu += static_cast<double>(octave.pairs) * costs.cpu_pair +
           static_cast<double>(octave.cells) * costs.cpu_cell;
  }
  double soonest = cpu;
  std::uint32_t best = PairOctaves::kCount;
  double gpu = backlog + costs.launch;
  for (std::uint32_t first = PairOctaves::kCount; first-- > 0;) {
    const PairOctaves::Octave& octave = pairs.octaves[first];
    if (octave.pairs == 0) continue;
    cpu += static_cast<double>(octave.bytes) * costs.staged_byte -
           static_cast<double>(octave.pairs) * costs.cpu_pair -
           static_cast<double>(octave.cells) * costs.cpu_cell;
    gpu += GpuSeconds(costs, octave.bytes, octave.cells);
    const double done = std::max(cpu, gpu);
    if (done < soonest) {
      soonest = done;
      best = first;
    }
  }
  return best;
}

}  // namespace leafscore::internal
