// engine/scorers/records/similar_texts.h: the similarities of the texts of a batch that fields with a
// `similarity` ask for. Which rows pair depends on them, so every pair of different texts that stand at one
// place of a record is appended to the list of the batch. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_SIMILAR_TEXTS_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_SIMILAR_TEXTS_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/distance/string_pairs.h"
#include "engine/match/value_ids.h"
#include "engine/scorers/records/cell_columns.h"
#include "engine/scorers/records/place_tree.h"

namespace leafscore::internal {

class SimilarTexts {
 public:
  SimilarTexts(const PlaceTree* places, const ValueIds* ids) : places_(places), ids_(ids) {}

  void Begin() { pair_of_.clear(); }

  // Appends the pairs of a record. RETURNS: false where they are too many, so that some texts are taken for
  // equal only when they are.
  bool Append(std::uint32_t record, const CellColumns& expected, const CellColumns& actual,
              StringPairs& pairs);

  // Takes the distances that were computed; they are the caller's until Begin.
  void Resolve(const StringPairs& pairs) { pairs_ = &pairs; }

  // REQUIRES: Resolve.
  bool Are(ValueId expected, ValueId actual, double least) const {
    const auto pair = pair_of_.find({expected, actual});
    return pair != pair_of_.end() && pairs_->Similarity(pair->second) >= least;
  }

 private:
  // By place, the numbers of the texts that stand there.
  using Texts = std::map<PlaceId, std::vector<ValueId>>;
  Texts TextsOf(const CellColumns& columns) const;

  const PlaceTree* places_;
  const ValueIds* ids_;
  const StringPairs* pairs_ = nullptr;
  std::map<std::pair<ValueId, ValueId>, std::uint32_t> pair_of_;  // by the numbers of both texts
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_SIMILAR_TEXTS_H_
