// engine/distance/gpu/lazy_offload.h: opens a GPU in the background, and only for runs that are long enough
// to be worth it. CUDA takes some tenths of a second to open a GPU. In this time, the CPU finishes most runs.
#ifndef LEAFSCORE_ENGINE_DISTANCE_GPU_LAZY_OFFLOAD_H_
#define LEAFSCORE_ENGINE_DISTANCE_GPU_LAZY_OFFLOAD_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

#include "engine/distance/pair_offload.h"

namespace leafscore::internal {

class LazyOffload final : public PairOffload {
 public:
  using Opener = std::function<std::unique_ptr<PairOffload>()>;

  // Calls `open` in a thread of its own, once the pairs of the run have `after_cells` cells in total. `open`
  // may return null.
  LazyOffload(Opener open, std::uint64_t after_cells) : open_(std::move(open)), after_cells_(after_cells) {}
  ~LazyOffload() override;

  std::unique_ptr<Handle> Take(const StringColumn& expected, const StringColumn& actual,
                               std::uint64_t max_cells) override;
  DeviceReport Report() const override;

 private:
  Opener open_;
  std::uint64_t after_cells_;
  std::atomic<std::uint64_t> pairs_ = 0;  // left to the CPU before there was a device
  std::atomic<std::uint64_t> cells_ = 0;
  std::atomic<bool> is_opening_ = false;
  std::thread opener_;
  std::unique_ptr<PairOffload> opened_;
  std::atomic<PairOffload*> device_ = nullptr;  // opened_, once it may be used
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_DISTANCE_GPU_LAZY_OFFLOAD_H_
