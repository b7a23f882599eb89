// engine/calibrate/judge_check.h: `leafscore judge-check`: scores records that people have scored, and tells
// how far to believe the scorer. Meant for judges, but any scorer can be held against people.
// THREADS: one; what is returned is the caller's.
#ifndef LEAFSCORE_ENGINE_CALIBRATE_JUDGE_CHECK_H_
#define LEAFSCORE_ENGINE_CALIBRATE_JUDGE_CHECK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/run/scorer_set.h"
#include "leafscore/files.h"

namespace leafscore::internal {

struct JudgeCheckOptions {
  FileOptions run = {};               // inputs, fields, limits
  std::string label_field = "label";  // with what people say: a number, or true and false
  double label_max = 1;               // the best label; 0 is the worst
  double threshold = 0.5;             // from which a score, and a label, passes
  std::vector<std::string> by = {};   // fields by whose values bias is told: model, position
};

// Scores of one scorer against labels, over the records that have both.
struct AgainstPeople {
  std::uint64_t records = 0;
  std::optional<double> people = {};           // mean
  std::optional<double> judge = {};            // mean
  std::optional<double> bias = {};             // judge less people, mean
  std::optional<double> bias_error = {};       // its standard error
  std::optional<double> mean_difference = {};  // without its sign
};

// How often both pass, and so on, at the threshold.
struct Confusion {
  std::uint64_t both_pass = 0;
  std::uint64_t judge_passes = 0;  // alone
  std::uint64_t people_pass = 0;   // alone
  std::uint64_t both_fail = 0;
  std::optional<double> agreement = {};  // share of the records on which both say the same
  std::optional<double> kappa = {};      // Cohen's: the same beyond chance
};

struct BiasOfGroup {
  std::string field;
  std::string value;
  AgainstPeople figures;
};

struct CheckedJudge {
  std::string scorer = {};
  std::uint64_t labelled = 0;  // records with a label
  std::uint64_t errors = 0;    // of these, that have no score
  std::string first_error = {};
  AgainstPeople all = {};
  std::optional<double> alpha = {};           // Krippendorff's, of the judge and people
  std::optional<double> rank_agreement = {};  // Kendall's tau-b
  std::optional<double> length_bias =
      {};  // tau-b of an answer's length and how far the judge is above people
  Confusion confusion = {};
  std::vector<BiasOfGroup> groups = {};  // field by field, values in their order
};

struct JudgeCheck {
  std::uint64_t records = 0;
  std::uint64_t without_label = 0;  // or with one that is no number in its range
  double threshold = 0;
  std::vector<CheckedJudge> judges = {};

  std::string ToJson() const;
  std::string ToText() const;
};

// ERRORS: Error(kInput) when no record has a label; those of a run.
JudgeCheck CheckJudges(const ScorerSet& scorers, const JudgeCheckOptions& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CALIBRATE_JUDGE_CHECK_H_
