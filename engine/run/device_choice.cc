#include "engine/run/device_choice.h"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <utility>

#include "engine/suggest.h"
#include "leafscore/error.h"

#if defined(LEAFSCORE_HAVE_CUDA)
#include "engine/gpu/gpu_offload.h"
#include "kernels/gpu/cuda_device.h"
#endif

namespace leafscore {
namespace {

class NoDevice final : public PairOffload {
 public:
  explicit NoDevice(std::string warning) { summary_.warning = std::move(warning); }

  std::unique_ptr<Share> Take(const StringColumn&, const StringColumn&, std::uint64_t) override {
    return nullptr;
  }
  DeviceSummary Summary() const override { return summary_; }

 private:
  DeviceSummary summary_;
};

// Returns the number behind "cuda" or "cuda:". ERRORS: Error(kUsage) when there is none.
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
std::unique_ptr<PairOffload> OpenCuda(int ordinal, std::uint64_t memory_bytes, bool is_asked_for) {
  std::string error;
  std::unique_ptr<gpu::GpuDevice> device = gpu::OpenCudaDevice(ordinal, error);
  if (device != nullptr) {
    return std::make_unique<GpuOffload>(std::move(device), memory_bytes,
                                        is_asked_for ? OffloadPolicy::kAlways : OffloadPolicy::kWhenSooner);
  }
  if (!is_asked_for) return nullptr;
  return std::make_unique<NoDevice>(
      fmt::format("GPU {} cannot be used ({}); the CPU computes all distances", ordinal, error));
}
#else
std::unique_ptr<PairOffload> OpenCuda(int /*ordinal*/, std::uint64_t /*memory_bytes*/, bool is_asked_for) {
  if (!is_asked_for) return nullptr;
  return std::make_unique<NoDevice>(
      "this leafscore was built without CUDA (its preset cuda has it); the CPU computes all distances");
}
#endif

}  // namespace

std::unique_ptr<PairOffload> OpenDevice(std::string_view name, std::uint64_t gpu_memory_bytes) {
  if (name == "cpu") return nullptr;
  if (name == "auto") return OpenCuda(0, gpu_memory_bytes, false);
  return OpenCuda(OrdinalOf(name), gpu_memory_bytes, true);
}

}  // namespace leafscore
