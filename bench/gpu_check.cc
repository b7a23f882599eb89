// Checks that a GPU computes the distances that the CPU computes, then measures both. It needs the kernels
// and the C++ standard library, nothing else. bench/gpu_check.sh builds it; see kHelp for how to call it.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bench/string_workloads.h"
#include "kernels/gpu/emulated_device.h"
#include "kernels/gpu/gpu_slot.h"
#include "kernels/levenshtein.h"
#include "tests/kernels/distance_cases.h"
#include "tests/kernels/string_reference.h"
#ifdef LEAFSCORE_HAVE_CUDA
#include "kernels/gpu/cuda_device.h"
#endif

namespace leafscore::gpu {
namespace {

constexpr const char* kHelp =
    R"(gpu_check [--emulated] [--small] [--check] [--device=N]: checks distances on a GPU, then measures

  --emulated  on a GPU emulated by the CPU, which checks the same code and measures nothing of interest; --small
  --small     leaves out what takes more than seconds
  --check     does not measure
  --device=N  the GPU to use (0)

Exit status: 0 fine, 1 a wrong distance or a failing GPU, 2 usage, 77 no GPU.
)";
constexpr int kWrong = 1, kUsage = 2, kNoGpu = 77;
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

struct Options {
  bool emulated = false;
  bool small = false;
  bool measures = true;
  int ordinal = 0;
};

// Ends the program with what the GPU says of a failure.
[[noreturn]] void Fail(const GpuDevice& device, const char* what) {
  std::printf("gpu_check: %s failed: %s\n", what, device.error().c_str());
  std::exit(kWrong);
}

struct Columns {
  OwnedColumn left, right;

  void Add(const std::string& a, const std::string& b) {
    left.Add(a);
    right.Add(b);
  }
  void AddPadding() {
    left.AddPadding();
    right.AddPadding();
  }
};

// Two columns, and pairs [begin, end) of them.
struct Part {
  StringColumn left, right;
  std::size_t begin, end;

  std::size_t size() const { return end - begin; }
  Part Of(std::size_t first, std::size_t last) const { return {left, right, begin + first, begin + last}; }
};

Part All(const StringColumn& left, const StringColumn& right) { return {left, right, 0, left.size}; }

StringColumn Slice(const StringColumn& column, std::size_t begin, std::size_t end) {
  return {column.bytes, column.offsets + begin, end - begin};
}

std::uint32_t BytesOf(const StringColumn& column, std::size_t begin, std::size_t end) {
  return column.offsets[end] - column.offsets[begin];
}

std::string_view StringAt(const StringColumn& column, std::size_t i) {
  return {reinterpret_cast<const char*>(column.string(i)), column.string_bytes(i)};
}

// The CPU's distances; one thread at a time.
class Cpu {
 public:
  void Run(const Part& part, std::uint32_t* distance) {
    const StringColumn left = Slice(part.left, part.begin, part.end);
    const StringColumn right = Slice(part.right, part.begin, part.end);
    const std::size_t bytes = LevenshteinScratchBytes(left, right);
    if (scratch_.size() < bytes + ScratchArena::kAlignment) scratch_.resize(bytes + ScratchArena::kAlignment);
    void* first = scratch_.data();
    std::size_t room = scratch_.size();
    std::align(ScratchArena::kAlignment, bytes, first, room);
    LevenshteinBatch(left, right, {distance, left.size}, {static_cast<std::byte*>(first), bytes});
  }

