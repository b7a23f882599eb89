#include "engine/distance/gpu/lazy_offload.h"

#include <exception>
#include <system_error>

namespace leafscore::internal {

LazyOffload::~LazyOffload() {
  if (opener_.joinable()) opener_.join();
}

std::unique_ptr<PairOffload::Handle> LazyOffload::Take(const StringColumn& expected,
                                                       const StringColumn& actual, std::uint64_t max_cells) {
  if (PairOffload* const device = device_) return device->Take(expected, actual, max_cells);
  std::uint64_t cells = 0;
  for (std::size_t i = 0; i < expected.size; ++i) cells += MostCells(expected, actual, i);
  pairs_ += expected.size;
  const std::uint64_t cells_so_far = cells_ += cells;
  if (cells_so_far >= after_cells_ && !is_opening_.exchange(true)) {
    // If there is no thread or memory to open it, there is no device.
    try {
      opener_ = std::thread([this] {
        try {
          opened_ = open_();
          device_ = opened_.get();
        } catch (const std::exception&) {
        }
      });
    } catch (const std::system_error&) {
    }
  }
  return nullptr;
}

DeviceReport LazyOffload::Report() const {
  const PairOffload* const device = device_;
  if (device == nullptr) return {};
  DeviceReport summary = device->Report();
  AddWork(pairs_, cells_, summary.cpu_sooner);
  return summary;
}

}  // namespace leafscore::internal
