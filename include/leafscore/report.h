// leafscore/report.h: the report on a run, and gates on it.
//
//   leafscore::FileOptions options;
//   options.inputs = {"pairs.jsonl"};
//   options.group_by = {"model"};
//   const leafscore::RunReport report = leafscore::ScoreFiles(leafscore::Plan({"json_similarity"}), options);
//   leafscore::Gates gates;
//   gates.fail_under = {{.scorer = "json_similarity", .least = 0.5}};
//   gates.by = {"model"};  // over all, and for each model
//   int failed = 0;
//   for (const leafscore::GateCheck& check : leafscore::HoldGates(report, gates)) {
//     std::puts(check.sentence.c_str());
//     failed += check.passed ? 0 : 1;
//   }
//   assert(failed == 2);  // the mean is 0.46 over all records, and 0.19 for model b
//
// Without gold, each record of the input is asked once. With gold, each source is asked once for each id of
// the gold. Each scorer counts everything that was asked exactly once: asked = scored + unreadable +
// unanswered + errors. A figure over no records is nullopt.
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

// The numbers of answers by the verdict of a scorer and the verdict of people.
struct VerdictCounts {
  std::uint64_t both_pass = 0;
  std::uint64_t judge_passes = 0;  // only the scorer passes them
  std::uint64_t people_pass = 0;   // only people pass them
  std::uint64_t both_fail = 0;

  std::uint64_t all() const { return both_pass + judge_passes + people_pass + both_fail; }
  // Counts an answer with these two verdicts.
  void Add(bool judge, bool people) {
    ++(judge ? (people ? both_pass : judge_passes) : (people ? people_pass : both_fail));
  }
};

// A pass rate corrected by what people say about some of the answers (docs/judges.md, "Scores corrected by
// labels").
struct CorrectedPassRate {
  VerdictCounts labels = {};
  std::optional<double> sensitivity = {};  // share of the answers passed by people that the scorer passes
  std::optional<double> specificity = {};  // share of the answers failed by people that the scorer fails
  // The estimated share of all answers that people would pass, and its 95% interval.
  std::optional<double> pass_rate = {};
  std::optional<Interval> interval = {};
  std::string why_not = {};  // the reason why there is no corrected rate; empty: there is one
};

// Figures of scores.
struct ScoreFigures {
  std::optional<double> mean = {};
  std::optional<double> standard_error = {};  // standard error of `mean`
  std::optional<double> min = {};
  std::optional<double> p5 = {};  // percentiles by nearest rank, at most 1/4096 above the exact ones
  std::optional<double> p50 = {};
  std::optional<double> p95 = {};
  std::optional<double> pass_rate = {};  // for a scorer that passes or fails records
  // The 95% intervals of the mean and the pass rate, for figures over everything that was asked. The interval
  // of the mean holds for any distribution of scores; groups have one only with FileOptions::interval_by. The
  // interval of the pass rate is Wilson's.
  std::optional<Interval> mean_interval = {};
  std::optional<Interval> pass_interval = {};
};

// The results of comparing answers with the answers of a base (FileOptions::versus). The judge sees each pair
// in both orders. An answer wins if the judge finds it better both times. It loses if the judge finds the
// answer of the base better both times, or if the answer itself is missing or unreadable.
struct VersusFigures {
  std::uint64_t wins = 0;
  std::uint64_t losses = 0;
  std::uint64_t ties = 0;       // all other pairs, including identical answers
  std::uint64_t identical = 0;  // ties between identical answers; no judge was asked about them
  // Pairs in which the judge chose by position: both times the first answer, or both times the second.
  std::uint64_t order_flips = 0;
  std::optional<double> order_flip_share = {};  // of the pairs that a judge was asked about
  // wins / (wins + losses), and its exact 95% interval (Clopper and Pearson). The interval needs independent
  // records: from one source, with one answer to each id.
  std::optional<double> win_rate = {};
  std::optional<Interval> win_interval = {};
};

