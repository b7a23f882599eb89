#include "bench/gpu_rates.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bench/gpu_pairs.h"
#include "bench/string_workloads.h"
#include "engine/distance/kernel_memory.h"
#include "kernels/gpu/gpu_slot.h"

namespace leafscore::internal::gpu {
namespace {

// A batch in the memory of a GPU; owns it.
class ResidentBatch {
 public:
  ResidentBatch(GpuDevice& device, const Part& part) : device_(device), part_(part) {
    ScratchArena counting(nullptr);
    Take(counting);
    memory_ = static_cast<std::byte*>(device.Allocate(counting.used()));
    if (memory_ == nullptr) Fail(device, "taking memory");
    ScratchArena arena(memory_);
    Take(arena);
    CopyIn(batch_.left, part.left);
    CopyIn(batch_.right, part.right);
    if (!device.Wait(0)) Fail(device, "copying");
  }
  ~ResidentBatch() { device_.Free(memory_); }
  ResidentBatch(const ResidentBatch&) = delete;
  ResidentBatch& operator=(const ResidentBatch&) = delete;

  void Launch() {
    if (!device_.Launch(batch_, 0)) Fail(device_, "a launch");
  }
  std::vector<std::uint32_t> Distances() {
    std::vector<std::uint32_t> distances(part_.size());
    if (!device_.CopyOut(distances.data(), batch_.distance, distances.size() * sizeof(std::uint32_t), 0) ||
        !device_.Wait(0)) {
      Fail(device_, "a batch");
    }
    return distances;
  }

 private:
  void Take(ScratchArena& arena) {
    const std::uint32_t left_end = part_.left.offsets[part_.left.size];
    const std::uint32_t right_end = part_.right.offsets[part_.right.size];
    const auto take_column = [&](const StringColumn& column, std::uint32_t end) {
      const std::uint8_t* bytes = arena.Take<std::uint8_t>(end + kStringPadding);
      const std::uint32_t* offsets = arena.Take<std::uint32_t>(column.size + 1);
      return StringColumn{bytes, offsets, column.size};
    };
    batch_.left = take_column(part_.left, left_end);
    batch_.right = take_column(part_.right, right_end);
    batch_.distance = arena.Take<std::uint32_t>(part_.size());
    batch_.TakeScratch(arena, part_.size(), left_end, right_end);
  }
  void CopyIn(const StringColumn& to, const StringColumn& from) {
    const auto copy = [&](const void* device, const void* host, std::size_t bytes) {
      if (!device_.CopyIn(const_cast<void*>(device), host, bytes, 0)) Fail(device_, "copying");
    };
    copy(to.bytes, from.bytes, from.offsets[from.size] + kStringPadding);
    copy(to.offsets, from.offsets, (from.size + 1) * sizeof(std::uint32_t));
  }

