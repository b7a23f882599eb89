#include "engine/report/confidence_figures.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace leafscore::internal {
namespace {

__extension__ using WideCount = unsigned __int128;

constexpr std::uint32_t kConfidenceBins = 10;
constexpr double kReviewedShare = 0.05;

double Quotient(WideCount part, WideCount whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void ConfidenceCounts::Add(std::uint32_t step, const CellCounts& counts) {
  Values& values = by_step_[step];
  values.right += counts.right;
  values.wrong += counts.extra;
}

ConfidenceCounts& ConfidenceCounts::operator+=(const ConfidenceCounts& more) {
  for (const auto& [step, values] : more.by_step_) {
    Values& sum = by_step_[step];
    sum.right += values.right;
    sum.wrong += values.wrong;
  }
  return *this;
}

std::optional<Calibration> ConfidenceCounts::Figures(std::uint64_t given) const {
  if (by_step_.empty()) return std::nullopt;
  Calibration figures;
  WideCount squares = 0;      // in units of a squared step
  WideCount right_above = 0;  // twice the pairs in which the right value has the higher confidence
  std::uint64_t wrong_below = 0;
  for (const auto& [step, values] : by_step_) {
    const WideCount left = kConfidenceSteps - step;
    squares += values.right * left * left + WideCount{values.wrong} * step * step;
    right_above += WideCount{values.right} * (2 * WideCount{wrong_below} + values.wrong);
    wrong_below += values.wrong;
    figures.values += values.all();
    figures.right += values.right;
  }
  const std::uint64_t wrong = figures.values - figures.right;
  figures.without_confidence = given - std::min(given, figures.values);
  figures.brier_score = Quotient(squares, WideCount{figures.values} * kConfidenceSteps * kConfidenceSteps);
  if (figures.right > 0 && wrong > 0)
    figures.auroc = Quotient(right_above, 2 * WideCount{figures.right} * wrong);
  SetBins(figures);
  SetReview(figures);
  return figures;
}

// Adds up the values of each bin. The upper end of a bin belongs to the bin.
void ConfidenceCounts::SetBins(Calibration& figures) const {
  constexpr std::uint32_t kWidth = kConfidenceSteps / kConfidenceBins;
  WideCount error = 0;  // sum over the bins of |sum of confidences - right values|, in steps
  for (std::uint32_t b = 0; b < kConfidenceBins; ++b) {
    ConfidenceBin& bin = figures.bins.emplace_back();
    bin.from = static_cast<double>(b) / kConfidenceBins;
    bin.to = static_cast<double>(b + 1) / kConfidenceBins;
    std::uint64_t right = 0;
    WideCount confidence = 0;
    const auto begin = b == 0 ? by_step_.begin() : by_step_.upper_bound(b * kWidth);
    const auto end = by_step_.upper_bound((b + 1) * kWidth);
    for (auto at = begin; at != end; ++at) {
      bin.values += at->second.all();
      right += at->second.right;
      confidence += WideCount{at->second.all()} * at->first;
    }
    if (bin.values == 0) continue;
    bin.confidence = Quotient(confidence, WideCount{bin.values} * kConfidenceSteps);
    bin.precision = Quotient(right, bin.values);
    const WideCount in_steps = WideCount{right} * kConfidenceSteps;
    error += std::max(confidence, in_steps) - std::min(confidence, in_steps);
  }
  figures.expected_calibration_error = Quotient(error, WideCount{figures.values} * kConfidenceSteps);
}

// Computes how many wrong values a review of the least sure values finds. If only some values of one
// confidence are reviewed, wrong values are assumed to be as frequent among them as among all values of this
// confidence.
void ConfidenceCounts::SetReview(Calibration& figures) const {
  Calibration::Review& review = figures.least_sure;
  review.share = kReviewedShare;
  review.checked =
      static_cast<std::uint64_t>(std::ceil(kReviewedShare * static_cast<double>(figures.values)));
  std::uint64_t left = review.checked;
  for (const auto& [step, values] : by_step_) {
    const std::uint64_t checked = std::min(left, values.all());
    review.errors_found += static_cast<double>(values.wrong) * Quotient(checked, values.all());
    left -= checked;
    if (left == 0) break;
  }
  const std::uint64_t wrong = figures.values - figures.right;
  if (wrong > 0) review.share_of_errors = review.errors_found / static_cast<double>(wrong);
}

FigureList<Calibration> CalibrationFigures() {
  using Review = Calibration::Review;
  return {{"", "values", "", At<&Calibration::values>},
          {"", "without_confidence", "", At<&Calibration::without_confidence>},
          {"", "right", "", At<&Calibration::right>},
          {"", "expected_calibration_error", "", At<&Calibration::expected_calibration_error>},
          {"", "brier_score", "", At<&Calibration::brier_score>},
          {"", "auroc", "", At<&Calibration::auroc>},
          {"least_sure", "share", "", At<&Calibration::least_sure, &Review::share>},
          {"least_sure", "checked", "", At<&Calibration::least_sure, &Review::checked>},
          {"least_sure", "errors_found", "", At<&Calibration::least_sure, &Review::errors_found>},
          {"least_sure", "share_of_errors", "", At<&Calibration::least_sure, &Review::share_of_errors>}};
}

FigureList<ConfidenceBin> ConfidenceBinFigures() {
  return {{"", "from", "", At<&ConfidenceBin::from>},
          {"", "to", "", At<&ConfidenceBin::to>},
          {"", "values", "", At<&ConfidenceBin::values>},
          {"", "confidence", "", At<&ConfidenceBin::confidence>},
          {"", "precision", "", At<&ConfidenceBin::precision>}};
}

}  // namespace leafscore::internal
