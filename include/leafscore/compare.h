// leafscore/compare.h: tells whether scores changed between two runs over the same records, and where.
//
// Records are joined by id. Each one that either run was asked counts: without a score, or without a line, it
// counts as 0 and as not passed. Of each scorer, and of each group and field within it, the differences
// record by record are tested: docs/compare.md has the rule for the verdict and its literature.
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

// What a comparison says of a mean: how it changed, that it did not by the margin or more, or that these
// records cannot tell.
enum class ComparisonVerdict : std::uint8_t { kRegressed, kImproved, kEquivalent, kInconclusive };

// How the p-values of a family of tests are corrected for being several.
enum class Correction : std::uint8_t {
  kHolm,               // the chance of any false alarm stays below alpha
  kBenjaminiHochberg,  // the expected share of false alarms among the alarms does
  kNone,
};

// A comparison of the first of the records that were planned for.
struct Look {
  std::uint64_t units = 0;  // records or clusters that were compared
  double spent = 0;         // of alpha, at this look and all before it
  std::string digest = {};  // of the scores
};

// Looks at the records as they come, at a price: each spends a part of alpha, so that all of them together
// have the chance of a false alarm that one has (K. K. G. Lan and D. L. DeMets, Biometrika 70, 1983).
struct LookPlan {
  std::uint64_t planned = 0;       // units, in all
  std::vector<Look> earlier = {};  // in their order
};

// What is compared, and how.
struct ComparisonOptions {
  std::string base = {};               // score files: JSON Lines, perhaps compressed
  std::vector<std::string> news = {};  // each is compared with the base
  // Instead of news: a field of which each value is a side, all in the file `base`, and two or more of its
  // values, that of the base first.
  std::string between = {};
  std::vector<std::string> values = {};
  std::vector<std::string> scorers = {};  // only these; empty: all
  std::string by = {};                    // field whose values are groups
  std::string cluster = {};          // field whose values are clusters of records that depend on each other
  Repeats repeats = Repeats::kLast;  // which lines of an id count; with kAll an id has their mean
  bool common_only = false;          // leave out ids that one side has no line for
  bool accept_differences = false;   // of scorers, options, gold and ids asked, which are else refused
  bool unverified = false;           // take files without a manifest, too
  double margin = 0.01;              // the smallest change of a mean that matters; above 0
  double alpha = 0.05;               // above 0, below 0.5
  Correction correction = Correction::kHolm;
  std::optional<LookPlan> looks = {};  // of one new file; its level stands in for alpha
  // P-values that are true at every look, planned or not, at the price of power; corrected by Holm. Not with
  // looks.
  bool anytime = false;
  // With Repeats::kAll, 2 or more: pass^k is a figure beside mean and pass rate, the chance that a test
  // passes k times of k. 0: it is not.
  std::uint32_t pass_k = 0;
  std::size_t worst = 10;  // to show of each scorer: records, flaky tests, tests that got worse
  // Files of records (FileOptions::inputs), one for each file of scores, that of the base first, whose
  // answers are shown of the worst records.
  std::vector<std::string> records = {};
  unsigned threads = 0;                     // 0: as many as there are
  std::uint64_t max_ratio = 1000;           // of compressed files, as FileOptions has it
  const std::atomic<bool>* stop = nullptr;  // becomes true to end early: Error(kInterrupted)
};

// The verdicts of both sides, and McNemar's exact test of them.
struct FlipCounts {
  std::uint64_t pass_to_fail = 0;
  std::uint64_t fail_to_pass = 0;
  std::uint64_t both_pass = 0;
  std::uint64_t both_fail = 0;
  std::optional<double> p = {};           // two-sided; as the next, not with clusters
  std::optional<double> p_unpaired = {};  // as if the sides were of different records: what pairing gains
};

// The chance that a test of more units than there are decides, if what is known so far stays as it is.
struct ConditionalPower {
  std::uint64_t units = 0;  // in all, those that there are included
  double if_as_seen = 0;    // the units to come differ by the difference seen
  double if_margin = 0;     // they fall by the margin
  double if_unchanged = 0;  // they do not differ
};

