// engine/report/answers_of_others.h: finds the answers of a run that belong to another record. Such an answer
// is equal to the gold of another record of the same source, or to other answers of the source
// (docs/causes.md). Memory is bounded: only the first records are kept, and only their answers that earned
// little. Owned by one summary. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_REPORT_ANSWERS_OF_OTHERS_H_
#define LEAFSCORE_ENGINE_REPORT_ANSWERS_OF_OTHERS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "leafscore/outcome.h"

namespace leafscore::internal {

// Hashes of the two values of a record; 0 for no hash. The hashes of different sources differ.
struct PairHashes {
  // Hashes of the two values as written. `answer_text` is 0 if the answer earned little and either value is
  // not distinctive.
  std::uint64_t expected_text = 0;
  std::uint64_t answer_text = 0;
  // Set only if the answer earned little, and only for values that are distinctive enough (engine/causes).
  // Equal values have equal hashes.
  std::uint64_t expected = 0;
  std::uint64_t actual = 0;
};

// An answer that earned little under a scorer.
struct LowAnswer {
  std::size_t scorer = 0;
  PairHashes hashes;
  double score = 0;
  bool is_told = false;     // something else is known to be wrong with it
  std::size_t answers = 1;  // number of answers to its id
  std::uint64_t record = 0;
  std::string id;
  std::vector<std::uint32_t> groups;  // its group in each group field
};

class AnswersOfOthers {
 public:
  static constexpr std::size_t kMostRecords = 1 << 18;  // records that are compared
  static constexpr std::size_t kMostAnswers = 1 << 16;  // answers of these that earned little
  static constexpr std::size_t kAlike = 3;              // this many equal answers are duplicates

  struct Found {
    const LowAnswer* answer;
    std::optional<AnswerCause> cause;  // nullopt if it belongs to no other record
  };

  // Notes a record that was answered. `answer_text` is the hash of its answer, or 0 if the answer earned
  // little under every scorer. COST: 16 bytes.
  void AddRecord(std::uint64_t expected_text, std::uint64_t answer_text);

  // Adds an answer that earned little. It must belong to the record that was noted last. It is ignored after
  // kMostAnswers answers, or if its record comes after kMostRecords others.
  void Add(LowAnswer answer);

  // Returns all added answers, in order, if at least one of them belongs to another record; else no answers.
  // Valid until the next Add. COST: linear in the records.
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
