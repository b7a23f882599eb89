// engine/report/failure_causes.h: counts why records fell short under a scorer, with an example of each
// cause. Owned by one summary. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_REPORT_FAILURE_CAUSES_H_
#define LEAFSCORE_ENGINE_REPORT_FAILURE_CAUSES_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/exact_sum.h"
#include "engine/base/field_outcome.h"
#include "engine/report/score_statistics.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// Identifies a record in reports.
struct RecordName {
  std::uint64_t record = 0;  // number in the run, from 1; 0 if unknown
  std::string_view id = {};  // empty if unknown
};

// Tells whether an answer could not be read, or fell short with a score below 0.5 although something was
// compared.
bool EarnedLittle(const RecordScore& record);

// Tells whether an answer did not fall short, or has a cause that FailureCauses::Add can name. Add counts all
// other answers under "other".
bool IsTold(const RecordScore& record, std::span<const FieldOutcome> fields);

// The example of a cause is the record with the smallest number, so that parts can be added in any order.
class FailureCauses {
 public:
  // Adds the result for an answer. Its id has `answers` answers, which together count as one record. `fields`
  // are the outcomes of the fields that the scorer judges, if known.
  void Add(const RecordScore& record, std::span<const FieldOutcome> fields, const RecordName& name,
           std::size_t answers = 1);

  // Adds a cause to a record that was already added without it. `is_told` is the result of IsTold for that
  // record.
  void AddLate(AnswerCause cause, const RecordName& name, double score, bool is_told,
               std::size_t answers = 1);

  // Offers a record as an example of the answers that earned little without a known cause. Call it after
  // AddLate, which may have removed the example.
  void NoteOther(const RecordName& name);

  FailureCauses& operator+=(const FailureCauses& more);

  // RETURNS: the causes, most frequent first. `fields` names the judged fields.
  std::vector<FailureCause> Report(const std::vector<std::string>& fields) const;

 private:
  struct Cause {
    std::uint64_t records = 0;
    std::uint64_t example_record = 0;
    std::string example;
    ExactSum scores;  // scores above 0, times the weight
    ExactSum lacks;   // 1 - weight, for records that weigh less than 1

    // Adds a record with this score, which is 0 for a record without a score.
    void Add(const RecordName& name, double score, double weight);
    // Removes a record. If it was the example, the cause no longer has one.
    void Remove(const RecordName& name, double score, double weight);
    void NoteExample(std::uint64_t record, std::string_view id);
    // Returns how many ids the records stand for.
    double Ids() const { return static_cast<double>(records) - lacks.Total(); }
    Cause& operator+=(const Cause& more);
  };

  Cause asked_;  // all records, without an example
  std::map<RejectReason, Cause> reasons_;
  std::map<AnswerCause, Cause> answers_;
  std::vector<Cause> fields_;
  Cause nothing_compared_;
  Cause other_;
  Cause low_other_;  // like other_, for answers that earned little: AddLate may find a cause of them
};

// Returns for example `; most often: no_answer 99 ("17"), field total 2 ("3")`: the first three causes, after
// `before`; empty if there are no causes.
std::string CausesText(std::span<const FailureCause> causes, std::string_view before = "; most often:");

// Returns a cause in words: "cut off".
std::string CauseWords(AnswerCause cause);

// Returns the name of a cause in JSON: the name of the reason, the name of what is wrong with the answer, or
// else the name of the kind.
std::string_view CauseName(const FailureCause& cause);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_FAILURE_CAUSES_H_