// How one figure of the records changed: the mean of their scores, or the share of them that passes. All
// p-values are of paired differences; docs/compare.md has the tests and their literature.
struct ComparedFigure {
  ComparisonVerdict verdict = ComparisonVerdict::kInconclusive;  // of this figure alone
  double base = 0;                                               // means over the records
  double now = 0;
  double difference = 0;                      // now - base
  std::optional<double> standard_error = {};  // as t_interval and p_t, of two units at least
  std::optional<Interval> interval = {};      // of the difference, confidence 1 - alpha; never contradicts p
  std::optional<Interval> t_interval = {};    // by the paired t-test
  // Each end holds for the mean of records like these, one-sided at alpha, whatever their scores: -low is how
  // large the drop may be.
  std::optional<Interval> bounds = {};
  std::optional<double> p = {};              // two-sided, of no difference: the exact sign-flip test
  std::optional<double> least_p = {};        // the least that as many units that differ can give
  std::optional<double> p_corrected = {};    // within the family
  std::optional<double> p_equivalence = {};  // of a difference of the margin or more
  std::optional<double> p_equivalence_corrected = {};
  std::optional<double> p_t = {};         // paired t-test, for information, as the next
  std::optional<double> p_wilcoxon = {};  // signed-rank test; of scores that are not all 0 or 1
  std::optional<double> effect = {};      // difference / standard deviation of the differences (Cohen's d_z)
  std::optional<double> detectable = {};  // the smallest drop that as many units had shown, with 80% power
  // False of a change that one rare, large change of the other direction, none of which was seen, could undo.
  bool holds_for_any_scores = true;
  std::uint64_t wins = 0;  // records of which it rose
  std::uint64_t ties = 0;
  std::uint64_t losses = 0;
  // Of an inconclusive figure of a whole scorer: the units, in all, that tell a drop of the margin with 80%
  // power, and what twice and four times as many units would tell.
  std::optional<std::uint64_t> units_for_margin = {};
  std::vector<ConditionalPower> more = {};
};

// What is known of a row because its tests were asked several times. A record is a test here, and each of its
// lines is an asking.
struct RepeatFigures {
  // The chance that two askings of a test disagree whether it passes: means over the tests with two askings
  // or more. Of scorers that pass or fail records.
  std::optional<double> base_flake_rate = {};
  std::optional<double> now_flake_rate = {};
  // The share of the squared standard error of the difference that comes from asking. Below a half, more
  // tests help, not more askings. Over the tests with two askings or more on both sides.
  std::optional<double> asking_noise = {};
  std::uint64_t short_tests = 0;  // with pass_k: with fewer askings than k on a side; what they lack failed
};

// What became of a scorer over all records or those of a group, or of one of its fields.
struct ComparedRow {
  std::string scorer = {};
  // "(none)" for records without the field; of a row of a group. Groups too small to fail alone are a further
  // row together, named kSmallGroups.
  std::optional<std::string> group = {};
  std::optional<std::string> field = {};  // a path with [*] for positions; of a row of a field
  std::uint64_t pooled_groups = 0;        // of the row of small groups: how many there are
  // Regressed if one of its figures is; else theirs if they agree; else improved if one is.
  ComparisonVerdict verdict = ComparisonVerdict::kInconclusive;
  bool contradiction = false;  // one of them regressed and another improved

  std::uint64_t records = 0;  // that are compared; of a field, those that have it
  std::uint64_t units = 0;    // records, or clusters of them
  // The units that would tell as much if all were of one size: less than `units` where clusters are uneven.
  double effective_units = 0;
  // The fewest units of which a fall of all would be a regression in this family. With fewer, that it did not
  // regress says nothing.
  std::uint64_t units_to_fail = 0;
  bool could_fail() const { return units >= units_to_fail; }
  // Of a scorer or a group, records that say nothing of the answer on one side or both: they are in error, or
  // nothing of them was compared. Where they are more than the margin of all, nothing is equivalent.
  std::uint64_t say_nothing = 0;
  ComparedFigure mean = {};
  // Of a scorer or group that passes or fails records on both sides, unless score and verdict are one number.
  std::optional<ComparedFigure> pass = {};
  // With options.pass_k, of such a scorer or group: the mean over tests of pass^k.
  std::optional<ComparedFigure> pass_k = {};
  std::optional<RepeatFigures> repeats = {};  // of a scorer or a group, with Repeats::kAll

  std::optional<double> base_pass_rate = {};  // of a scorer that passes or fails records
  std::optional<double> now_pass_rate = {};
  std::optional<FlipCounts> flips = {};  // not with Repeats::kAll

  // Of a row of a whole scorer: the records that both sides scored, and the difference of their means alone.
  std::uint64_t scored_in_both = 0;
  std::optional<double> difference_scored = {};
  // Of a row of a field: its part of the difference of the scorer's mean over all records.
  std::optional<double> contribution = {};
};

// The name of the row of all groups that are too small to fail alone.
inline constexpr std::string_view kSmallGroups = "(small groups together)";

