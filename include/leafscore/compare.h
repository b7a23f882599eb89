// leafscore/compare.h: decides whether scores changed between two runs over the same records, and where.
//
//   leafscore::ComparisonOptions options;
//   options.base = "large.scores.jsonl";
//   options.news = {"small.scores.jsonl"};
//   const leafscore::Comparison comparison = leafscore::CompareFiles(options);
//   leafscore::ComparisonGates gates;
//   gates.fail_on = {{.what = leafscore::FailOn::kRegressed}};
//   gates.max_drop = {{.most = 0.01}};
//   const std::vector<leafscore::GateResult> results = leafscore::CheckComparison(comparison, gates);
//   assert(std::ranges::count(results, false, &leafscore::GateResult::passed) > 0);
//   const auto format = leafscore::ComparisonFormat::kMarkdown;
//   std::fputs(leafscore::RenderComparison(comparison, results, format).c_str(), stdout);
//
// Records are joined by id. Every record that was asked in one of the runs counts. In a run where the record
// has no score or no line, it counts as 0 and as not passed. The differences between records are tested for
// each scorer, and for each of its groups and fields. docs/compare.md has the rule for the verdict, and the
// literature.
#ifndef LEAFSCORE_COMPARE_H_
#define LEAFSCORE_COMPARE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leafscore/export.h"
#include "leafscore/files.h"
#include "leafscore/leaderboard.h"
#include "leafscore/outcome.h"
#include "leafscore/report.h"

