#include "engine/compare/gathered_row.h"

#include <algorithm>

#include "engine/statistics/label_correction.h"
#include "engine/statistics/paired_tests.h"

namespace leafscore::internal {
namespace {

double PassShare(const IdScore& score) {
  return score.lines == 0 ? 0 : static_cast<double>(score.passes) / score.lines;
}

bool SaysNothing(const IdScore& score) {
  return score.nothing_compared || (score.lines > 0 && score.outcome == Outcome::kError);
}

bool Judges(const SideScores& side) {
  return std::ranges::any_of(side.by_id, [](const IdScore& score) { return score.has_verdict; });
}

}  // namespace

ScorerSides::ScorerSides(const SideScores& of_base, const SideScores& of_now)
    : base(of_base), now(of_now), base_judges(Judges(of_base)), now_judges(Judges(of_now)) {}

void GatheredRow::Reserve(std::size_t units) {
  mean_.Reserve(units);
  if (sides_.both_judge()) pass_.Reserve(units);
}

void GatheredRow::Add(std::uint32_t unit, std::uint32_t id, const IdScore& base, const IdScore& now) {
  mean_.Add(unit, base.score(), now.score());
  say_nothing_ += SaysNothing(base) || SaysNothing(now);
  const double base_passes = PassShare(base);
  const double now_passes = PassShare(now);
  base_passes_ += base_passes;
  now_passes_ += now_passes;
  if (base.is_labelled) base_labels_.Add(base.passed(), base.people_pass);
  if (now.is_labelled) now_labels_.Add(now.passed(), now.people_pass);
  pass_is_score_ &= base_passes == base.score() && now_passes == now.score();
  if (sides_.both_judge()) pass_.Add(unit, base_passes, now_passes);
  const bool passed = base.passed();
  if (now.passed()) {
    ++(passed ? flips_.both_pass : flips_.fail_to_pass);
  } else {
    ++(passed ? flips_.pass_to_fail : flips_.both_fail);
  }
  if (options_.repeats == Repeats::kAll) AddAskings(unit, id, base, now);
}

void GatheredRow::AddAskings(std::uint32_t unit, std::uint32_t id, const IdScore& base, const IdScore& now) {
  if (sides_.base_judges) base_flakes_.Add(base);
  if (sides_.now_judges) now_flakes_.Add(now);
  if (base.lines >= 2 && now.lines >= 2) {
    repeated_.push_back({sides_.base.VarianceOf(id), base.lines, sides_.now.VarianceOf(id), now.lines});
    repeated_mean_.Add(unit, base.score(), now.score());
  }
  const std::uint32_t k = options_.pass_k;
  if (k == 0 || !sides_.both_judge()) return;
  pass_k_.Add(unit, PassHatK(base.lines, base.passes, k), PassHatK(now.lines, now.passes, k));
  short_tests_ += base.lines < k || now.lines < k;
}

void GatheredRow::FlakeRates::Add(const IdScore& score) {
  const std::optional<double> rate = FlakeRate({score.passes, score.lines});
  if (!rate) return;
  sum += *rate;
  ++tests;
}

std::optional<double> GatheredRow::FlakeRates::Mean() const {
  return tests == 0 ? std::nullopt : std::optional(sum / static_cast<double>(tests));
}

RepeatFigures GatheredRow::Repeated() const {
  RepeatFigures figures{.base_flake_rate = base_flakes_.Mean(), .now_flake_rate = now_flakes_.Mean()};
  // The noise of asking is a part of the whole noise. Both are estimates, so the part can come out larger.
  if (const std::optional<double> error = repeated_mean_.StandardError()) {
    figures.asking_noise = std::min(1.0, AskingNoiseShare(repeated_, *error));
  }
  figures.short_tests = short_tests_;
  return figures;
}

// The sample size is the effective number of units. This treats the records of a cluster as if they were all
// alike.
std::optional<CorrectedPassRates> GatheredRow::Corrected() const {
  if (options_.labels.empty() || !sides_.both_judge()) return std::nullopt;
  const auto records = static_cast<double>(mean_.records());
  const double units = mean_.EffectiveUnits();
  CorrectedPassRates corrected{.base = CorrectByLabels(base_passes_ / records, units, base_labels_),
                               .now = CorrectByLabels(now_passes_ / records, units, now_labels_)};
  corrected.difference = CorrectedDifference(corrected.base, corrected.now);
  return corrected;
}

void GatheredRow::Fill(ComparedRow& row, std::vector<FigureWork>& work) const {
  row.records = mean_.records();
  row.units = mean_.units();
  row.effective_units = mean_.EffectiveUnits();
  row.say_nothing = say_nothing_;
  work.emplace_back(&mean_, &row.mean);
  const auto records = static_cast<double>(row.records);
  if (sides_.base_judges) row.base_pass_rate = base_passes_ / records;
  if (sides_.now_judges) row.now_pass_rate = now_passes_ / records;
  if (options_.repeats == Repeats::kAll) row.repeats = Repeated();
  if (!sides_.both_judge()) return;
  if (!pass_is_score_) work.emplace_back(&pass_, &row.pass.emplace());
  if (options_.pass_k > 0) work.emplace_back(&pass_k_, &row.pass_k.emplace());
  if (options_.repeats == Repeats::kAll) return;
  FlipCounts& flips = row.flips.emplace(flips_);
  if (!options_.cluster.empty()) return;
  flips.p = McNemarTest(flips.fail_to_pass, flips.pass_to_fail);
  flips.p_unpaired = UnpairedRatesTest(flips.both_pass + flips.pass_to_fail,
                                       flips.both_pass + flips.fail_to_pass, row.records);
}

}  // namespace leafscore::internal
