#include "engine/rank/shared_scores.h"

#include <numeric>
#include <utility>

#include "engine/statistics/families.h"
#include "engine/statistics/sign_flip.h"

namespace leafscore::internal {

IdPart PartOf(const IdOrder& order, const AskedIds& asked, std::vector<std::uint32_t> indexes) {
  IdPart part{std::move(indexes), {}, 0};
  part.unit.resize(part.index.size());
  if (order.clusters == 0) {
    std::iota(part.unit.begin(), part.unit.end(), 0u);
    part.units = static_cast<std::uint32_t>(part.unit.size());
    return part;
  }
  std::vector<std::uint32_t> unit_of_cluster(order.clusters, IdField::kNone);
  for (std::size_t i = 0; i < part.index.size(); ++i) {
    std::uint32_t& unit = unit_of_cluster[order.cluster[asked.shared[part.index[i]]]];
    if (unit == IdField::kNone) unit = part.units++;
    part.unit[i] = unit;
  }
  return part;
}

std::vector<Unit> SharedScores::Differences(const IdPart& part, std::size_t model, std::size_t other) const {
  std::vector<Unit> differences(part.units, Unit{0, 0});
  std::vector<double> of_other(part.units);
  for (std::size_t i = 0; i < part.index.size(); ++i) {
    differences[part.unit[i]].sum += Of(part.index[i], model);
    differences[part.unit[i]].count += 1;
    of_other[part.unit[i]] += Of(part.index[i], other);
  }
  for (std::size_t unit = 0; unit < of_other.size(); ++unit) differences[unit].sum -= of_other[unit];
  return differences;
}

double SharedScores::PairedTest(const IdPart& part, std::size_t model, std::size_t other) const {
  std::vector<double> differences;
  differences.reserve(part.units);
  for (const Unit& unit : Differences(part, model, other)) differences.push_back(unit.sum);
  return SignFlipTest(differences).p;
}

std::vector<bool> SharedScores::AsGoodAsFirst(const IdPart& part, std::span<const std::size_t> models) const {
  std::vector<double> p_values;
  for (const std::size_t model : models.subspan(1)) p_values.push_back(PairedTest(part, models[0], model));
  std::vector<bool> as_good = {true};
  for (const double p : HolmCorrected(p_values)) as_good.push_back(p > kTiedAbove);
  return as_good;
}

std::vector<double> SharedScores::UnitSums(const IdPart& part) const {
  std::vector<double> sums(part.units * models_);
  for (std::size_t i = 0; i < part.index.size(); ++i) {
    for (std::size_t m = 0; m < models_; ++m) sums[part.unit[i] * models_ + m] += Of(part.index[i], m);
  }
  return sums;
}

}  // namespace leafscore::internal
