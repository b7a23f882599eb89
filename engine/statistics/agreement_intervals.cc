#include "engine/statistics/agreement_intervals.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/statistics/kendall_tau.h"
#include "engine/statistics/mean_estimate.h"
#include "engine/statistics/paired_units.h"

namespace leafscore::internal {
namespace {

constexpr double kConfidence = 0.95;

double MeanOf(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<Unit> UnitsOf(const RatedRecords& records, std::span<const double> influences) {
  std::vector<Unit> units;
  for (std::size_t i = 0; i < influences.size(); ++i) {
    if (records.units[i] >= units.size()) units.resize(records.units[i] + 1, {.sum = 0, .count = 0});
    Unit& unit = units[records.units[i]];
    unit.sum += influences[i];
    ++unit.count;
  }
  return units;
}

// Returns the interval of a figure on which the records have these influences.
std::optional<Interval> IntervalOf(double figure, const RatedRecords& records,
                                   std::span<const double> influences) {
  std::optional<MeanEstimate> estimate = EstimateMean(UnitsOf(records, influences));
  if (!estimate) return std::nullopt;
  estimate->mean = figure;
  return TInterval(*estimate, kConfidence);
}

// Raters who agree in all observed units may still disagree in others. Returns the largest share of such
// units.
std::optional<double> UnseenShare(const RatedRecords& records) {
  const std::size_t units = records.units.empty() ? 0 : std::ranges::max(records.units) + 1;
  if (units < 2) return std::nullopt;
  return 1 - std::pow((1 - kConfidence) / 2, 1 / static_cast<double>(units));
}

// Returns the interval of 1 - observed / expected. `observed` and `expected_parts` have one value for each
// record: the mean of `observed` is the observed disagreement, and the mean of `expected_parts` is
// `expected`. `farthest` is the largest disagreement that a record could have.
std::optional<Interval> DisagreementInterval(const RatedRecords& records, std::span<const double> observed,
                                             double expected, std::span<const double> expected_parts,
                                             double farthest) {
  const double mean = observed.empty() ? 0 : MeanOf(observed);
  if (!(expected > 0)) return std::nullopt;
  if (mean == 0) {
    const std::optional<double> share = UnseenShare(records);
    return share ? std::optional(Interval{1 - *share * farthest / expected, 1}) : std::nullopt;
  }
  std::vector<double> influences;
  for (std::size_t i = 0; i < observed.size(); ++i)
    influences.push_back(observed[i] / mean - expected_parts[i] / expected);
  const std::optional<Interval> logarithm = IntervalOf(std::log(mean / expected), records, influences);
  if (!logarithm) return std::nullopt;
  return Interval{1 - std::exp(logarithm->high), 1 - std::exp(logarithm->low)};
}

// Returns the square of the distance between the smallest and the largest rating.
double SquaredRange(const RatedRecords& records) {
  const auto one = std::ranges::minmax(records.one);
  const auto other = std::ranges::minmax(records.other);
  return std::pow(std::max(one.max, other.max) - std::min(one.min, other.min), 2);
}

// The mean ratings of the units, as if each unit were a single record. Many records of a unit are no more
// evidence of agreement than one. REQUIRES: the raters agree on all records.
class MeansOfUnits {
 public:
  explicit MeansOfUnits(const RatedRecords& records) {
    std::vector<double> counts;
    for (std::size_t i = 0; i < records.one.size(); ++i) {
      const std::size_t unit = records.units[i];
      means_.resize(std::max(means_.size(), unit + 1));
      counts.resize(means_.size());
      means_[unit] += records.one[i];
      ++counts[unit];
    }
    for (std::size_t unit = 0; unit < means_.size(); ++unit) means_[unit] /= counts[unit];
    units_.resize(means_.size());
    std::iota(units_.begin(), units_.end(), std::size_t{0});
  }

  RatedRecords records() const { return {means_, means_, units_}; }

 private:
  std::vector<double> means_;
  std::vector<std::size_t> units_;
};

// Tells whether the raters always agree and units have several records.
bool AgreesInRepeats(const RatedRecords& records) {
  return !records.units.empty() && std::ranges::max(records.units) + 1 < records.units.size() &&
         std::ranges::equal(records.one, records.other);
}

}  // namespace

std::optional<Interval> AlphaInterval(const RatedRecords& records) {
  const std::size_t size = records.one.size();
  if (size == 0) return std::nullopt;
  if (AgreesInRepeats(records)) return AlphaInterval(MeansOfUnits(records).records());
  const double center = (MeanOf(records.one) + MeanOf(records.other)) / 2;
  std::vector<double> observed;
  std::vector<double> spread;
  for (std::size_t i = 0; i < size; ++i) {
    const double one = records.one[i] - center;
    const double other = records.other[i] - center;
    observed.push_back((one - other) * (one - other));
    spread.push_back(one * one + other * other);
  }
  // No rating is compared with itself.
  const double pairs = 2 * static_cast<double>(size);
  const double scale = pairs / (pairs - 1);
  for (double& part : spread) part *= scale;
  return DisagreementInterval(records, observed, MeanOf(spread), spread, SquaredRange(records));
}

std::optional<Interval> KappaInterval(const RatedRecords& records) {
  const std::size_t size = records.one.size();
  if (size == 0) return std::nullopt;
  if (AgreesInRepeats(records)) return KappaInterval(MeansOfUnits(records).records());
  const double one = MeanOf(records.one);
  const double other = MeanOf(records.other);
  const double expected = one * (1 - other) + other * (1 - one);
  std::vector<double> observed;
  std::vector<double> parts;
  for (std::size_t i = 0; i < size; ++i) {
    observed.push_back(records.one[i] != records.other[i] ? 1 : 0);
    parts.push_back(expected + (records.one[i] - one) * (1 - 2 * other) +
                    (records.other[i] - other) * (1 - 2 * one));
  }
  return DisagreementInterval(records, observed, expected, parts, 1);
}

std::optional<Interval> TauBInterval(const RatedRecords& records) {
  if (AgreesInRepeats(records)) return TauBInterval(MeansOfUnits(records).records());
  const std::size_t size = records.one.size();
  if (size == 0) return std::nullopt;
  const OrderedPairs pairs = CountOrderedPairs(records.one, records.other);
  const double one = MeanOf(pairs.by_one);
  const double other = MeanOf(pairs.by_other);
  if (one == 0 || other == 0) return std::nullopt;
  const double ordered = std::sqrt(one * other);
  const double tau = MeanOf(pairs.agreement) / ordered;
  if (constexpr double kRounding = 1e-12; std::abs(tau) > 1 - kRounding) {
    // The assumed units are in the wrong order relative to all other units. Each of these pairs counts for
    // both of its units.
    const std::optional<double> share = UnseenShare(records);
    if (!share) return std::nullopt;
    const double reach = std::min(4 * *share * static_cast<double>(size - 1) / ordered, 2.0);
    return tau > 0 ? Interval{1 - reach, 1} : Interval{-1, reach - 1};
  }
  // Each pair counts for both of its records.
  std::vector<double> influences;
  for (std::size_t i = 0; i < size; ++i) {
    const double part =
        pairs.agreement[i] / ordered - tau / 2 * (pairs.by_one[i] / one + pairs.by_other[i] / other);
    influences.push_back(2 * part / (1 - tau * tau));
  }
  const std::optional<Interval> interval = IntervalOf(std::atanh(tau), records, influences);
  if (!interval) return std::nullopt;
  return Interval{std::tanh(interval->low), std::tanh(interval->high)};
}

}  // namespace leafscore::internal
