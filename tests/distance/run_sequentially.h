// tests/distance/run_sequentially.h: the simplest TableRunner, one tile after the other.
#ifndef LEAFSCORE_TESTS_DISTANCE_RUN_SEQUENTIALLY_H_
#define LEAFSCORE_TESTS_DISTANCE_RUN_SEQUENTIALLY_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/distance/kernel_memory.h"
#include "kernels/levenshtein_table.h"

namespace leafscore::internal {

inline void RunSequentially(LevenshteinTable& table) {
  KernelScratch memory;
  const std::span<std::byte> scratch = memory.OfSize(LevenshteinTable::TileScratchBytes());
  for (std::uint32_t row = 0; row < table.tile_rows(); ++row) {
    for (std::uint32_t column = 0; column < table.tile_columns(); ++column) {
      table.RunTile(row, column, scratch);
    }
  }
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_DISTANCE_RUN_SEQUENTIALLY_H_
