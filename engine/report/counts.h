// engine/report/counts.h: the counters behind figures over records. THREADS: one writer, as for an int.
#ifndef LEAFSCORE_ENGINE_REPORT_COUNTS_H_
#define LEAFSCORE_ENGINE_REPORT_COUNTS_H_

#include <cstdint>
#include <optional>

#include "leafscore/outcome.h"

namespace leafscore::internal {

// How many records had each outcome.
struct OutcomeCounts {
  std::uint64_t scored = 0;
  std::uint64_t unreadable = 0;
  std::uint64_t unanswered = 0;
  std::uint64_t errors = 0;

  void Add(Outcome outcome) {
    scored += outcome == Outcome::kScored;
    unreadable += outcome == Outcome::kUnreadable;
    unanswered += outcome == Outcome::kUnanswered;
    errors += outcome == Outcome::kError;
  }
  OutcomeCounts& operator+=(const OutcomeCounts& other) {
    scored += other.scored;
    unreadable += other.unreadable;
    unanswered += other.unanswered;
    errors += other.errors;
    return *this;
  }
  std::uint64_t asked() const { return scored + unreadable + unanswered + errors; }
  bool operator==(const OutcomeCounts&) const = default;
};

// A sum of values and their number. The last bits of the sum depend on the order of the values;
// ScoreStatistics has an exact mean.
struct CountedSum {
  double sum = 0;
  std::uint64_t count = 0;

  void Add(double value) {
    sum += value;
    ++count;
  }
  // RETURNS: nullopt if there are no values.
  std::optional<double> Mean() const {
    if (count == 0) return std::nullopt;
    return sum / static_cast<double>(count);
  }
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_COUNTS_H_
