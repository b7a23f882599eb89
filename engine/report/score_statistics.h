// engine/report/score_statistics.h: what became of the records of one group under one scorer. Owned by one
// summary. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_REPORT_SCORE_STATISTICS_H_
#define LEAFSCORE_ENGINE_REPORT_SCORE_STATISTICS_H_

#include <cstdint>
#include <optional>
#include <span>

#include "engine/base/exact_sum.h"
#include "engine/report/counts.h"
#include "engine/report/score_distribution.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

// What became of one record under one scorer.
struct RecordScore {
  double score = 0;  // of a scored record
  Outcome outcome = Outcome::kScored;
  RejectReason reason = RejectReason::kNone;  // of one that is not scored
  std::int8_t passed = -1;                    // 1 or 0; -1 without a verdict
  bool nothing_compared = false;              // it is scored, but nothing of the expected value counts
  bool read_from_text = false;                // its answer is a text that was read as the JSON in it
  bool of_other_kind = false;                 // its answer is no object where one is expected, or no array
  double unexpected_share = 0;                // of a scored record: of the leaves of its answer
  std::uint8_t remarks = 0;                   // of a scored record: which remarks of its scorer hold, as bits
};

// The records that a figure is taken over.
enum class Over : std::uint8_t {
  kAll,     // every record; one that has no score counts as 0 and not passed
  kScored,  // those that have a score
};

// Figures are as those of ScoreDistribution.
class ScoreStatistics {
 public:
  // Adds a scored record, with its verdict when the scorer has a threshold. ERRORS: as
  // ScoreDistribution::Add.
  void AddScored(double score, std::optional<bool> passed);

  // Adds a record without a score. REQUIRES: outcome is not kScored.
  void AddUnscored(Outcome outcome);

  // Adds several answers to one id, which are counted one by one and otherwise as one record: its score is
  // the mean of theirs, and it passes by the share that passes. REQUIRES: at least one.
  void AddRepeated(std::span<const RecordScore> answers);

  // Adds the records of another one: the order of parts changes no figure.
  ScoreStatistics& operator+=(const ScoreStatistics& other);

  const OutcomeCounts& counts() const { return counts_; }

  // Returns how many records there are, several answers to one id being one.
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

  // Returns the share of the records that are scored; of repeated answers, by the share that is.
  std::optional<double> Coverage() const;

  // Returns how many records passed; none when no record had a verdict.
  std::optional<std::uint64_t> Passed() const;

  // Returns the share of the records that passed; none when no record had a verdict.
  std::optional<double> PassRate(Over over) const;

 private:
  const ScoreDistribution& Scores(Over over) const {
    return over == Over::kAll && over_all_ ? *over_all_ : scored_;
  }
  std::uint64_t Zeros(Over over) const { return over == Over::kAll ? unscored_ : 0; }

  OutcomeCounts counts_;
  std::uint64_t unscored_ = 0;  // records, or ids of which no answer is scored
  ScoreDistribution scored_;
  // Of the same records or ids over all their answers, from the first id on whose answers are scored in part.
  std::optional<ScoreDistribution> over_all_;
  // Shares of answers that are scored, and that passed: 0 or 1 but for repeated ones.
  ExactSum coverage_;
  bool has_verdicts_ = false;
  std::uint64_t passed_ = 0;
  ExactSum passed_over_all_;
  ExactSum passed_over_scored_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_SCORE_STATISTICS_H_
