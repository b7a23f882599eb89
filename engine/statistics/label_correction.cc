#include "engine/statistics/label_correction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/statistics/pass_rates.h"

namespace leafscore::internal {
namespace {

// A share of answers and its variance. `weight` answers are added to the real ones; half of them are
// successes.
struct AdjustedShare {
  AdjustedShare(double part, double all, double weight)
      : value((part + weight / 2) / (all + weight)), variance(value * (1 - value) / (all + weight)) {}

  double value;
  double variance;
};

Interval CorrectedInterval(double pass_rate, double records, const VerdictCounts& labels) {
  constexpr double kOneOfEach = 2;
  const AdjustedShare raw(pass_rate * records, records, kNormal975 * kNormal975);
  const AdjustedShare sensitivity(static_cast<double>(labels.both_pass),
                                  static_cast<double>(labels.both_pass + labels.people_pass), kOneOfEach);
  const AdjustedShare specificity(static_cast<double>(labels.both_fail),
                                  static_cast<double>(labels.both_fail + labels.judge_passes), kOneOfEach);
  const double informed = sensitivity.value + specificity.value - 1;
  const double reach = kNormal975 * std::sqrt(sensitivity.variance + specificity.variance);
  if (informed <= reach) return {0, 1};  // perhaps the judge only guesses
  const double rate = std::clamp((raw.value + specificity.value - 1) / informed, 0.0, 1.0);
  const double shift =
      2 * kNormal975 * kNormal975 * (rate * sensitivity.variance - (1 - rate) * specificity.variance);
  const double variance =
      raw.variance + rate * rate * sensitivity.variance + (1 - rate) * (1 - rate) * specificity.variance;
  const double error = kNormal975 * std::sqrt(variance) / informed;
  return {std::clamp(rate + shift - error, 0.0, 1.0), std::clamp(rate + shift + error, 0.0, 1.0)};
}

std::string WhyNoRate(const CorrectedPassRate& corrected, std::uint64_t pass, std::uint64_t fail) {
  if (std::min(pass, fail) < kLeastLabels) {
    return fmt::format(
        "people pass {} of the {} labelled answers and fail {}; a correction takes at least {} of each", pass,
        pass + fail, fail, kLeastLabels);
  }
  if (*corrected.sensitivity + *corrected.specificity > 1) return {};
  return fmt::format(
      "by the labels, verdicts are no better than chance: they pass {:.4f} of the answers that people pass, "
      "and {:.4f} of those that people fail (sensitivity + specificity is at most 1)",
      *corrected.sensitivity, 1 - *corrected.specificity);
}

}  // namespace

CorrectedPassRate CorrectByLabels(double pass_rate, double records, const VerdictCounts& labels) {
  CorrectedPassRate corrected{.labels = labels};
  const std::uint64_t pass = labels.both_pass + labels.people_pass;
  const std::uint64_t fail = labels.both_fail + labels.judge_passes;
  const auto share = [](std::uint64_t part, std::uint64_t all) {
    return static_cast<double>(part) / static_cast<double>(all);
  };
  if (pass != 0) corrected.sensitivity = share(labels.both_pass, pass);
  if (fail != 0) corrected.specificity = share(labels.both_fail, fail);
  corrected.why_not = WhyNoRate(corrected, pass, fail);
  if (!corrected.why_not.empty()) return corrected;
  corrected.pass_rate = std::clamp(
      (pass_rate + *corrected.specificity - 1) / (*corrected.sensitivity + *corrected.specificity - 1), 0.0,
      1.0);
  corrected.interval = CorrectedInterval(pass_rate, records, labels);
  // The interval is not centred at the rate, so a rate near 0 or 1 may lie a little outside.
  corrected.interval->low = std::min(corrected.interval->low, *corrected.pass_rate);
  corrected.interval->high = std::max(corrected.interval->high, *corrected.pass_rate);
  return corrected;
}

std::optional<Interval> CorrectedDifference(const CorrectedPassRate& base, const CorrectedPassRate& now) {
  if (!base.interval || !now.interval) return std::nullopt;
  const double difference = *now.pass_rate - *base.pass_rate;
  const double down = std::hypot(*now.pass_rate - now.interval->low, base.interval->high - *base.pass_rate);
  const double up = std::hypot(now.interval->high - *now.pass_rate, *base.pass_rate - base.interval->low);
  return Interval{difference - down, difference + up};
}

}  // namespace leafscore::internal
