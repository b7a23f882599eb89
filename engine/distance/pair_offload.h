// engine/distance/pair_offload.h: the interface of a device that computes edit distances beside the CPU. The
// device takes some pairs of a batch, the CPU computes the others meanwhile, then the batch collects the
// results and computes the unanswered pairs itself. So the distances are the same with and without a device.
#ifndef LEAFSCORE_ENGINE_DISTANCE_PAIR_OFFLOAD_H_
#define LEAFSCORE_ENGINE_DISTANCE_PAIR_OFFLOAD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "kernels/string_column.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// Returns the most cells that the table of a pair can have: no string has more code points than bytes.
inline std::uint64_t MostCells(const StringColumn& expected, const StringColumn& actual, std::size_t pair) {
  return std::uint64_t{expected.string_bytes(pair)} * actual.string_bytes(pair);
}

// Adds pairs with `cells` MostCells in total.
inline void AddWork(std::uint64_t pairs, std::uint64_t cells, PairWork& work) {
  work.pairs += pairs;
  work.cells += cells;
}

class PairOffload {
 public:
  // The pairs that the device took. REQUIRES: the offload outlives it.
  class Handle {
   public:
    virtual ~Handle() = default;

    // Returns the numbers of the pairs, ascending.
    virtual std::span<const std::uint32_t> pairs() const = 0;

    // Waits until they are computed. RETURNS: the distances in the order of pairs(); empty after a failure.
    virtual std::span<const std::uint32_t> Distances() = 0;
  };

  virtual ~PairOffload() = default;

  // Takes some pairs of up to max_cells cells (MostCells). The strings are copied.
  // RETURNS: null to leave all of them to the CPU.
  // THREADS: any.
  virtual std::unique_ptr<Handle> Take(const StringColumn& expected, const StringColumn& actual,
                                       std::uint64_t max_cells) = 0;

  // REQUIRES: no thread waits for a share.
  virtual DeviceReport Report() const = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_DISTANCE_PAIR_OFFLOAD_H_
