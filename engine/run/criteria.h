// engine/run/criteria.h: a test that asks one scorer of some records and another one of others. The expected
// value of a record is then an object with a member for each scorer that is asked, named by its option
// `criteria_key`: {"expected": VALUE}, or {} where the scorer's default_expected stands in; {"fault": TEXT}
// says that the test is wrong there.
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

  // Returns the batch as the scorer is to see it, valid until the next call: with its own expected values,
  // and without the records that do not ask it. COST: a look-up for each record.
  const PairBatch& Select(const PairBatch& batch, const ShapeTable& shapes);

  // Says in the columns what the scorer has made of that batch why it was not asked of the others.
  void Finish(ScoreColumns& columns) const;

 private:
  std::string key_;
  PairBatch batch_;
  std::vector<RecordError> left_out_;  // in the order of the records
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_CRITERIA_H_
