// engine/compare/single_tests.h: examines tests that were asked several times: which are flaky, and which got
// worse. Stateless.
#ifndef LEAFSCORE_ENGINE_COMPARE_SINGLE_TESTS_H_
#define LEAFSCORE_ENGINE_COMPARE_SINGLE_TESTS_H_

#include <cstddef>
#include <span>

#include "engine/compare/compared_scores.h"
#include "engine/compare/pairing.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

// Fills single_tests of each scorer that passes or fails records on both sides. All tests that may have got
// worse, over all scorers and files, form one family. Each has Fisher's exact test, one-sided at alpha.
// REQUIRES: Repeats::kAll; `sides` has the base, then the side of each file of the comparison.
// RETURNS: the number of tests in the family. COST: 40 bytes of memory for each test in the family.
std::size_t CompareSingleTests(const OrderedIds& order, std::span<const Side> sides,
                               const ComparisonOptions& options, Comparison& comparison);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_SINGLE_TESTS_H_
