// engine/scorers/field_accuracy/field_comparer.h: compares the two values of a field, except for a fuzzy
// match.
//
// Arrays of numbers or dates are compared element by element. If elements may be in any order, they are
// paired exactly with up to kMaxExactAssignment elements a side, and greedily with more. Beyond
// kMaxElementPairs pairs, they are compared in order after all. The result says which of these was done.
// THREADS: one at a time; each worker owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_FIELD_COMPARER_H_
#define LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_FIELD_COMPARER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/match/assignment.h"
#include "engine/match/pair_walker.h"
#include "engine/scorers/field_accuracy/field_rules.h"

namespace leafscore::internal {

// The result of comparing a field; the first three are hits. The names are part of the output format.
enum class FieldVerdict : std::uint8_t {
  kMatch,
  kNoExpected,
  kOptionalMissing,
  kMissing,
  kDifferent,
  kExpectedNotANumber,
  kActualNotANumber,
  kOutsideTolerance,
  kExpectedNotADate,
  kActualNotADate,
  kOtherDay,
  kBelowThreshold,
};

inline bool IsHit(FieldVerdict verdict) { return verdict <= FieldVerdict::kOptionalMissing; }
// RETURNS: for example "outside_tolerance".
std::string_view FieldVerdictName(FieldVerdict verdict);

// How the elements of two arrays were paired.
enum class ArrayPairing : std::uint8_t {
  kNone,     // nothing to pair in any order
  kExact,    // the best pairing
  kGreedy,   // a good pairing
  kInOrder,  // by position, because there were too many elements
};
// RETURNS: for example "greedy".
std::string_view ArrayPairingName(ArrayPairing pairing);

struct FieldComparison {
  FieldVerdict verdict;
  ArrayPairing pairing = ArrayPairing::kNone;
};

class FieldComparer {
 public:
  explicit FieldComparer(ShapeTable* shapes) : shapes_(shapes), walker_(shapes) {}

  // REQUIRES: both values are present; the rule's match is not kFuzzy.
  FieldComparison Compare(const FieldRule& rule, ValueRef expected, ValueRef actual);

 private:
  FieldComparison CompareArrays(const FieldRule& rule, ValueRef expected, ValueRef actual);
  double NumberOrNan(const FieldRule& rule, ValueRef value);

  ShapeTable* shapes_;
  PairWalker walker_;
  AssignmentWorkspace workspace_;
  std::string buffer_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_FIELD_COMPARER_H_
