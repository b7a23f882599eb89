// engine/report/confidence_figures.h: how well the confidences stated in answers predict which values are
// right. Figures come from counts of right and wrong values by confidence. Confidences are rounded to steps,
// so the counts, and all figures made from them, depend neither on the order of records nor on their division
// into parts.
#ifndef LEAFSCORE_ENGINE_REPORT_CONFIDENCE_FIGURES_H_
#define LEAFSCORE_ENGINE_REPORT_CONFIDENCE_FIGURES_H_

#include <cstdint>
#include <map>
#include <optional>

#include "engine/base/cell_rows.h"
#include "engine/render/figures.h"
#include "leafscore/report.h"

namespace leafscore::internal {

class ConfidenceCounts {
 public:
  // Adds values with the confidence `step` / kConfidenceSteps: `counts.right` of them are right,
  // `counts.extra` are wrong.
  void Add(std::uint32_t step, const CellCounts& counts);
  ConfidenceCounts& operator+=(const ConfidenceCounts& more);

  // Returns the figures; nullopt if no value has a confidence. `given` is the number of all given values.
  //
  // The expected calibration error is defined by C. Guo et al., "On calibration of modern neural networks",
  // ICML 2017, with ten bins of equal width. The AUROC is the chance that a right value has a higher
  // confidence than a wrong one, where a pair with equal confidences counts half.
  std::optional<Calibration> Figures(std::uint64_t given) const;

 private:
  struct Values {
    std::uint64_t right = 0;
    std::uint64_t wrong = 0;

    std::uint64_t all() const { return right + wrong; }
  };

  void SetBins(Calibration& figures) const;
  void SetReview(Calibration& figures) const;

  std::map<std::uint32_t, Values> by_step_;
};

// Return the descriptions of the figures (without the bins) and of the figures of a bin.
FigureList<Calibration> CalibrationFigures();
FigureList<ConfidenceBin> ConfidenceBinFigures();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_CONFIDENCE_FIGURES_H_
