// leafscore/leaderboard.h: ranks models by the score files that ScoreFiles wrote.
#ifndef LEAFSCORE_LEADERBOARD_H_
#define LEAFSCORE_LEADERBOARD_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "leafscore/export.h"
#include "leafscore/files.h"
#include "leafscore/report.h"

namespace leafscore {

// How the lines are read.
struct LeaderboardOptions {
  std::string by = {};       // field that names the model; empty: the file's name does
  std::string cluster = {};  // field whose values are the clusters of ids; empty: ids are independent
  std::string task = {};     // field whose values are the tasks that ids belong to: Ranking::by_task
  // Which of a model's lines for one scorer and id count. With kAll they are samples: a figure is their mean
  // for each id, then the mean over ids.
  Repeats repeats = Repeats::kLast;
  std::vector<std::uint32_t> pass_k = {};  // with kAll: numbers of samples of which one or all are to pass
  // The least share of the ids of all ranked models that a model needs lines for to be ranked: from 0 to 1.
  double min_share = 0.9;
  // Count only ids that all models have lines for, and rank all models by those. Needs 20 of them.
  bool common_only = false;
  bool mark_best = false;          // as good as the best: LeaderboardRow::best
  bool groups = false;             // LeaderboardRow::group
  bool unverified = false;         // take files without a manifest, too, those of other tools
  std::uint64_t max_ratio = 1000;  // of compressed files, as FileOptions has it
  unsigned threads = 0;            // that read the files and test pairs of models; 0: as many as there are
  std::vector<std::string>* warnings =
      nullptr;  // gets a sentence for each doubt whether rows can be compared
};

// How many ids a model has lines for, of how many.
struct IdShare {
  std::uint64_t ids = 0;  // lines that have lost their ids stand for some that it lacks
  std::uint64_t of = 0;
};

// What leafscore compare would say of a model against the next one, by one scorer and its defaults.
enum class ThanNext : std::uint8_t {
  kBetter,      // improved
  kNoWorse,     // equivalent
  kCannotTell,  // inconclusive
  kWorse,       // regressed: its mean is higher, but fewer records pass
};

// Means over ids.
struct RankedFigures {
  std::optional<double> mean = {};
  std::optional<double> standard_error = {};  // of mean; clustered if options.cluster is set
  std::optional<double> pass_rate = {};       // of a scorer that passes or fails records
};

// How many ids pass in k tries. An id with fewer samples counts as if those that it lacks had failed.
struct PassAmong {
  std::uint32_t k = 0;
  std::optional<double> pass_at = {};   // mean chance that one of k samples passes
  std::optional<double> pass_hat = {};  // mean chance that all of k samples pass
  std::uint64_t short_ids = 0;          // ids asked with fewer than k samples
};

// The figures of one model under one scorer.
struct LeaderboardRow {
  std::string model = {};
  std::string scorer = {};
  // By over_all.mean among the rows of the scorer, from 1; equal means share a rank. None for a model that
  // has too few of the ids: its mean is over other questions. Those with the smallest share of the ids leave
  // together while that is below options.min_share, and the ids of the others are gathered again.
  std::optional<std::uint32_t> rank = {};
  IdShare share = {};  // its ids, and those of the models among which it was ranked or left

  // The next four are by sign-flip tests of all pairs of the scorer's ranked models (two-sided, 5%, corrected
  // for the family of them all), where these were asked the same and are 200 at most.
  std::optional<Interval> rank_interval = {};  // those of all models hold together with 95% confidence
  std::vector<std::string> tied_with = {};     // models that are not told apart from this one, the best first
  // Of several ranked models: it has the best over_all.mean or, with options.mark_best, it is not told apart
  // from one that has.
  bool best = false;
  // With options.groups: letters, of which two models share one exactly if they are not told apart.
  std::optional<std::string> group = {};

  std::optional<double> p_next = {};       // of the test against the next row, not corrected
  std::optional<ThanNext> than_next = {};  // likewise only where models were asked the same
  // Its mean is higher than the next one's, and its pass rate is lower: by tests of the pass rates of all
  // pairs, which are a family of their own.
  bool passes_less = false;

