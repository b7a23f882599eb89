// engine/compare/gathered_row.h: what the records of a row say, before its figures are worked out: their
// scores, and whether they pass. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_COMPARE_GATHERED_ROW_H_
#define LEAFSCORE_ENGINE_COMPARE_GATHERED_ROW_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/compare/compared_scores.h"
#include "engine/compare/paired_mean.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

// Which sides of a scorer pass or fail records.
struct Judging {
  bool base = false;
  bool now = false;
  bool both() const { return base && now; }
};

// A figure to be worked out, and where it goes.
using FigureWork = std::pair<const PairedMean*, ComparedFigure*>;

class GatheredRow {
 public:
  explicit GatheredRow(Judging judging) : judging_(judging) {}

  // Makes room for so many units.
  void Reserve(std::size_t units);

  // Adds a record that one of the sides has a line for. Records of one unit come one after the other.
  void Add(std::uint32_t unit, const IdScore& base, const IdScore& now);

  std::uint64_t records() const { return mean_.records(); }

  // Fills all of a row but its names and figures, and adds the figures that are to be worked out.
  // REQUIRES: a record; this and the row stay where they are until the work is done.
  void Fill(const ComparisonOptions& options, ComparedRow& row, std::vector<FigureWork>& work) const;

 private:
  Judging judging_;
  PairedMean mean_;
  PairedMean pass_;
  bool pass_is_score_ = true;  // of each record, on both sides
  std::uint64_t say_nothing_ = 0;
  double base_passes_ = 0;  // shares of several lines
  double now_passes_ = 0;
  FlipCounts flips_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_GATHERED_ROW_H_
