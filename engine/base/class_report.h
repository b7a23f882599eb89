// engine/base/class_report.h: what is to be told of a scorer whose records have classes, one that was
// expected and one that was given. Plain values.
#ifndef LEAFSCORE_ENGINE_BASE_CLASS_REPORT_H_
#define LEAFSCORE_ENGINE_BASE_CLASS_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace leafscore::internal {

// The class of a record, by its place in the list.
inline constexpr std::uint8_t kOtherClass = 254;  // one that is not in the list
inline constexpr std::uint8_t kNoClass = 255;     // the record has none
inline constexpr std::size_t kMaxClasses = 200;

// A figure over all records.
struct ClassAggregator {
  std::string type;  // precision, recall, fscore or confusion_matrix
  bool micro = false;
  double f_value = 1;
};

struct ClassReport {
  std::vector<std::string> classes;  // as written
  std::vector<ClassAggregator> aggregators;
  // The only aggregator takes the place of the scorer's mean in the final score; classes outside of the list
  // are then of one more class, which has no figures of its own.
  bool is_average = false;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_CLASS_REPORT_H_
