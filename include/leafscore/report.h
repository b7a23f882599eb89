// leafscore/report.h: what a run found, and gates on it.
//
// Asked for is every record of the input or, with gold, an answer of every source to every id of the gold.
// Each is counted once for every scorer: asked = scored + unreadable + unanswered + errors. A figure over no
// records is absent.
#ifndef LEAFSCORE_REPORT_H_
#define LEAFSCORE_REPORT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leafscore/error.h"
#include "leafscore/export.h"
#include "leafscore/outcome.h"

namespace leafscore {

// An interval that includes its ends.
struct Interval {
  double low;
  double high;
};

// Figures of scores.
struct ScoreFigures {
  std::optional<double> mean = {};
  std::optional<double> standard_error = {};  // of the mean
  std::optional<double> min = {};
  std::optional<double> p5 = {};  // percentiles by nearest rank, at most 1/4096 above the exact ones
  std::optional<double> p50 = {};
  std::optional<double> p95 = {};
  std::optional<double> pass_rate = {};  // of a scorer that passes or fails records
  // How sure the mean and the pass rate are: 95% intervals, of figures over all that was asked. That of the
  // mean holds whatever the scores are like; groups have one only by FileOptions::interval_by. That of the
  // pass rate is Wilson's.
  std::optional<Interval> mean_interval = {};
  std::optional<Interval> pass_interval = {};
};

// What became of the records that were asked for, under one scorer.
struct Figures {
  std::uint64_t asked = 0;
  std::uint64_t scored = 0;
  std::uint64_t unreadable = 0;  // there is an answer, but it cannot be parsed or lacks what is looked at
  std::uint64_t unanswered = 0;  // there is no answer
  std::uint64_t errors = 0;      // not the answer's making
  std::optional<double> coverage = {};       // scored / asked
  std::optional<std::uint64_t> passed = {};  // of a scorer that passes or fails records
  // Scored records of which nothing was compared: no leaf, key, field or text of the expected value counts,
  // so that their scores say nothing of the answers (docs/gates.md).
  std::uint64_t nothing_compared = 0;
  // Answers of a scorer that compares structure: texts that were read as the JSON in them (ParseTexts), and
  // those that are no object where one is expected, or no array likewise, as prose is.
  std::uint64_t read_from_text = 0;
  std::uint64_t of_other_kind = 0;
  // Of such a scorer: the mean over the scored answers of the share of their leaves that are expected
  // nowhere.
  double unexpected_share = 0;
  // How many independent records tell as much: several answers to one question, of several sources or
  // repeated ones, are taken to tell no more than one. Intervals are of so many.
  double effective_records = 0;
  // Over all that was asked, where a record without a score counts as 0 and not passed: what ranks and gates
  // go by. And over the scored records alone.
  ScoreFigures over_all = {};
  ScoreFigures over_scored = {};
};

// How one field did over the records that were asked for, errors left out, under a scorer that judges fields.
// A record counts in one of the four, but a wrong value is both a false positive and a false negative. What
// was expected of a record without a readable answer is missing. Under `records`, values are counted, of
// which a record may hold many at one field, and there are no true negatives.
struct FieldCounts {
  std::string field = {};
  std::uint64_t true_positives = 0;   // a value was expected, and the actual one matches
  std::uint64_t false_positives = 0;  // the actual value is wrong, or none was expected
  std::uint64_t false_negatives = 0;  // a value was expected, and the actual one is wrong or missing
  std::uint64_t true_negatives = 0;   // no value was expected, and there is none
};

// Why records fell short under a scorer: they have no score, do not pass or, without verdicts, are below 1. A
// record may have several causes; one that did not fall short has none.
struct FailureCause {
  // What made a record fall short.
  enum class Kind : std::uint8_t {
    kReason,           // there is no score, for this reason
    kOtherKind,        // the answer is no object where one is expected, or no array
    kNothingCompared,  // nothing of the expected value counts
    kField,            // this field is wrong, missing or not expected
    kOther,            // none of these
  };
  Kind kind = Kind::kOther;
  RejectReason reason = RejectReason::kNone;  // of kReason
  std::string field = {};                     // of kField
  std::uint64_t records = 0;
  std::string example = {};          // the id of the first of them; empty: its number in the run tells
  std::uint64_t example_record = 0;  // from 1
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
  std::vector<FieldCounts> fields = {};   // of a scorer that judges fields
  std::vector<FailureCause> causes = {};  // the most frequent first
  // Of a scorer of which a figure by classes counts in place of the mean.
  std::optional<double> class_figure = {};
};

// How many records hold JSON objects or arrays in strings, under a scorer that compares structure (see
// ParseTexts).
struct JsonInTexts {
  std::uint64_t parsed = 0;
  std::uint64_t as_texts = 0;  // both values look like it, and were compared as texts
};

// How many records have no score for one reason.
struct ReasonCount {
  Outcome outcome = Outcome::kError;
  RejectReason reason = RejectReason::kNone;
  std::uint64_t records = 0;
};

// Precision, recall and F of one class or of several; 0 where one would be divided by zero.
struct ClassAverage {
  double precision = 0;
  double recall = 0;
  double f_score = 0;
};

// How one class did over the records that were counted.
struct ClassFigures {
  std::string label = {};
  std::uint64_t true_positives = 0;
  std::uint64_t false_positives = 0;
  std::uint64_t false_negatives = 0;
  std::uint64_t true_negatives = 0;
  ClassAverage figures = {};
};

// A figure over all records of a scorer that compares classes.
struct ClassAggregate {
  std::string name = {};  // SCORER::precision
  std::string type = {};  // precision, recall, fscore or confusion_matrix
  bool micro_averaged = false;
  double f_value = 1;
  double score = 0;  // the figure; 0 of a confusion matrix
  std::uint64_t asked = 0;
  std::uint64_t scored = 0;  // that were counted: those with an expected class that is in the list
  // [actual][expected] is how often that class was given where that one was expected.
  std::vector<std::vector<std::uint64_t>> matrix = {};
  std::vector<ClassFigures> per_class = {};
  ClassAverage macro = {};  // means over the classes
  ClassAverage micro = {};  // from the summed counts
};

// What one scorer adds to the final score.
struct FinalPart {
  std::string scorer = {};
  double weight = 1;
  double average = 0;  // its mean over all that was asked, or its figure by classes
};

// The weighted mean of the averages of scorers of which one has a final_weight.
struct FinalScore {
  double score = 0;
  std::vector<FinalPart> parts = {};  // of the scorers that were asked anything
};

// How far those agree who judged records together, over all records that they scored.
struct JudgeAgreement {
  std::uint64_t items = 0;  // that each of them judged
  std::optional<double> alpha =
      {};  // Krippendorff's, on an interval scale; absent where all scores are equal
};

// What a run found under one scorer.
struct ScorerReport {
  std::string scorer = {};
  Figures figures = {};                   // over all records
  std::vector<ReasonCount> reasons = {};  // why records have no score, the most frequent first
  std::vector<FailureCause> causes = {};  // why records fell short, the most frequent first
  JsonInTexts json_in_texts = {};
  // Paths that its options name and that lead nowhere in any expected value: mistyped ones, more often than
  // not, so gates fail unless they allow it.
  std::vector<std::string> absent_paths = {};
  std::vector<FieldCounts> fields = {};         // of a scorer that judges fields
  std::vector<ClassAggregate> aggregates = {};  // of a scorer that compares classes
  // Of a scorer of which a figure by classes counts in place of the mean.
  std::optional<double> class_figure = {};
  std::optional<JudgeAgreement> panel_agreement = {};   // of the models of a panel: items are records
  std::optional<JudgeAgreement> sample_agreement = {};  // of the samples of each model: items are questions
  // Field by field, the largest first; those of kind kNone and kOther last.
  std::vector<GroupFigures> groups = {};
  bool counts_add_up = true;  // no record was lost or counted twice
};

// Counts and sizes of a whole run.
struct RunTotals {
  std::uint64_t records_read = 0;  // rejected ones included
  std::uint64_t rejected = 0;      // those without gold included; with gold, these are not asked for
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
  // False of the records that do not say who answered, with FileOptions::source_field, as long as none of
  // them answers an id of the gold: then no id is asked of them.
  bool is_asked = true;
};

// Ids of records that come again. Without gold each of the records counts.
struct RepeatedIds {
  ListedIds ids = {};                // each time that one came again
  std::uint64_t not_remembered = 0;  // records beyond about 6,291,456 ids, which are compared with these only
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

// How many replies were read in which form (docs/judges.md), also those that the cache had.
struct ReplyForms {
  std::uint64_t json_schema = 0;  // whole, as asked for by a response_format
  std::uint64_t json_object = 0;
  std::uint64_t json = 0;  // whole, as asked for in words
  std::uint64_t text = 0;  // at the end of a text
  std::uint64_t all() const { return json_schema + json_object + json + text; }
};

// What a run has asked of models that judge (llm_judge).
struct JudgeReport {
  std::uint64_t requests = 0;  // at their services, retries included
  std::uint64_t retries = 0;
  std::uint64_t cached = 0;                // questions that the cache has answered
  double prompt_tokens = 0;                // of the replies that came in this run, as the services count them
  double completion_tokens = 0;            // likewise
  std::optional<double> cost = {};         // in dollars; absent where a model has no price
  std::string prices = {};                 // where the prices are from
  std::optional<double> latency_p50 = {};  // in seconds, of the replies
  std::optional<double> latency_p95 = {};
  ReplyForms read_as = {};  // the replies that gave a score
};

// The processor time that a stage of a run took, in seconds of all threads together.
struct StageTime {
  std::string stage = {};
  double parallel_seconds = 0;
  double serial_seconds = 0;  // where one thread at a time may be in it, which caps how many are of use
};

// A gate, held against a figure of a run.
struct GateCheck {
  std::string gate = {};    // as "fail-under 0.9"
  std::string scorer = {};  // empty: the final score
  std::string group = {};   // "field=value" with Gates::by; empty: all records
  bool passed = false;
  bool sure = false;  // the lower end of the interval was held against it, not the figure
  // A mean or pass rate reaches what was wanted, but its interval does not, or it has none.
  bool by_chance = false;
  std::optional<double> figure = {};
  std::optional<Interval> interval = {};  // of the figure, 95%
  std::optional<double> wanted = {};      // the least that the figure may be
  std::uint64_t records = 0;              // asked for
  double effective_records = 0;           // that the interval is of (Figures)
  std::string sentence = {};              // the figure, what was wanted, and why records fell short
};

// Everything that a run found.
struct LEAFSCORE_EXPORT RunReport {
  RunTotals totals = {};
  std::vector<ScorerReport> scorers = {};      // in the order of the plan
  std::optional<FinalScore> final_score = {};  // where a scorer has a final_weight
  std::vector<std::string> group_fields = {};
  // Of the group fields that are in records, how many of the records that could be read lack each; of a run
  // over files. A group field that comes after them is of another kind, as `source` is.
  std::vector<std::uint64_t> lacking = {};
  std::optional<RepeatedIds> repeated_ids = {};  // of a run over files without gold
  std::optional<GoldCounts> gold = {};           // of a run with gold, as are the sources
  std::string source_field = {};  // the group field whose values are who answered; empty: none is known
  std::vector<SourceCounts> sources = {};   // in the order of the inputs
  std::optional<DeviceReport> device = {};  // of a run that had a device beside the CPU or wanted one
  std::optional<JudgeReport> judges = {};   // of a run with models that judge
  // Of a run over files that came to its end: the members of its manifest (docs/formats.md) as a line of
  // JSON.
  std::string provenance = {};
  // Of a run that ended early, the file that holds its output, if it wrote a line: output.partial or, as
  // files of such names are not touched, output.partial-2 and so on.
  std::string partial_output = {};
  std::uint64_t resumed_records = 0;  // that an earlier run had scored (FileOptions::resume)
  // The file by which a later run can go on with the partial output; empty where none can.
  std::string journal = {};
  std::vector<std::string> leftovers = {};  // the files of such names that lay there
  std::vector<StageTime> stages = {};       // of a run with FileOptions::profile
  std::vector<GateCheck> gates = {};        // HoldGates, where the caller has put them here

