#include "engine/compare/paired_mean.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/statistics/bca_bootstrap.h"
#include "engine/statistics/paired_tests.h"
#include "engine/statistics/sign_flip.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMaxBlocks = 4096;
constexpr std::size_t kExactUnits = 16;  // of which SignFlipTest counts all choices of signs
constexpr double kPower = 0.8;
constexpr double kBeyondResamples =
    2e-4;  // the p-value of a bootstrap that sees no resample on one side of 0

}  // namespace

std::uint64_t LeastUnits(double margin, double alpha) {
  return margin >= 1 ? 1 : static_cast<std::uint64_t>(std::ceil(std::log(alpha) / std::log1p(-margin)));
}

void PairedMean::Add(std::uint32_t unit, double base, double now) {
  if (std::abs(now - base) <= kScoreRounding) now = base;
  const double difference = now - base;
  if (units_.empty() || unit != last_unit_) {
    units_.push_back({difference, 1});
  } else {
    units_.back().sum += difference;
    units_.back().count += 1;
  }
  last_unit_ = unit;
  ++records_;
  base_ += base;
  now_ += now;
  wins_ += now > base;
  losses_ += now < base;
  has_fractions_ |= (base != 0 && base != 1) || (now != 0 && now != 1);
}

BcaMean PairedMean::Bootstrap(double alpha) const {
  const std::size_t blocks = std::min(units_.size(), kMaxBlocks);
  std::vector<double> counts(blocks);
  std::vector<double> sums(blocks);
  for (std::size_t unit = 0; unit < units_.size(); ++unit) {
    const std::size_t block = unit * blocks / units_.size();
    counts[block] += units_[unit].count;
    sums[block] += units_[unit].sum;
  }
  return BcaMeans(counts, sums, 1 - alpha).front();
}

void PairedMean::FillTests(double margin, double alpha, ComparedMean& row) const {
  const std::optional<MeanEstimate> estimate = EstimateMean(units_);
  if (!estimate) return;
  row.standard_error = estimate->standard_error;
  const BcaMean bootstrap = Bootstrap(alpha);
  row.interval = bootstrap.interval;
  row.p_t = PairedTTest(*estimate);
  row.t_interval = TInterval(*estimate, 1 - alpha);
  row.p_equivalence = EquivalenceTest(*estimate, margin);
  if (estimate->standard_error > 0) {
    row.detectable = DetectableMean(*estimate, alpha, kPower);
    row.effect = estimate->mean / (estimate->standard_error * std::sqrt(static_cast<double>(units_.size())));
  }
  std::vector<double> differences;  // of the units that differ
  for (const Unit& unit : units_) {
    if (unit.sum != 0) differences.push_back(unit.sum);
  }
  if (differences.size() <= kExactUnits) {
    row.p = SignFlipTest(differences).p;
  } else {
    // No test of signs could say less.
    const double least = std::ldexp(2.0, -static_cast<int>(std::min<std::size_t>(differences.size(), 1000)));
    row.p = std::max(least, bootstrap.p.value_or(std::min(*row.p_t, kBeyondResamples)));
  }
  if (!has_fractions_) return;
  differences.clear();
  for (const Unit& unit : units_) {
    if (unit.sum != 0) differences.push_back(unit.sum / unit.count);
  }
  row.p_wilcoxon = WilcoxonTest(differences);
}

void PairedMean::Finish(double margin, double alpha, ComparedMean& row) {
  row.records = records_;
  row.units = units_.size();
  if (records_ == 0) return;
  const auto records = static_cast<double>(records_);
  row.base = base_ / records;
  row.now = now_ / records;
  row.wins = wins_;
  row.losses = losses_;
  row.ties = records_ - wins_ - losses_;
  double sum = 0;
  for (const Unit& unit : units_) sum += unit.sum;
  row.difference = sum / records;
  FillTests(margin, alpha, row);
  units_ = {};
}

}  // namespace leafscore::internal