// The outcomes of the records that were asked, under one scorer.
struct Figures {
  std::uint64_t asked = 0;
  std::uint64_t scored = 0;
  std::uint64_t unreadable = 0;  // the answer cannot be parsed, or lacks the part that the scorer looks at
  std::uint64_t unanswered = 0;  // there is no answer
  std::uint64_t errors = 0;      // not caused by the answer
  std::optional<double> coverage = {};       // scored / asked; with Repeats::kAll, the mean over ids
  std::optional<std::uint64_t> passed = {};  // for a scorer that passes or fails records
  // Scored records in which nothing was compared, because no leaf, key, field or text of the expected value
  // counts. Their scores say nothing about the answers (docs/gates.md).
  std::uint64_t nothing_compared = 0;
  // For a scorer that compares structure: texts whose JSON was read as the answer (ParseTexts), and answers
  // of another kind than the expected object or array, such as prose.
  std::uint64_t read_from_text = 0;
  std::uint64_t of_other_kind = 0;
  // For a scorer that compares structure: the mean, over scored answers, of the share of an answer's leaves
  // that are not in the expected value.
  double unexpected_share = 0;
  // The number of independent records that would give the same precision. Intervals are computed for this
  // number. Several answers to one question, whether from several sources or repeated, count as a single
  // answer.
  double effective_records = 0;
  // In `over_all`, a record without a score counts as 0 and as not passed. Ranks and gates use these figures.
  // `over_scored` is over the scored records only.
  ScoreFigures over_all = {};
  ScoreFigures over_scored = {};
  std::optional<VersusFigures> versus = {};  // for a scorer that compares two answers
};

// The counts of one field over the records that were asked, without errors, under a scorer that judges
// fields. A record is in one of the four counts, except that a wrong value is both a false positive and a
// false negative. Without a readable answer, every expected value is missing. Under the scorer `records`,
// values are counted: a record may have many in one field, and there are no true negatives.
struct FieldCounts {
  std::string field = {};
  std::uint64_t true_positives = 0;   // a value was expected, and the actual value matches
  std::uint64_t false_positives = 0;  // the actual value is wrong or was not expected
  std::uint64_t false_negatives = 0;  // a value was expected, and the actual value is wrong or missing
  std::uint64_t true_negatives = 0;   // no value was expected, and there is no actual value
};

// A reason why records fell short under a scorer. A record falls short if it has no score, does not pass or,
// without a verdict, scores below 1. It may have several causes.
struct FailureCause {
  // The kind of a cause.
  enum class Kind : std::uint8_t {
    kReason,           // there is no score, for the reason in `reason`
    kAnswer,           // something is wrong with the answer: `answer`
    kNothingCompared,  // nothing in the expected value counts
    kField,            // the field in `field` is wrong, missing or not expected
    kOther,            // any other cause
  };
  Kind kind = Kind::kOther;
  RejectReason reason = RejectReason::kNone;     // for kReason
  AnswerCause answer = AnswerCause::kOtherKind;  // for kAnswer
  std::string field = {};                        // for kField
  std::uint64_t records = 0;
  double share = 0;                         // the share of these records among all that were asked
  std::optional<double> mean_without = {};  // the mean over all other records that were asked
  std::string example = {};                 // the id of the first such record; empty: it has no id
  std::uint64_t example_record = 0;         // the number of that record in the run, from 1
};

// The kind of a group.
enum class GroupKind : std::uint8_t {
  kValue,  // the records with this value
  kNone,   // the records without the field
  kOther,  // the records of the groups beyond max_groups, and the records whose value is too long
};

// The figures of one group: the records with the same value of a group field.
struct GroupFigures {
  std::string field = {};
  std::string value = {};
  GroupKind kind = GroupKind::kValue;
  Figures figures = {};
  std::vector<FieldCounts> fields = {};   // for a scorer that judges fields
  std::vector<FailureCause> causes = {};  // the most frequent first
  // The figure by classes, for a scorer whose figure by classes counts instead of its mean.
  std::optional<double> class_figure = {};
};

// The numbers of records with JSON objects or arrays in strings, under a scorer that compares structure (see
// ParseTexts).
struct JsonInTexts {
  std::uint64_t parsed = 0;    // the strings were parsed
  std::uint64_t as_texts = 0;  // both values look like JSON, but were compared as texts
};

// The number of records that have no score for one reason.
struct ReasonCount {
  Outcome outcome = Outcome::kError;
  RejectReason reason = RejectReason::kNone;
  std::uint64_t records = 0;
};

