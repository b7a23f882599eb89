// Adds results of records to summaries, for tests.
#ifndef LEAFSCORE_TESTS_REPORT_SUMMARY_TESTING_H_
#define LEAFSCORE_TESTS_REPORT_SUMMARY_TESTING_H_

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "engine/report/run_summary.h"

namespace leafscore::internal {

inline RecordScore Scored(double score, std::optional<bool> passed = std::nullopt) {
  return {.score = score, .passed = passed ? static_cast<std::int8_t>(*passed) : std::int8_t{-1}};
}

inline RecordScore Unscored(Outcome outcome, RejectReason reason) {
  return {.outcome = outcome, .reason = reason};
}

inline const RecordScore kInError = Unscored(Outcome::kError, RejectReason::kMissingExpected);
inline const RecordScore kUnparsed = Unscored(Outcome::kUnreadable, RejectReason::kInvalidActualJson);

// Adds a record to a summary with one group field, or none.
inline void Add(RunSummary& summary, std::size_t scorer, const RecordScore& record,
                std::initializer_list<std::uint32_t> groups) {
  summary.Add(scorer, record, groups);
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_REPORT_SUMMARY_TESTING_H_
