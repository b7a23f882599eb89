// engine/run/criteria.h: lets each record choose the scorers that apply to it. The record's expected value is
// then an object with a member for each such scorer, named by the scorer's option `criteria_key`. The member
// is {"expected": VALUE}; {} if the scorer's default_expected applies; or {"fault": TEXT} if the test itself
// is wrong.
// THREADS: one at a time; each worker has its own.
#ifndef LEAFSCORE_ENGINE_RUN_CRITERIA_H_
#define LEAFSCORE_ENGINE_RUN_CRITERIA_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/json/shape_table.h"
#include "engine/match/pair_batch.h"
#include "leafscore/runner.h"

namespace leafscore::internal {

class CriteriaSelector {
 public:
  explicit CriteriaSelector(std::string key) : key_(std::move(key)) {}

  // Returns the batch that the scorer gets: with the scorer's own expected values, and without the records to
  // which it does not apply. The batch is valid until the next call. COST: a look-up for each record.
  const PairBatch& Select(const PairBatch& batch, const ShapeTable& shapes);

  // Adds an error to `columns` for each record that Select left out. Errors for a missing expected value get
  // the reason kBadCriteria. REQUIRES: `columns` has the scorer's results for the batch that Select returned.
  void Finish(ScoreColumns& columns) const;

 private:
  std::string key_;
  PairBatch batch_;
  std::vector<RecordError> left_out_;  // in record order
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_CRITERIA_H_
