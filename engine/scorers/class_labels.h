// engine/scorers/class_labels.h: answers that name a class: the options, and the classes of the records in a
// batch, for figures over a run. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_SCORERS_CLASS_LABELS_H_
#define LEAFSCORE_ENGINE_SCORERS_CLASS_LABELS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/class_report.h"
#include "engine/base/field_outcome.h"
#include "engine/base/text_map.h"
#include "engine/config/options.h"
#include "engine/scorers/line_pairs.h"

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

// Returns options with this report on classes. ERRORS: Error(kUsage) for too many classes and, unless
// `may_repeat`, for two classes that are the same in any case.
ClassOptions MakeClassOptions(const OptionReader& options, ClassReport report, bool may_repeat);

// Reads `classes` and `aggregators`. ERRORS: Error(kUsage) for anything that UiPath refuses.
ClassOptions ReadClassOptions(const OptionReader& options);

// The base of the batches that compare texts. It may report on the classes that the texts name.
class ClassBatch : public TextBatch {
 public:
  const ClassReport* class_report() const final { return has_classes() ? &*class_options_->report : nullptr; }
  void AppendFieldOutcomes(std::uint32_t record, std::vector<FieldOutcome>& outcomes) const final;
  std::vector<std::string> field_names() const final;

 protected:
  // REQUIRES: `classes`, `selection` and `lines` outlive the batch; `lines` may be null (TextBatch).
  ClassBatch(const ClassOptions* classes, const PairSelectorOptions* selection, WorkerTools tools,
             const LineOptions* lines)
      : TextBatch(selection, tools, lines), class_options_(classes) {}

  void BeginBatch(std::uint32_t records) final;

  bool has_classes() const { return class_options_->wanted(); }
  // Sets the classes of a record by their names, in any case.
  void SetClasses(std::uint32_t record, std::string expected, std::string actual);
  // Sets the classes of a record by their indexes.
  void SetClassIndexes(std::uint32_t record, std::uint8_t expected, std::uint8_t actual) {
    classes_[2 * std::size_t{record}] = expected;
    classes_[2 * std::size_t{record} + 1] = actual;
  }

 private:
  const ClassOptions* class_options_;
  std::vector<std::uint8_t> classes_;  // for each record, the expected class and the actual class
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_CLASS_LABELS_H_
