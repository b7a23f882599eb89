#include "kernels/nearest_column.h"

#include "kernels/path_lanes.h"

namespace leafscore::internal {

double OrderOfNearest(const double* weight, double reached, double row_potential, const PathColumns& columns,
                      [[maybe_unused]] Isa isa) noexcept {
#ifdef LEAFSCORE_X86_64_KERNELS
  if (isa == Isa::kAvx512 && columns.size >= 8) {
    return OrderOfNearestAvx512(weight, reached, row_potential, columns);
  }
  if (isa >= Isa::kAvx2 && columns.size >= 4) {
    return OrderOfNearestAvx2(weight, reached, row_potential, columns);
  }
#endif
  if (columns.size >= 2) {
    return PathLanes<16>::OrderOfNearest(weight, reached, row_potential, columns);
  }
  return PathLanes<8>::OrderOfNearest(weight, reached, row_potential, columns);
}

}  // namespace leafscore::internal
