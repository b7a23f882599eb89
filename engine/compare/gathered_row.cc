#include "engine/compare/gathered_row.h"

#include "engine/statistics/paired_tests.h"

namespace leafscore::internal {
namespace {

double PassShare(const IdScore& score) {
  return score.lines == 0 ? 0 : static_cast<double>(score.passes) / score.lines;
}

bool SaysNothing(const IdScore& score) {
  return score.nothing_compared || (score.lines > 0 && score.outcome == Outcome::kError);
}

}  // namespace

void GatheredRow::Reserve(std::size_t units) {
  mean_.Reserve(units);
  if (judging_.both()) pass_.Reserve(units);
}

void GatheredRow::Add(std::uint32_t unit, const IdScore& base, const IdScore& now) {
  mean_.Add(unit, base.score(), now.score());
  say_nothing_ += SaysNothing(base) || SaysNothing(now);
  const double base_passes = PassShare(base);
  const double now_passes = PassShare(now);
  base_passes_ += base_passes;
  now_passes_ += now_passes;
  pass_is_score_ &= base_passes == base.score() && now_passes == now.score();
  if (judging_.both()) pass_.Add(unit, base_passes, now_passes);
  const bool passed = base.passed();
  if (now.passed()) {
    ++(passed ? flips_.both_pass : flips_.fail_to_pass);
  } else {
    ++(passed ? flips_.pass_to_fail : flips_.both_fail);
  }
}

void GatheredRow::Fill(const ComparisonOptions& options, ComparedRow& row,
                       std::vector<FigureWork>& work) const {
  row.records = mean_.records();
  row.units = mean_.units();
  row.effective_units = mean_.EffectiveUnits();
  row.say_nothing = say_nothing_;
  work.emplace_back(&mean_, &row.mean);
  const auto records = static_cast<double>(row.records);
  if (judging_.base) row.base_pass_rate = base_passes_ / records;
  if (judging_.now) row.now_pass_rate = now_passes_ / records;
  if (!judging_.both()) return;
  if (!pass_is_score_) work.emplace_back(&pass_, &row.pass.emplace());
  if (options.repeats == Repeats::kAll) return;
  FlipCounts& flips = row.flips.emplace(flips_);
  if (!options.cluster.empty()) return;
  flips.p = McNemarTest(flips.fail_to_pass, flips.pass_to_fail);
  flips.p_unpaired = UnpairedRatesTest(flips.both_pass + flips.pass_to_fail,
                                       flips.both_pass + flips.fail_to_pass, row.records);
}

}  // namespace leafscore::internal
