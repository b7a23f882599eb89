#include "engine/run/device_choice.h"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <utility>

#include "engine/base/suggest.h"
#include "leafscore/error.h"

#if defined(LEAFSCORE_HAVE_CUDA)
#include "engine/distance/gpu/gpu_offload.h"
#include "engine/distance/gpu/lazy_offload.h"
#include "kernels/gpu/cuda_device.h"
#endif

namespace leafscore::internal {
namespace {

class NoDevice final : public PairOffload {
 public:
  explicit NoDevice(std::string warning) { summary_.warning = std::move(warning); }

  std::unique_ptr<Handle> Take(const StringColumn&, const StringColumn&, std::uint64_t) override {
    return nullptr;
  }
  DeviceReport Report() const override { return summary_; }

 private:
  DeviceReport summary_;
};

// Returns N for "cuda:N", and 0 for "cuda". ERRORS: Error(kUsage) for any other name.
int OrdinalOf(std::string_view name) {
  int ordinal = 0;
  std::string_view rest = name.substr(0, 4) == "cuda" ? name.substr(4) : "?";
  if (rest.empty()) return ordinal;
  const char* const end = rest.data() + rest.size();
  const auto [stop, error] = std::from_chars(rest.data() + 1, end, ordinal);
  if (rest[0] != ':' || error != std::errc() || stop != end || ordinal < 0) {
    throw Error(ErrorCode::kUsage, fmt::format("--device is {}; give auto, cpu, cuda or cuda:N (0 is the "
                                               "first GPU)",
                                               QuoteForMessage(name)));
  }
  return ordinal;
}

#if defined(LEAFSCORE_HAVE_CUDA)

// The cells of long texts that a core with AVX-512 computes in about a second: twice the time that CUDA takes
// to start and end.
constexpr std::uint64_t kCellsWorthOpening = 200'000'000'000;

std::unique_ptr<PairOffload> OpenCuda(int ordinal, std::uint64_t memory_bytes, OffloadPolicy policy,
                                      std::string& error) {
  std::unique_ptr<gpu::GpuDevice> device = gpu::OpenCudaDevice(ordinal, error);
  if (device == nullptr) return nullptr;
  return std::make_unique<GpuOffload>(std::move(device), memory_bytes, policy);
}

std::unique_ptr<PairOffload> OpenCudaWhenWorthIt(std::uint64_t memory_bytes, unsigned threads) {
  const auto open = [memory_bytes] {
    std::string error;  // nobody asked for a GPU, so its absence is not an error
    return OpenCuda(0, memory_bytes, OffloadPolicy::kWhenSooner, error);
  };
  return std::make_unique<LazyOffload>(open, kCellsWorthOpening * threads);
}

std::unique_ptr<PairOffload> OpenCudaAtOnce(int ordinal, std::uint64_t memory_bytes) {
  std::string error;
  if (auto offload = OpenCuda(ordinal, memory_bytes, OffloadPolicy::kAlways, error)) return offload;
  return std::make_unique<NoDevice>(
      fmt::format("GPU {} cannot be used ({}); the CPU computes all distances", ordinal, error));
}

#else

std::unique_ptr<PairOffload> OpenCudaWhenWorthIt(std::uint64_t /*memory_bytes*/, unsigned /*threads*/) {
  return nullptr;
}

std::unique_ptr<PairOffload> OpenCudaAtOnce(int /*ordinal*/, std::uint64_t /*memory_bytes*/) {
  return std::make_unique<NoDevice>(
      "this leafscore was built without CUDA (its preset cuda has it); the CPU computes all distances");
}

#endif

}  // namespace

bool MayOpenDevice(std::string_view name) {
#if defined(LEAFSCORE_HAVE_CUDA)
  return name != "cpu";
#else
  static_cast<void>(name);
  return false;
#endif
}

std::unique_ptr<PairOffload> OpenDevice(std::string_view name, std::uint64_t gpu_memory_bytes,
                                        unsigned threads) {
  if (name == "cpu") return nullptr;
  if (name == "auto") return OpenCudaWhenWorthIt(gpu_memory_bytes, threads);
  return OpenCudaAtOnce(OrdinalOf(name), gpu_memory_bytes);
}

}  // namespace leafscore::internal
