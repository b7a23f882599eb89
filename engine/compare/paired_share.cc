#include "engine/compare/paired_share.h"

#include <algorithm>
#include <cmath>

#include "engine/compare/paired_mean.h"
#include "engine/statistics/paired_units.h"

namespace leafscore::internal {

void PairedShare::Add(std::uint32_t unit, const PartOfWhole& base, const PartOfWhole& now) {
  const double most = std::max(base.whole, now.whole);
  if (most == 0) return;
  records_.push_back({unit, now.part - base.part, now.whole - base.whole, most});
  base_.part += base.part;
  base_.whole += base.whole;
  now_.part += now.part;
  now_.whole += now.whole;
}

void PairedShare::CountUnits(ComparedRow& row) const {
  double most = 0;
  double squares = 0;
  double of_unit = 0;
  row.records = records_.size();
  for (std::size_t r = 0; r < records_.size(); ++r) {
    if (r == 0 || records_[r].unit != records_[r - 1].unit) {
      ++row.units;
      squares += of_unit * of_unit;
      of_unit = 0;
    }
    of_unit += records_[r].most;
    most += records_[r].most;
  }
  squares += of_unit * of_unit;
  if (squares > 0) row.effective_units = most * most / squares;
}

ComparedFigure PairedShare::Figure(const ComparisonOptions& options) const {
  ComparedFigure figure;
  figure.base = base_.part / base_.whole;
  figure.now = now_.part / now_.whole;
  const double share = (base_.part + now_.part) / (base_.whole + now_.whole);
  std::vector<Unit> units;
  double most = 0;
  for (std::size_t r = 0; r < records_.size(); ++r) {
    const Record& record = records_[r];
    double change = record.parts - share * record.wholes;
    if (std::abs(change) <= kScoreRounding * record.most) change = 0;
    figure.wins += change > 0;
    figure.losses += change < 0;
    if (r == 0 || record.unit != records_[r - 1].unit) units.push_back({0, 0});
    units.back().sum += change;
    units.back().count += record.most;
    most += record.most;
  }
  figure.ties = records_.size() - figure.wins - figure.losses;
  const double harmonic_mean = 2 * base_.whole * now_.whole / (base_.whole + now_.whole);
  const double scale = std::max(1.0, most / harmonic_mean);
  FillBounds(units, scale, options, figure);
  for (Unit& unit : units) unit.count /= scale;
  FillTests(units, options, figure);
  return figure;
}

}  // namespace leafscore::internal