// The number of scored records for which the scorer makes a remark. The scorer `records` has the remarks
// `near`, for rows that could score more than they do, and `unwrapped_...`, for answers with an envelope.
struct RemarkCount {
  std::string remark = {};
  std::uint64_t records = 0;
};

// The number of times that answers broke a rule at a field. Under `json_schema`, a rule is a keyword.
struct FaultCount {
  std::string field = {};
  std::string rule = {};
  std::uint64_t count = 0;
};

// Precision, recall and F score of one class or of several. A division by zero gives 0.
struct ClassAverage {
  double precision = 0;
  double recall = 0;
  double f_score = 0;
};

// The figures of one class, over the records that were counted.
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
  double score = 0;  // the figure; 0 for a confusion matrix
  std::uint64_t asked = 0;
  // Records that were counted, because their expected class is in the list. The scorer `classification` with
  // a positive_class counts all classified records.
  std::uint64_t scored = 0;
  // matrix[actual][expected] is the number of records with these two classes.
  std::vector<std::vector<std::uint64_t>> matrix = {};
  std::vector<ClassFigures> per_class = {};
  ClassAverage macro = {};  // the means over the classes
  ClassAverage micro = {};  // the figures from the summed counts
};

// The part of one scorer in the final score.
struct FinalPart {
  std::string scorer = {};
  double weight = 1;
  double average = 0;  // the mean over everything that was asked, or the figure by classes
};

// The weighted mean of the averages of scorers, if one of them has a final_weight.
struct FinalScore {
  double score = 0;
  std::vector<FinalPart> parts = {};  // scorers that at least one record asks
};

// The agreement of several judges over all records that they scored.
struct JudgeAgreement {
  std::uint64_t items = 0;  // items that all judges judged
  // Krippendorff's alpha on an interval scale; nullopt if all scores are equal.
  std::optional<double> alpha = {};
};

// A bin of the given values: confidence above `from` and at most `to`. The first bin also includes 0.
struct ConfidenceBin {
  double from = 0;
  double to = 0;
  std::uint64_t values = 0;
  std::optional<double> confidence = {};  // mean
  std::optional<double> precision = {};   // share of the values that are right
};

// How well the confidences stated in answers predict which values are right. Confidences are rounded to four
// decimals.
struct Calibration {
  // The wrong values that are found if only the values with the lowest confidence are checked.
  struct Review {
    double share = 0;
    std::uint64_t checked = 0;
    double errors_found = 0;                     // mean over the orders of values with equal confidence
    std::optional<double> share_of_errors = {};  // share of all errors in values with a confidence
  };
  std::uint64_t values = 0;               // given values with a confidence
  std::uint64_t without_confidence = 0;   // other given values
  std::uint64_t right = 0;                // right values with a confidence
  double expected_calibration_error = 0;  // over the bins
  double brier_score = 0;                 // mean of (confidence - right)^2, where right is 0 or 1
  std::optional<double> auroc = {};       // nullopt if all values are right, or all are wrong
  Review least_sure = {};
  std::vector<ConfidenceBin> bins = {};  // ten of equal width
};

// The results of one scorer.
struct ScorerReport {
  std::string scorer = {};
  Figures figures = {};                   // the figures over all records
  std::vector<ReasonCount> reasons = {};  // why records have no score, the most frequent first
  std::vector<RemarkCount> remarks = {};  // remarks on at least one record
  std::vector<FaultCount> faults = {};    // the most frequent first
  std::vector<FailureCause> causes = {};  // why records fell short, the most frequent first
  JsonInTexts json_in_texts = {};
  // Paths in the scorer's options that no expected value has. They are usually mistyped, so gates fail unless
  // allow_absent_paths is set.
  std::vector<std::string> absent_paths = {};
  std::vector<FieldCounts> fields = {};         // for a scorer that judges fields
  std::optional<Calibration> calibration = {};  // for a scorer that reads confidences
  std::vector<ClassAggregate> aggregates = {};  // for a scorer that compares classes
  // The figure by classes, for a scorer whose figure by classes counts instead of its mean.
  std::optional<double> class_figure = {};
  std::optional<JudgeAgreement> panel_agreement = {};   // between the models of a panel; items are records
  std::optional<JudgeAgreement> sample_agreement = {};  // between the samples of a model; items are questions
  // Ordered by field, and within a field by size, the largest first; kNone and kOther come last.
  std::vector<GroupFigures> groups = {};
  bool counts_add_up = true;  // no record was lost or counted twice
};

