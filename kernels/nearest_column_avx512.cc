// The nearest column on AVX-512.
#include "kernels/path_lanes.h"

namespace leafscore::internal {

double OrderOfNearestAvx512(const double* weight, double reached, double row_potential,
                            const PathColumns& columns) noexcept {
  return PathLanes<64>::OrderOfNearest(weight, reached, row_potential, columns);
}

}  // namespace leafscore::internal
