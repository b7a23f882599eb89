#include "engine/run/run_table.h"

#include <oneapi/tbb/parallel_for_each.h>
#include <oneapi/tbb/task_arena.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/memory_account.h"
#include "engine/distance/kernel_memory.h"
#include "engine/threads/per_thread.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

struct Position {
  std::uint32_t row;
  std::uint32_t column;
};

}  // namespace

void RunTable(LevenshteinTable& table, const std::atomic<bool>* stop) {
  const UncountedMemory uncounted;  // little, shared with other threads
  const std::uint32_t rows = table.tile_rows();
  const std::uint32_t columns = table.tile_columns();
  // For each tile, how many of its two neighbours are done. Tiles in the first row or column have only one
  // neighbour, so they begin with 1.
  std::vector<std::atomic<std::uint8_t>> done(std::size_t{rows} * columns);
  for (std::uint32_t row = 1; row < rows; ++row) done[std::size_t{row} * columns] = 1;
  for (std::uint32_t column = 1; column < columns; ++column) done[column] = 1;

  const auto is_stopped = [&] { return stop != nullptr && stop->load(std::memory_order_relaxed); };
  PerThread<KernelScratch> scratches;
  const auto run_tile = [&](Position tile, tbb::feeder<Position>& feeder) {
    if (is_stopped()) return;
    table.RunTile(tile.row, tile.column, scratches.local().OfSize(LevenshteinTable::TileScratchBytes()));
    const auto finish_wait_of = [&](Position next) {
      if (next.row == rows || next.column == columns) return;
      if (++done[std::size_t{next.row} * columns + next.column] == 2) feeder.add(next);
    };
    finish_wait_of({tile.row, tile.column + 1});
    finish_wait_of({tile.row + 1, tile.column});
  };
  // Isolated: a waiting thread must not begin another batch, which would use the same memory.
  tbb::this_task_arena::isolate([&] {
    const Position first{0, 0};
    tbb::parallel_for_each(&first, &first + 1, run_tile);
  });
  if (is_stopped()) throw Error(ErrorCode::kInterrupted, "the run was interrupted");
}

}  // namespace leafscore::internal
