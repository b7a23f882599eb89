// engine/calibrate/judge_check.h: `leafscore judge-check` scores records that people have labelled, and
// reports how reliable the scorer is. It is meant for judges, but works for any scorer. Intervals are at 95%.
// They treat all records with the same id as one unit (engine/statistics/agreement_intervals.h).
// THREADS: one; the caller owns the result.
#ifndef LEAFSCORE_ENGINE_CALIBRATE_JUDGE_CHECK_H_
#define LEAFSCORE_ENGINE_CALIBRATE_JUDGE_CHECK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/run/scorer_set.h"
#include "leafscore/files.h"
#include "leafscore/report.h"

namespace leafscore::internal {

struct JudgeCheckOptions {
  FileOptions run = {};               // inputs, fields, limits
  std::string label_field = "label";  // the people's label: a number, or true and false
  double label_max = 1;               // the best label; 0 is the worst
  double threshold = 0.5;             // the least score, and label, that passes
  std::vector<std::string> by = {};   // fields whose values may bias the judge: model, position
};

// Scores of one scorer against labels, over the records that have both.
struct AgainstPeople {
  std::uint64_t records = 0;
  std::optional<double> people = {};           // mean
  std::optional<double> judge = {};            // mean
  std::optional<double> bias = {};             // mean of judge minus people
  std::optional<double> bias_error = {};       // its standard error
  std::optional<double> mean_difference = {};  // mean of the absolute differences
};

// At the threshold: how often both pass, only one passes, or both fail.
struct Confusion : VerdictCounts {
  std::optional<double> agreement = {};  // share of the records on which both agree
  std::optional<double> kappa = {};      // Cohen's: agreement beyond chance
  std::optional<Interval> kappa_interval = {};
};

struct BiasOfGroup {
  std::string field;
  std::string value;
  AgainstPeople figures;
};

struct CheckedJudge {
  std::string scorer = {};
  std::uint64_t labelled = 0;  // records with a label
  std::uint64_t errors = 0;    // labelled records without a score
  std::string first_error = {};
  AgainstPeople all = {};
  std::optional<double> alpha = {};  // Krippendorff's, between the judge and people
  std::optional<Interval> alpha_interval = {};
  std::optional<double> rank_agreement = {};  // Kendall's tau-b
  std::optional<Interval> rank_agreement_interval = {};
  std::optional<double> length_bias = {};  // tau-b between an answer's length and judge minus people
  Confusion confusion = {};
  std::vector<BiasOfGroup> groups = {};  // in the order of the fields, then of their values
};

struct JudgeCheck {
  std::uint64_t records = 0;
  std::uint64_t without_label = 0;
  std::uint64_t invalid_labels = 0;  // labels that are not a number from 0 to label_max
  std::string first_invalid_label = {};
  std::uint64_t rejected = 0;    // records that could not be read
  std::uint64_t without_id = 0;  // labelled records; each is a unit of its own
  double threshold = 0;
  std::vector<CheckedJudge> judges = {};

  // Returns whether no label was invalid and no record was rejected.
  bool is_complete() const { return invalid_labels == 0 && rejected == 0; }

  std::string ToJson() const;
  std::string ToText() const;
};

// ERRORS: Error(kInput) if no record has a label, or if a field or path in the options leads nowhere; errors
//         of a run.
JudgeCheck CheckJudges(const ScorerSet& scorers, const JudgeCheckOptions& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CALIBRATE_JUDGE_CHECK_H_
