// leafscore/lint.h: judges a test before anyone is judged by it: gold, scorers and their options.
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

// How much a finding matters.
enum class LintSeverity : std::uint8_t {
  kNote,     // worth knowing
  kWarning,  // scores may say less than they seem to
  kError,    // some record cannot be judged rightly
};

// What can be found: a closed list.
enum class LintKind : std::uint8_t {
  // Of the gold:
  kUnreadableGold,         // a record that cannot be read
  kMissingId,              // a record without an id
  kMissingExpected,        // a record without an expected value
  kRepeatedId,             // records with one id and one expected value
  kContradictoryId,        // records with one id and different expected values
  kSimilarId,              // ids that are equal but for case, blanks and leading zeros
  kRepeatedQuestion,       // records of different ids with one question and one expected value
  kContradictoryQuestion,  // the same with different expected values
  kConstantPath,           // leaves that are the same in every record that has them
  kRarePath,               // paths that only a few records have
  kEmptyGold,              // an expected value that is null or a blank text
  kPlaceholderGold,        // a text that stands for a value: TODO, N/A
  kErrorGold,              // a text that a failure left in place of a value
  kLoneRecord,             // a test, or a group of it, of a single record
  // Of gold and scorers:
  kUnscorableGold,   // gold that, as its own answer, has no score
  kGoldNotPerfect,   // gold that, as its own answer, scores less than 1 or fails
  kNothingCompared,  // gold of which a scorer compares nothing
  kAbsentPath,       // a path in the options of a scorer that leads nowhere in the gold
  kEasyAnswer,       // an answer that is not right, and passes or scores
  kUnseenAddition,   // a leaf that is added to the right answer leaves the score at 1
  kWideTolerance,    // a tolerance or threshold that takes other records' values
  kZeroThreshold,    // a threshold that everything reaches
  // Of answers:
  kUnreadableAnswer,   // a record that cannot be read
  kAnswerWithoutGold,  // an id that the gold lacks
  kUnansweredGold,     // an id that no input answers
  kConstantAnswer,     // every answer of an input is the same
  kNeverAnsweredPath,  // a path of the gold that is in no answer
  kFailedByAll,        // records that every input fails
  kPassedByAll,        // records that every input passes
};

// One finding. A finding about records lists their ids, or the number of a record that has none.
struct LintFinding {
  LintSeverity severity = LintSeverity::kNote;
  LintKind kind = LintKind::kUnreadableGold;
  std::string scorer = {};  // its name in the plan; empty: of no scorer
  std::string source = {};  // the input of answers; empty: of the gold
  std::string answer = {};  // kEasyAnswer: the name of the answer
  ListedIds ids = {};
  ListedIds paths = {};                                      // of a finding about paths
  std::vector<std::pair<std::string, double>> numbers = {};  // named figures, such as {"mean", 0.5}
  std::string message = {};                                  // a sentence: what was found
  std::string advice = {};                                   // a sentence: what to do
  bool accepted = false;                                     // by LintOptions::accept
};

// What an answer that is not meant to be right gets under one scorer. Where it has no score it counts as 0.
struct LintAnswer {
  std::string answer = {};  // its name: empty_object, empty_array, empty_text, null, question,
                            // most_common_gold, other_gold, null_values, constant_leaves, number_in_prose,
                            // superset
  std::string scorer = {};
  std::uint64_t asked = 0;   // gold records that it can be put to, and of which the scorer compares something
  std::uint64_t scored = 0;  // of them
  std::uint64_t passed = 0;  // by the scorer's verdict, or with a score of at least pass_score
  std::uint64_t wrong_passed = 0;  // of these, where it is not the gold itself
  std::optional<double> mean = {};
};

// Everything that was found.
struct LEAFSCORE_EXPORT LintReport {
  std::uint64_t records = 0;                         // of the gold
  std::uint64_t judged = 0;                          // of these, that can be read and have what scorers need
  std::vector<LintFinding> findings = {};            // the most serious first, accepted ones last
  std::vector<LintAnswer> answers = {};              // scorer by scorer
  std::vector<std::string> judges_not_asked = {};    // scorers of type code_judge, unless ask_judges
  std::vector<std::string> accepted_not_found = {};  // of LintOptions::accept

  // Returns the number of findings of this severity that were not accepted.
  std::uint64_t Count(LintSeverity severity) const;
};

// What to look at, and how.
struct LintOptions {
  // The gold, the answers as inputs (there may be none), their fields, and the limits, as for a run with
  // gold; of groups, fields of the gold. Outputs, resuming and shards are not looked at.
  FileOptions files = {};
  // Field of the gold with the question; empty: the first of question, input and prompt that a record has.
  std::string question_field = {};
  double pass_score = 0.5;  // from which a record passes under a scorer without a verdict
  // Also puts the answers to scorers of type code_judge, which run a program of the user's: up to thirteen
  // times for each gold record, and once for each answer.
  bool ask_judges = false;
  // Findings that are known and do not count: names of kinds, each perhaps with a scorer, an easy answer or a
  // source behind colons that it is narrowed to ("easy_answer:superset", "easy_answer:levenshtein:null").
  std::vector<std::string> accept = {};
};

// Reads gold and answers, and scores with the plan what no answer should be given points for.
// RETURNS: the same report for any number of threads.
// ERRORS:  Error(kInput) for a file that cannot be read, a gold without a single record to judge, and a field
//          that no record has; Error(kUsage) for a name in `accept` that no finding can have; Error(kUsage),
//          Error(kInterrupted) and Error(kResources) as ScoreFiles.
// COST:    memory: the gold about three times; answers are read batch by batch.
LEAFSCORE_EXPORT LintReport LintGold(const Plan& plan, const LintOptions& options);

// How a report is written.
enum class LintFormat : std::uint8_t { kTable, kMarkdown, kJson };

// Returns the report as text, the verdict first.
LEAFSCORE_EXPORT std::string RenderLint(const LintReport& report, LintFormat format);

// Returns the name written to outputs, for example "warning".
LEAFSCORE_EXPORT std::string_view LintSeverityName(LintSeverity severity);
// Returns the name written to outputs, for example "easy_answer".
LEAFSCORE_EXPORT std::string_view LintKindName(LintKind kind);

}  // namespace leafscore

#endif  // LEAFSCORE_LINT_H_