  // Returns whether the counts of all scorers add up, over all records, groups and sources.
  bool CountsAddUp() const;

  // The report as indented JSON with a fixed order of keys and a newline at the end. Between two runs
  // over the same input only "timing" differs, "device" where a GPU was used and
  // "judges" where models were asked.
  std::string ToJson() const;

  // The report as a table for a terminal.
  std::string ToTable(bool colour = false) const;
};

// A run that ended early: an input broke (kInput), an output could not be written (kOutput), memory or
// threads ran out (kResources) or it was stopped (kInterrupted). The records before that are scored and
// counted, and written unless the output failed.
class LEAFSCORE_EXPORT RunError : public Error {
 public:
  RunError(const Error& cause, RunReport report) : Error(cause), report_(std::move(report)) {}
  const RunReport& report() const { return report_; }

 private:
  RunReport report_;
};

// The least that a figure of a scorer may be.
struct Gate {
  static constexpr std::string_view kFinalScore = "final";

  std::string scorer = {};  // empty: every one; kFinalScore: the final score, where no scorer has that name
  double least = 0;
};

// How many errors are let pass: a number, or a share of what was asked.
struct ErrorLimit {
  std::uint64_t count = 0;
  std::optional<double> share = {};
};

// What a run must reach, over all that was asked. A gate that has no figure to go by fails, and so does any
// gate where nothing was compared of any scored record.
struct Gates {
  std::vector<Gate> fail_under = {};  // the mean, or the figure by classes in its place
  std::vector<Gate> min_pass_rate =
      {};  // the pass rate; without a name, of scorers that pass or fail records
  std::optional<double> min_coverage = {};  // of every scorer
  // Of what is not the answers' making: records in error, with gold also rejected records, answers without
  // gold and flaws of the gold. As soon as there is any gate, none is let pass unless this says otherwise.
  std::optional<ErrorLimit> max_errors = {};
  std::vector<std::string> by = {};  // group fields; the gates hold for each of their groups, too
  // Holds the lower end of the 95% interval of a mean or pass rate against the gate, not the figure itself.
  bool sure = false;
  bool allow_absent_paths = false;

  bool any() const { return !fail_under.empty() || !min_pass_rate.empty() || min_coverage || max_errors; }
};

// Checks gates against the names of a run before it begins.
// ERRORS: Error(kUsage) for a scorer or group field that the run does not have, for a gate that is NaN, and
//         for group fields, or `sure`, without any gate.
LEAFSCORE_EXPORT void CheckGates(const Gates& gates, std::span<const std::string> scorers,
                                 std::span<const std::string> group_fields);

// RETURNS: the gates, each with every scorer and group that it applies to.
// ERRORS:  as CheckGates.
LEAFSCORE_EXPORT std::vector<GateCheck> HoldGates(const RunReport& report, const Gates& gates);

// RETURNS: the sentences of the gates that failed; none when all hold.
// ERRORS:  as CheckGates.
LEAFSCORE_EXPORT std::vector<std::string> FailedGates(const RunReport& report, const Gates& gates);

}  // namespace leafscore

#endif  // LEAFSCORE_REPORT_H_
