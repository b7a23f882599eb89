// bench/pair_file.h: string pairs to measure, out of a file of real records.
#ifndef LEAFSCORE_BENCH_PAIR_FILE_H_
#define LEAFSCORE_BENCH_PAIR_FILE_H_

#include <string>
#include <vector>

#include "bench/string_workloads.h"

namespace leafscore::internal {

// Returns the pairs of different strings that stand at the same place of "expected" and "actual" in the
// records of a file that leafscore reads, up to the first 64 MiB: those of ASCII alone, and all others.
// ERRORS: throws Error(kInput) when the file cannot be read.
std::vector<StringWorkload> ReadPairFile(const std::string& path);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_BENCH_PAIR_FILE_H_
