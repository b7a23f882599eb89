// engine/scorers/json_similarity/judged_leaves.h: the result for each expected leaf of a record, to explain
// its score (`--details leaves`). One entry per leaf, in the order of the expected value.
#ifndef LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_JUDGED_LEAVES_H_
#define LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_JUDGED_LEAVES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/distance/number_pairs.h"
#include "engine/distance/string_pairs.h"
#include "engine/json/shape_table.h"
#include "engine/match/pair_walker.h"
#include "engine/scorers/pair_selector.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

class JudgedLeaves {
 public:
  void Reset();

  // Begins the entries for this record and part. REQUIRES: records in rising order.
  void BeginPart(std::uint32_t record, const SelectedPart& part);

  void Add(NodeId expected, NodeId actual, double similarity, double weight = 1) {
    entries_.push_back({expected, actual, Source::kSettled, 0, similarity, weight});
  }
  // Add a leaf whose similarity will come from the string pair or number pair with this number.
  void AddStringPair(NodeId expected, NodeId actual, std::uint32_t pair) {
    entries_.push_back({expected, actual, Source::kStrings, pair, 0, 1});
  }
  void AddNumberPair(NodeId expected, NodeId actual, std::uint32_t pair) {
    entries_.push_back({expected, actual, Source::kNumbers, pair, 0, 1});
  }
  // Adds every leaf below `expected` as a leaf without a counterpart.
  void AddMissing(const LeafTable& table, NodeId expected);

  // Fills in the similarities of the pairs.
  void Resolve(const StringPairs& strings, const NumberPairs& numbers);

  // Writes an array of {"path", "expected", "actual", "similarity", "weight"}. `actual` is left out if there
  // is no such value, `weight` if it is 1. Paths start at the whole expected value, whose own path is "*".
  void Write(std::uint32_t record, const ShapeTable& shapes, DetailsWriter& json) const;

  // Adds the same leaves without their weights.
  void AppendLeaves(std::uint32_t record, const ShapeTable& shapes, LeafList& leaves) const;

 private:
  enum class Source : std::uint8_t { kSettled, kStrings, kNumbers };
  struct Entry {
    NodeId expected;
    NodeId actual;
    Source source;
    std::uint32_t pair;
    double similarity;
    double weight;
  };
  struct Part {
    std::uint32_t record;
    SelectedPart values;
    std::size_t first_entry;
  };

  template <class Visit>
  void ForEachEntry(std::uint32_t record, const ShapeTable& shapes, Visit visit) const;

  std::vector<Entry> entries_;
  std::vector<Part> parts_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_JUDGED_LEAVES_H_
