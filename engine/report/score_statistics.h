// engine/report/score_statistics.h: the results of the records of one group under one scorer. Owned by one
// summary. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_REPORT_SCORE_STATISTICS_H_
#define LEAFSCORE_ENGINE_REPORT_SCORE_STATISTICS_H_

#include <cstdint>
#include <optional>
#include <span>

#include "engine/base/answer_causes.h"
#include "engine/base/exact_sum.h"
#include "engine/report/counts.h"
#include "engine/report/score_distribution.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

// The result of one record under one scorer.
struct RecordScore {
  double score = 0;  // if it is scored
  Outcome outcome = Outcome::kScored;
  RejectReason reason = RejectReason::kNone;  // if it is not scored
  std::int8_t passed = -1;                    // 1 or 0; -1 without a verdict
  bool nothing_compared = false;              // it is scored, but nothing of the expected value counts
  bool read_from_text = false;                // its answer is a text that was read as the JSON in it
  bool of_other_kind = false;                 // its answer is not an object or array where one is expected
  double unexpected_share = 0;                // share of the leaves of a scored answer
  AnswerCauses causes = {};                   // what is wrong with an answer that earned little
  std::uint8_t remarks = 0;                   // bits: remarks of the scorer on a scored record
};

// The records over which a figure is taken.
enum class Over : std::uint8_t {
  kAll,     // every record; a record without a score counts as 0 and not passed
  kScored,  // the records that have a score
};

// The figures have the properties of the figures of ScoreDistribution.
class ScoreStatistics {
 public:
  // Adds a scored record, with its verdict if the scorer has a threshold. ERRORS: as ScoreDistribution::Add.
  void AddScored(double score, std::optional<bool> passed);

  // Adds a record without a score. REQUIRES: outcome is not kScored.
  void AddUnscored(Outcome outcome);

  // Adds several answers to one id. Their outcomes are counted one by one. For all other figures, they are
  // one record: its score is the mean of their scores, and it counts as passed by the share of them that
  // passed. REQUIRES: at least one answer.
  void AddRepeated(std::span<const RecordScore> answers);

  // Adds the records of another group. The order of parts changes no figure.
  ScoreStatistics& operator+=(const ScoreStatistics& other);

  const OutcomeCounts& counts() const { return counts_; }

  // Returns the number of records; several answers to one id are one record.
  std::uint64_t records() const { return scored_.count() + unscored_; }

  std::optional<double> Mean(Over over) const { return Scores(over).Mean(Zeros(over)); }
  std::optional<double> StandardError(Over over) const { return Scores(over).StandardError(Zeros(over)); }
  std::optional<Interval> MeanInterval(Over over, double effective_records) const {
    return Scores(over).MeanInterval(Zeros(over), effective_records);
  }
  std::optional<double> Min(Over over) const { return Scores(over).Min(Zeros(over)); }
  std::optional<double> PercentileNearestRank(Over over, unsigned percent) const {
    return Scores(over).PercentileNearestRank(Zeros(over), percent);
  }

  // Returns the share of the records that are scored. An id with several answers counts by the share of its
  // answers that are scored.
  std::optional<double> Coverage() const;

  // Returns how many records passed; nullopt if no record had a verdict.
  std::optional<std::uint64_t> Passed() const;

  // Returns the share of the records that passed; nullopt if no record had a verdict.
  std::optional<double> PassRate(Over over) const;

 private:
  const ScoreDistribution& Scores(Over over) const {
    return over == Over::kAll && over_all_ ? *over_all_ : scored_;
  }
  std::uint64_t Zeros(Over over) const { return over == Over::kAll ? unscored_ : 0; }

  OutcomeCounts counts_;
  std::uint64_t unscored_ = 0;  // records, or ids without a scored answer
  ScoreDistribution scored_;
  // The scores of the same records or ids, as means over all answers, including those without a score. Set as
  // soon as some id has both scored and unscored answers.
  std::optional<ScoreDistribution> over_all_;
  // Sums over records or ids. A single answer adds 0 or 1; repeated answers add the share that is scored, or
  // that passed.
  ExactSum coverage_;
  bool has_verdicts_ = false;
  std::uint64_t passed_ = 0;
  ExactSum passed_over_all_;
  ExactSum passed_over_scored_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_SCORE_STATISTICS_H_
