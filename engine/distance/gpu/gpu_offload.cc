#include "engine/distance/gpu/gpu_offload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace leafscore::internal {
namespace {

// A pair of more cells would keep one warp of the GPU busy for longer than all cores of the CPU.
constexpr std::uint64_t kMaxGpuCells = 1u << 28;

// Copies the strings of `pairs` to `bytes` from `end` on, and where each begins to `offsets`.
void CopyStrings(const StringColumn& column, std::span<const std::uint32_t> pairs, std::uint32_t end,
                 std::uint8_t* bytes, std::uint32_t* offsets) {
  for (const std::uint32_t pair : pairs) {
    *offsets++ = end;
    std::memcpy(bytes + end, column.string(pair), column.string_bytes(pair));
    end += column.string_bytes(pair);
  }
}

}  // namespace

class GpuOffload::GpuShare final : public Share {
 public:
  GpuShare(GpuOffload& offload, Place& place, std::vector<std::uint32_t> pairs, std::uint64_t cells)
      : offload_(offload), place_(place), first_(place.pairs), pairs_(std::move(pairs)), cells_(cells) {}

  ~GpuShare() override {
    const std::lock_guard lock(offload_.mutex_);
    --place_.shares;
    offload_.changed_.notify_all();
  }

  std::span<const std::uint32_t> pairs() const override { return pairs_; }

  std::span<const std::uint32_t> Distances() override {
    std::unique_lock lock(offload_.mutex_);
    offload_.changed_.wait(lock, [&] { return place_.state == Place::State::kDone; });
    DeviceReport& summary = offload_.summary_;
    AddWork(pairs_.size(), cells_, place_.went_well ? summary.on_device : summary.failed);
    if (!place_.went_well) return {};
    return {place_.slot.distance() + first_, pairs_.size()};
  }

 private:
  GpuOffload& offload_;
  Place& place_;
  std::uint32_t first_;  // of its pairs, in the slot
  std::vector<std::uint32_t> pairs_;
  std::uint64_t cells_;
};

bool GpuOffload::Place::HasRoom(const std::vector<std::uint32_t>& more, std::uint64_t left,
                                std::uint64_t right) const {
  const gpu::SlotCapacity capacity = slot.capacity();
  return state == State::kFilling && !sealed && pairs + more.size() <= capacity.pairs &&
         left_end + left + kStringPadding <= capacity.column_bytes &&
         right_end + right + kStringPadding <= capacity.column_bytes;
}

void GpuOffload::Place::Reset() {
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
  for (const auto& place : places_) {
    place->thread = std::thread([this, &place = *place] { Run(place); });
  }
}

GpuOffload::~GpuOffload() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (const auto& place : places_) {
    if (place->thread.joinable()) place->thread.join();
  }
}

// Takes the memory and measures. RETURNS: whether that went well.
bool GpuOffload::Open(std::uint64_t memory_bytes) {
  const std::size_t free_bytes = device_->FreeBytes();
  if (free_bytes == 0) return false;
  const std::size_t bytes = std::min<std::size_t>(free_bytes / 2, memory_bytes);
  const gpu::SlotCapacity capacity = gpu::CapacityWithin(bytes / gpu::kStreams);
  if (capacity.column_bytes <= 2 * kStringPadding) {
    summary_.warning = fmt::format("{} bytes of GPU memory are too few; give more with --gpu-memory", bytes);
    return false;
  }
  for (int stream = 0; stream < gpu::kStreams; ++stream) {
    places_.push_back(std::make_unique<Place>(*device_, stream, capacity));
    if (!places_.back()->slot.ready()) return false;
  }
  return policy_ == OffloadPolicy::kAlways || MeasureCosts(places_[0]->slot, costs_);
}

// Says why the GPU gets nothing more. REQUIRES: the lock, if threads run.
void GpuOffload::Fail() {
  failed_ = true;
  if (!summary_.warning.empty()) return;
  summary_.warning =
      fmt::format("{} failed ({}); the CPU computes all distances", summary_.device, device_->error());
}

double GpuOffload::Backlog() const {
  double seconds = 0;
  for (const auto& place : places_) {
    if (place->state != Place::State::kDone) seconds += place->seconds;
  }
  return seconds;
}

// Prefers a place that has pairs already. RETURNS: null when there is no room.
GpuOffload::Place* GpuOffload::FindRoom(const std::vector<std::uint32_t>& pairs, std::uint64_t left,
                                        std::uint64_t right) {
  Place* found = nullptr;
  for (const auto& place : places_) {
    if (place->HasRoom(pairs, left, right) && (found == nullptr || found->pairs < place->pairs)) {
      found = place.get();
    }
  }
  return found;
}

std::unique_ptr<PairOffload::Share> GpuOffload::Take(const StringColumn& expected, const StringColumn& actual,
                                                     std::uint64_t max_cells) {
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
  Place* const place = FindRoom(pairs, left, right);
  if (place == nullptr) {
    AddWork(taken.pairs, taken.cells, summary_.no_room);
    return nullptr;
  }
  auto share = std::make_unique<GpuShare>(*this, *place, std::move(pairs), taken.cells);
  const std::uint32_t first_pair = place->pairs;
  const std::uint32_t left_begin = place->left_end;
  const std::uint32_t right_begin = place->right_end;
  place->pairs += static_cast<std::uint32_t>(taken.pairs);
  place->left_end += static_cast<std::uint32_t>(left);
  place->right_end += static_cast<std::uint32_t>(right);
  place->seconds += GpuSeconds(costs_, left + right, taken.cells);
  ++place->writers;
  ++place->shares;
  lock.unlock();

  const gpu::GpuSlot& slot = place->slot;
  CopyStrings(expected, share->pairs(), left_begin, slot.left_bytes(), slot.left_offsets() + first_pair);
  CopyStrings(actual, share->pairs(), right_begin, slot.right_bytes(), slot.right_offsets() + first_pair);
  lock.lock();
  --place->writers;
  changed_.notify_all();
  return share;
}

// The thread of a place: runs what has come together in it, until the end.
void GpuOffload::Run(Place& place) {
  std::unique_lock lock(mutex_);
  for (;;) {
    // Beside a slot that runs, only one that is half full: more may come meanwhile.
    changed_.wait(lock, [&] {
      return stopping_ ||
             (place.pairs != 0 && (running_ == 0 || place.pairs > place.slot.capacity().pairs / 2));
    });
    if (place.pairs == 0) return;
    place.sealed = true;
    ++running_;
    changed_.wait(lock, [&] { return place.writers == 0; });
    place.state = Place::State::kRunning;
    lock.unlock();
    place.slot.left_offsets()[place.pairs] = place.left_end;
    place.slot.right_offsets()[place.pairs] = place.right_end;
    const bool went_well = place.slot.Run(place.pairs, kMaxGpuCells);
    lock.lock();
    --running_;
    place.state = Place::State::kDone;
    place.went_well = went_well;
    ++summary_.launches;
    if (!went_well) Fail();
    changed_.notify_all();
    changed_.wait(lock, [&] { return place.shares == 0; });
    place.Reset();
  }
}

DeviceReport GpuOffload::Report() const {
  const std::lock_guard lock(mutex_);
  return summary_;
}

}  // namespace leafscore::internal
