#include "engine/rank/shared_scores.h"

#include <utility>

#include "engine/base/exact_sum.h"
#include "engine/statistics/families.h"

namespace leafscore::internal {

IdPart PartOf(const IdFields& id_fields, const AskedIds& asked, std::vector<std::uint32_t> indexes) {
  IdPart part{std::move(indexes), {}, 0};
  if (id_fields.clusters == 0) {
    part.units = static_cast<std::uint32_t>(part.index.size());
    return part;
  }
  part.unit.resize(part.index.size());
  std::vector<std::uint32_t> unit_of_cluster(id_fields.clusters, IdField::kNone);
  for (std::size_t i = 0; i < part.index.size(); ++i) {
    std::uint32_t& unit = unit_of_cluster[id_fields.cluster[asked.shared[part.index[i]]]];
    if (unit == IdField::kNone) unit = part.units++;
    part.unit[i] = unit;
  }
  return part;
}

std::vector<Unit> SharedScores::Differences(const IdPart& part, std::size_t model, std::size_t other) const {
  std::vector<Unit> units(part.units);
  if (part.unit.empty()) {
    for (std::size_t i = 0; i < part.index.size(); ++i) {
      units[i].sum = Of(part.index[i], model) - Of(part.index[i], other);
    }
    return units;
  }
  std::vector<ExactSum> sums(part.units);  // the same for any order of a cluster's ids
  std::vector<ExactSum> of_other(part.units);
  for (std::size_t i = 0; i < part.index.size(); ++i) {
    sums[part.unit[i]].Add(Of(part.index[i], model));
    of_other[part.unit[i]].Add(Of(part.index[i], other));
  }
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    units[unit] = {sums[unit].Above(of_other[unit]), static_cast<double>(sums[unit].count())};
  }
  return units;
}

SignFlipResult SharedScores::Test(const IdPart& part, std::size_t model, std::size_t other) const {
  return SignFlipTest(Differences(part, model, other));
}

std::vector<bool> SharedScores::AsGoodAsFirst(const IdPart& part, std::span<const std::size_t> models) const {
  std::vector<double> p_values;
  std::vector<double> least_p;
  for (const std::size_t model : models.subspan(1)) {
    const SignFlipResult test = Test(part, models[0], model);
    p_values.push_back(test.p);
    least_p.push_back(test.least_p);
  }
  std::vector<bool> as_good = {true};
  for (const double p : HolmAttainableCorrected(p_values, least_p)) as_good.push_back(p >= kRankAlpha);
  return as_good;
}

}  // namespace leafscore::internal
