// engine/scorers/records/similar_texts.h: the similarities of texts for fields with the option `similarity`.
//
// The pairing of rows depends on these similarities. So before rows are paired, the pairs of different texts
// at each place of a record are appended to the list of the batch. If a place has too many pairs, it is
// limited: each expected text is paired only with the few actual texts that share the largest number of rare
// grams with it. Chosen pairs of rows can contain further pairs of texts; these are requested while a record
// is judged, and the record is judged again with their similarities. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_SIMILAR_TEXTS_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_SIMILAR_TEXTS_H_

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <tuple>
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

  // Forgets a batch.
  void Begin() {
    pair_of_.clear();
    limited_.clear();
  }

  // Appends the pairs of a record.
  void Append(std::uint32_t record, const CellColumns& expected, const CellColumns& actual,
              StringPairs& pairs);

  // Takes the computed distances, which must stay valid until Begin.
  void Resolve(const StringPairs& pairs) { pairs_ = &pairs; }

  // Begins a record; the functions below are about it. REQUIRES: Resolve.
  void BeginRecord(std::uint32_t record);

  // Returns whether only some pairs of the texts at a place were appended.
  bool IsLimited(PlaceId place) const { return limited_.contains({record_, place}); }

  // Returns whether two texts are similar. If their similarity is unknown, returns false and, with `asks`,
  // requests it.
  bool Are(ValueId expected, ValueId actual, double least, bool asks);

  // Calls visit(actual) for each actual text that is similar to the expected text, as far as this was known
  // before the record was judged.
  template <class Visit>
  void ForEachSimilar(ValueId expected, double least, Visit visit) const {
    for (auto pair = pair_of_.lower_bound({record_, expected, 0});
         pair != pair_of_.end() && pair->first < Pair(record_, expected, kLastId); ++pair) {
      if (pairs_->Similarity(pair->second) >= least) visit(std::get<2>(pair->first));
    }
  }

  // Computes the requested similarities. RETURNS: whether there are any new ones.
  bool Answer();
  // Returns whether a requested similarity would take too long or too much memory to compute.
  bool has_unanswered() const { return has_unanswered_; }

 private:
  static constexpr ValueId kLastId = std::numeric_limits<ValueId>::max();
  using Pair = std::tuple<std::uint32_t, ValueId, ValueId>;  // record, and the ids of both texts

  // By place, the ids of the texts there, each once, in the order of the value.
  using Texts = std::map<PlaceId, std::vector<ValueId>>;
  Texts TextsOf(const CellColumns& columns) const;
  void AppendPair(std::uint32_t record, ValueId expected, ValueId actual, StringPairs& pairs);
  void AppendCandidates(std::uint32_t record, const std::vector<ValueId>& expected,
                        const std::vector<ValueId>& actual, StringPairs& pairs);

  const PlaceTree* places_;
  const ValueIds* ids_;
  const StringPairs* pairs_ = nullptr;
  std::map<Pair, std::uint32_t> pair_of_;
  std::set<std::pair<std::uint32_t, PlaceId>> limited_;  // by record
  std::uint32_t record_ = 0;                             // the current record
  StringPairs asked_;
  std::uint32_t answered_ = 0;  // how many of asked_ are computed
  std::map<std::pair<ValueId, ValueId>, std::uint32_t> asked_of_;
  bool has_unanswered_ = false;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_SIMILAR_TEXTS_H_