namespace leafscore {

// The verdict of a comparison on a mean: it fell or rose, it changed by less than the margin, or these
// records are not enough to decide.
enum class ComparisonVerdict : std::uint8_t { kRegressed, kImproved, kEquivalent, kInconclusive };

// The correction of p-values for the size of a family of tests.
enum class Correction : std::uint8_t {
  kHolm,               // limits the chance of any false alarm to alpha
  kBenjaminiHochberg,  // limits the expected share of false alarms among the alarms to alpha
  kNone,
};

// A comparison of the first part of the planned records.
struct Look {
  std::uint64_t units = 0;  // records or clusters that were compared
  double spent = 0;         // the part of alpha spent at this look and all before it
  std::string digest = {};  // a digest of the scores
};

// A plan to look at the records while they arrive. Each look spends a part of alpha, so that all looks
// together have the same chance of a false alarm as a single test (K. K. G. Lan and D. L. DeMets, Biometrika
// 70, 1983).
struct LookPlan {
  std::uint64_t planned = 0;       // the final number of units
  std::vector<Look> earlier = {};  // earlier looks in order
};

// The options of `leafscore compare`.
struct ComparisonOptions {
  std::string base = {};               // a score file: JSON Lines, perhaps compressed
  std::vector<std::string> news = {};  // score files; each is compared with the base
  // Used instead of `news`: a field of the lines in the file `base`, and at least two of its values. The
  // lines with the first value are the base.
  std::string between = {};
  std::vector<std::string> values = {};
  std::vector<std::string> scorers = {};  // compare only these; empty: all
  std::string by = {};                    // the field whose values are groups
  std::string cluster = {};               // the field whose values are clusters of dependent records
  Repeats repeats = Repeats::kLast;       // which lines of an id count; with kAll, their mean
  bool common_only = false;               // leave out ids for which one side has no line
  bool accept_differences = false;        // accept different scorers, options, gold and asked ids
  bool unverified = false;                // accept files without a manifest
  double margin = 0.01;                   // the smallest change of a mean that matters; above 0, at most 1
  double alpha = 0.05;                    // the significance level; at least 1e-6, below 0.5
  Correction correction = Correction::kHolm;
  std::optional<LookPlan> looks = {};  // for one new file, with manifests; the look's level replaces alpha
  // Uses p-values that hold at every look, whether planned or not. They have less power, and
  // Correction::kHolm then counts every figure that changed. Not allowed together with `looks`.
  bool anytime = false;
  // With Repeats::kAll, a k from 2 to 1,000 adds the figure pass^k to the mean and the pass rate. It is the
  // chance that a test passes k times out of k. 0 leaves it out.
  std::uint32_t pass_k = 0;
  std::size_t worst = 10;  // for each scorer, how many records, flaky and worse tests to list; at most 1,000
  // The files of records that were scored (FileOptions::inputs), one for each score file, with the base
  // first. The answers of the worst records are read from their fields id, expected and actual.
  std::vector<std::string> records = {};
  // A file of human verdicts on some of the answers, for ScorerComparison::labels (docs/judges.md).
  std::string labels = {};
  unsigned threads = 0;                     // 0: one per processor
  std::uint64_t max_ratio = 1000;           // for compressed files, as FileOptions::max_ratio
  const std::atomic<bool>* stop = nullptr;  // set to true to end early: Error(kInterrupted)
};

// The numbers of records by their verdicts on both sides, and McNemar's exact test on them. With clusters,
// there are no p-values.
struct FlipCounts {
  std::uint64_t pass_to_fail = 0;
  std::uint64_t fail_to_pass = 0;
  std::uint64_t both_pass = 0;
  std::uint64_t both_fail = 0;
  std::optional<double> p = {};  // two-sided
  // The p-value as if the two sides had different records. Comparing it with `p` shows the gain from pairing.
  std::optional<double> p_unpaired = {};
};

// The chance that a test with more units finds a significant difference, given the units that are known now.
struct ConditionalPower {
  std::uint64_t units = 0;  // all units, including the known ones
  double if_as_seen = 0;    // if the new units differ by the observed difference
  double if_margin = 0;     // if the new units fall by the margin
  double if_unchanged = 0;  // if the new units do not differ
};

// The change of one figure: the mean of the scores, or the share of records that pass. All p-values are for
// paired differences; docs/compare.md has the tests and their literature.
struct ComparedFigure {
  ComparisonVerdict verdict = ComparisonVerdict::kInconclusive;  // the verdict on this figure alone
  double base = 0;                                               // mean over the records of the base
  double now = 0;                                                // mean over the records of the new run
  double difference = 0;                                         // now - base
  // The standard error of `difference`. It needs at least two units, and so do t_interval and p_t.
  std::optional<double> standard_error = {};
  // Interval of `difference` at confidence 1 - alpha; never contradicts p.
  std::optional<Interval> interval = {};
  std::optional<Interval> t_interval = {};  // the interval of the paired t-test
  // One-sided bounds, each at level alpha, for the mean change of records like these. They hold for any
  // distribution of scores. The drop may be as large as -low.
  std::optional<Interval> bounds = {};
  std::optional<double> p = {};            // exact sign-flip test of no difference, two-sided
  std::optional<double> least_p = {};      // the smallest p that this number of differing units can give
  std::optional<double> p_corrected = {};  // p, corrected within the family
  // Tests the hypothesis that the difference is at least the margin.
  std::optional<double> p_equivalence = {};
  std::optional<double> p_equivalence_corrected = {};
  std::optional<double> p_t = {};  // paired t-test, for information
  // Signed-rank test, for information; nullopt if all scores are 0 or 1.
  std::optional<double> p_wilcoxon = {};
  std::optional<double> effect = {};      // difference / standard deviation of the differences (Cohen's d_z)
  std::optional<double> detectable = {};  // the smallest drop that this number of units shows with 80% power
  // False if rare, large changes in the other direction, which these records do not show, could undo the
  // change.
  bool holds_for_any_scores = true;
  std::uint64_t wins = 0;    // records whose score rose
  std::uint64_t ties = 0;    // records whose score stayed the same
  std::uint64_t losses = 0;  // records whose score fell
  // For an inconclusive figure of a whole scorer: the total number of units with which the test would show a
  // drop of the margin with 80% power, and its power with twice and four times the present units.
  std::optional<std::uint64_t> units_for_margin = {};
  std::vector<ConditionalPower> more = {};
};

// The figures of a row that need repeated tests. Here a record is a test, and each of its lines is a repeat
// of the test.
struct RepeatFigures {
  // The chance that two repeats of a test disagree on whether it passes: the mean over the tests with at
  // least two repeats. For scorers that pass or fail records.
  std::optional<double> base_flake_rate = {};
  std::optional<double> now_flake_rate = {};
  // The share of the squared standard error of the difference that comes from the variation between repeats,
  // over the tests with at least two repeats on both sides. Below one half, more tests help more than more
  // repeats.
  std::optional<double> asking_noise = {};
  std::uint64_t short_tests = 0;  // with pass_k: tests with fewer than k repeats, which count as failed
};

// A rate of a field, from its counts in all records. Precision is the share of the given values that are
// right, recall is the share of the expected values that were found, and F1 is the harmonic mean of both.
enum class FieldRate : std::uint8_t { kPrecision, kRecall, kF1 };

// The change of a scorer over all records, over the records of a group, or in one of its fields.
struct ComparedRow {
  std::string scorer = {};
  // For the row of a group: its value, or "(none)" for records without the field. Groups that are too small
  // to fail alone also share one row, kSmallGroups.
  std::optional<std::string> group = {};
  std::optional<std::string> field = {};  // for the row of a field: a path with [*] for positions
  // For a row of ScorerComparison::field_rates: the rate that `mean` holds. A row for all fields together has
  // no `field`.
  std::optional<FieldRate> rate = {};
  std::uint64_t pooled_groups = 0;  // for the row kSmallGroups: the number of its groups
  // Regressed if one of the row's figures regressed; otherwise improved if one improved; otherwise equivalent
  // if all are equivalent; otherwise inconclusive.
  ComparisonVerdict verdict = ComparisonVerdict::kInconclusive;
  bool contradiction = false;  // one figure regressed and another improved

