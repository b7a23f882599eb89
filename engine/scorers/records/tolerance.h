// engine/scorers/records/tolerance.h: numbers that a tolerance makes equal. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_TOLERANCE_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_TOLERANCE_H_

#include <string_view>

namespace leafscore::internal {

struct WrittenNumber {
  double value;
  std::string_view digits = {};  // the number as it is written, where it is not exactly its double
};

// Tells whether |expected - actual| is at most the tolerance, or with `relative` at most that share of
// |expected|. Numbers without digits are the shortest decimals that stand for them, so that 1.1 is within 0.1
// of 1, which it is not in binary.
bool IsWithinTolerance(const WrittenNumber& expected, const WrittenNumber& actual, double tolerance,
                       bool relative);

// Returns a whole number that names a range of numbers. Of two numbers that are equal by the tolerance, the
// ranges are the same or neighbours, whose names differ by 1. Names may be infinite.
double ToleranceRange(double number, double tolerance, bool relative);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_TOLERANCE_H_