// Records that had one outcome in the base and another one now, or have a line on one side only.
struct OutcomeChange {
  std::optional<Outcome> from = {};  // none: no line
  std::optional<Outcome> to = {};
  std::uint64_t records = 0;
  double contribution = 0;  // to the difference of the scorer's mean
};

// A field whose match changed in a record.
struct ChangedField {
  std::string path = {};
  std::optional<std::string> expected = {};  // JSON; as the next two, none where the line does not tell it
  std::optional<std::string> base = {};
  std::optional<std::string> now = {};
  std::optional<double> base_match = {};
  std::optional<double> now_match = {};
};

// One of the records whose score fell most.
struct ChangedRecord {
  std::string id = {};
  std::optional<std::string> group = {};
  std::optional<Outcome> base_outcome = {};  // none: no line
  std::optional<Outcome> now_outcome = {};
  double base = 0;
  double now = 0;
  std::optional<bool> base_passed = {};
  std::optional<bool> now_passed = {};
  std::vector<ChangedField> fields = {};  // the greatest drop first; at most 20
  // Of options.records, as JSON; clipped to 2,000 bytes.
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
  std::optional<double> base_flake_rate = {};  // of two askings or more, as the next
  std::optional<double> now_flake_rate = {};
  std::optional<double> p = {};            // one-sided, of not having got worse: Fisher's exact test
  std::optional<double> p_corrected = {};  // within the family of all tests
};

// The tests of a scorer one by one, with Repeats::kAll.
struct SingleTests {
  std::uint64_t flaky = 0;  // that passed some of their askings on a side, and failed others
  std::uint64_t worse = 0;  // that got worse, beyond chance
  std::vector<RepeatedTest> most_flaky = {};  // at most options.worst, as the next; by the higher flake rate
  std::vector<RepeatedTest> got_worse = {};   // the least p first
  // Whether a test that passed all its askings, and now fails all, would be found in this family. If not, as
  // many askings on each side as `asked_to_fail` would do.
  bool could_fail = false;
  std::uint64_t most_asked = 0;  // on the side where it was asked less
  std::uint64_t asked_to_fail = 0;
  // Tests that passed in the base, once at least; and those of them that would not be found even if they had
  // failed all askings of the new run, which has too few of them or none.
  std::uint64_t passed_in_base = 0;
  std::uint64_t powerless = 0;
  std::vector<std::string> powerless_ids = {};  // at most 5, the first by name
};

// A scorer in one new file, against the base. The contributions of its fields and outcome changes, and
// `elsewhere`, sum up to the difference of its mean.
struct ScorerComparison {
  std::string scorer = {};
  ComparedRow all = {};
  std::vector<ComparedRow> groups = {};  // in the order of their names; "(none)" comes last
  // The greatest fall of the scorer's mean first; none where lines do not list fields or leaves.
  std::vector<ComparedRow> fields = {};
  std::vector<OutcomeChange> outcomes = {};  // the greatest fall first; all but those that did not change
  double elsewhere = 0;  // changes of scores of which lines do not list the fields, or not as shares of it
  std::uint64_t base_errors = 0;  // what is not the answers' making, of which gates let none pass
  std::uint64_t now_errors = 0;
  std::uint64_t nothing_compared = 0;     // records whose score says nothing of the answer, on either side
  std::vector<ChangedRecord> worst = {};  // whose score fell, the greatest fall first
  // With Repeats::kAll, of a scorer that passes or fails records on both sides; not with anytime.
  std::optional<SingleTests> single_tests = {};
};

// One of the new files against the base.
struct FileComparison {
  std::string file = {};
  ComparisonVerdict verdict = ComparisonVerdict::kInconclusive;  // the gravest of its scorers'
  std::uint64_t records = 0;                                     // that are compared
  ListedIds only_base = {};         // ids without a line here; left out with common_only
  ListedIds only_now = {};          // ids without a line in the base
  std::uint64_t base_repeated = 0;  // lines that do not count, as others of their id do
  std::uint64_t now_repeated = 0;
  std::uint64_t not_asked = 0;  // lines of either side that answer no id of the gold, which are left out
  std::vector<ScorerComparison> scorers = {};  // by name
};

// The tests that were corrected together.
struct TestFamily {
  std::string name = {};  // "scorers", "groups", "fields" or "single tests"
  std::size_t tests = 0;
};

