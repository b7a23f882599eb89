// engine/base/class_report.h: the settings with which a report evaluates a classification, where each record
// has an expected class and a given class. Plain values.
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
  // If true, there is one aggregator, and its figure replaces the scorer's mean in the final score. If
  // only one class is listed, records that expect another class count, too. If several are listed, such
  // records do not count.
  bool is_average = false;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_CLASS_REPORT_H_