  std::uint64_t records = 0;  // compared records; for a field, the records that have it
  std::uint64_t units = 0;    // records, or clusters of records
  // The number of equally large units that would give the same precision. It is less than `units` if clusters
  // have different sizes.
  double effective_units = 0;
  // The smallest number of units that shows a regression in this family if all of them fall. A row with fewer
  // units cannot fail, so it says nothing about regressions.
  std::uint64_t units_to_fail = 0;
  bool could_fail() const { return units >= units_to_fail; }
  // For a scorer or a group: records that, on one side or both, say nothing about the answer, because they
  // are errors or because nothing in them was compared. If their share is above the margin, no verdict is
  // kEquivalent.
  std::uint64_t say_nothing = 0;
  ComparedFigure mean = {};
  // For a scorer or group that passes or fails records on both sides, unless every score is just its verdict
  // as 1 or 0.
  std::optional<ComparedFigure> pass = {};
  // For a scorer or group that passes or fails records, with options.pass_k: the mean of pass^k over the
  // tests.
  std::optional<ComparedFigure> pass_k = {};
  std::optional<RepeatFigures> repeats = {};  // for a scorer or a group, with Repeats::kAll

  std::optional<double> base_pass_rate = {};  // for a scorer that passes or fails records
  std::optional<double> now_pass_rate = {};
  std::optional<FlipCounts> flips = {};  // if both sides pass or fail records, without Repeats::kAll

