// engine/base/class_report.h: the settings with which a report evaluates a scorer whose records have two
// classes, the expected one and the given one. Plain values.
#ifndef LEAFSCORE_ENGINE_BASE_CLASS_REPORT_H_
#define LEAFSCORE_ENGINE_BASE_CLASS_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace leafscore::internal {

// The class of a record is its index in the list, or one of these.
inline constexpr std::uint8_t kOtherClass = 254;  // not in the list
inline constexpr std::uint8_t kNoClass = 255;     // the record has no class
inline constexpr std::size_t kMaxClasses = 200;

// A figure over all records.
struct ClassAggregator {
  std::string type;  // precision, recall, fscore or confusion_matrix
  bool micro = false;
  double f_value = 1;
};

struct ClassReport {
  std::vector<std::string> classes;  // as the configuration spells them
  std::vector<ClassAggregator> aggregators;
  // The only aggregator replaces the scorer's mean in the final score. Classes that are not in the list then
  // count as one more class, without figures of its own.
  bool is_average = false;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_CLASS_REPORT_H_
