#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <iterator>

#include "kernels/gpu/cuda_device.h"
#include "kernels/gpu/launch_batch.h"
#include "kernels/gpu/pair_group.h"

namespace leafscore::internal::gpu {
namespace {

constexpr unsigned kBlockThreads = 128;
constexpr unsigned kWarpThreads = 32;
constexpr unsigned kAllThreads = ~0u;
// The number of streams that the classes of a batch share. Most classes have few pairs or no pairs, and even
// a launch without work takes 4 us.
constexpr std::size_t kClassStreams = 4;

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
  template <typename T>
  __device__ T* OfLastLane(T* value) const {
    const auto bits = reinterpret_cast<unsigned long long>(value);
    return reinterpret_cast<T*>(__shfl_sync(kAllThreads, bits, kLanes - 1, kLanes));
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
    RunPair<kClass, WarpGroup<kClass>>(plan, batch.PacketsOf(pair), batch.distance + pair);
  }
}

// A stream, and the streams beside it, in which classes run.
struct StreamGroup {
  cudaStream_t stream = nullptr;
  cudaStream_t beside[kClassStreams - 1] = {};
  cudaEvent_t planned = nullptr;
  cudaEvent_t done[kClassStreams - 1] = {};  // the classes of each stream beside are done
};

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

  // Returns whether a call succeeded, and stores the first failure.
  bool Went(cudaError_t result) noexcept {
    if (result == cudaSuccess) return true;
    cudaGetLastError();  // clears the error, which the thread's next launch would return
    cudaError_t none = cudaSuccess;
    error_.compare_exchange_strong(none, result);
    return false;
  }
  // Makes this GPU the current device of the calling thread.
  bool Use() noexcept { return Went(cudaSetDevice(ordinal_)); }

 private:
  int ordinal_;
  std::string name_;
  unsigned blocks_ = 0;  // the most blocks of a launch
  StreamGroup streams_[kStreams];
  std::atomic<cudaError_t> error_ = cudaSuccess;
};

class CudaLauncher {
 public:
  CudaLauncher(CudaDevice& device, const StreamGroup& streams, unsigned blocks)
      : device_(device), streams_(streams), blocks_(blocks) {}

  bool Clear(std::uint32_t* array, std::size_t count) const {
    return device_.Went(cudaMemsetAsync(array, 0, count * sizeof *array, streams_.stream));
  }

  template <typename Function>
  bool ForEach(std::uint32_t count, const Function& function) const {
    RunEach<<<BlocksFor(count), kBlockThreads, 0, streams_.stream>>>(count, function);
    return device_.Went(cudaGetLastError());
  }

  bool BeginClasses() const {
    bool went = device_.Went(cudaEventRecord(streams_.planned, streams_.stream));
    for (cudaStream_t beside : streams_.beside) {
      went = went && device_.Went(cudaStreamWaitEvent(beside, streams_.planned, 0));
    }
    return went;
  }

  // Only the GPU knows how many pairs the class has, so the grid has room for all pairs of the batch.
  template <std::uint32_t kClass>
  bool RunClass(const GpuBatch& batch) const {
    constexpr std::size_t kStream = kClass % kClassStreams;
    const cudaStream_t stream = kStream == 0 ? streams_.stream : streams_.beside[kStream - 1];
    RunPairs<kClass>
        <<<BlocksFor(batch.left.size * ClassKernel<kClass>::kShape.lanes), kBlockThreads, 0, stream>>>(batch);
    return device_.Went(cudaGetLastError());
  }

  bool EndClasses() const {
    bool went = true;
    for (std::size_t i = 0; i + 1 < kClassStreams; ++i) {
      went = went && device_.Went(cudaEventRecord(streams_.done[i], streams_.beside[i])) &&
             device_.Went(cudaStreamWaitEvent(streams_.stream, streams_.done[i], 0));
    }
    return went;
  }

 private:
  unsigned BlocksFor(std::size_t threads) const {
    return static_cast<unsigned>(
        std::clamp<std::size_t>((threads + kBlockThreads - 1) / kBlockThreads, 1, blocks_));
  }

  CudaDevice& device_;
  const StreamGroup& streams_;
  unsigned blocks_;
};

CudaDevice::~CudaDevice() {
  if (cudaSetDevice(ordinal_) != cudaSuccess) return;
  for (const StreamGroup& group : streams_) {
    if (group.stream != nullptr) cudaStreamDestroy(group.stream);
    if (group.planned != nullptr) cudaEventDestroy(group.planned);
    for (cudaStream_t stream : group.beside) {
      if (stream != nullptr) cudaStreamDestroy(stream);
    }
    for (cudaEvent_t event : group.done) {
      if (event != nullptr) cudaEventDestroy(event);
    }
  }
}

bool CudaDevice::Open() noexcept {
  cudaDeviceProp properties;
  if (!Use() || !Went(cudaGetDeviceProperties(&properties, ordinal_))) return false;
  if (properties.major < 8) return Went(cudaErrorNoKernelImageForDevice);
  name_ = properties.name;
  blocks_ = static_cast<unsigned>(properties.multiProcessorCount * properties.maxThreadsPerMultiProcessor) /
            kBlockThreads;
  const auto make_stream = [&](cudaStream_t& stream) {
    return Went(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  };
  const auto make_event = [&](cudaEvent_t& event) {
    return Went(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  };
  for (StreamGroup& group : streams_) {
    if (!make_stream(group.stream) || !make_event(group.planned) ||
        !std::all_of(std::begin(group.beside), std::end(group.beside), make_stream) ||
        !std::all_of(std::begin(group.done), std::end(group.done), make_event)) {
      return false;
    }
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
  return Use() && Went(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, streams_[stream].stream));
}

bool CudaDevice::CopyOut(void* host, const void* device, std::size_t bytes, int stream) noexcept {
  return Use() && Went(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, streams_[stream].stream));
}

bool CudaDevice::Launch(const GpuBatch& batch, int stream) noexcept {
  CudaLauncher launcher(*this, streams_[stream], blocks_);
  return Use() && LaunchBatch(batch, launcher);
}

bool CudaDevice::Wait(int stream) noexcept {
  return Use() && Went(cudaStreamSynchronize(streams_[stream].stream));
}

std::string CudaDevice::error() const {
  const cudaError_t error = error_;
  return error == cudaSuccess ? "" : cudaGetErrorString(error);
}

}  // namespace

std::unique_ptr<GpuDevice> OpenCudaDevice(int ordinal, std::string& error) {
  auto device = std::make_unique<CudaDevice>(ordinal);
  if (device->Open()) return device;
  // Without a driver, CUDA's own message says that the driver is too old.
  int driver = 0;
  error = cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0 ? "no NVIDIA driver is installed"
                                                                      : device->error();
  return nullptr;
}

}  // namespace leafscore::internal::gpu
