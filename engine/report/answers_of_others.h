// engine/report/answers_of_others.h: finds the answers of a run that belong to another record: they are
// equal to the gold of another record of the same source, or to other answers of that source
// (docs/causes.md). Only the first records, and of the answers those that earned little, are kept, so memory
// is bounded. Owned by one summary. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_REPORT_ANSWERS_OF_OTHERS_H_
#define LEAFSCORE_ENGINE_REPORT_ANSWERS_OF_OTHERS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "leafscore/outcome.h"

namespace leafscore::internal {

// Hashes of a record's two values; those of different sources differ. 0: there is no hash.
struct PairHashes {
  // Hashes of the two values as written. `answer_text` is 0 if the answer earned little and either value is
  // not distinctive.
  std::uint64_t expected_text = 0;
  std::uint64_t answer_text = 0;
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
  bool is_told = false;     // something else is known to be wrong with it
  std::size_t answers = 1;  // to its id
  std::uint64_t record = 0;
  std::string id;
  std::vector<std::uint32_t> groups;  // of each group field
};

class AnswersOfOthers {
 public:
  static constexpr std::size_t kMostRecords = 1 << 18;  // that are compared
  static constexpr std::size_t kMostAnswers = 1 << 16;  // of these, answers that earned little
  static constexpr std::size_t kAlike = 3;              // equal answers from which they are duplicates

  struct Found {
    const LowAnswer* answer;
    std::optional<AnswerCause> cause;  // empty: it belongs to no other record
  };

  // Notes a record that was answered, with the hash of its answer if that did not earn little under every
  // scorer. COST: 16 bytes.
  void AddRecord(std::uint64_t expected_text, std::uint64_t answer_text);

  // Adds an answer that earned little to the record that was noted last, unless there are kMostAnswers, or
  // kMostRecords were noted before.
  void Add(LowAnswer answer);

  // Returns all answers that were added, in this order, if any of them belongs to another record. Valid until
  // the next Add. COST: linear in the records.
  std::vector<Found> Find() const;

 private:
  struct Record {
    std::uint64_t expected_text;
    std::uint64_t answer_text;
  };

  bool FewExpectedRepeat() const;

  std::vector<Record> records_;
  bool is_full_ = false;  // the latest record was not kept
  std::vector<LowAnswer> answers_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_ANSWERS_OF_OTHERS_H_