// The counts and sizes of a whole run.
struct RunTotals {
  std::uint64_t records_read = 0;  // all records, including rejected ones
  std::uint64_t rejected = 0;  // unreadable records and answers without gold; with gold, they are not asked
  std::uint64_t nonstandard = 0;  // records that strict_json would reject
  std::uint64_t duplicate_keys = 0;
  std::uint64_t bytes = 0;  // bytes of input, after decompression
  // FileOptions::limit, if an input has at least this number of records. Further records may exist, and were
  // not read. Otherwise 0.
  std::uint64_t limit = 0;
  double wall_seconds = 0;
};

// The number of ids in a list, and the first ten.
struct ListedIds {
  std::uint64_t count = 0;
  // Each has at most 256 bytes; a longer id is cut and ends with an ellipsis.
  std::vector<std::string> first = {};
};

// The content of the gold file or stream.
struct GoldCounts {
  std::uint64_t records = 0;
  std::uint64_t rejected = 0;    // records that could not be read
  std::uint64_t without_id = 0;  // records without an id, which cannot be joined
  std::uint64_t ids = 0;         // different ids
  ListedIds duplicates = {};     // repeated ids, once for each repetition
};

// The content of one source of answers, with gold: an input, or a value of FileOptions::source_field.
struct SourceCounts {
  std::string source = {};
  std::uint64_t records = 0;    // = matched + without_gold + rejected
  std::uint64_t matched = 0;    // all answers with the id of a gold record
  std::uint64_t rejected = 0;   // records that could not be read
  ListedIds without_gold = {};  // the count includes answers without an id
  ListedIds duplicates = {};    // ids with several answers, once for each further answer
  ListedIds unanswered = {};    // ids of the gold without an answer
  // Whether the source is asked the ids of the gold. False only with FileOptions::source_field, for the
  // source of the records that do not say who answered, if the gold has none of their ids.
  bool is_asked = true;
};

// Repeated ids in a run without gold, where each record counts.
struct RepeatedIds {
  ListedIds ids = {};  // repeated ids, once for each repetition
  // Records that came after the first 6,291,456 or so different ids, or after fewer with a small
  // FileOptions::memory_bytes. They are compared only with these ids.
  std::uint64_t not_remembered = 0;
};

// String pairs whose edit distances were computed in the same place. The cells of a pair are at most the
// product of the lengths of its strings.
struct PairWork {
  std::uint64_t pairs = 0;
  std::uint64_t cells = 0;
};

// Where the edit distances of a run were computed, and why.
struct DeviceReport {
  std::string device = {};  // the name of the device; empty if there was no device
  std::uint64_t launches = 0;
  PairWork on_device = {};   // on the device
  PairWork cpu_sooner = {};  // on the CPU, because it was faster
  PairWork no_room = {};     // on the CPU, because all memory of the device was in use
  PairWork too_long = {};    // on the CPU, which can share one pair among threads
  PairWork failed = {};      // on the CPU, because the device failed
  std::string warning = {};  // a sentence for the user, or empty
};

// The number of replies in each form (docs/judges.md), including replies from the cache.
struct ReplyForms {
  std::uint64_t json_schema = 0;  // the whole reply is JSON, as response_format json_schema asked
  std::uint64_t tool_call = 0;    // the arguments of the tool that the model was asked to call
  std::uint64_t json_object = 0;  // the whole reply is JSON, as response_format json_object asked
  std::uint64_t json = 0;         // the whole reply is JSON, as the prompt asked
  std::uint64_t text = 0;         // the JSON is at the end of a text
  std::uint64_t all() const { return json_schema + tool_call + json_object + json + text; }
};

// For each parameter, the number of replies to requests that left it out because the service had refused it
// (docs/judges.md).
struct ParametersLeftOut {
  std::uint64_t temperature = 0;
  std::uint64_t max_tokens = 0;  // the limit was sent as max_completion_tokens
  std::uint64_t seed = 0;
};

