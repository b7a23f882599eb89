// engine/distance/pair_offload.h: the interface of a device that computes edit distances beside the CPU. The
// device takes some pairs of a batch. Meanwhile, the CPU computes the others. Then the CPU collects the
// results of the device, and computes the pairs for which the device has no results. So the distances are the
// same with and without a device.
#ifndef LEAFSCORE_ENGINE_DISTANCE_PAIR_OFFLOAD_H_
#define LEAFSCORE_ENGINE_DISTANCE_PAIR_OFFLOAD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "kernels/string_column.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// Returns an upper bound of the cells in the table of a pair: a string has at most as many code points as
// bytes.
inline std::uint64_t MostCells(const StringColumn& expected, const StringColumn& actual, std::size_t pair) {
  return std::uint64_t{expected.string_bytes(pair)} * actual.string_bytes(pair);
}

// Adds `pairs` pairs, whose MostCells add up to `cells`.
inline void AddWork(std::uint64_t pairs, std::uint64_t cells, PairWork& work) {
  work.pairs += pairs;
  work.cells += cells;
}

class PairOffload {
 public:
  // The pairs that the device took. REQUIRES: the offload outlives the handle.
  class Handle {
   public:
    virtual ~Handle() = default;

    // Returns the numbers of the pairs, ascending.
    virtual std::span<const std::uint32_t> pairs() const = 0;

    // Waits until the pairs are computed. RETURNS: the distances in the order of pairs(); empty after a
    // failure.
    virtual std::span<const std::uint32_t> Distances() = 0;
  };

  virtual ~PairOffload() = default;

  // Takes some pairs of up to max_cells cells (MostCells). The strings are copied.
  // RETURNS: null if it leaves all pairs to the CPU.
  // THREADS: any.
  virtual std::unique_ptr<Handle> Take(const StringColumn& expected, const StringColumn& actual,
                                       std::uint64_t max_cells) = 0;

  // REQUIRES: no thread waits in Handle::Distances.
  virtual DeviceReport Report() const = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_DISTANCE_PAIR_OFFLOAD_H_