  // For the row of a whole scorer: the records that both sides scored, and the difference of their means.
  std::uint64_t scored_in_both = 0;
  std::optional<double> difference_scored = {};
  // For the row of a field: the part of the difference of the scorer's mean that comes from this field.
  std::optional<double> contribution = {};
};

// The name of the row for all groups that are too small to fail alone.
inline constexpr std::string_view kSmallGroups = "(small groups together)";

// The records whose outcome changed in one way, or that have a line on one side only.
struct OutcomeChange {
  std::optional<Outcome> from = {};  // nullopt: no line
  std::optional<Outcome> to = {};
  std::uint64_t records = 0;
  double contribution = 0;  // the part of the difference of the scorer's mean that comes from these records
};

// The records with one cause (docs/causes.md) in the base and in the new run. A record may have several
// causes, and its outcome and fields are counted as well, so contributions overlap.
struct CauseChange {
  AnswerCause cause = AnswerCause::kNoValue;
  std::uint64_t base_records = 0;
  std::uint64_t now_records = 0;
  // The part of the difference of the mean that comes from records that fell and now have this cause, but
  // did not have it in the base, and from records that rose and no longer have it.
  double contribution = 0;
};

// A field whose match changed in a record. The values are JSON, or nullopt if the line lacks them.
struct ChangedField {
  std::string path = {};
  std::optional<std::string> expected = {};
  std::optional<std::string> base = {};
  std::optional<std::string> now = {};
  std::optional<double> base_match = {};
  std::optional<double> now_match = {};
};

// A record whose score fell.
struct ChangedRecord {
  std::string id = {};
  std::optional<std::string> group = {};
  std::optional<Outcome> base_outcome = {};  // nullopt: no line
  std::optional<Outcome> now_outcome = {};
  double base = 0;
  double now = 0;
  std::optional<bool> base_passed = {};
  std::optional<bool> now_passed = {};
  std::vector<ChangedField> fields = {};  // the largest drop first; at most 20
  // With options.records: the values as JSON, cut at 2,000 bytes.
  std::optional<std::string> expected = {};
  std::optional<std::string> base_answer = {};
  std::optional<std::string> now_answer = {};
};

// A test that was asked several times.
struct RepeatedTest {
  std::string id = {};
  std::optional<std::string> group = {};
  std::uint64_t base_asked = 0;
  std::uint64_t base_passed = 0;
  std::uint64_t now_asked = 0;
  std::uint64_t now_passed = 0;
  std::optional<double> base_flake_rate = {};  // both rates are nullopt with fewer than two repeats
  std::optional<double> now_flake_rate = {};
  std::optional<double> p = {};            // Fisher's exact test that it did not get worse, one-sided
  std::optional<double> p_corrected = {};  // p, corrected for the family of all tests
};

// The single tests of a scorer, with Repeats::kAll.
struct SingleTests {
  std::uint64_t flaky = 0;  // tests that both passed and failed on one side
  std::uint64_t worse = 0;  // tests that got worse, beyond chance
  // The highest flake rate first; each list has at most options.worst.
  std::vector<RepeatedTest> most_flaky = {};
  std::vector<RepeatedTest> got_worse = {};  // the smallest p first
  // Whether this family of tests would detect a test that passed in all repeats and now fails in all. If not,
  // a test needs `asked_to_fail` repeats on each side to be detected.
  bool could_fail = false;
  std::uint64_t most_asked = 0;  // the largest number of repeats that a test has on both sides
  std::uint64_t asked_to_fail = 0;
  // Tests that passed at least once in the base, and how many of these have too few repeats in the new run:
  // they would not be detected even if all these repeats had failed.
  std::uint64_t passed_in_base = 0;
  std::uint64_t powerless = 0;
  std::vector<std::string> powerless_ids = {};  // the first by name, at most 5
};

// The pass rates of a scorer over all records, corrected by labels.
struct CorrectedPassRates {
  CorrectedPassRate base = {};
  CorrectedPassRate now = {};
  std::optional<Interval> difference = {};  // 95% interval of now - base
};

// The comparison of one new file with the base under one scorer. The contributions of the fields and of the
// outcome changes, and `elsewhere`, add up to the difference of the mean.
struct ScorerComparison {
  std::string scorer = {};
  ComparedRow all = {};
  std::vector<ComparedRow> groups = {};  // by name, then "(none)", then kSmallGroups
  // Ordered by how much a field lowers the scorer's mean, the most first; empty if lines list neither fields
  // nor leaves.
  std::vector<ComparedRow> fields = {};
  // Precision, recall and F1 of all fields together, then of each field by name; empty if lines have no
  // counts of fields. A share that has no values on one side has no row. With anytime, only recall.
  std::vector<ComparedRow> field_rates = {};
  std::vector<OutcomeChange> outcomes = {};  // only changes, the largest fall first
  std::vector<CauseChange> causes = {};      // only changes, the largest fall first
  // The part of the difference that comes from lines that list no fields, or whose fields are not shares of
  // the score.
  double elsewhere = 0;
  std::uint64_t base_errors = 0;  // errors that are not the answer's fault, which gates limit
  std::uint64_t now_errors = 0;
  std::uint64_t nothing_compared = 0;     // records whose score on either side says nothing about the answer
  std::vector<ChangedRecord> worst = {};  // the records whose score fell most, the largest fall first
  // With Repeats::kAll and without `anytime`, for a scorer that passes or fails records on both sides.
  std::optional<SingleTests> single_tests = {};
  // With options.labels, for a scorer that passes or fails records on both sides.
  std::optional<CorrectedPassRates> labels = {};
};

// The comparison of one new file with the base.
struct FileComparison {
  std::string file = {};
  ComparisonVerdict verdict = ComparisonVerdict::kInconclusive;  // the gravest verdict of its scorers
  std::uint64_t records = 0;                                     // compared records
  ListedIds only_base = {};         // ids that have a line only in the base; left out with common_only
  ListedIds only_now = {};          // ids that have a line only in this file
  std::uint64_t base_repeated = 0;  // lines that do not count because another line of their id does
  std::uint64_t now_repeated = 0;
  std::uint64_t not_asked = 0;  // lines on either side that are left out because the gold lacks their id
  std::vector<ScorerComparison> scorers = {};  // by name
};

// A family of tests that were corrected together.
struct TestFamily {
  std::string name = {};  // "scorers", "groups", "fields", "field rates" or "single tests"
  std::size_t tests = 0;
};

// The comparison of all new files with the base.
struct Comparison {
  std::string base = {};
  std::string by = {};       // as in the options
  std::string cluster = {};  // as in the options
  double margin = 0;
  double alpha = 0;  // with looks, the level of this look
  std::optional<Look> look = {};
  bool anytime = false;
  Repeats repeats = Repeats::kLast;
  std::uint32_t pass_k = 0;
  Correction correction = Correction::kHolm;
  bool common_only = false;
  // The gravest verdict of all files: regressed, then inconclusive, improved, equivalent.
  ComparisonVerdict verdict = ComparisonVerdict::kInconclusive;
  std::vector<FileComparison> files = {};  // in the order of options.news
  std::vector<TestFamily> families = {};
  std::vector<std::string> warnings = {};  // sentences
  bool verified = true;                    // all files match their manifests
};

// Compares score files.
// RETURNS: the comparison. It is bit-identical for any order of lines and any number of threads.
// ERRORS:  Error(kUsage) for options that do not go together or are out of range, and for files that were
//          scored with other `repeats`; Error(kInput) for a file that is incomplete or not a score file, for
//          files that cannot be compared (the message says what differs), and for a scorer or field that no
//          line has; Error(kInterrupted); Error(kResources).
// COST:    memory: for each id, its text and 20 bytes; in each file, 16 bytes for each id and scorer, and 32
//          for each field that the lines list. Time: all files are read once, or twice if worst records are
//          listed.
LEAFSCORE_EXPORT Comparison CompareFiles(const ComparisonOptions& options);

// The figure of a row that a gate is about.
enum class ComparedPart : std::uint8_t { kAll, kMean, kPassRate, kPassK };

// The rows that a gate applies to. Without a field, these are the rows of the scorers over all records and
// for each group.
struct ComparisonScope {
  // Empty: all scorers; "NAME.mean", "NAME.pass" and "NAME.pass-k" also set the part.
  std::string scorer = {};
  std::string field = {};  // empty: no fields; "*": all fields
  ComparedPart part = ComparedPart::kAll;
};

// The largest value that a figure of a row may have.
struct ComparisonLimit {
  ComparisonScope scope = {};
  double most = 0;
};

// The verdicts on which a gate fails.
enum class FailOn : std::uint8_t {
  kRegressed,
  kInconclusive,  // inconclusive or regressed
  kAnyDrop,       // a figure is lower, even if that may be chance
  kPowerless,     // there are too few records to show a regression
};

// Gates on a comparison. A gate without a figure to check fails.
struct ComparisonGates {
  // A gate on the verdicts of rows.
  struct Verdict {
    ComparisonScope scope = {};
    FailOn what = FailOn::kRegressed;
  };
  std::vector<Verdict> fail_on = {};
  // Fails unless the bounds exclude a drop by `most` or more: of the mean, or of the part that the scope
  // names.
  std::vector<ComparisonLimit> max_drop = {};
  std::vector<ComparisonLimit> max_pass_drop = {};  // the same for the pass rate
  std::vector<ComparisonLimit> max_flips = {};      // the most records that passed and now fail
  bool fail_on_test = false;  // with Repeats::kAll: fail if a single test got worse beyond chance
  // The number of compared records, or their share, that may say nothing about the answers
  // (ComparedRow::say_nothing) or, without common_only, have no line in the base. Without this limit, the
  // other gates allow no such record.
  std::optional<ErrorLimit> max_errors = {};

