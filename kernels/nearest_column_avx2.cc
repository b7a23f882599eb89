// The nearest column on AVX2.
#include "kernels/path_lanes.h"

namespace leafscore::internal {

double OrderOfNearestAvx2(const double* weight, double reached, double row_potential,
                          const PathColumns& columns) noexcept {
  return PathLanes<32>::OrderOfNearest(weight, reached, row_potential, columns);
}

}  // namespace leafscore::internal
