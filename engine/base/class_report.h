// engine/base/class_report.h: the settings with which a report evaluates a scorer whose records have two
// classes, the expected one and the given one. Plain values.
#ifndef LEAFSCORE_ENGINE_BASE_CLASS_REPORT_H_
#define LEAFSCORE_ENGINE_BASE_CLASS_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace leafscore::internal {

// The class of a record is stored as an index in ClassReport::classes, or as one of these values.
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
  // Says that the only aggregator replaces the scorer's mean in the final score. All classes outside the list
  // then count together as one more class, which has no figures of its own.
  bool is_average = false;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_CLASS_REPORT_H_