 private:
  std::vector<std::byte> scratch_;
};

SlotCapacity CapacityFor(const Part& part) {
  const std::uint32_t left = BytesOf(part.left, part.begin, part.end);
  const std::uint32_t right = BytesOf(part.right, part.begin, part.end);
  return {.pairs = static_cast<std::uint32_t>(part.size()),
          .column_bytes = std::max(left, right) + 2 * static_cast<std::uint32_t>(kStringPadding)};
}

std::unique_ptr<GpuSlot> MakeSlot(GpuDevice& device, int stream, SlotCapacity capacity) {
  auto slot = std::make_unique<GpuSlot>(device, stream, capacity);
  if (!slot->ready()) Fail(device, "taking memory");
  return slot;
}

void FillColumn(const StringColumn& column, std::size_t begin, std::size_t end, std::uint8_t* bytes,
                std::uint32_t* offsets) {
  std::memcpy(bytes + kStringPadding, column.string(begin), BytesOf(column, begin, end));
  const std::uint32_t moved = column.offsets[begin] - static_cast<std::uint32_t>(kStringPadding);
  for (std::size_t i = begin; i <= end; ++i) offsets[i - begin] = column.offsets[i] - moved;
}

void Fill(GpuSlot& slot, const Part& part) {
  FillColumn(part.left, part.begin, part.end, slot.left_bytes(), slot.left_offsets());
  FillColumn(part.right, part.begin, part.end, slot.right_bytes(), slot.right_offsets());
}

void RunFilled(GpuDevice& device, GpuSlot& slot, std::size_t pairs, std::uint64_t max_cells = kNoLimit) {
  if (!slot.Run(static_cast<std::uint32_t>(pairs), max_cells)) Fail(device, "a batch");
}

// Compares what the GPU computed of a part with what is right; a distance left to the host must be of a pair
// of more than max_cells cells. Ends the program at the first difference.
void ExpectDistances(const Part& part, const std::uint32_t* actual, const std::uint32_t* expected,
                     const std::string& name, std::uint64_t max_cells = kNoLimit) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (actual[i] == expected[i]) continue;
    const std::string_view a = StringAt(part.left, part.begin + i);
    const std::string_view b = StringAt(part.right, part.begin + i);
    if (actual[i] == kLeftToHost && std::uint64_t{a.size()} * b.size() > max_cells) continue;
    std::printf("gpu_check: %s, pair %zu of %zu: the GPU says %u instead of %u\n%.*s\n%.*s\n", name.c_str(),
                i, part.size(), actual[i], expected[i], static_cast<int>(a.size()), a.data(),
                static_cast<int>(b.size()), b.data());
    std::exit(kWrong);
  }
}

