#include "engine/scorers/field_accuracy/field_comparer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/base/limits.h"
#include "engine/match/deep_equal.h"
#include "engine/scorers/field_accuracy/field_values.h"
#include "engine/scorers/normalised_equal.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kVerdictNames[] = {
    "match",
    "no_expected",
    "optional_missing",
    "missing",
    "different",
    "expected_not_a_number",
    "actual_not_a_number",
    "outside_tolerance",
    "expected_not_a_date",
    "actual_not_a_date",
    "other_day",
    "below_threshold",
};
constexpr std::string_view kPairingNames[] = {"none", "exact", "greedy", "in_order"};

// Returns whether two numbers differ by no more than the tolerance of the rule, which is 0 when days are
// compared. A relative tolerance is a share of the expected number. Returns false if a number is NaN.
bool Near(const FieldRule& rule, double expected, double actual) {
  double difference = std::abs(actual - expected);
  if (rule.relative && expected != 0) difference /= std::abs(expected);
  return difference <= rule.tolerance;
}

}  // namespace

std::string_view FieldVerdictName(FieldVerdict verdict) {
  return kVerdictNames[static_cast<std::size_t>(verdict)];
}

std::string_view ArrayPairingName(ArrayPairing pairing) {
  return kPairingNames[static_cast<std::size_t>(pairing)];
}

FieldComparison FieldComparer::Compare(const FieldRule& rule, ValueRef expected, ValueRef actual) {
  const bool arrays = expected.kind() == ValueKind::kArray && actual.kind() == ValueKind::kArray;
  if (rule.match == FieldMatch::kExact) {
    if (rule.normaliser) {
      const bool equal = EqualWhenNormalised(expected, actual, *rule.normaliser, walker_);
      return {equal ? FieldVerdict::kMatch : FieldVerdict::kDifferent};
    }
    const bool any_order = arrays && rule.any_order;
    const bool equal = any_order ? EqualInAnyOrder(expected, actual, *shapes_, walker_)
                                 : DeepEqual(expected, actual, walker_);
    return {equal ? FieldVerdict::kMatch : FieldVerdict::kDifferent,
            any_order ? ArrayPairing::kExact : ArrayPairing::kNone};
  }
  if (arrays) return CompareArrays(rule, expected, actual);
  const bool date = rule.match == FieldMatch::kDate;
  const double expected_number = NumberOrNan(rule, expected);
  const double actual_number = NumberOrNan(rule, actual);
  if (std::isnan(expected_number)) {
    return {date ? FieldVerdict::kExpectedNotADate : FieldVerdict::kExpectedNotANumber};
  }
  if (std::isnan(actual_number)) {
    return {date ? FieldVerdict::kActualNotADate : FieldVerdict::kActualNotANumber};
  }
  if (Near(rule, expected_number, actual_number)) return {FieldVerdict::kMatch};
  return {date ? FieldVerdict::kOtherDay : FieldVerdict::kOutsideTolerance};
}

// Arrays match if each element has a matching counterpart.
FieldComparison FieldComparer::CompareArrays(const FieldRule& rule, ValueRef expected, ValueRef actual) {
  std::vector<double> numbers[2];
  for (const bool is_actual : {false, true}) {
    std::vector<ValueRef> elements;
    ListChildren(is_actual ? actual : expected, elements);
    for (const ValueRef element : elements) numbers[is_actual].push_back(NumberOrNan(rule, element));
  }
  const std::size_t count = numbers[0].size();
  const auto near = [&](double e, double a) { return Near(rule, e, a); };
  bool match = std::ranges::equal(numbers[0], numbers[1], near);
  ArrayPairing pairing = rule.any_order ? ArrayPairing::kExact : ArrayPairing::kNone;
  if (rule.any_order && !match && count == numbers[1].size()) {
    if (count * count > kMaxElementPairs.max) return {FieldVerdict::kDifferent, ArrayPairing::kInOrder};
    std::vector<double> weight;
    for (const double e : numbers[0]) {
      for (const double a : numbers[1]) weight.push_back(near(e, a) ? 1 : 0);
    }
    const AssignmentResult best = AssignBest(weight, count, count, workspace_);
    if (!best.exact) pairing = ArrayPairing::kGreedy;
    match = true;
    for (std::size_t i = 0; i < count; ++i) match &= weight[i * count + best.column_of_row[i]] == 1;
  }
  return {match ? FieldVerdict::kMatch : FieldVerdict::kDifferent, pairing};
}

// Returns the number in a value or, for a date, its day as a number; NaN if the value has no number or day.
double FieldComparer::NumberOrNan(const FieldRule& rule, ValueRef value) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (rule.match == FieldMatch::kNumericTolerance) return FieldNumber(value, buffer_).value_or(kNan);
  const auto day = FieldDay(value, rule.order, buffer_);
  return day ? static_cast<double>(day->time_since_epoch().count()) : kNan;
}

}  // namespace leafscore::internal
