// engine/scorers/records/tolerance.h: compares numbers with a tolerance. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_TOLERANCE_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_TOLERANCE_H_

#include <string_view>

namespace leafscore::internal {

struct WrittenNumber {
  double value;
  std::string_view digits = {};  // the number as written, unless the double is exactly that number
};

// Returns whether |expected - actual| is at most the tolerance. With `relative`, the tolerance is a share of
// |expected|. A number whose member `digits` is empty counts as its shortest decimal: 1.1 is then within 0.1
// of 1, which is not true in binary.
bool IsWithinTolerance(const WrittenNumber& expected, const WrittenNumber& actual, double tolerance,
                       bool relative);

// Returns an integer that identifies a range of numbers. Two numbers that are equal by the tolerance are in
// the same range or in neighbouring ranges, whose integers differ by 1. The result may be infinite.
double ToleranceRange(double number, double tolerance, bool relative);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_TOLERANCE_H_
