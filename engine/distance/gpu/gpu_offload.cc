#include "engine/distance/gpu/gpu_offload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace leafscore::internal {
namespace {

// A pair with more cells would keep one warp of the GPU busy for longer than all cores of the CPU.
constexpr std::uint64_t kMaxGpuCells = 1u << 28;

// Copies the strings of `pairs` to `bytes`, starting at `end`, and writes to `offsets` where each string
// begins.
void CopyStrings(const StringColumn& column, std::span<const std::uint32_t> pairs, std::uint32_t end,
                 std::uint8_t* bytes, std::uint32_t* offsets) {
  for (const std::uint32_t pair : pairs) {
    *offsets++ = end;
    std::memcpy(bytes + end, column.string(pair), column.string_bytes(pair));
    end += column.string_bytes(pair);
  }
}

}  // namespace

class GpuOffload::GpuHandle final : public Handle {
 public:
  GpuHandle(GpuOffload& offload, SharedSlot& shared, std::vector<std::uint32_t> pairs, std::uint64_t cells)
      : offload_(offload), shared_(shared), first_(shared.pairs), pairs_(std::move(pairs)), cells_(cells) {}

  ~GpuHandle() override {
    const std::lock_guard lock(offload_.mutex_);
    --shared_.shares;
    offload_.changed_.notify_all();
  }

  std::span<const std::uint32_t> pairs() const override { return pairs_; }

  std::span<const std::uint32_t> Distances() override {
    std::unique_lock lock(offload_.mutex_);
    offload_.changed_.wait(lock, [&] { return shared_.state == SharedSlot::State::kDone; });
    DeviceReport& summary = offload_.summary_;
    AddWork(pairs_.size(), cells_, shared_.went_well ? summary.on_device : summary.failed);
    if (!shared_.went_well) return {};
    return {shared_.slot.distance() + first_, pairs_.size()};
  }

 private:
  GpuOffload& offload_;
  SharedSlot& shared_;
  std::uint32_t first_;  // number of its first pair in the slot
  std::vector<std::uint32_t> pairs_;
  std::uint64_t cells_;
};

bool GpuOffload::SharedSlot::HasRoom(const std::vector<std::uint32_t>& more, std::uint64_t left,
                                     std::uint64_t right) const {
  const gpu::SlotCapacity capacity = slot.capacity();
  return state == State::kFilling && !sealed && pairs + more.size() <= capacity.pairs &&
         left_end + left + kStringPadding <= capacity.column_bytes &&
         right_end + right + kStringPadding <= capacity.column_bytes;
}

void GpuOffload::SharedSlot::Reset() {
  state = State::kFilling;
  sealed = false;
  pairs = 0;
  left_end = right_end = kStringPadding;
  seconds = 0;
}

GpuOffload::GpuOffload(std::unique_ptr<gpu::GpuDevice> device, std::uint64_t memory_bytes,
                       OffloadPolicy policy)
    : device_(std::move(device)), policy_(policy) {
  summary_.device = device_->name();
  if (!Open(memory_bytes)) {
    Fail();
    return;
  }
  for (const auto& shared : slots_) {
    shared->thread = std::thread([this, &shared = *shared] { Run(shared); });
  }
}

GpuOffload::~GpuOffload() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (const auto& shared : slots_) {
    if (shared->thread.joinable()) shared->thread.join();
  }
}

// Allocates the memory and, if the costs decide what goes to the GPU, measures them. RETURNS: whether that
// succeeded.
bool GpuOffload::Open(std::uint64_t memory_bytes) {
  const std::size_t free_bytes = device_->FreeBytes();
  if (free_bytes == 0) return false;
  const std::size_t bytes = std::min<std::size_t>(free_bytes / 2, memory_bytes);
  const gpu::SlotCapacity capacity = gpu::CapacityWithin(bytes / gpu::kStreams);
  if (capacity.column_bytes <= 2 * kStringPadding) {
    summary_.warning =
        fmt::format("{} bytes of GPU memory are not enough; give more with --gpu-memory", bytes);
    return false;
  }
  for (int stream = 0; stream < gpu::kStreams; ++stream) {
    slots_.push_back(std::make_unique<SharedSlot>(*device_, stream, capacity));
    if (!slots_.back()->slot.ready()) return false;
  }
  return policy_ == OffloadPolicy::kAlways || MeasureCosts(slots_[0]->slot, costs_);
}

// Records why the GPU gets no more pairs. REQUIRES: the caller holds the lock, if threads run.
void GpuOffload::Fail() {
  failed_ = true;
  if (!summary_.warning.empty()) return;
  summary_.warning =
      fmt::format("{} failed ({}); the CPU computes all distances", summary_.device, device_->error());
}

double GpuOffload::Backlog() const {
  double seconds = 0;
  for (const auto& shared : slots_) {
    if (shared->state != SharedSlot::State::kDone) seconds += shared->seconds;
  }
  return seconds;
}

