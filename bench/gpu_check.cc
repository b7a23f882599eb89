// Checks that a GPU computes the distances that the CPU computes, then measures both. It needs none of the
// engine's dependencies: bench/gpu_check.sh builds it. See kHelp for how to call it.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/gpu_pairs.h"
#include "bench/gpu_rates.h"
#include "engine/distance/kernel_memory.h"
#include "kernels/gpu/emulated_device.h"
#include "tests/kernels/distance_cases.h"
#include "tests/kernels/random_text.h"
#include "tests/kernels/string_reference.h"
#ifdef LEAFSCORE_HAVE_CUDA
#include "kernels/gpu/cuda_device.h"
#endif

namespace leafscore::internal::gpu {
namespace {

constexpr const char* kHelp =
    R"(gpu_check [--emulated] [--small] [--check] [--only=NAME] [--device=N]: checks distances on a GPU, then
measures

  --emulated  on a GPU emulated by the CPU, which checks the same code and measures nothing of interest; --small
  --small     leaves out what takes more than seconds
  --check     does not measure
  --only=NAME measures the pairs whose name begins so, and checks no others
  --device=N  the GPU to use (0)

Exit status: 0 fine, 1 a wrong distance or a failing GPU, 2 usage, 77 no GPU.
)";
constexpr int kUsage = 2, kNoGpu = 77;

struct Options {
  bool emulated = false;
  bool small = false;
  bool measures = true;
  std::string only;
  int ordinal = 0;
};

// Checks pairs of code points: the CPU's kernels against the two-row programme, unless that takes too long,
// and the GPU against the CPU's kernels.
void CheckPairs(GpuDevice& device, const std::string& name, const DistanceCase::Pairs& pairs) {
  constexpr std::uint64_t kMostTwoRowCells = 1 << 20;
  constexpr std::uint64_t kFewCells = 1'000;
  StringColumnBuilder left, right;
  for (const auto& [a, b] : pairs) {
    left.Append(ToUtf8(a));
    right.Append(ToUtf8(b));
  }
  const Part part = All(left, right);
  std::vector<std::uint32_t> expected(pairs.size());
  KernelScratch scratch;
  RunOnCpu(part, expected.data(), scratch);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& [a, b] = pairs[i];
    if (std::uint64_t{a.size()} * b.size() > kMostTwoRowCells) continue;
    const std::uint32_t distance = reference::TwoRowDistance(a, b);
    ExpectDistances(part.Of(i, i + 1), &expected[i], &distance, name + " on the CPU");
  }
  const std::unique_ptr<GpuSlot> slot = MakeSlot(device, 0, CapacityFor(part));
  for (const std::uint64_t max_cells : {kNoLimit, kFewCells}) {
    Fill(*slot, part);
    RunFilled(device, *slot, pairs.size(), max_cells);
    ExpectDistances(part, slot->distance(), expected.data(), name, max_cells);
  }
}

void CheckAll(GpuDevice& device, const Options& options) {
  constexpr double kFewCells = 1 << 24;
  // The one large case that small checks have too, for the launches that work strip by strip.
  constexpr std::string_view kStrips = "around_two_strips_of_a_group";
  std::size_t cases = 0, pairs_checked = 0, left_out = 0;
  for (const DistanceCase& distance_case : DistanceCases()) {
    const DistanceCase::Pairs pairs = distance_case.make();
    double cells = 0;
    for (const auto& [a, b] : pairs) cells += static_cast<double>(a.size()) * static_cast<double>(b.size());
    if (options.small && cells > kFewCells && distance_case.name != kStrips) {
      ++left_out;
      continue;
    }
    CheckPairs(device, distance_case.name, pairs);
    ++cases;
    pairs_checked += pairs.size();
  }
  const std::uint32_t batches = options.small ? 4 : 40;
  const std::size_t batch_pairs = options.small ? 500 : 20'000;
  for (std::uint32_t seed = 100; seed < 100 + batches; ++seed) {
    CheckPairs(device, "random batch " + std::to_string(seed), AllClassesMixed(seed, batch_pairs));
  }
  std::printf("Exact: %zu cases of %zu pairs (%zu cases left out), %u random batches of %zu pairs.\n", cases,
              pairs_checked, left_out, batches, batch_pairs);
}

std::optional<Options> Parse(std::span<char*> arguments) {
  Options options;
  for (const std::string_view argument : arguments) {
    if (argument == "--emulated") {
      options.emulated = options.small = true;
    } else if (argument == "--small") {
      options.small = true;
    } else if (argument == "--check") {
      options.measures = false;
    } else if (argument.starts_with("--only=")) {
      options.only = argument.substr(std::strlen("--only="));
    } else if (argument.starts_with("--device=")) {
      options.ordinal = std::atoi(argument.data() + std::strlen("--device="));
    } else {
      return std::nullopt;
    }
  }
  return options;
}

std::unique_ptr<GpuDevice> Open(const Options& options, std::string& error) {
  if (options.emulated) return std::make_unique<EmulatedDevice>();
#ifdef LEAFSCORE_HAVE_CUDA
  return OpenCudaDevice(options.ordinal, error);
#else
  error = "this program was built without CUDA";
  return nullptr;
#endif
}

int Main(std::span<char*> arguments) {
  const std::optional<Options> options = Parse(arguments);
  if (!options) {
    std::fputs(kHelp, stderr);
    return kUsage;
  }
  std::string error;
  const std::unique_ptr<GpuDevice> device = Open(*options, error);
  if (device == nullptr) {
    std::printf("gpu_check: no GPU to check: %s (--emulated checks the same code on the CPU)\n",
                error.c_str());
    return kNoGpu;
  }
  if (options->only.empty()) CheckAll(*device, *options);
  if (options->measures) PrintGpuRates(*device, options->small, options->only);
  return 0;
}

}  // namespace
}  // namespace leafscore::internal::gpu

int main(int count, char** arguments) {
  return leafscore::internal::gpu::Main({arguments + 1, static_cast<std::size_t>(count - 1)});
}
