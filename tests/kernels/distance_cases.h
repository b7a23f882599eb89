// tests/kernels/distance_cases.h: pairs of strings for which every way to compute edit distances must be
// exact: each instruction set, and GPUs. Reproducible, and made on demand, since some are large.
#ifndef LEAFSCORE_TESTS_KERNELS_DISTANCE_CASES_H_
#define LEAFSCORE_TESTS_KERNELS_DISTANCE_CASES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace leafscore::internal {

struct DistanceCase {
  using Pairs = std::vector<std::pair<std::u32string, std::u32string>>;

  std::string name;  // a word
  std::function<Pairs()> make;
};

// Returns pairs with all alphabets and lengths, mostly short and sometimes long, as in real records.
DistanceCase::Pairs AllClassesMixed(std::uint32_t seed, std::size_t size);

std::vector<DistanceCase> DistanceCases();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_KERNELS_DISTANCE_CASES_H_
