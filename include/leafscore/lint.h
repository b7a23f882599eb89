// leafscore/lint.h: checks a test (gold, scorers and their options) before answers are judged by it.
//
//   leafscore::LintOptions options;
//   options.files.gold = "gold.jsonl";
//   options.files.inputs = {"large.jsonl", "small.jsonl"};  // optional
//   const leafscore::LintReport report = leafscore::LintGold(leafscore::Plan({"json_similarity"}), options);
//   assert(report.judged == 24 && report.Count(leafscore::LintSeverity::kError) == 0);
//   std::fputs(leafscore::RenderLint(report, leafscore::LintFormat::kTable).c_str(), stdout);
#ifndef LEAFSCORE_LINT_H_
#define LEAFSCORE_LINT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leafscore/export.h"
#include "leafscore/files.h"
#include "leafscore/plan.h"
#include "leafscore/report.h"

namespace leafscore {

// The importance of a finding.
enum class LintSeverity : std::uint8_t {
  kNote,     // worth knowing
  kWarning,  // scores may say less than they seem to say
  kError,    // a record cannot be judged correctly
};

// The kinds of findings: a closed list.
enum class LintKind : std::uint8_t {
  // In the gold:
  kUnreadableGold,         // a record that cannot be read
  kMissingId,              // a record without an id
  kMissingExpected,        // a record without an expected value
  kRepeatedId,             // records with the same id and the same expected value
  kContradictoryId,        // records with the same id and different expected values
  kSimilarId,              // ids that differ only in case, blanks and leading zeros
  kRepeatedQuestion,       // different ids with the same question and the same expected value
  kContradictoryQuestion,  // different ids with the same question and different expected values
  kConstantPath,           // a path whose leaf is the same in every record that has it
  kRarePath,               // a path that few records have
  kEmptyGold,              // an expected value that is null or a blank text
  kPlaceholderGold,        // a text that stands for a value: TODO, N/A
  kErrorGold,              // an error message instead of a value
  kInvalidGold,            // an expected value that a schema does not allow
  kLoneRecord,             // a test, or a group in it, with a single record
  // In gold and scorers together:
  kUnscorableGold,   // gold that gets no score as its own answer
  kGoldNotPerfect,   // gold that scores below 1 or fails as its own answer
  kNothingCompared,  // gold in which a scorer finds nothing to compare
  kAbsentPath,       // a path in the options of a scorer that the gold does not have
  kEasyAnswer,       // a wrong answer that passes or gets points
  kUnseenAddition,   // a leaf added to the right answer does not lower its score of 1
  kWideTolerance,    // a tolerance or threshold that accepts the values of other records
  kZeroThreshold,    // a threshold that every answer reaches
  // In answers:
  kUnreadableAnswer,   // a record that cannot be read
  kAnswerWithoutGold,  // an id that the gold lacks
  kUnansweredGold,     // an id that no input answers
  kConstantAnswer,     // every answer of an input is the same
  kNeverAnsweredPath,  // a path in the gold that no answer has
  kFailedByAll,        // records that every input fails
  kPassedByAll,        // records that every input passes
};

// A finding. A finding about records lists their ids, or the numbers of records without ids.
struct LintFinding {
  LintSeverity severity = LintSeverity::kNote;
  LintKind kind = LintKind::kUnreadableGold;
  std::string scorer = {};  // the name of the scorer in the plan; empty: the finding is not about a scorer
  std::string source = {};  // the input with the answers; empty: the finding is about the gold
  std::string answer = {};  // for kEasyAnswer: the name of the answer
  ListedIds ids = {};
  ListedIds paths = {};                                      // for a finding about paths
  std::vector<std::pair<std::string, double>> numbers = {};  // named figures, such as {"mean", 0.5}
  std::string message = {};                                  // a sentence that says what was found
  std::string advice = {};                                   // a sentence that says what to do
  bool accepted = false;                                     // whether LintOptions::accept names it
};

// The result of one wrong answer that was given to every gold record on purpose, under one scorer. An answer
// without a score counts as 0.
struct LintAnswer {
  // The name of the answer: empty_object, empty_array, empty_text, null, question, most_common_gold,
  // other_gold, null_values, constant_leaves, number_in_prose or superset.
  std::string answer = {};
  std::string scorer = {};
  // Gold records that can be given this answer and in which something is compared.
  std::uint64_t asked = 0;
  std::uint64_t scored = 0;        // how many of these records have a score
  std::uint64_t passed = 0;        // how many pass, by the scorer's verdict or with at least pass_score
  std::uint64_t wrong_passed = 0;  // how many pass although the answer differs from the gold
  std::optional<double> mean = {};
};

// All findings.
struct LEAFSCORE_EXPORT LintReport {
  std::uint64_t records = 0;                       // records of the gold
  std::uint64_t judged = 0;                        // gold records that can be read and have what scorers need
  std::vector<LintFinding> findings = {};          // the most serious first, accepted ones last
  std::vector<LintAnswer> answers = {};            // scorer by scorer
  std::vector<std::string> judges_not_asked = {};  // scorers that were left out because ask_judges is not set
  std::vector<std::string> accepted_not_found = {};  // names in LintOptions::accept that match no finding

  // Returns the number of findings of this severity that are not accepted.
  std::uint64_t Count(LintSeverity severity) const;
};

// The options of `leafscore lint`.
struct LintOptions {
  // The gold, the answers as inputs (optional), the fields of both and the limits, as for a run with gold.
  // Group fields are fields of the gold. The options for output, resuming and shards are ignored.
  FileOptions files = {};
  // The field of the gold with the question; empty: the first of question, input and prompt in a record.
  std::string question_field = {};
  std::string schema = {};  // the path of a JSON Schema for the expected values; empty: there is no schema
  double pass_score = 0.5;  // the least score that passes under a scorer without a verdict
  // Also asks scorers of the types code_judge and llm_judge. They are asked up to thirteen times for each
  // gold record, and once for each answer.
  bool ask_judges = false;
  // Known findings that do not count, by the names of their kinds. A scorer, an easy answer or a source after
  // a colon narrows a name: "easy_answer:superset", "easy_answer:levenshtein:null".
  std::vector<std::string> accept = {};
};

// Checks gold and answers. It also scores, with the plan, answers that deserve no points.
// RETURNS: the same report for any number of threads.
// ERRORS:  Error(kInput) for a file that cannot be read, for gold without a single record to judge, and for a
//          field that no record has; Error(kUsage) for a name in `accept` that no finding can have and for a
//          pass_score outside [0, 1]; Error(kUsage), Error(kInterrupted) and Error(kResources) as ScoreFiles.
// COST:    memory: about three times the gold; answers are read batch by batch.
LEAFSCORE_EXPORT LintReport LintGold(const Plan& plan, const LintOptions& options);

// The formats of a report.
enum class LintFormat : std::uint8_t { kTable, kMarkdown, kJson };

// Returns the report as text, with the verdict first. kTable is for a terminal that is `columns` wide: wider
// tables leave out columns that add nothing. If `columns` is 0, the width is not limited.
LEAFSCORE_EXPORT std::string RenderLint(const LintReport& report, LintFormat format, std::size_t columns = 0);

// Returns the name in outputs, for example "warning".
LEAFSCORE_EXPORT std::string_view LintSeverityName(LintSeverity severity);
// Returns the name in outputs, for example "easy_answer".
LEAFSCORE_EXPORT std::string_view LintKindName(LintKind kind);

}  // namespace leafscore

#endif  // LEAFSCORE_LINT_H_
