#include "engine/statistics/bca_bootstrap.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "engine/statistics/resamples.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kResamples = 10000;
constexpr std::uint64_t kSeed = 1987;
static_assert(kResamples % kResamplesTogether == 0);

// Returns the means of all resamples: [mean * kResamples + resample].
std::vector<double> MeansOfResamples(std::span<const double> counts, std::span<const double> sums) {
  const std::size_t units = counts.size();
  const std::size_t means = sums.size() / units;
  std::vector<double> of_resamples(means * kResamples);
  std::vector<std::uint8_t> drawn(units * kResamplesTogether);
  std::vector<double> totals((means + 1) * kResamplesTogether);  // [resample]: the counts, then each sum
  for (std::size_t first = 0; first < kResamples; first += kResamplesTogether) {
    DrawResamples(kSeed, first, drawn);
    std::ranges::fill(totals, 0.0);
    for (std::size_t unit = 0; unit < units; ++unit) {
      const std::uint8_t* const times = drawn.data() + unit * kResamplesTogether;
      const auto add = [&](double value, double* total) {
        for (std::size_t r = 0; r < kResamplesTogether; ++r) total[r] += times[r] * value;
      };
      add(counts[unit], totals.data());
      for (std::size_t m = 0; m < means; ++m) {
        add(sums[unit * means + m], totals.data() + (m + 1) * kResamplesTogether);
      }
    }
    for (std::size_t m = 0; m < means; ++m) {
      for (std::size_t r = 0; r < kResamplesTogether; ++r) {
        of_resamples[m * kResamples + first + r] = totals[(m + 1) * kResamplesTogether + r] / totals[r];
      }
    }
  }
  return of_resamples;
}

// Returns how fast the standard error of a mean changes with the mean, from the means without one unit each.
double Acceleration(std::span<const double> counts, std::span<const double> sums, std::size_t means,
                    std::size_t mean, double count, double sum) {
  const std::size_t units = counts.size();
  std::vector<double> without(units);
  for (std::size_t unit = 0; unit < units; ++unit) {
    without[unit] = (sum - sums[unit * means + mean]) / (count - counts[unit]);
  }
  const double average = std::accumulate(without.begin(), without.end(), 0.0) / static_cast<double>(units);
  double squares = 0;
  double cubes = 0;
  for (const double value : without) {
    const double difference = average - value;
    squares += difference * difference;
    cubes += difference * difference * difference;
  }
  return squares == 0 ? 0 : cubes / (6 * squares * std::sqrt(squares));
}

// Returns the value that a share of the sorted ones lies below, between two neighbours in a straight line.
double Quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// Returns how many of the sorted values are below this one; those that equal it count half.
double CountBelow(std::span<const double> sorted, double value) {
  const auto equal = std::ranges::equal_range(sorted, value);
  return static_cast<double>((equal.begin() - sorted.begin()) + (equal.end() - sorted.begin())) / 2;
}

}  // namespace

std::vector<BcaMean> BcaMeans(std::span<const double> counts, std::span<const double> sums,
                              double confidence) {
  const boost::math::normal normal;
  const std::size_t units = counts.size();
  const std::size_t means = sums.size() / units;
  std::vector<double> of_resamples = MeansOfResamples(counts, sums);
  const double count = std::accumulate(counts.begin(), counts.end(), 0.0);
  std::vector<BcaMean> results;
  for (std::size_t m = 0; m < means; ++m) {
    const auto resampled = std::span(of_resamples).subspan(m * kResamples, kResamples);
    std::ranges::sort(resampled);
    double sum = 0;
    for (std::size_t unit = 0; unit < units; ++unit) sum += sums[unit * means + m];
    const double mean = sum / count;
    if (resampled.front() == resampled.back()) {
      results.push_back({{mean, mean}, mean == 0 ? std::optional(1.0) : std::nullopt});
      continue;
    }
    const double below = CountBelow(resampled, mean);
    const double bias = quantile(normal, std::clamp(below, 0.5, kResamples - 0.5) / kResamples);
    const double acceleration = Acceleration(counts, sums, means, m, count, sum);
    const auto end = [&](double tail) {
      const double z = bias + quantile(normal, tail);
      const double stretch = 1 - acceleration * z;
      // Beyond, the correction has no meaning: the farthest resample is the end.
      const double corrected = stretch <= 0 ? (z > 0 ? 1.0 : 0.0) : cdf(normal, bias + z / stretch);
      return Quantile(resampled, corrected);
    };
    const double tail = (1 - confidence) / 2;
    results.push_back({{end(tail), end(1 - tail)}, std::nullopt});
    const double below_zero = CountBelow(resampled, 0);
    if (below_zero == 0 || below_zero == kResamples) continue;
    // The tail for which `end` is 0.
    const double away = quantile(normal, below_zero / kResamples) - bias;
    if (1 + acceleration * away <= 0) continue;
    const double z = away / (1 + acceleration * away) - bias;
    results.back().p = std::min(1.0, 2 * cdf(normal, -std::abs(z)));
  }
  return results;
}

}  // namespace leafscore::internal
