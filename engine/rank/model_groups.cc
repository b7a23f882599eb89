#include "engine/rank/model_groups.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/limits.h"
#include "engine/statistics/families.h"
#include "engine/statistics/letter_display.h"
#include "engine/statistics/mean_estimate.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMostSignFlipTests = 100;

double TTest(const std::vector<Unit>& differences) {
  const std::optional<MeanEstimate> estimate = EstimateMean(differences);
  return estimate ? PairedTTest(*estimate) : 1;
}

}  // namespace

std::optional<std::vector<std::string>> GroupLetters(const SharedScores& scores, const IdPart& part,
                                                     std::span<const std::size_t> models) {
  if (models.size() > kMaxGrouped.max) {
    throw Error(ErrorCode::kInput, fmt::format("{} tests all pairs of at most {} models, and there are {}",
                                               kMaxGrouped.option, kMaxGrouped.max, models.size()));
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < models.size(); ++i) {
    for (std::size_t j = i + 1; j < models.size(); ++j) pairs.emplace_back(i, j);
  }
  std::vector<double> p_values;
  for (const auto& [i, j] : pairs) {
    p_values.push_back(pairs.size() > kMostSignFlipTests
                           ? TTest(scores.Differences(part, models[i], models[j]))
                           : scores.PairedTest(part, models[i], models[j]));
  }
  std::vector<std::pair<std::size_t, std::size_t>> different;
  const std::vector<double> corrected = HolmCorrected(p_values);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (corrected[i] <= kTiedAbove) different.push_back(pairs[i]);
  }
  return CompactLetters(models.size(), different);
}

}  // namespace leafscore::internal
