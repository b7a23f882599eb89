// kernels/path_lanes.h: kernels/nearest_column.h on the vectors of an instruction set. Internal linkage as in
// kernels/lanes_avx512.h.
#ifndef LEAFSCORE_KERNELS_PATH_LANES_H_
#define LEAFSCORE_KERNELS_PATH_LANES_H_

#include <cstddef>

#include "kernels/nearest_column.h"
#include "kernels/vector_of.h"

namespace leafscore::internal {
namespace {

template <int kVectorBytes>
class PathLanes {
 public:
  static double OrderOfNearest(const double* weight, double reached, double row_potential,
                               const PathColumns& columns) {
    const Numbers none = Numbers{} + __builtin_inf();
    Numbers nearest = none;
    ForEachStep(columns.size, [&, columns](std::size_t c) {
      const Numbers through = reached - Load(weight + c) - row_potential - Load(columns.potential + c);
      Numbers distance = Load(columns.distance + c);
      distance = through < distance ? through : distance;
      __builtin_memcpy(columns.distance + c, &distance, sizeof distance);
      nearest = distance < nearest ? distance : nearest;
    });
    const double least = Least(nearest);
    Numbers order = none;
    ForEachStep(columns.size, [&, columns](std::size_t c) {
      const Numbers candidates = Load(columns.distance + c) == least ? Load(columns.order + c) : none;
      order = candidates < order ? candidates : order;
    });
    return Least(order);
  }

  static constexpr std::size_t kLanes = kVectorBytes / sizeof(double);

 private:
  using Numbers = typename VectorOf<double, kVectorBytes>::Type;

  // Takes kLanes columns at a time. The last step may overlap the one before: a column that is taken twice
  // does not change.
  template <typename Step>
  [[gnu::always_inline]] static void ForEachStep(std::size_t size, const Step& step) {
    std::size_t c = 0;
    for (; c + kLanes <= size; c += kLanes) step(c);
    if (c < size) step(size - kLanes);
  }

  // Selects instead of branching, since no CPU can predict which lane has the least.
  [[gnu::always_inline]] static double Least(const Numbers& numbers) {
    double least = numbers[0];
    for (std::size_t lane = 1; lane < kLanes; ++lane) least = numbers[lane] < least ? numbers[lane] : least;
    return least;
  }

  [[gnu::always_inline]] static Numbers Load(const double* from) {
    Numbers numbers;
    __builtin_memcpy(&numbers, from, sizeof numbers);
    return numbers;
  }
};

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_PATH_LANES_H_
