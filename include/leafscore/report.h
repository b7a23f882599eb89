// leafscore/report.h: what a run found, and gates on it.
//
// Every record that was read is counted once for every scorer: records = scored + unreadable + errors. A
// figure over no records is absent.
#ifndef LEAFSCORE_REPORT_H_
#define LEAFSCORE_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "leafscore/error.h"
#include "leafscore/export.h"

namespace leafscore {

// The figures of one scorer over some records.
struct Figures {
  std::uint64_t records = 0;
  std::uint64_t scored = 0;
  std::uint64_t unreadable = 0;  // the actual side could not be parsed by a scorer that needs structure
  std::uint64_t errors = 0;
  std::optional<double> mean = {};  // this and all below: over the scored, unless stated otherwise
  std::optional<double> mean_unreadable_as_zero = {};  // over scored and unreadable
  std::optional<double> standard_error = {};           // of the mean
  std::optional<double> min = {};
  std::optional<double> p5 = {};  // percentiles by nearest rank, at most 1/4096 above the exact ones
  std::optional<double> p50 = {};
  std::optional<double> p95 = {};
  std::optional<std::uint64_t> passed = {};  // of a scorer that passes or fails records
  std::optional<double> pass_rate = {};
};

// How one field did over the records of a run, under a scorer that judges fields. A record counts as one of
// the four, except that a wrong value is both a false positive and a false negative.
struct FieldCounts {
  std::string field = {};
  std::uint64_t true_positives = 0;   // a value was expected, and the actual one matches
  std::uint64_t false_positives = 0;  // the actual value is wrong, or none was expected
  std::uint64_t false_negatives = 0;  // a value was expected, and the actual one is wrong or missing
  std::uint64_t true_negatives = 0;   // no value was expected, and there is none
};

// What the records of a group have in common.
enum class GroupKind : std::uint8_t {
  kValue,  // the records that have the value
  kNone,   // those that lack the field
  kOther,  // those beyond max_groups, or whose value is too long for a group of its own
};

// The figures of one group: the records with one value of one group field.
struct GroupFigures {
  std::string field = {};
  std::string value = {};
  GroupKind kind = GroupKind::kValue;
  Figures figures = {};
};

// What a run found under one scorer.
struct ScorerReport {
  std::string scorer = {};
  Figures figures = {};                  // over all records
  std::vector<FieldCounts> fields = {};  // of a scorer that judges fields
  // Field by field, the largest first; those of kind kNone and kOther last.
  std::vector<GroupFigures> groups = {};
  bool counts_add_up = true;  // no record was lost or counted twice
};

// Counts and sizes of a whole run.
struct RunTotals {
  std::uint64_t records_read = 0;  // rejected ones included
  std::uint64_t rejected = 0;      // those without gold included
  std::uint64_t nonstandard = 0;   // read, but not by strict_json
  std::uint64_t duplicate_keys = 0;
  std::uint64_t bytes = 0;  // of input, decompressed
  double wall_seconds = 0;
};

// How many ids there are, and the first ten of them.
struct ListedIds {
  std::uint64_t count = 0;
  std::vector<std::string> first = {};  // at most 256 bytes each; a longer one ends with an ellipsis
};

// What was found in the gold file or stream.
struct GoldCounts {
  std::uint64_t records = 0;
  std::uint64_t rejected = 0;    // could not be read
  std::uint64_t without_id = 0;  // cannot be joined
  std::uint64_t ids = 0;         // different ones
  ListedIds duplicates = {};     // the id, each time that it came again
};

// What was found in one input of answers, with gold.
struct SourceCounts {
  std::string source = {};
  std::uint64_t records = 0;    // = matched + without_gold + rejected
  std::uint64_t matched = 0;    // all answers with the id of a gold record
  std::uint64_t rejected = 0;   // could not be read
  ListedIds without_gold = {};  // those that have no id are counted, not listed
  ListedIds duplicates = {};    // the id, each time that it was answered again
  ListedIds unanswered = {};    // ids of the gold that have no answer
};

// String pairs whose edit distance was computed in one place. A pair has at most as many cells as the product
// of its strings' lengths.
struct PairWork {
  std::uint64_t pairs = 0;
  std::uint64_t cells = 0;
};

// Where the edit distances of a run were computed, and why there.
struct DeviceReport {
  std::string device = {};  // its name; empty when there was none
  std::uint64_t launches = 0;
  PairWork on_device = {};
  PairWork cpu_sooner = {};  // on the CPU, which was done sooner
  PairWork no_room = {};     // on the CPU: all memory of the device was in use
  PairWork too_long = {};    // on the CPU, which can share one pair among threads
  PairWork failed = {};      // on the CPU: the device failed
  std::string warning = {};  // a sentence for the user; may be empty
};

// Everything that a run found.
struct LEAFSCORE_EXPORT RunReport {
  RunTotals totals = {};
  std::vector<ScorerReport> scorers = {};  // in the order of the plan
  std::vector<std::string> group_fields = {};
  std::optional<GoldCounts> gold = {};      // of a run with gold, as are the sources
  std::vector<SourceCounts> sources = {};   // in the order of the inputs
  std::optional<DeviceReport> device = {};  // of a run that had a device beside the CPU or wanted one
  std::string partial_output = {};  // of a run that ended early: the file that holds its output, if kept

  // Returns whether the counts of all scorers add up, over all records, groups and sources.
  bool CountsAddUp() const;

  // The report as indented JSON with a fixed order of keys and a newline at the end. Between two runs
  // over the same input only "timing" differs, and "device" where a GPU was used.
  std::string ToJson() const;

  // The report as a table for a terminal.
  std::string ToTable(bool colour = false) const;
};

// A run that ended early: an input broke (kInput), an output could not be written (kOutput) or it was stopped
// (kInterrupted). The records before that are scored and counted, and written unless the output failed.
class LEAFSCORE_EXPORT RunError : public Error {
 public:
  RunError(const Error& cause, RunReport report) : Error(cause), report_(std::move(report)) {}
  const RunReport& report() const { return report_; }

 private:
  RunReport report_;
};

// What each scorer of a run must reach.
struct Gates {
  std::optional<double> fail_under = {};     // least mean
  std::optional<double> min_pass_rate = {};  // least pass rate, of scorers that pass or fail records
};

// Checks the gates.
// RETURNS: a sentence for each gate that failed; none when all hold.
// ERRORS:  Error(kUsage) for min_pass_rate where no scorer passes or fails records.
LEAFSCORE_EXPORT std::vector<std::string> FailedGates(const RunReport& report, const Gates& gates);

}  // namespace leafscore

#endif  // LEAFSCORE_REPORT_H_