  // An id is asked of every model that has a rank if one of them has a line for it; with options.common_only,
  // if all have. A model without a rank was asked its own ids.
  std::uint64_t asked = 0;
  std::optional<std::uint64_t> common_ids = {};  // with options.common_only: those that all have
  std::optional<std::uint64_t> samples = {};     // lines that count, with Repeats::kAll
  std::uint64_t scored = 0;                      // of the lines that count, as the next three
  std::uint64_t unreadable = 0;
  std::uint64_t unanswered = 0;
  std::uint64_t errors = 0;
  std::uint64_t nothing_compared = 0;  // of the scored: lines whose score says nothing of the answer
  std::uint64_t of_other_kind = 0;     // answers that are no object where one is expected, or no array
  double unexpected_share = 0;  // of the leaves of an answer are expected nowhere, on average of the scored
  std::optional<std::uint64_t> lacking = {};  // ids asked without a line; none without a rank
  std::optional<std::uint64_t> own = {};  // ids with a line that no other model has; none of a single model
  std::uint64_t repeated = 0;             // lines that count nowhere, as others of their id do
  std::uint64_t not_asked = 0;  // lines that count nowhere, as they answer no id of their run's gold
  std::uint64_t not_common =
      0;  // with options.common_only: lines that count nowhere, as others lack their id
  std::optional<std::uint64_t> clusters = {};
  std::optional<double> coverage = {};  // scored / asked

  RankedFigures over_all = {};                 // over the ids asked; without a score 0 and not passed
  std::optional<Interval> pass_interval = {};  // of over_all.pass_rate: 95%, by Wilson's score
  RankedFigures over_scored = {};              // over the ids that have a score
  // Means of the scorer's metrics of these names over scored ids, where it has them.
  std::optional<double> precision = {};
  std::optional<double> recall = {};
  std::optional<double> f1 = {};