  bool any() const {
    return !fail_on.empty() || !max_drop.empty() || !max_pass_drop.empty() || !max_flips.empty() ||
           fail_on_test || max_errors;
  }
};

// The result of a gate for one row.
struct GateResult {
  std::string gate = {};  // for example "max-drop 0.01"
  std::string file = {};  // the new file
  std::string scorer = {};
  std::optional<std::string> group = {};
  std::optional<std::string> field = {};
  bool passed = false;
  // Whether some answers could have made the gate fail on this row. A gate that could not have failed on any
  // row fails.
  bool could_fail = true;
  std::string sentence = {};  // says how far the gate was from failing, or by how much it failed
  // For a gate that passed, says which part of the row could not have failed: "could not have failed on 1 of
  // 20 tests, ...". Otherwise empty.
  std::string caveat = {};
};

// Holds a comparison to gates.
// RETURNS: a result for each gate and each row that it applies to. Without max_errors, there is a result on
//          errors only where they exceed 0.
// ERRORS:  Error(kUsage) for a scorer or field that the comparison does not have, and for a gate on flips,
//          single tests or pass^k that the options of the comparison exclude.
LEAFSCORE_EXPORT std::vector<GateResult> CheckComparison(const Comparison& comparison,
                                                         const ComparisonGates& gates);

// The formats of a comparison.
enum class ComparisonFormat : std::uint8_t { kTable, kMarkdown, kJson, kCsv, kJunit, kLatex };

// Returns a comparison and the results of its gates as text. Formats for people begin with the verdict.
// kMarkdown stays below 1 MiB, the limit of GitHub's step summaries. kTable is for a terminal that is
// `columns` wide: wider tables leave out columns that add nothing. If `columns` is 0, the width is not
// limited.
LEAFSCORE_EXPORT std::string RenderComparison(const Comparison& comparison, std::span<const GateResult> gates,
                                              ComparisonFormat format, bool colour = false,
                                              std::size_t columns = 0);

}  // namespace leafscore

#endif  // LEAFSCORE_COMPARE_H_