// What several files of scores say against a base.
struct Comparison {
  std::string base = {};
  std::string by = {};  // as the options
  std::string cluster = {};
  double margin = 0;
  double alpha = 0;  // with looks, the level of this one
  std::optional<Look> look = {};
  bool anytime = false;
  Repeats repeats = Repeats::kLast;
  std::uint32_t pass_k = 0;
  Correction correction = Correction::kHolm;
  bool common_only = false;
  // The gravest of all files: regressed, then inconclusive, improved, equivalent.
  ComparisonVerdict verdict = ComparisonVerdict::kInconclusive;
  std::vector<FileComparison> files = {};  // as options.news
  std::vector<TestFamily> families = {};
  std::vector<std::string> warnings = {};  // sentences
  bool verified = true;                    // all files have a manifest, and are as it says
};

// Compares score files.
// RETURNS: the same bits for any order of lines and any number of threads.
// ERRORS:  Error(kUsage) for options that do not go together; Error(kInput) for a file that is not whole or
//          no file of scores, for files whose scores cannot be compared, which says what differs, and for a
//          scorer or field that no line has; Error(kInterrupted); Error(kResources).
// COST:    memory: an id takes its text and 20 bytes; each file 16 bytes more for each id and scorer, and 32
//          for each field that its lines list. Time: that of reading all files, once more where worst records
//          are shown.
LEAFSCORE_EXPORT Comparison CompareFiles(const ComparisonOptions& options);

// Which figures of a row a gate is about.
enum class ComparedPart : std::uint8_t { kAll, kMean, kPassRate, kPassK };

// To whom a limit applies: all scorers, or one, or some of its fields. Without a field it holds for the
// scorer over all records and for each of its groups.
struct ComparisonScope {
  std::string scorer = {};  // empty: each; "NAME.mean", "NAME.pass" and "NAME.pass-k" say the part, too
  std::string field = {};   // empty: none; "*": each
  ComparedPart part = ComparedPart::kAll;
};

// The most that a figure of a row may be.
struct ComparisonLimit {
  ComparisonScope scope = {};
  double most = 0;
};

// What a verdict must not be.
enum class FailOn : std::uint8_t {
  kRegressed,
  kInconclusive,  // or regressed
  kAnyDrop,       // a figure that is lower, whatever chance may do
  kPowerless,     // too few records for a regression to be seen
};

// What a comparison must hold to. A gate that has no figure to go by fails.
struct ComparisonGates {
  // A gate on the verdicts of rows.
  struct Verdict {
    ComparisonScope scope = {};
    FailOn what = FailOn::kRegressed;
  };
  std::vector<Verdict> fail_on = {};
  std::vector<ComparisonLimit> max_drop = {};       // of the mean: bounds must leave out as much
  std::vector<ComparisonLimit> max_pass_drop = {};  // likewise of the pass rate
  std::vector<ComparisonLimit> max_flips = {};      // records that passed and fail now
  bool fail_on_test = false;  // fail if a single test got worse beyond chance; with Repeats::kAll
  // Of what is not the answers' making, on either side. As soon as there is any gate, none is let pass unless
  // this says otherwise.
  std::optional<ErrorLimit> max_errors = {};

  bool any() const {
    return !fail_on.empty() || !max_drop.empty() || !max_pass_drop.empty() || !max_flips.empty() ||
           fail_on_test || max_errors;
  }
};

// A gate, held against one row.
struct GateResult {
  std::string gate = {};  // as "max-drop 0.01"
  std::string file = {};  // the new file
  std::string scorer = {};
  std::optional<std::string> group = {};
  std::optional<std::string> field = {};
  bool passed = false;
  bool could_fail =
      true;  // false where no answers could have failed it; where that is so of all rows, it fails
  std::string sentence = {};  // how far it was from failing, or by how much it failed
  // What it could not have failed on though it passed: "could not have failed on 1 of 20 tests, ..."; or
  // empty.
  std::string caveat = {};
};

// RETURNS: all gates, each with all rows that it applies to; one without a figure to go by fails.
// ERRORS:  Error(kUsage) for a scorer or field that the comparison does not have.
LEAFSCORE_EXPORT std::vector<GateResult> CheckComparison(const Comparison& comparison,
                                                         const ComparisonGates& gates);

// How a comparison is written.
enum class ComparisonFormat : std::uint8_t { kTable, kMarkdown, kJson, kCsv, kJunit, kLatex };

// Returns a comparison and the gates it was held to as text: for people, the verdict comes first.
// kMarkdown stays below 1 MiB, which is what GitHub shows of a step.
LEAFSCORE_EXPORT std::string RenderComparison(const Comparison& comparison, std::span<const GateResult> gates,
                                              ComparisonFormat format, bool colour = false);

}  // namespace leafscore

#endif  // LEAFSCORE_COMPARE_H_