// Checks pairs of code points: the CPU's kernels against the two-row programme, unless that takes too long,
// and the GPU against the CPU's kernels.
void CheckPairs(GpuDevice& device, const std::string& name, const DistanceCase::Pairs& pairs) {
  constexpr std::uint64_t kMostTwoRowCells = 1 << 20;
  constexpr std::uint64_t kFewCells = 1'000;
  Columns columns;
  for (const auto& [a, b] : pairs) columns.Add(ToUtf8(a), ToUtf8(b));
  columns.AddPadding();
  const Part part = All(columns.left.column(), columns.right.column());
  std::vector<std::uint32_t> expected(pairs.size());
  Cpu().Run(part, expected.data());
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
    batch_.left_end = part_.left.offsets[part_.left.size];
    batch_.right_end = part_.right.offsets[part_.right.size];
    const auto take_column = [&](const StringColumn& column, std::uint32_t end) {
      const std::uint8_t* bytes = arena.Take<std::uint8_t>(end + kStringPadding);
      const std::uint32_t* offsets = arena.Take<std::uint32_t>(column.size + 1);
      return StringColumn{bytes, offsets, column.size};
    };
    batch_.left = take_column(part_.left, batch_.left_end);
    batch_.right = take_column(part_.right, batch_.right_end);
    batch_.distance = arena.Take<std::uint32_t>(part_.size());
    batch_.TakeScratch(arena, part_.size(), batch_.left_end, batch_.right_end);
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
  Measurement(GpuDevice& device, const Options& options)
      : device_(device),
        rounds_(options.small ? 1 : 5),
        column_bytes_(options.small ? 1 << 12 : 64 << 20),
        cpu_threads_(std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
        copy_rate_(CopyRate(device, options.small ? 1 << 20 : 256 << 20, rounds_)) {}

  void Run(const std::string& cpu_name) {
    std::printf("\nGPU: %s, %.1f GB/s from page-locked memory. CPU: %s, %d threads, %s.\n\n",
                device_.name().c_str(), copy_rate_ / 1e9, cpu_name.c_str(), cpu_threads_,
                std::string(IsaName(ActiveIsa())).c_str());
    std::printf(
        "M/s: million pairs a second. Resident: pairs in the GPU's memory; host: in page-locked memory, "
        "copies\n"
        "included, with their share of the copy rate. CPU, GPU and both take pairs from ordinary memory.\n\n"
        "| pairs | resident T cells/s | goal | resident M/s | host M/s | share | goal | CPU, 1 thread M/s | "
        "CPU, all M/s | GPU M/s | both M/s |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (const StringWorkload& workload : MakeStringWorkloads()) Measure(workload);
  }

 private:
  // Prints a line of the table.
  void Measure(const StringWorkload& workload) {
    // The pairs again and again until they fill the GPU; of a small measurement only the first of them.
    Columns columns;
    std::size_t pairs = 0;
    double cells = 0;
    for (std::size_t bytes = 0; bytes < column_bytes_; ++pairs) {
      const std::size_t i = pairs % workload.size();
      columns.Add(std::string(StringAt(workload.left.column(), i)),
                  std::string(StringAt(workload.right.column(), i)));
      bytes += workload.left.column().string_bytes(i);
      cells += static_cast<double>(workload.left_points[i].size()) *
               static_cast<double>(workload.right_points[i].size());
    }
    columns.AddPadding();
    const Part all = All(columns.left.column(), columns.right.column());
    std::vector<std::uint32_t> expected(pairs);
    const std::size_t different = std::min(pairs, workload.size());
    Cpu().Run(all.Of(0, different), expected.data());
    for (std::size_t i = different; i < pairs; ++i) expected[i] = expected[i - different];

    const double resident = ResidentSeconds(all, expected, workload.name);
    const double host = HostSeconds(all, expected, workload.name);
    const double host_bytes =
        all.left.offsets[pairs] + all.right.offsets[pairs] + 8.0 * static_cast<double>(pairs);
    const double cpu = FastestSeconds(rounds_, [&] { Cpu().Run(all.Of(0, different), expected.data()); });
    const int beside_gpu = std::max(1, cpu_threads_ - kStreams);
    const double all_cpu = SharedSeconds(all, expected, workload.name, cpu_threads_, 0);
    const double gpu = SharedSeconds(all, expected, workload.name, 0, kStreams);
    const double both = SharedSeconds(all, expected, workload.name, beside_gpu, kStreams);

    const auto rate = [&](double seconds) { return static_cast<double>(pairs) / seconds / 1e6; };
    std::printf("| %s | %.3f | %s | %.2f | %.2f | %.0f%% | %s | %.2f | %.2f | %.2f | %.2f |\n",
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
        Cpu cpu;
        if (thread < gpu_threads) {
          GpuSlot& slot = *slots[static_cast<std::size_t>(thread)];
          for (Part part = take(gpu_pairs); part.size() != 0; part = take(gpu_pairs)) {
            Fill(slot, part);
            RunFilled(device_, slot, part.size());
            std::copy_n(slot.distance(), part.size(), distances.data() + part.begin);
          }
        } else {
          for (Part part = take(cpu_pairs); part.size() != 0; part = take(cpu_pairs)) {
            cpu.Run(part, distances.data() + part.begin);
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

std::optional<Options> Parse(std::span<char*> arguments) {
  Options options;
  for (const std::string_view argument : arguments) {
    if (argument == "--emulated") {
      options.emulated = options.small = true;
    } else if (argument == "--small") {
      options.small = true;
    } else if (argument == "--check") {
      options.measures = false;
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
  CheckAll(*device, *options);
  if (options->measures) Measurement(*device, *options).Run(CpuName());
  return 0;
}

}  // namespace
}  // namespace leafscore::gpu

int main(int count, char** arguments) {
  return leafscore::gpu::Main({arguments + 1, static_cast<std::size_t>(count - 1)});
}
