// The batch kernels on AVX2.
#include "kernels/batch_256.h"
#include "kernels/matrix_lanes.h"

namespace leafscore::internal {

void LevenshteinAvx2(const ColumnPair& columns, std::uint32_t* distance, Workspace& work) noexcept {
  SimdBatch<Vectors256>(columns, distance, work).Run();
}

std::uint32_t RunTileAvx2(const Tile<std::uint8_t>& tile, TileSpace& space) noexcept {
  return RunStripsOfTile<VectorStrips<Vectors256>>(tile, space);
}

void LevenshteinMatrixAvx2(const NumberedStrings& texts, const NumberedStrings& patterns,
                           std::uint32_t longest_pattern, std::byte* rows, std::uint32_t* distance) noexcept {
  RunMatrix<32>(texts, patterns, longest_pattern, rows, distance);
}

}  // namespace leafscore::internal
