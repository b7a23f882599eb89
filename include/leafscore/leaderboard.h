// leafscore/leaderboard.h: ranks models by the score files that ScoreFiles wrote.
//
//   const std::vector<std::string> files = {"large.scores.jsonl", "small.scores.jsonl"};
//   leafscore::LeaderboardOptions options;
//   std::vector<std::string> warnings;
//   options.warnings = &warnings;
//   const leafscore::Ranking ranking = leafscore::RankFilesInFull(files, options);
//   assert(ranking.rows[0].scorer == "exact_match" && ranking.rows[0].model == "large");
//   assert(ranking.rows[0].tied_with.empty() && warnings.empty());
//   const auto format = leafscore::LeaderboardFormat::kTable;
//   std::fputs(leafscore::RenderLeaderboard(ranking.rows, format).c_str(), stdout);
#ifndef LEAFSCORE_LEADERBOARD_H_
#define LEAFSCORE_LEADERBOARD_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "leafscore/export.h"
#include "leafscore/files.h"
#include "leafscore/outcome.h"
#include "leafscore/report.h"

namespace leafscore {

// The options of `leafscore leaderboard`.
struct LeaderboardOptions {
  std::string by = {};       // the field that names the model; empty: the name of the file is the model
  std::string cluster = {};  // the field whose values are clusters of ids; empty: ids are independent
  std::string task = {};     // the field that names the task of an id, for Ranking::by_task
  bool fields = false;       // fill Ranking::by_field from the fields in the details of lines
  // The rule for several lines of a model with the same scorer and id. With kAll, the lines of an id are
  // samples: a figure is first averaged over the samples of each id, and then over the ids.
  Repeats repeats = Repeats::kLast;
  std::vector<std::uint32_t> pass_k = {};  // with kAll: the values of PassAmong::k
  // To be ranked, a model must have lines for at least this share, from 0 to 1, of the ids of all ranked
  // models.
  double min_share = 0.9;
  // Counts only ids for which all models have lines, and ranks all models by these ids. There must be at
  // least 20.
  bool common_only = false;
  // A file of human verdicts on some of the answers, for LeaderboardRow::corrected (docs/judges.md).
  std::string labels = {};
  bool mark_best = false;          // also set LeaderboardRow::best for models tied with the best
  bool groups = false;             // fill LeaderboardRow::group
  bool unverified = false;         // accept files without a manifest, which other tools wrote
  std::uint64_t max_ratio = 1000;  // for compressed files, as FileOptions::max_ratio
  unsigned threads = 0;            // threads that read files and test pairs of models; 0: one per processor
  // Receives a sentence for each reason why rows may not be comparable.
  std::vector<std::string>* warnings = nullptr;
};

// The number of ids that a model has lines for.
struct IdShare {
  std::uint64_t ids = 0;  // a line whose id was lost counts for an id that the model would lack
  std::uint64_t of = 0;   // the number of all ids
};

// The verdict of `leafscore compare` on a model and the next one, for one scorer and with default options.
enum class ThanNext : std::uint8_t {
  kBetter,      // improved
  kNoWorse,     // equivalent
  kCannotTell,  // inconclusive
  kWorse,       // regressed: its mean is higher, but fewer records pass
};

// Means over ids.
struct RankedFigures {
  std::optional<double> mean = {};
  std::optional<double> standard_error = {};  // standard error of `mean`; clustered if options.cluster is set
  std::optional<double> pass_rate = {};       // for a scorer that passes or fails records
};

// The share of ids that pass in k tries. An id with fewer samples counts as if the missing ones had failed.
struct PassAmong {
  std::uint32_t k = 0;
  std::optional<double> pass_at = {};   // the mean chance that at least one of k samples passes
  std::optional<double> pass_hat = {};  // the mean chance that all k samples pass
  std::uint64_t short_ids = 0;          // ids with fewer than k samples
};

// The ids for which something known is wrong with an answer of a model (docs/causes.md). An id may have
// several causes.
struct CauseFigures {
  AnswerCause cause = {};
  std::uint64_t ids = 0;
  double share = 0;                         // their share of the asked ids
  std::optional<double> mean_without = {};  // the mean over all other asked ids
};

// The figures of one model under one scorer.
struct LeaderboardRow {
  std::string model = {};
  std::string scorer = {};
  // The rank by over_all.mean among the rows of the scorer, from 1; equal means share a rank. A model with
  // too few ids, or without an id in common with another model, has no rank, because its mean is over other
  // questions. While the smallest share of ids is below options.min_share, the models with that share are
  // removed, and the shares are computed again from the ids of the remaining models.
  std::optional<std::uint32_t> rank = {};
  IdShare share = {};  // the model's share of the ids when it was ranked or removed