  GpuDevice& device_;
  Part part_;
  GpuBatch batch_;
  std::byte* memory_ = nullptr;
};

double Seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Returns the seconds of the fastest of some rounds.
double FastestSeconds(int rounds, const std::function<void()>& work) {
  double fastest = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) fastest = std::min(fastest, Seconds(work));
  return fastest;
}

void OnThreads(int threads, const std::function<void(int)>& work) {
  std::vector<std::jthread> running;
  for (int thread = 0; thread < threads; ++thread) running.emplace_back(work, thread);
}

// Returns the bytes a second of copies from page-locked memory to the GPU.
double CopyRate(GpuDevice& device, std::size_t bytes, int rounds) {
  void* host = device.AllocateOnHost(bytes);
  void* memory = device.Allocate(bytes);
  if (host == nullptr || memory == nullptr) Fail(device, "taking memory");
  std::memset(host, 1, bytes);
  const double seconds = FastestSeconds(rounds + 1, [&] {
    if (!device.CopyIn(memory, host, bytes, 0) || !device.Wait(0)) Fail(device, "copying");
  });
  device.Free(memory);
  device.FreeOnHost(host);
  return static_cast<double>(bytes) / seconds;
}

class Measurement {
 public:
  Measurement(GpuDevice& device, bool small)
      : device_(device),
        rounds_(small ? 1 : 5),
        column_bytes_(small ? 1 << 12 : 64 << 20),
        cpu_threads_(std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
        copy_rate_(CopyRate(device, small ? 1 << 20 : 256 << 20, rounds_)) {}

  void Run(const std::string& cpu_name, std::string_view only) {
    std::printf("\nGPU: %s, %.1f GB/s from page-locked memory. CPU: %s, %d threads, %s.\n\n",
                device_.name().c_str(), copy_rate_ / 1e9, cpu_name.c_str(), cpu_threads_,
                std::string(IsaName(ActiveIsa())).c_str());
    std::printf(
        "M/s: million pairs a second. Resident: pairs in the GPU's memory; host: in page-locked memory, "
        "copies\n"
        "included, with their share of the copy rate. CPU, GPU and both take pairs from ordinary memory.\n\n"
        "| pairs | resident T cells/s | goal | resident M/s | host M/s | share | goal | CPU, 1 thread M/s | "
        "CPU, all M/s | GPU M/s | both M/s |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (const StringWorkload& workload : MakeStringWorkloads()) {
      if (workload.name.starts_with(only)) Measure(workload);
    }
  }

 private:
  // Prints a line of the table.
  void Measure(const StringWorkload& workload) {
    // The pairs again and again until they fill the GPU; of a small measurement only the first of them.
    StringColumnBuilder left, right;
    std::size_t pairs = 0;
    double cells = 0;
    for (std::size_t bytes = 0; bytes < column_bytes_; ++pairs) {
      const std::size_t i = pairs % workload.size();
      left.Append(workload.left.text(i));
      right.Append(workload.right.text(i));
      bytes += workload.left.text(i).size();
      cells += static_cast<double>(workload.left_points[i].size()) *
               static_cast<double>(workload.right_points[i].size());
    }
    const Part all = All(left, right);
    std::vector<std::uint32_t> expected(pairs);
    const std::size_t different = std::min(pairs, workload.size());
    KernelScratch scratch;
    RunOnCpu(all.Of(0, different), expected.data(), scratch);
    for (std::size_t i = different; i < pairs; ++i) expected[i] = expected[i - different];

    const double resident = ResidentSeconds(all, expected, workload.name);
    const double host = HostSeconds(all, expected, workload.name);
    const double host_bytes =
        all.left.offsets[pairs] + all.right.offsets[pairs] + 8.0 * static_cast<double>(pairs);
    const double cpu =
        FastestSeconds(rounds_, [&] { RunOnCpu(all.Of(0, different), expected.data(), scratch); });
    const int beside_gpu = std::max(1, cpu_threads_ - kStreams);
    const double all_cpu = SharedSeconds(all, expected, workload.name, cpu_threads_, 0);
    const double gpu = SharedSeconds(all, expected, workload.name, 0, kStreams);
    const double both = SharedSeconds(all, expected, workload.name, beside_gpu, kStreams);

    const auto rate = [&](double seconds) { return static_cast<double>(pairs) / seconds / 1e6; };
    std::printf("| %s | %.3g | %s | %.3g | %.3g | %.0f%% | %s | %.3g | %.3g | %.3g | %.3g |\n",
                workload.name.c_str(), cells / resident / 1e12, CellGoal(workload.name), rate(resident),
                rate(host), 100 * host_bytes / host / copy_rate_, ShareGoal(workload.name),
                static_cast<double>(different) / cpu / 1e6, rate(all_cpu), rate(gpu), rate(both));
    std::fflush(stdout);
  }

  static const char* CellGoal(std::string_view name) {
    return name == "ascii-32" ? "3" : name == "ascii-100" ? "6" : name == "ascii-1000" ? "12" : "";
  }
  static const char* ShareGoal(std::string_view name) {
    return name.starts_with("ascii") && name != "ascii-1000" && name != "ascii-5000" ? "80%" : "";
  }

  double ResidentSeconds(const Part& all, const std::vector<std::uint32_t>& expected,
                         const std::string& name) {
    constexpr int kLaunches = 4;  // one after the other, so that the host's part does not show
    ResidentBatch batch(device_, all);
    batch.Launch();
    ExpectDistances(all, batch.Distances().data(), expected.data(), name + " in the GPU's memory");
    return FastestSeconds(rounds_,
                          [&] {
                            for (int i = 0; i < kLaunches; ++i) batch.Launch();
                            if (!device_.Wait(0)) Fail(device_, "a batch");
                          }) /
           kLaunches;
  }

  // The pairs in page-locked memory, in a slot for each stream, which take turns.
  double HostSeconds(const Part& all, const std::vector<std::uint32_t>& expected, const std::string& name) {
    std::vector<Part> parts;
    std::vector<std::unique_ptr<GpuSlot>> slots;
    for (std::size_t stream = 0; stream < kStreams; ++stream) {
      parts.push_back(all.Of(all.size() * stream / kStreams, all.size() * (stream + 1) / kStreams));
      slots.push_back(MakeSlot(device_, static_cast<int>(stream), CapacityFor(parts.back())));
      Fill(*slots.back(), parts.back());
      RunFilled(device_, *slots.back(), parts.back().size());
      ExpectDistances(parts.back(), slots.back()->distance(), expected.data() + parts.back().begin,
                      name + " in page-locked memory");
    }
    return Seconds([&] {
             OnThreads(kStreams, [&](int stream) {
               for (int i = 0; i < 2 * rounds_; ++i) {
                 RunFilled(device_, *slots[static_cast<std::size_t>(stream)],
                           parts[static_cast<std::size_t>(stream)].size());
               }
             });
           }) /
           (2 * rounds_);
  }

  // The pairs in ordinary memory, shared by so many threads for the CPU's kernels and for the GPU's: each
  // takes the next few, the GPU more of them at once.
  double SharedSeconds(const Part& all, const std::vector<std::uint32_t>& expected, const std::string& name,
                       int cpu_threads, int gpu_threads) {
    const std::size_t gpu_pairs = std::max<std::size_t>(1, all.size() / 16);
    const std::size_t cpu_pairs = std::max<std::size_t>(1, all.size() / 1024);
    // Strings differ in length, so any part may hold most of the bytes.
    SlotCapacity capacity = CapacityFor(all);
    capacity.pairs = static_cast<std::uint32_t>(gpu_pairs);
    std::vector<std::unique_ptr<GpuSlot>> slots;
    for (int stream = 0; stream < gpu_threads; ++stream) slots.push_back(MakeSlot(device_, stream, capacity));
    std::vector<std::uint32_t> distances(all.size());
    const double seconds = FastestSeconds(rounds_, [&] {
      std::atomic<std::size_t> next = 0;
      const auto take = [&](std::size_t pairs) {
        const std::size_t begin = std::min(next.fetch_add(pairs), all.size());
        return all.Of(begin, std::min(begin + pairs, all.size()));
      };
      OnThreads(cpu_threads + gpu_threads, [&](int thread) {
        KernelScratch scratch;
        if (thread < gpu_threads) {
          GpuSlot& slot = *slots[static_cast<std::size_t>(thread)];
          for (Part part = take(gpu_pairs); part.size() != 0; part = take(gpu_pairs)) {
            Fill(slot, part);
            RunFilled(device_, slot, part.size());
            std::copy_n(slot.distance(), part.size(), distances.data() + part.begin);
          }
        } else {
          for (Part part = take(cpu_pairs); part.size() != 0; part = take(cpu_pairs)) {
            RunOnCpu(part, distances.data() + part.begin, scratch);
          }
        }
      });
    });
    ExpectDistances(all, distances.data(), expected.data(), name + " shared");
    return seconds;
  }

  GpuDevice& device_;
  int rounds_;
  std::size_t column_bytes_;
  int cpu_threads_;
  double copy_rate_;
};

std::string CpuName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

}  // namespace

void PrintGpuRates(GpuDevice& device, bool small, std::string_view only) {
  Measurement(device, small).Run(CpuName(), only);
}

}  // namespace leafscore::internal::gpu
