// engine/scorers/class_labels.h: the classes of the records in a batch, for figures over a run that are based
// on classes. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_SCORERS_CLASS_LABELS_H_
#define LEAFSCORE_ENGINE_SCORERS_CLASS_LABELS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/class_report.h"
#include "engine/base/field_outcome.h"
#include "engine/base/text_map.h"
#include "engine/config/options.h"

namespace leafscore::internal {

inline constexpr OptionSpec kClassesOption{"classes", "list of texts", "none",
                                           "the classes for aggregators, ignoring case"};
inline constexpr OptionSpec kAggregatorsOption{
    "aggregators", "list of maps", "none",
    "figures over all records, by class: {type: precision, recall, fscore or confusion_matrix, averaging: "
    "macro or micro, f_value: 1}"};

struct ClassOptions {
  std::optional<ClassReport> report;          // not set: no report
  TextMap<std::string, std::uint8_t> places;  // index of each class, by its lower-case name

  bool wanted() const { return report.has_value(); }
  // Returns the index of a lower-case label, or kOtherClass.
  std::uint8_t PlaceOf(std::string_view lower_case) const;
};

// Returns options with a report on these classes. ERRORS: Error(kUsage) for too many of them, and for two
// that differ only in case.
ClassOptions MakeClassOptions(const OptionReader& options, ClassReport report, bool may_repeat);

// Reads `classes` and `aggregators`. ERRORS: Error(kUsage) for anything that UiPath refuses.
ClassOptions ReadClassOptions(const OptionReader& options);

class ClassLabels {
 public:
  explicit ClassLabels(const ClassOptions* options) : options_(options) {}

  bool wanted() const { return options_->wanted(); }
  const ClassReport* report() const { return options_->report ? &*options_->report : nullptr; }
  std::vector<std::string> field_names() const {
    return wanted() ? std::vector<std::string>{"expected class", "actual class"} : std::vector<std::string>();
  }

  void Begin(std::uint32_t records) {
    if (wanted()) classes_.assign(2 * std::size_t{records}, kNoClass);
  }
  // Sets the classes of a record by their names, in any case.
  void Set(std::uint32_t record, std::string expected, std::string actual);
  // Sets the classes of a record by their indexes.
  void SetPlaces(std::uint32_t record, std::uint8_t expected, std::uint8_t actual) {
    classes_[2 * std::size_t{record}] = expected;
    classes_[2 * std::size_t{record} + 1] = actual;
  }
  // Appends the two classes of a record, as bytes (ScorerBatch::class_report).
  void Append(std::uint32_t record, std::vector<FieldOutcome>& outcomes) const;

 private:
  const ClassOptions* options_;
  std::vector<std::uint8_t> classes_;  // for each record, the expected class and the given one
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_CLASS_LABELS_H_
