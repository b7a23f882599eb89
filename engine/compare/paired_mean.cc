#include "engine/compare/paired_mean.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/statistics/looks.h"
#include "engine/statistics/mean_estimate.h"
#include "engine/statistics/paired_tests.h"
#include "engine/statistics/sign_flip.h"
#include "engine/statistics/typical_values.h"
#include "engine/statistics/worst_case.h"

namespace leafscore::internal {
namespace {

// Fills the figures that use the t-distribution. No verdict depends on them.
void FillInformation(std::span<const Unit> units, double alpha, ComparedFigure& figure) {
  const std::optional<MeanEstimate> estimate = EstimateMean(units);
  if (!estimate) return;
  figure.standard_error = estimate->standard_error;
  figure.p_t = PairedTTest(*estimate);
  figure.t_interval = TInterval(*estimate, 1 - alpha);
  if (estimate->standard_error <= 0) return;
  figure.detectable = DetectableMean(*estimate, alpha, kPower);
  figure.effect = estimate->mean / (estimate->standard_error * std::sqrt(static_cast<double>(units.size())));
}

}  // namespace

void FillTests(std::span<const Unit> units, const ComparisonOptions& options, ComparedFigure& figure) {
  Unit all{0, 0};
  for (const Unit& unit : units) {
    all.sum += unit.sum;
    all.count += unit.count;
  }
  figure.difference = all.sum / all.count;
  SignFlipResult test = SignFlipTest(units);
  if (options.anytime) {
    test.p = AnytimeP(units);
    test.least_p = 0;  // so that every test counts in its family
  }
  figure.p = test.p;
  figure.least_p = test.least_p;
  figure.interval = TypicalValuesInterval(units, options.alpha, test);
  FillInformation(units, options.alpha, figure);
}

void FillBounds(std::span<const Unit> units, double scale, const ComparisonOptions& options,
                ComparedFigure& figure) {
  const WorstCaseBound bound(units);
  const auto scaled = [&](double end) { return std::clamp(end * scale, -1.0, 1.0); };
  figure.bounds = {scaled(bound.Lower(options.alpha)), scaled(bound.Upper(options.alpha))};
  figure.p_equivalence = bound.EquivalenceP(options.margin / scale);
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

std::optional<double> PairedMean::StandardError() const {
  const std::optional<MeanEstimate> estimate = EstimateMean(units_);
  return estimate ? std::optional(estimate->standard_error) : std::nullopt;
}

double PairedMean::EffectiveUnits() const {
  double squares = 0;
  for (const Unit& unit : units_) squares += unit.count * unit.count;
  const auto records = static_cast<double>(records_);
  return records_ == 0 ? 0 : records * records / squares;
}

ComparedFigure PairedMean::Figure(const ComparisonOptions& options) const {
  ComparedFigure figure;
  if (records_ == 0) return figure;
  const auto records = static_cast<double>(records_);
  figure.base = base_ / records;
  figure.now = now_ / records;
  figure.wins = wins_;
  figure.losses = losses_;
  figure.ties = records_ - wins_ - losses_;
  FillTests(units_, options, figure);
  FillBounds(units_, 1, options, figure);
  if (!has_fractions_) return figure;
  std::vector<double> differences;
  for (const Unit& unit : units_) {
    if (unit.sum != 0) differences.push_back(unit.sum / unit.count);
  }
  figure.p_wilcoxon = WilcoxonTest(differences);
  return figure;
}

}  // namespace leafscore::internal