  std::optional<FieldCounts> fields = {};  // all fields together, of a scorer that judges fields
  std::vector<PassAmong> pass_k = {};      // as options.pass_k
  bool verified = true;  // all files that may hold its scores have a manifest, and are as it says
};

// Reads score files (JSON Lines as ScoreFiles writes them, perhaps compressed), one per model unless
// options.by names the field that tells models apart: the model of runs/gpt-5.scores.jsonl.gz is gpt-5. Ids
// are texts: the number 11 and the text "11" are one id. A record's number that stands in for an id is none.
// RETURNS: scorers by name, in each the best model first, equals by name, then those without a rank: the same
//          rows for any order of the files and, but for repeated ids, of their lines.
// ERRORS:  Error(kInput) for a file that has no manifest or was cut, doubled or edited, and for files whose
//          manifests differ in scorers, gold, asked ids (unless options.by is set), what was expected for
//          them, or options that change scores; that names the file and the record that is no line of scores,
//          the field that no line has, the id that is in two clusters, or the one that Repeats::kError
//          refuses, for more than 4,096 models or scorers, or for fewer than 20 common ids with
//          options.common_only; Error(kUsage) for two files of one model, for options.pass_k without
//          Repeats::kAll or beyond 1,000, and for options.min_share outside [0, 1]; Error(kResources) when
//          memory ran out or the system has not that many threads.
// COST:    memory: the ids' texts, 16 bytes a line, 20 more under a scorer that judges fields, 24 under one
//          with precision, recall and F1, 8 where answers have leaves that are expected nowhere, and 8 for
//          each id and model of one scorer, 16 if it passes or fails records otherwise than by their scores.
//          Each pair of ranked models takes a sign-flip test.
LEAFSCORE_EXPORT std::vector<LeaderboardRow> RankFiles(std::span<const std::string> files,
                                                       const LeaderboardOptions& options = {});

// A column of a matrix.
struct MatrixColumn {
  // What its cells are means over.
  enum class Kind : std::uint8_t {
    kValue,    // one task or scorer
    kMean,     // the mean of the tasks or scorers, which count alike
    kOverAll,  // all ids, which count alike
  };
  Kind kind = Kind::kValue;
  std::string value = {};                 // of kValue: the task or scorer
  std::optional<std::uint64_t> ids = {};  // that were asked of each ranked model; none of kMean
};

// A model in a column of a matrix.
struct MatrixCell {
  std::optional<double> mean = {};  // over the ids asked; of kMean, none where one of the others is none
  std::uint64_t ids = 0;            // that it is over; of kMean 0
  bool best = false;                // in its column, as LeaderboardRow::best; of kMean, the best mean only
};

// The cells of a model.
struct MatrixRow {
  std::string model = {};
  bool ranked = true;  // under all scorers, with all of their columns
  bool verified = true;
  std::vector<MatrixCell> cells = {};  // one a column
};

// Means by model and task, or by model and scorer.
struct ScoreMatrix {
  std::optional<std::string> scorer = {};  // none where the columns are the scorers
  std::string field = {};                  // that the columns are the values of: options.task, or "scorer"
  std::vector<MatrixColumn> columns = {};  // those of kValue by name, then the others
  std::vector<MatrixRow> rows = {};        // the best first, by over_all.mean or else kMean
  bool common_only = false;                // as the options
};

// How far two scorers rank alike.
struct ScorerAgreement {
  std::string scorer = {};
  std::string other = {};
  std::uint64_t models = 0;        // that both rank
  std::optional<double> tau = {};  // Kendall's tau-b of their means; none where a scorer has one mean for all
  bool verified = true;            // all files, as LeaderboardRow::verified
};

// What a ranking is without the ids of one task.
struct TaskInfluence {
  std::string scorer = {};
  std::string task = {};
  std::uint64_t ids = 0;           // of the task
  std::optional<double> tau = {};  // Kendall's tau-b of the means with and without it
  std::uint64_t moved = 0;         // by how many ranks models move, all together
  bool most = false;               // no other task moves them more, and some move
  bool verified = true;            // all files
};

// The ranks that a model has over all ids, and without those of each task in turn.
struct RankRange {
  std::string scorer = {};
  std::string model = {};
  std::uint32_t rank = 0;  // over all
  std::uint32_t low = 0;   // the best of them
  std::uint32_t high = 0;  // the worst
  bool verified = true;    // all files
};

// How far ranks depend on the scorer and on single tasks.
struct RankingSensitivity {
  std::vector<ScorerAgreement> scorers = {};  // each two
  // With options.task, of scorers under which all ranked models were asked the same, of two tasks at least.
  std::vector<TaskInfluence> tasks = {};     // by scorer, then by name
  std::vector<RankRange> models = {};        // by scorer, then by rank
  std::vector<std::string> unverified = {};  // models, by name
};

// What score files tell of their models.
struct Ranking {
  std::vector<LeaderboardRow> rows = {};  // as RankFiles returns them
  // With options.task: one a scorer. Lines that have lost their ids count over all, but in no task; ids that
  // no line knows the task of have one named "(none)".
  std::vector<ScoreMatrix> by_task = {};
  ScoreMatrix by_scorer = {};
  RankingSensitivity sensitivity = {};
};

// Reads score files as RankFiles does, which returns the rows of this.
// ERRORS: also Error(kInput) that names the id that is of two tasks, or for more than 4,096 tasks.
LEAFSCORE_EXPORT Ranking RankFilesInFull(std::span<const std::string> files,
                                         const LeaderboardOptions& options = {});

// How a leaderboard is written.
enum class LeaderboardFormat { kTable, kMarkdown, kCsv, kJson, kLatex };

// Returns the rows as text: a plain, Markdown or LaTeX (booktabs) table for each scorer, one CSV, or one JSON
// array. Tables round to four decimals and leave out columns that no row of the scorer fills; CSV and JSON
// have all, in full. Markdown and LaTeX have the best in bold.
LEAFSCORE_EXPORT std::string RenderLeaderboard(std::span<const LeaderboardRow> rows,
                                               LeaderboardFormat format);

// Returns matrices as text: a table each, with the ids of each column below it, where the best of a column
// are bold or, in plain text, marked with a star; or one CSV or JSON array that has a row for each cell.
LEAFSCORE_EXPORT std::string RenderMatrices(std::span<const ScoreMatrix> matrices, LeaderboardFormat format);

// Returns it as text: tables, of which those of tasks and models are one a scorer; or one CSV or JSON array
// that has a row for each pair of scorers, task and model.
LEAFSCORE_EXPORT std::string RenderSensitivity(const RankingSensitivity& sensitivity,
                                               LeaderboardFormat format);

}  // namespace leafscore

#endif  // LEAFSCORE_LEADERBOARD_H_