  // rank_interval, tied_with and group come from sign-flip tests of all pairs of the scorer's ranked models
  // (two-sided, 5%, corrected for all pairs). They are set if there are at most 200 ranked models, which were
  // asked the same ids.
  std::optional<Interval> rank_interval = {};  // the intervals of all models hold jointly with 95% confidence
  std::vector<std::string> tied_with = {};     // models that cannot be told apart from this one, best first
  // Whether this model has the best over_all.mean of several ranked models. With options.mark_best, this is
  // also true for models that these tests cannot tell apart from the best.
  bool best = false;
  // With options.groups, the letters of the model. Two models share a letter if and only if they cannot be
  // told apart.
  std::optional<std::string> group = {};

  std::optional<double> p_next = {};       // p-value of the test against the next row, not corrected
  std::optional<ThanNext> than_next = {};  // nullopt unless the models were asked the same ids
  // Whether the pass rate is lower than in the next row, beyond chance, although the mean is not lower. The
  // pass rates of all pairs are tested as a separate family.
  bool passes_less = false;

  // The number of ids that the model was asked. All ranked models are asked each id for which at least one of
  // them has a line or, with options.common_only, for which all have one. A model without a rank is asked the
  // ids that it has.
  std::uint64_t asked = 0;
  // With options.common_only: ids for which all models have lines.
  std::optional<std::uint64_t> common_ids = {};
  std::optional<std::uint64_t> samples = {};  // with Repeats::kAll: lines that count
  std::uint64_t scored = 0;                   // counted lines with this outcome
  std::uint64_t unreadable = 0;               // counted lines with this outcome
  std::uint64_t unanswered = 0;               // counted lines with this outcome
  std::uint64_t errors = 0;                   // counted lines with this outcome
  std::uint64_t nothing_compared = 0;         // scored lines whose score says nothing about the answer
  std::uint64_t of_other_kind = 0;            // answers that are not the object or array that was expected
  double unexpected_share = 0;  // mean share of the leaves of scored answers that the gold lacks
  std::optional<std::uint64_t> lacking = {};  // asked ids without a line; nullopt for a model without a rank
  std::optional<std::uint64_t> own = {};      // ids that only this model has; nullopt if it is the only model
  std::uint64_t repeated = 0;                 // lines that do not count because another line of their id does
  std::uint64_t not_asked = 0;   // lines that do not count because the gold of their run lacks their id
  std::uint64_t not_common = 0;  // with options.common_only: lines whose id another model lacks
  std::optional<std::uint64_t> clusters = {};
  std::optional<double> coverage = {};  // scored / asked; with Repeats::kAll, the mean over ids

  RankedFigures over_all = {};  // over the asked ids; an id without a score is 0 and not passed
  std::optional<Interval> pass_interval = {};  // 95% interval of over_all.pass_rate (Wilson's score)
  RankedFigures over_scored = {};              // over the ids with a score
  // With options.labels, for a scorer that passes or fails records: over_all.pass_rate corrected.
  std::optional<CorrectedPassRate> corrected = {};
  // The means of the metrics precision, recall and f1 over the scored ids, if the scorer has them.
  std::optional<double> precision = {};
  std::optional<double> recall = {};
  std::optional<double> f1 = {};

