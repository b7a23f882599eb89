// engine/report/class_figures.h: precision, recall and F over the classes of a run, from a matrix of counts,
// by UiPath's rules: a division by zero gives 0. Stateless.
#ifndef LEAFSCORE_ENGINE_REPORT_CLASS_FIGURES_H_
#define LEAFSCORE_ENGINE_REPORT_CLASS_FIGURES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/class_report.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// Counts records by the class that was given and the class that was expected. Every group has such counts, so
// only pairs that occur are stored. The last row and the last column stand for classes outside of the list.
class ClassCounts {
 public:
  // One pair of classes, by their indexes.
  struct Cell {
    std::size_t actual;
    std::size_t expected;
    std::uint64_t records;
  };

  explicit ClassCounts(std::size_t classes) : classes_(classes) {}

  // Adds a record by the indexes of its classes; does nothing if the record has no classes.
  void Add(std::uint8_t expected, std::uint8_t actual);

  // REQUIRES: the same number of classes.
  ClassCounts& operator+=(const ClassCounts& other);

  std::vector<Cell> Cells() const;
  std::size_t classes() const { return classes_; }

 private:
  std::size_t Place(std::uint8_t place) const { return place < classes_ ? place : classes_; }

  std::size_t classes_;
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> counts_;  // by actual and expected class
};

// Returns the figures that a report contains; `asked` is the number of records.
std::vector<ClassAggregate> AggregatesOf(const std::string& scorer, const ClassReport& report,
                                         const ClassCounts& counts, std::uint64_t asked);

// Returns the figure that replaces the mean; nullopt if the report has no such figure.
std::optional<double> ClassFigureOf(const ClassReport& report, const ClassCounts& counts);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_CLASS_FIGURES_H_
