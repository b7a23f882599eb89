#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>

#include "kernels/gpu/cuda_device.h"
#include "kernels/gpu/launch_batch.h"
#include "kernels/gpu/pair_group.h"

namespace leafscore::internal::gpu {
namespace {

constexpr unsigned kBlockThreads = 128;
constexpr unsigned kWarpThreads = 32;
constexpr unsigned kAllThreads = ~0u;

// Neighbouring threads of a warp; the other groups of the warp keep step with this one.
template <std::uint32_t kClass>
class WarpGroup {
 public:
  using LaneOfClass = typename ClassKernel<kClass>::LaneOfClass;

  template <typename Function>
  __device__ void ForEachLane(const Function& function) {
    function(lane_, threadIdx.x % kLanes);
  }
  __device__ void PassPackets() {
    if constexpr (kLanes > 1) lane_.packet = __shfl_up_sync(kAllThreads, lane_.packet, 1, kLanes);
  }
  __device__ std::uint32_t Longest(std::uint32_t steps) const {
    return __reduce_max_sync(kAllThreads, steps);
  }
  __device__ void Fence() const { __syncwarp(); }

 private:
  static constexpr unsigned kLanes = ClassKernel<kClass>::kShape.lanes;
  LaneOfClass lane_;
};

template <typename Function>
__global__ void RunEach(std::uint32_t count, Function function) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    function(i);
  }
}

template <std::uint32_t kClass>
__global__ void __launch_bounds__(kBlockThreads) RunPairs(GpuBatch batch) {
  constexpr unsigned kLanes = ClassKernel<kClass>::kShape.lanes;
  constexpr unsigned kGroupsOfWarp = kWarpThreads / kLanes;
  const std::uint32_t begin = batch.class_begin[kClass];
  const std::uint32_t count = batch.class_begin[kClass + 1] - begin;
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t warps = gridDim.x * blockDim.x / kWarpThreads;
  const std::uint32_t group_of_warp = thread % kWarpThreads / kLanes;
  for (std::uint32_t first = thread / kWarpThreads * kGroupsOfWarp; first < count;
       first += warps * kGroupsOfWarp) {
    const std::uint32_t i = first + group_of_warp;
    const std::uint32_t pair = i < count ? batch.order[begin + i] : 0;
    const PairPlan plan = i < count ? batch.plans[pair] : PairPlan{};
    RunPair<kClass, WarpGroup<kClass>>(plan, batch.distance + pair);
  }
}

class CudaDevice final : public GpuDevice {
 public:
  explicit CudaDevice(int ordinal) : ordinal_(ordinal) {}
  ~CudaDevice() override;

  // Makes the streams.
  bool Open() noexcept;

  std::string name() const override { return name_; }
  std::size_t FreeBytes() noexcept override;
  void* Allocate(std::size_t bytes) noexcept override;
  void* AllocateOnHost(std::size_t bytes) noexcept override;
  void Free(void* memory) noexcept override;
  void FreeOnHost(void* memory) noexcept override;
  bool CopyIn(void* device, const void* host, std::size_t bytes, int stream) noexcept override;
  bool CopyOut(void* host, const void* device, std::size_t bytes, int stream) noexcept override;
  bool Launch(const GpuBatch& batch, int stream) noexcept override;
  bool Wait(int stream) noexcept override;
  std::string error() const override;

  // Returns whether a call went well, and remembers the first failure.
  bool Went(cudaError_t result) noexcept {
    if (result == cudaSuccess) return true;
    cudaGetLastError();  // else the thread's next launch would be told of this failure
    cudaError_t none = cudaSuccess;
    error_.compare_exchange_strong(none, result);
    return false;
  }
  // Makes this GPU the calling thread's.
  bool Use() noexcept { return Went(cudaSetDevice(ordinal_)); }

 private:
  int ordinal_;
  std::string name_;
  unsigned blocks_ = 0;  // of a launch, at most
  cudaStream_t streams_[kStreams] = {};
  std::atomic<cudaError_t> error_ = cudaSuccess;
};

class CudaLauncher {
 public:
  CudaLauncher(CudaDevice& device, cudaStream_t stream, unsigned blocks)
      : device_(device), stream_(stream), blocks_(blocks) {}

