// bench/gpu_rates.h: how many pairs a second a GPU, the CPU, and both compute.
#ifndef LEAFSCORE_BENCH_GPU_RATES_H_
#define LEAFSCORE_BENCH_GPU_RATES_H_

#include <string_view>

#include "kernels/gpu/gpu_device.h"

namespace leafscore::internal::gpu {

// Prints a table in Markdown, a line for each of MakeStringWorkloads() whose name begins with `only`. Each
// way of computing them gives the right distances first. Small: of a few pairs, in a second, to see that all
// of it works.
void PrintGpuRates(GpuDevice& device, bool small, std::string_view only);

}  // namespace leafscore::internal::gpu

#endif  // LEAFSCORE_BENCH_GPU_RATES_H_
