// engine/run/row_causes.h: the causes of low scores in a batch, whatever the scorer, and the hashes by which
// equal answers of several sources are recognized. Both are found when they are first needed. THREADS: one at
// a time.
#ifndef LEAFSCORE_ENGINE_RUN_ROW_CAUSES_H_
#define LEAFSCORE_ENGINE_RUN_ROW_CAUSES_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/answer_causes.h"
#include "engine/base/checksum.h"
#include "engine/causes/cause_finder.h"
#include "engine/json/json_reader.h"
#include "engine/json/shape_table.h"
#include "engine/match/pair_batch.h"
#include "engine/report/answers_of_others.h"

namespace leafscore::internal {

class RowCauses {
 public:
  // REQUIRES: `shapes` outlives this.
  RowCauses(ShapeTable* shapes, const JsonOptions& json) : shapes_(*shapes), finder_(shapes, json) {}

  // Begins a batch. REQUIRES: `pairs` outlives its use.
  void Begin(const PairBatch& pairs);

  // Returns the causes of a row's answer. `record` is the record with the answer, which may say that the
  // answer was cut off; absent if the answer has no record.
  AnswerCauses Of(std::uint32_t row, ValueRef record);

  // Returns the hash of a row's expected value, as written.
  const Hash128& HashOfExpected(std::uint32_t row);

  // Appends the hashes of each row; all are 0 unless `wanted`. REQUIRES: Of was called for each row whose
  // causes matter.
  void AppendHashes(bool wanted, std::vector<PairHashes>& hashes);

 private:
  struct Found {
    AnswerCauses causes;
    std::uint64_t expected_hash;
    std::uint64_t actual_hash;
  };

  bool StoppedAtLimit(ValueRef record) const;
  std::string_view WrittenText(ValueRef value) const;

  const ShapeTable& shapes_;
  CauseFinder finder_;
  const PairBatch* pairs_ = nullptr;
  std::vector<std::optional<Found>> causes_;             // by row
  std::vector<std::optional<Hash128>> expected_hashes_;  // by row
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_ROW_CAUSES_H_