// Questions to models that got no reply with a score.
struct JudgeFault {
  RejectReason reason = RejectReason::kNone;
  std::uint64_t count = 0;
  std::string first = {};  // the message of the first of these questions
};

// The requests of a run to models that judge (llm_judge).
struct LEAFSCORE_EXPORT JudgeReport {
  std::uint64_t requests = 0;  // requests to services, including retries
  std::uint64_t retries = 0;
  std::uint64_t asked_again = 0;           // questions asked again, as a reply had no score
  std::uint64_t cached = 0;                // questions that the cache answered
  double prompt_tokens = 0;                // for the replies of this run, as the services count
  double completion_tokens = 0;            // for the replies of this run, as the services count
  std::optional<double> cost = {};         // in dollars; nullopt if a model has no price
  std::string prices = {};                 // the source of the prices
  std::optional<double> latency_p50 = {};  // median latency of the replies, in seconds
  std::optional<double> latency_p95 = {};  // in seconds
  ReplyForms read_as = {};                 // the replies that gave a score
  ParametersLeftOut left_out = {};
  std::vector<JudgeFault> faults = {};   // including faults that a later reply made good
  std::vector<std::string> models = {};  // names of the models, as in the requests, sorted

  // Returns the figures as JSON: `judges` of RunReport::ToJson.
  std::string ToJson() const;
};

// The processor time of a stage of a run, in seconds summed over threads.
struct StageTime {
  std::string stage = {};
  double parallel_seconds = 0;
  double serial_seconds = 0;  // in parts that only one thread at a time can run
};

// The result of a gate for a scorer or a group.
struct GateCheck {
  std::string gate = {};    // for example "fail-under 0.9"
  std::string scorer = {};  // empty: the final score, or all scorers
  std::string group = {};   // "field=value" with Gates::by; empty: all records
  bool passed = false;
  bool sure = false;  // the lower end of the interval was checked instead of the figure
  // Whether a figure passed, although the lower end of its interval would have failed, or there is no
  // interval. Always false for coverage and errors, and if `wanted` is not above 0.
  bool by_chance = false;
  std::optional<double> figure = {};
  std::optional<Interval> interval = {};  // the 95% interval of `figure`
  std::optional<double> wanted = {};      // the least value that passes
  std::uint64_t records = 0;              // records that were asked
  double effective_records = 0;           // as Figures::effective_records
  std::string sentence = {};              // the figure, the wanted value, and why records fell short
};

// The results of a run.
struct LEAFSCORE_EXPORT RunReport {
  RunTotals totals = {};
  std::vector<ScorerReport> scorers = {};      // in the order of the plan
  std::optional<FinalScore> final_score = {};  // if a scorer has a final_weight
  std::vector<std::string> group_fields = {};
  // For a run over files: for each group field in the records, the number of readable records that lack it.
  // These fields are the first of group_fields; `source` and similar fields come after them.
  std::vector<std::uint64_t> lacking = {};
  std::optional<RepeatedIds> repeated_ids = {};  // for a run over files without gold
  // For a complete run over files with FileOptions::versus that joins by the id field, without gold and
  // without a limit: ids of the base that no record has. Their questions count for neither model.
  std::optional<ListedIds> only_in_base = {};
  std::optional<GoldCounts> gold = {};      // for a run with gold
  std::string source_field = {};            // the group field that says who answered; empty: unknown
  std::vector<SourceCounts> sources = {};   // for a run with gold, in order of the inputs or first answers
  std::optional<DeviceReport> device = {};  // for a run that used or asked for a device beside the CPU
  std::optional<JudgeReport> judges = {};   // for a run with models that judge
  // For a complete run over files: the members of its manifest (docs/formats.md) as a line of JSON.
  std::string provenance = {};
  // For a run that ended early and wrote at least one line: the file with its output. Its name is
  // output.partial or, if that file exists already, output.partial-2 and so on.
  std::string partial_output = {};
  std::uint64_t resumed_records = 0;  // records that an earlier run had scored (FileOptions::resume)
  // The file that a later run needs to continue the partial output; empty if the output cannot be continued.
  std::string journal = {};
  std::vector<std::string> leftovers = {};  // existing files with names of partial outputs or journals
  std::vector<StageTime> stages = {};       // with FileOptions::profile
  std::vector<GateCheck> gates = {};        // results of HoldGates, if Evaluate or the caller stores them