// Finds a slot with room for these pairs, and prefers the fullest, for fewer launches. RETURNS: null if no
// slot has room.
GpuOffload::SharedSlot* GpuOffload::FindRoom(const std::vector<std::uint32_t>& pairs, std::uint64_t left,
                                             std::uint64_t right) {
  SharedSlot* found = nullptr;
  for (const auto& shared : slots_) {
    if (shared->HasRoom(pairs, left, right) && (found == nullptr || found->pairs < shared->pairs)) {
      found = shared.get();
    }
  }
  return found;
}

std::unique_ptr<PairOffload::Handle> GpuOffload::Take(const StringColumn& expected,
                                                      const StringColumn& actual, std::uint64_t max_cells) {
  max_cells = std::min(max_cells, kMaxGpuCells);
  PairOctaves octaves;
  PairWork all, too_long;
  for (std::size_t i = 0; i < expected.size; ++i) {
    const std::uint64_t cells = MostCells(expected, actual, i);
    AddWork(1, cells, all);
    if (cells > max_cells) {
      AddWork(1, cells, too_long);
    } else {
      octaves.Add(std::uint64_t{expected.string_bytes(i)} + actual.string_bytes(i), cells);
    }
  }

  std::unique_lock lock(mutex_);
  if (failed_) {
    AddWork(all.pairs, all.cells, summary_.failed);
    return nullptr;
  }
  const double backlog = Backlog();
  lock.unlock();
  const std::uint32_t first_octave =
      policy_ == OffloadPolicy::kAlways ? 0 : FirstOctaveForGpu(octaves, costs_, backlog);

  std::vector<std::uint32_t> pairs;
  PairWork taken;
  std::uint64_t left = 0, right = 0;
  for (std::uint32_t i = 0; first_octave != PairOctaves::kCount && i < expected.size; ++i) {
    const std::uint64_t cells = MostCells(expected, actual, i);
    if (cells > max_cells || PairOctaves::OctaveOf(cells) < first_octave) continue;
    pairs.push_back(i);
    AddWork(1, cells, taken);
    left += expected.string_bytes(i);
    right += actual.string_bytes(i);
  }

  lock.lock();
  AddWork(too_long.pairs, too_long.cells, summary_.too_long);
  AddWork(all.pairs - too_long.pairs - taken.pairs, all.cells - too_long.cells - taken.cells,
          summary_.cpu_sooner);
  if (pairs.empty()) return nullptr;
  SharedSlot* const shared = FindRoom(pairs, left, right);
  if (shared == nullptr) {
    AddWork(taken.pairs, taken.cells, summary_.no_room);
    return nullptr;
  }
  auto share = std::make_unique<GpuHandle>(*this, *shared, std::move(pairs), taken.cells);
  const std::uint32_t first_pair = shared->pairs;
  const std::uint32_t left_begin = shared->left_end;
  const std::uint32_t right_begin = shared->right_end;
  shared->pairs += static_cast<std::uint32_t>(taken.pairs);
  shared->left_end += static_cast<std::uint32_t>(left);
  shared->right_end += static_cast<std::uint32_t>(right);
  shared->seconds += GpuSeconds(costs_, left + right, taken.cells);
  ++shared->writers;
  ++shared->shares;
  lock.unlock();

  const gpu::GpuSlot& slot = shared->slot;
  CopyStrings(expected, share->pairs(), left_begin, slot.left_bytes(), slot.left_offsets() + first_pair);
  CopyStrings(actual, share->pairs(), right_begin, slot.right_bytes(), slot.right_offsets() + first_pair);
  lock.lock();
  --shared->writers;
  changed_.notify_all();
  return share;
}

// Runs in the thread of a slot: lets the GPU compute the pairs that the slot has gathered, until the offload
// ends.
void GpuOffload::Run(SharedSlot& shared) {
  std::unique_lock lock(mutex_);
  for (;;) {
    // While another slot runs, wait until this one is half full, because more pairs may come.
    changed_.wait(lock, [&] {
      return stopping_ ||
             (shared.pairs != 0 && (running_ == 0 || shared.pairs > shared.slot.capacity().pairs / 2));
    });
    if (shared.pairs == 0) return;
    shared.sealed = true;
    ++running_;
    changed_.wait(lock, [&] { return shared.writers == 0; });
    shared.state = SharedSlot::State::kRunning;
    lock.unlock();
    shared.slot.left_offsets()[shared.pairs] = shared.left_end;
    shared.slot.right_offsets()[shared.pairs] = shared.right_end;
    const bool went_well = shared.slot.Run(shared.pairs, kMaxGpuCells);
    lock.lock();
    --running_;
    shared.state = SharedSlot::State::kDone;
    shared.went_well = went_well;
    ++summary_.launches;
    if (!went_well) Fail();
    changed_.notify_all();
    changed_.wait(lock, [&] { return shared.shares == 0; });
    shared.Reset();
  }
}

DeviceReport GpuOffload::Report() const {
  const std::lock_guard lock(mutex_);
  return summary_;
}

}  // namespace leafscore::internal
