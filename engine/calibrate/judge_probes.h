// engine/calibrate/judge_probes.h: `leafscore judge-check --probes` measures what sways a judge. The same
// answers are judged again after a change that should not matter, such as padding or a request for a high
// score, and each score is compared with the score of the unchanged answer.
//
// Each text in an answer is changed, whether the answer is a text or has texts in it. The records and the
// seed alone decide which records are taken and how they are changed. THREADS: one; the caller owns the
// result.
#ifndef LEAFSCORE_ENGINE_CALIBRATE_JUDGE_PROBES_H_
#define LEAFSCORE_ENGINE_CALIBRATE_JUDGE_PROBES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/run/scorer_set.h"
#include "leafscore/files.h"
#include "leafscore/report.h"

namespace leafscore::internal {

enum class Probe : std::uint8_t { kPadded, kRestyled, kInjected, kCited, kOwnModel, kSwapped };

// In the order of Probe.
inline constexpr std::string_view kProbeNames[] = {"padded", "restyled",  "injected",
                                                   "cited",  "own_model", "swapped"};

// Returns an answer's text as a probe changes it; kSwapped changes nothing. `model` is the judge's name.
std::string ProbedText(Probe probe, std::string_view text, std::string_view model);

struct ProbeOptions {
  FileOptions run = {};  // inputs, fields, limits, and the judges to ask
  std::uint64_t records = 100;
  std::uint64_t seed = 1;
};

// The shift of the scores of one judge by one probe.
struct ProbeFigures {
  std::string scorer = {};
  Probe probe = {};
  std::uint64_t records = 0;          // with a score before and after
  std::uint64_t units = 0;            // ids of these records
  std::uint64_t not_shown = 0;        // records in which the judge sees no change, which count in no figure
  std::uint64_t errors = 0;           // records that had a score before, and have none after
  std::optional<double> before = {};  // means
  std::optional<double> after = {};
  std::optional<double> shift = {};  // after - before
  // The 95% interval of the shift, which holds for any distribution of scores
  // (engine/statistics/worst_case.h).
  std::optional<Interval> interval = {};
  std::optional<double> p = {};  // of the sign-flip test
  std::uint64_t requests = 0;
  std::uint64_t cached = 0;
  std::optional<double> cost = {};

  // Returns how far the judge may be shifted, up or down.
  std::optional<double> Bound() const;
};

struct JudgeProbes {
  std::uint64_t records = 0;              // records in the inputs
  std::uint64_t taken = 0;                // records that were probed
  std::uint64_t rejected = 0;             // records that could not be read
  std::uint64_t without_score = 0;        // judgements of unchanged answers that gave no score
  std::vector<ProbeFigures> probes = {};  // by scorer

  std::string ToJson() const;
  std::string ToText() const;
};

// Returns the bound of a probe over this many units if no score shifts. A gate below this bound never passes.
double LeastProbeBound(std::uint64_t units);

// REQUIRES: options.run.judges. Scorers that ask no model are left out.
// ERRORS: errors of a run; Error(kInput) if there is nothing to probe.
JudgeProbes ProbeJudges(const ScorerSet& scorers, const ProbeOptions& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CALIBRATE_JUDGE_PROBES_H_