  // Returns whether the counts of all scorers add up, over all records, groups and sources.
  bool CountsAddUp() const;

  // Returns the report as indented JSON with a fixed order of keys and a newline at the end. Two runs over
  // the same input differ only in "timing", in "device" if a GPU was used, and in "judges" if models were
  // asked.
  std::string ToJson() const;

  // Returns the report as a table for a terminal. A table that is wider than `columns` leaves out the columns
  // that repeat others, and a line below names them. If `columns` is 0, the width is not limited.
  std::string ToTable(bool colour = false, std::size_t columns = 0) const;
};

// The error of a run that ended early: an input broke (kInput), an output could not be written (kOutput),
// memory or threads ran out (kResources), or the run was stopped (kInterrupted). All earlier records are
// scored, counted and, unless the output failed, written.
class LEAFSCORE_EXPORT RunError : public Error {
 public:
  RunError(const Error& cause, RunReport report) : Error(cause), report_(std::move(report)) {}
  const RunReport& report() const { return report_; }

 private:
  RunReport report_;
};

// The least value that a figure of a scorer may have.
struct Gate {
  static constexpr std::string_view kFinalScore = "final";

  // The name of a scorer. If it is empty, the gate is for every scorer. In Gates::fail_under, kFinalScore
  // means the final score, unless a scorer has this name.
  std::string scorer = {};
  double least = 0;
};

// The number of errors that are allowed, or their share of everything that was asked.
struct ErrorLimit {
  std::uint64_t count = 0;
  std::optional<double> share = {};
};

// Gates on a run, over everything that was asked. A gate without a figure to check fails. If there is any
// gate, three other checks can fail: whether the scored records of each scorer and group compared anything,
// whether a scorer has absent_paths, and whether max_groups left groups unchecked.
struct Gates {
  std::vector<Gate> fail_under = {};  // the least mean, or the least figure by classes if that counts instead
  // The least pass rate. A gate without the name of a scorer is for all scorers that pass or fail records.
  std::vector<Gate> min_pass_rate = {};
  std::optional<double> min_coverage = {};  // the least coverage of every scorer
  // The number of errors that are allowed. Only errors that are not the answer's fault count: records that
  // are errors or in which nothing was compared; without gold, records with a repeated id; and with gold,
  // rejected records, answers without gold and flaws of the gold. Without this limit, the other gates allow
  // no error.
  std::optional<ErrorLimit> max_errors = {};
  std::vector<std::string> by = {};  // group fields; the gates apply to each of their groups, too
  // Checks the lower end of the 95% interval of a mean or pass rate instead of the figure itself. Without an
  // interval, the gate fails.
  bool sure = false;
  bool allow_absent_paths = false;

  bool any() const { return !fail_under.empty() || !min_pass_rate.empty() || min_coverage || max_errors; }
};

// Checks that the scorers and group fields in gates exist, before a run begins.
// ERRORS: Error(kUsage) for a scorer or group field that the run does not have, for a gate that is NaN, for
//         group fields without a gate, for `sure` without a gate on a mean or pass rate, and for a gate on
//         the final score together with group fields.
LEAFSCORE_EXPORT void CheckGates(const Gates& gates, std::span<const std::string> scorers,
                                 std::span<const std::string> group_fields);

// Holds a report to gates.
// RETURNS: one result for each gate and each scorer and group that the gate applies to, one for the errors of
//          each scorer even without max_errors, and one for each of the other checks that failed. Empty if no
//          gate is set.
// ERRORS:  as CheckGates.
LEAFSCORE_EXPORT std::vector<GateCheck> HoldGates(const RunReport& report, const Gates& gates);

// Holds a report to gates.
// RETURNS: the sentences of the gates that failed; empty if all passed.
// ERRORS:  as CheckGates.
LEAFSCORE_EXPORT std::vector<std::string> FailedGates(const RunReport& report, const Gates& gates);

}  // namespace leafscore

#endif  // LEAFSCORE_REPORT_H_
