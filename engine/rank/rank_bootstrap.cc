#include "engine/rank/rank_bootstrap.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>

#include "engine/statistics/resamples.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kResamples = 1000;
constexpr std::uint64_t kSeed = 1979;

static_assert(kResamples % kResamplesTogether == 0);

// Adds up what each model has in each resample: [resample * models + model].
void Sum(std::span<const double> scores, std::span<const std::uint8_t> counts, std::vector<double>& sums) {
  const std::size_t models = sums.size() / kResamplesTogether;
  std::ranges::fill(sums, 0.0);
  const double* of_record = scores.data();
  for (std::size_t i = 0; i < counts.size(); i += kResamplesTogether, of_record += models) {
    for (std::size_t resample = 0; resample < kResamplesTogether; ++resample) {
      const double count = counts[i + resample];
      double* const of_resample = sums.data() + resample * models;
      for (std::size_t m = 0; m < models; ++m) of_resample[m] += count * of_record[m];
    }
  }
}

// Returns the rank, from 0, that a share of the resamples have or are better than, by nearest rank.
double RankAt(std::span<const std::uint32_t> resamples_with_rank, std::size_t per_mille) {
  std::size_t seen = 0;
  std::size_t rank = 0;
  while ((seen += resamples_with_rank[rank]) * 1000 < per_mille * kResamples) ++rank;
  return static_cast<double>(rank);
}

}  // namespace

std::vector<Interval> RankIntervals(std::vector<double> scores, std::size_t models) {
  // Sums of multiples of 2^-24 are exact, so that equal ones are equal in whatever order they were added.
  for (double& score : scores) score = std::nearbyint(score * 0x1p24) * 0x1p-24;
  std::vector<std::uint32_t> resamples_with_rank(models * models);  // [model * models + rank from 0]
  std::vector<std::uint8_t> counts(scores.size() / models * kResamplesTogether);
  std::vector<double> sums(models * kResamplesTogether);
  std::vector<std::size_t> best_first(models);
  for (std::size_t first = 0; first < kResamples; first += kResamplesTogether) {
    DrawResamples(kSeed, first, counts);
    Sum(scores, counts, sums);
    for (std::size_t resample = 0; resample < kResamplesTogether; ++resample) {
      const double* const of_model = sums.data() + resample * models;
      std::iota(best_first.begin(), best_first.end(), std::size_t{0});
      std::ranges::sort(best_first, std::greater(), [&](std::size_t m) { return of_model[m]; });
      std::size_t rank = 0;
      for (std::size_t i = 0; i < models; ++i) {
        if (of_model[best_first[i]] < of_model[best_first[rank]]) rank = i;
        ++resamples_with_rank[best_first[i] * models + rank];
      }
    }
  }
  std::vector<Interval> intervals;
  for (std::size_t m = 0; m < models; ++m) {
    const auto of_model = std::span(resamples_with_rank).subspan(m * models, models);
    intervals.push_back({RankAt(of_model, 25) + 1, RankAt(of_model, 975) + 1});
  }
  return intervals;
}

}  // namespace leafscore::internal
