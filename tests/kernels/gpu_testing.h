// tests/kernels/gpu_testing.h: batches on an emulated GPU.
#ifndef LEAFSCORE_TESTS_KERNELS_GPU_TESTING_H_
#define LEAFSCORE_TESTS_KERNELS_GPU_TESTING_H_

#include <cstdint>
#include <vector>

#include "kernels/string_column.h"

namespace leafscore::internal::gpu {

// Computes the distances of two columns in place, with a GuardedScratch.
std::vector<std::uint32_t> EmulatedDistances(const StringColumn& left, const StringColumn& right);

}  // namespace leafscore::internal::gpu

#endif  // LEAFSCORE_TESTS_KERNELS_GPU_TESTING_H_
