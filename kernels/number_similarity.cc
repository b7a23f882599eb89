#include "kernels/number_similarity.h"

#include <cassert>
#include <cmath>
#include <cstddef>

namespace leafscore::internal {

// Uses selections instead of branches, so that compilers vectorise the loop. Vectors wider than those of the
// basic instruction set would not help: the loop waits for divisions, and their rate hardly depends on the
// width.
void NumberSimilarityBatch(std::span<const double> expected, std::span<const double> actual, double tolerance,
                           std::span<double> similarity) noexcept {
  assert(expected.size() == actual.size() && expected.size() == similarity.size());
  constexpr double kZero = 1e-12;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double size = std::abs(expected[i]);
    const double difference = std::abs(expected[i] - actual[i]) / size;
    const double rest = 1.0 - difference;
    const double above_zero = rest > 0.0 ? rest : 0.0;  // 0 if it is NaN
    const double unlike_zero = difference <= tolerance ? 1.0 : above_zero;
    const double like_zero = std::abs(actual[i]) <= kZero ? 1.0 : 0.0;
    similarity[i] = size <= kZero ? like_zero : unlike_zero;
  }
}

}  // namespace leafscore::internal
