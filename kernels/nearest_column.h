// kernels/nearest_column.h: a step of an assignment by shortest augmenting paths: continues the cheapest
// paths from a row to all columns, and finds the nearest one.
#ifndef LEAFSCORE_KERNELS_NEAREST_COLUMN_H_
#define LEAFSCORE_KERNELS_NEAREST_COLUMN_H_

#include <cstddef>

#include "kernels/isa.h"

namespace leafscore::internal {

// The columns of a matrix in a search for the cheapest path. An array has an element for each column.
struct PathColumns {
  std::size_t size;
  const double* potential;  // negative infinity if the path has reached the column
  const double* order;      // among equally near columns, the one with the lowest number comes first
  double* distance;         // the cost of the cheapest path so far; infinity if the column has been reached
};

// Sets distance[c] to `reached` - weight[c] - row_potential - potential[c], rounded after each step, for each
// column c where this is less than distance[c].
// REQUIRES: size > 0; no NaN.
// RETURNS: the lowest order[c] of the nearest columns, the same on every machine.
// THREADS: safe with distinct columns.
double OrderOfNearest(const double* weight, double reached, double row_potential, const PathColumns& columns,
                      Isa isa) noexcept;

// Each does the same on one instruction set. REQUIRES: a CPU with the instruction set; at least as many
// columns as a vector has doubles.
double OrderOfNearestAvx2(const double* weight, double reached, double row_potential,
                          const PathColumns& columns) noexcept;
double OrderOfNearestAvx512(const double* weight, double reached, double row_potential,
                            const PathColumns& columns) noexcept;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_NEAREST_COLUMN_H_
