// engine/compare/gathered_row.h: collects the data of a row before its figures are computed: scores,
// verdicts, and how often repeated tests pass. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_COMPARE_GATHERED_ROW_H_
#define LEAFSCORE_ENGINE_COMPARE_GATHERED_ROW_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "engine/compare/compared_scores.h"
#include "engine/compare/paired_mean.h"
#include "engine/compare/paired_share.h"
#include "engine/statistics/pass_rates.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

// The scores of a scorer on both sides, and whether it passes or fails records on each.
struct ScorerSides {
  ScorerSides(const SideScores& of_base, const SideScores& of_now);

  bool both_judge() const { return base_judges && now_judges; }

  const SideScores& base;
  const SideScores& now;
  bool base_judges;
  bool now_judges;
};

// The data of a figure that is to be computed, and the place for the result.
using FigureWork = std::pair<std::variant<const PairedMean*, const PairedShare*>, ComparedFigure*>;

class GatheredRow {
 public:
  // REQUIRES: both arguments outlive this.
  GatheredRow(const ScorerSides& sides, const ComparisonOptions& options)
      : sides_(sides), options_(options) {}

  // Makes room for `units` units.
  void Reserve(std::size_t units);

  // Adds a record for which at least one side has a line; `base` and `now` are the results on each side.
  // Records of one unit must be adjacent.
  void Add(std::uint32_t unit, std::uint32_t id, const IdScore& base, const IdScore& now);

  std::uint64_t records() const { return mean_.records(); }

  // Fills a row, but not its names and figures. Adds the figures that must be computed to `work`.
  // REQUIRES: at least one record; this and the row do not move until the work is done.
  void Fill(ComparedRow& row, std::vector<FigureWork>& work) const;

  // Returns the pass rates of the row corrected by labels. RETURNS: nullopt without options.labels, or if the
  // scorer does not pass or fail records on both sides.
  std::optional<CorrectedPassRates> Corrected() const;

 private:
  // The flake rates, on one side, of the tests that were asked several times.
  struct FlakeRates {
    double sum = 0;
    std::uint64_t tests = 0;

    void Add(const IdScore& score);
    std::optional<double> Mean() const;
  };

  void AddAskings(std::uint32_t unit, std::uint32_t id, const IdScore& base, const IdScore& now);
  RepeatFigures Repeated() const;

  const ScorerSides& sides_;
  const ComparisonOptions& options_;
  PairedMean mean_;
  PairedMean pass_;
  bool pass_is_score_ = true;  // so far, on both sides
  std::uint64_t say_nothing_ = 0;
  double base_passes_ = 0;  // a record with several lines adds the share that passed
  double now_passes_ = 0;
  FlipCounts flips_;
  VerdictCounts base_labels_;
  VerdictCounts now_labels_;

  // Filled only with Repeats::kAll.
  PairedMean pass_k_;
  std::uint64_t short_tests_ = 0;
  FlakeRates base_flakes_;
  FlakeRates now_flakes_;
  std::vector<RepeatedScores> repeated_;  // tests with two lines or more on both sides
  PairedMean repeated_mean_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_GATHERED_ROW_H_
