// engine/scorers/tool_calls/fuzzy_texts.h: the similarities of texts that the fuzzy fields of a batch need.
// The pairing of calls depends on these similarities, so a record is walked twice: first to collect the texts
// of all pairs of calls, then to judge the calls by the results of the kernels. THREADS: one at a time; each
// worker owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_FUZZY_TEXTS_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_FUZZY_TEXTS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/text_map.h"
#include "engine/distance/similarity_pairs.h"
#include "engine/distance/string_pairs.h"

namespace leafscore::internal {

class FuzzyTexts {
 public:
  void BeginBatch();

  // From now on, Similarity collects texts for a record.
  void Collect(std::uint32_t record, StringPairs* pairs) {
    record_ = record;
    pairs_ = pairs;
  }
  // From now on, Similarity looks up the results for a record.
  void Look(std::uint32_t record, const StringPairs* found) {
    record_ = record;
    pairs_ = nullptr;
    found_ = found;
  }
  void Compute() { jaro_winkler_.Compute(); }

  // Returns the similarity of two texts; always 1 while texts are collected.
  double Similarity(std::string_view expected, std::string_view actual, bool jaro_winkler);

 private:
  std::uint32_t record_ = 0;
  StringPairs* pairs_ = nullptr;
  const StringPairs* found_ = nullptr;
  SimilarityPairs jaro_winkler_{SimilarityMeasure::kJaroWinkler};
  TextMap<std::string, std::uint32_t> pair_of_texts_;
  std::string key_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_FUZZY_TEXTS_H_
