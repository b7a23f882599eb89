// tests/scorers/json_similarity_reference.h: a slow json_similarity, straight from its definition: the oracle
// of tests and benchmarks. It shares no code with the engine.
#ifndef LEAFSCORE_TESTS_SCORERS_JSON_SIMILARITY_REFERENCE_H_
#define LEAFSCORE_TESTS_SCORERS_JSON_SIMILARITY_REFERENCE_H_

#include "json/json_reference.h"

namespace leafscore::internal::reference {

struct Similarity {
  double matched = 0;
  double total = 0;
  double score() const { return total == 0 ? 1.0 : matched / total; }
};

Similarity JsonSimilarity(const Value& expected, const Value& actual);

// The edit distance in code points, by two rows. REQUIRES: valid UTF-8.
std::size_t EditDistance(const std::string& a, const std::string& b);

}  // namespace leafscore::internal::reference

#endif  // LEAFSCORE_TESTS_SCORERS_JSON_SIMILARITY_REFERENCE_H_