  bool Clear(std::uint32_t* array, std::size_t count) const {
    return device_.Went(cudaMemsetAsync(array, 0, count * sizeof *array, stream_));
  }

  template <typename Function>
  bool ForEach(std::uint32_t count, const Function& function) const {
    RunEach<<<BlocksFor(count), kBlockThreads, 0, stream_>>>(count, function);
    return device_.Went(cudaGetLastError());
  }

  // Only the GPU knows how many pairs the class has, so the grid is for as many as there may be.
  template <std::uint32_t kClass>
  bool RunClass(const GpuBatch& batch) const {
    RunPairs<kClass>
        <<<BlocksFor(batch.left.size * ClassKernel<kClass>::kShape.lanes), kBlockThreads, 0, stream_>>>(
            batch);
    return device_.Went(cudaGetLastError());
  }

 private:
  unsigned BlocksFor(std::size_t threads) const {
    return static_cast<unsigned>(
        std::clamp<std::size_t>((threads + kBlockThreads - 1) / kBlockThreads, 1, blocks_));
  }

  CudaDevice& device_;
  cudaStream_t stream_;
  unsigned blocks_;
};

CudaDevice::~CudaDevice() {
  if (cudaSetDevice(ordinal_) != cudaSuccess) return;
  for (cudaStream_t stream : streams_) {
    if (stream != nullptr) cudaStreamDestroy(stream);
  }
}

bool CudaDevice::Open() noexcept {
  cudaDeviceProp properties;
  if (!Use() || !Went(cudaGetDeviceProperties(&properties, ordinal_))) return false;
  if (properties.major < 8) return Went(cudaErrorNoKernelImageForDevice);
  name_ = properties.name;
  blocks_ = static_cast<unsigned>(properties.multiProcessorCount * properties.maxThreadsPerMultiProcessor) /
            kBlockThreads;
  for (cudaStream_t& stream : streams_) {
    if (!Went(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking))) return false;
  }
  return true;
}

std::size_t CudaDevice::FreeBytes() noexcept {
  std::size_t free = 0;
  std::size_t total = 0;
  return Use() && Went(cudaMemGetInfo(&free, &total)) ? free : 0;
}

void* CudaDevice::Allocate(std::size_t bytes) noexcept {
  void* memory = nullptr;
  return Use() && Went(cudaMalloc(&memory, bytes)) ? memory : nullptr;
}

void* CudaDevice::AllocateOnHost(std::size_t bytes) noexcept {
  void* memory = nullptr;
  return Use() && Went(cudaMallocHost(&memory, bytes)) ? memory : nullptr;
}

void CudaDevice::Free(void* memory) noexcept {
  if (memory != nullptr && Use()) Went(cudaFree(memory));
}

void CudaDevice::FreeOnHost(void* memory) noexcept {
  if (memory != nullptr && Use()) Went(cudaFreeHost(memory));
}

bool CudaDevice::CopyIn(void* device, const void* host, std::size_t bytes, int stream) noexcept {
  return Use() && Went(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, streams_[stream]));
}

bool CudaDevice::CopyOut(void* host, const void* device, std::size_t bytes, int stream) noexcept {
  return Use() && Went(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, streams_[stream]));
}

bool CudaDevice::Launch(const GpuBatch& batch, int stream) noexcept {
  CudaLauncher launcher(*this, streams_[stream], blocks_);
  return Use() && LaunchBatch(batch, launcher);
}

bool CudaDevice::Wait(int stream) noexcept { return Use() && Went(cudaStreamSynchronize(streams_[stream])); }

std::string CudaDevice::error() const {
  const cudaError_t error = error_;
  return error == cudaSuccess ? "" : cudaGetErrorString(error);
}

}  // namespace

std::unique_ptr<GpuDevice> OpenCudaDevice(int ordinal, std::string& error) {
  auto device = std::make_unique<CudaDevice>(ordinal);
  if (device->Open()) return device;
  // Without a driver, CUDA's own message speaks of one that is too old.
  int driver = 0;
  error = cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0 ? "no NVIDIA driver is installed"
                                                                      : device->error();
  return nullptr;
}

}  // namespace leafscore::internal::gpu