  std::optional<FieldCounts> fields = {};  // all fields together, for a scorer that judges fields
  std::vector<PassAmong> pass_k = {};      // one for each number in options.pass_k
  std::vector<CauseFigures> causes = {};   // ordered by mean_without, the largest first
  bool verified = true;                    // all files that may hold its scores match their manifests
};

// Reads score files (JSON Lines as ScoreFiles writes them, perhaps compressed) and ranks their models. Each
// file has one model, named after the file: the model of runs/gpt-5.scores.jsonl.gz is gpt-5. With
// options.by, a field of the lines names the model. Ids are texts: the number 11 and the text "11" are the
// same id. A record number that stands in for a missing id is not an id.
// RETURNS: rows by the name of the scorer and then by rank; equal models are ordered by name, and models
//          without a rank come last. The rows do not depend on the order of the files or, except for repeated
//          ids, on the order of lines.
// ERRORS:  Error(kInput) for
//          - a file without a manifest (unless options.unverified is set), or one that was cut, doubled or
//            edited
//          - files whose manifests differ in scorers, gold, asked ids (unless options.by, options.common_only
//            or Repeats::kAll is set), expected values, or options that change scores
//          - answers that were compared with the answers of different bases (RankFilesInFull ranks them)
//          - a line that is not a line of scores, a field that no line has, an id in two clusters or tasks,
//            and an id that Repeats::kError refuses
//          - options.fields if no line lists fields, and labels that are damaged or may be about more than
//            one answer
//          - more than 4,096 models, scorers, tasks or fields, more than 200 models with options.groups, and
//            fewer than 20 common ids with options.common_only
//          Error(kUsage) for two files of one model or a file of several models, unless options.by names
//          them; for files that were scored with other `repeats`; for options.pass_k without Repeats::kAll or
//          above 1,000; and for options.min_share outside [0, 1]. Error(kResources) when memory or threads
//          run out.
// COST:    memory: the texts of the ids; for each line 16 bytes, and 4 more if answers have causes, 20 more
//          under a scorer that judges fields, 24 more under a scorer with precision, recall and F1, and 8
//          more if answers have leaves that the gold lacks; for each scorer, id and model 8 bytes, or 16 if
//          verdicts do not follow from scores. Time: a sign-flip test for each pair of ranked models.
LEAFSCORE_EXPORT std::vector<LeaderboardRow> RankFiles(std::span<const std::string> files,
                                                       const LeaderboardOptions& options = {});

// A column of a matrix.
struct MatrixColumn {
  // The values over which a cell is the mean.
  enum class Kind : std::uint8_t {
    kValue,    // one task, scorer or field
    kMean,     // all tasks, scorers or fields, each with the same weight
    kOverAll,  // all ids, each with the same weight
  };
  Kind kind = Kind::kValue;
  std::string value = {};                 // for kValue: the task, scorer or field
  std::optional<std::uint64_t> ids = {};  // ids that each ranked model was asked; nullopt for kMean
};

// A model in a column of a matrix.
struct MatrixCell {
  // The mean over the asked ids. For kMean, it is nullopt if another cell of the row has no mean.
  std::optional<double> mean = {};
  std::uint64_t ids = 0;  // the number of asked ids; 0 for kMean
  bool best = false;      // best in its column, as LeaderboardRow::best; for kMean, only the best mean
};

// The cells of a model.
struct MatrixRow {
  std::string model = {};
  bool ranked = true;  // whether the model is ranked under all scorers of the matrix
  bool verified = true;
  std::vector<MatrixCell> cells = {};  // one for each column
};

// Means by model and task, by model and field, or by model and scorer.
struct ScoreMatrix {
  std::optional<std::string> scorer = {};  // nullopt if the columns are the scorers
  std::string field = {};  // the field whose values are the columns: options.task, "scorer" or "field"
  std::vector<MatrixColumn> columns = {};  // the columns of kValue by name, then the others
  std::vector<MatrixRow> rows = {};  // the best first, by over_all.mean, or by kMean in a matrix of scorers
  bool common_only = false;          // as in the options
};

// How similarly two scorers rank.
struct ScorerAgreement {
  std::string scorer = {};
  std::string other = {};
  std::uint64_t models = 0;  // models that both rank
  // Kendall's tau-b of their means; nullopt if one scorer gives all models the same mean.
  std::optional<double> tau = {};
  bool verified = true;  // all files, as LeaderboardRow::verified
};

// The change of a ranking when the ids of one task are left out.
struct TaskInfluence {
  std::string scorer = {};
  std::string task = {};
  std::uint64_t ids = 0;           // ids of the task
  std::optional<double> tau = {};  // Kendall's tau-b between the means with and without the task
  std::uint64_t moved = 0;         // the number of ranks that models move, summed over the models
  bool most = false;               // whether models move, and no other task has a larger `moved`
  bool verified = true;            // all files
};

// The ranks of a model over all ids, and without the ids of each task in turn.
struct RankRange {
  std::string scorer = {};
  std::string model = {};
  std::uint32_t rank = 0;  // the rank over all ids
  std::uint32_t low = 0;   // the best of the ranks
  std::uint32_t high = 0;  // the worst of the ranks
  bool verified = true;    // all files
};

// How much the ranks depend on the scorer and on single tasks.
struct RankingSensitivity {
  std::vector<ScorerAgreement> scorers = {};  // each pair of scorers
  // With options.task, for scorers under which all ranked models were asked the same ids, from at least two
  // tasks.
  std::vector<TaskInfluence> tasks = {};     // by scorer, then by name
  std::vector<RankRange> models = {};        // by scorer, then by rank
  std::vector<std::string> unverified = {};  // models, by name
};

// How much stronger a model is than another one, and the interval of the difference. The intervals of all
// pairs of models hold together with 95% confidence.
struct StrengthDifference {
  std::string model = {};  // the other model
  double difference = 0;
  Interval interval = {};
};

// A model whose answers were compared with those of others (FileOptions::versus), under one scorer.
struct VersusRow {
  std::string scorer = {};
  std::string model = {};  // named after the file of its answers
  // The rank by strength; nullopt if there are no strengths.
  std::optional<std::uint32_t> rank = {};
  Interval rank_interval = {};  // the intervals of all models hold together with 95% confidence
  // The strength in the Bradley-Terry model, as a natural logarithm: a model that is stronger by s wins with
  // the probability 1 / (1 + e^-s). The mean of all strengths is 0. It is nullopt if no finite strengths
  // exist: if some models won every match against the others, or no match connects them.
  std::optional<double> strength = {};
  std::optional<double> standard_error = {};
  std::uint64_t opponents = 0;  // models that it was compared with
  std::uint64_t wins = 0;
  std::uint64_t losses = 0;
  std::uint64_t ties = 0;       // including ties between identical answers
  std::uint64_t identical = 0;  // ties about which no judge was asked
  // Pairs in which the judge chose by position, and their share of the pairs that a judge was asked about.
  std::uint64_t order_flips = 0;
  std::optional<double> order_flip_share = {};
  // Lines of its outputs that are not matches, because the judge failed or the base has no answer.
  std::uint64_t not_compared = 0;
  std::optional<double> win_rate = {};        // wins / (wins + losses)
  std::optional<Interval> win_interval = {};  // exact, 95%; only with one opponent, without Repeats::kAll
  // The differences from other models, in the order of the rows. Models without a finite difference are left
  // out.
  std::vector<StrengthDifference> differences = {};
};

// All results about the models of score files.
struct Ranking {
  // If all files were scored with FileOptions::versus and options.by is empty: all models, including the
  // bases, by scorer and then by rank. If the bases differ, all other members are empty, because means of
  // scores against different bases cannot be compared.
  std::vector<VersusRow> versus = {};
  std::vector<LeaderboardRow> rows = {};  // as RankFiles returns them
  // With options.task, a matrix for each scorer. A line whose id was lost counts over all ids, but not in a
  // task. If no line names the task of an id, the task is "(none)".
  std::vector<ScoreMatrix> by_task = {};
  // With options.fields, a matrix for each scorer whose lines list fields: the mean match of each field of
  // the expected values, or of each tool that should be called. Paths that differ only in positions are the
  // same field. An id has a field if a line of any ranked model lists it; for models whose lines do not list
  // it, the match is 0.
  std::vector<ScoreMatrix> by_field = {};
  ScoreMatrix by_scorer = {};
  RankingSensitivity sensitivity = {};
};

// Reads score files as RankFiles does, and returns its rows and more.
// ERRORS: as RankFiles, except for different bases; also Error(kInput) for more than 200 models to rank by
//         matches.
LEAFSCORE_EXPORT Ranking RankFilesInFull(std::span<const std::string> files,
                                         const LeaderboardOptions& options = {});

// The formats of a leaderboard.
enum class LeaderboardFormat { kTable, kMarkdown, kCsv, kJson, kLatex };

// Returns the rows as text: a plain, Markdown or LaTeX (booktabs) table for each scorer, one CSV, or one JSON
// array. Tables round to four decimals and leave out columns without values; CSV and JSON have all columns
// and all digits. In Markdown and LaTeX, the best are bold. A plain table that is wider than `columns` leaves
// out the columns that repeat others, and a line below names them. If `columns` is 0, the width is not
// limited.
LEAFSCORE_EXPORT std::string RenderLeaderboard(std::span<const LeaderboardRow> rows, LeaderboardFormat format,
                                               std::size_t columns = 0);

// Returns Ranking::versus as text. JSON has the differences of strengths, too.
LEAFSCORE_EXPORT std::string RenderVersus(std::span<const VersusRow> rows, LeaderboardFormat format,
                                          std::size_t columns = 0);

// Returns matrices as text: a table for each matrix, with the number of ids below each column. The best cells
// of a column are bold, or have a star in plain text. CSV and JSON are one text with a row for each cell.
LEAFSCORE_EXPORT std::string RenderMatrices(std::span<const ScoreMatrix> matrices, LeaderboardFormat format);

// Returns the sensitivity as text: a table of scorers, and for each scorer a table of tasks and one of
// models. CSV and JSON are one text with a row for each pair of scorers, each task and each model.
LEAFSCORE_EXPORT std::string RenderSensitivity(const RankingSensitivity& sensitivity,
                                               LeaderboardFormat format);

}  // namespace leafscore

#endif  // LEAFSCORE_LEADERBOARD_H_
