// engine/report/answers_of_others.h: finds the answers of a run that belong to another record: they are
// equal to the gold of another record of the same source, or to several other answers of that source
// (docs/causes.md). Only answers that earned little are kept, and only the first of them, so memory is
// bounded. Owned by one summary. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_REPORT_ANSWERS_OF_OTHERS_H_
#define LEAFSCORE_ENGINE_REPORT_ANSWERS_OF_OTHERS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "leafscore/outcome.h"

namespace leafscore::internal {

// Hashes of a record's two values; those of different sources differ. 0: there is no hash.
struct PairHashes {
  std::uint64_t expected_text = 0;  // of the expected value as written
  // Only if the answer earned little, and of values that are distinctive enough (engine/causes). Equal values
  // have equal hashes.
  std::uint64_t expected = 0;
  std::uint64_t actual = 0;
};

// An answer that earned little under a scorer.
struct LowAnswer {
  std::size_t scorer = 0;
  PairHashes hashes;
  double score = 0;
  bool is_told = false;  // something else is known to be wrong with it
  std::uint64_t record = 0;
  std::string id;
  std::vector<std::uint32_t> groups;  // of each group field
};

class AnswersOfOthers {
 public:
  static constexpr std::size_t kMostAnswers = 1 << 16;  // that are kept
  static constexpr std::size_t kAlike = 3;              // equal answers from which they are duplicates

  struct Found {
    const LowAnswer* answer;
    AnswerCause cause;
  };

  // Notes the expected value of a record that was answered.
  void AddExpected(std::uint64_t expected_text);

  // Adds an answer, unless there are kMostAnswers.
  void Add(LowAnswer answer);

  // Returns the answers that belong to others, in the order in which they were added. Valid until the next
  // Add. COST: linear in the kept answers.
  std::vector<Found> Find() const;

 private:
  // Counters of hashes, each hash at two places, that stop at 2: if either is 1, the hash came once. In a
  // run with very many different values, some look as if they came again; they then have no cause.
  static constexpr unsigned kPlaceBits = 20;
  static constexpr std::size_t kCountersInAWord = 32;  // of two bits, so that all fit into a cache
  static std::array<std::size_t, 2> PlacesOf(std::uint64_t hash);
  static std::size_t ShiftOf(std::size_t place) { return 2 * (place % kCountersInAWord); }
  std::uint64_t CameTo(std::size_t place) const {
    return came_[place / kCountersInAWord] >> ShiftOf(place) & 3;
  }

  bool IsOnlyOne(std::uint64_t expected_text) const;

  std::vector<std::uint64_t> came_;  // counters by place; empty before the first value
  std::vector<LowAnswer> answers_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_ANSWERS_OF_OTHERS_H_
