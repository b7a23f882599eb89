// leafscore/leaderboard.h: ranks models by the score files that ScoreFiles wrote.
#ifndef LEAFSCORE_LEADERBOARD_H_
#define LEAFSCORE_LEADERBOARD_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "leafscore/export.h"

namespace leafscore {

// Which fields of the lines name the model and the cluster.
struct LeaderboardOptions {
  std::string by = {};       // field that names the model; empty: the file's name does
  std::string cluster = {};  // field whose values are the clusters; empty: records are independent
  bool unverified = false;   // take files without a manifest, too, those of other tools
  std::vector<std::string>* warnings =
      nullptr;  // gets a sentence for each doubt whether rows can be compared
};

// An interval that includes its ends.
struct Interval {
  double low;
  double high;
};

// The figures of one model under one scorer.
struct LeaderboardRow {
  std::string model = {};
  std::string scorer = {};
  std::uint32_t rank = 0;  // by mean_of_all among the rows of the scorer, from 1; equal means share a rank
  std::uint64_t scored = 0;
  std::uint64_t unreadable = 0;
  std::uint64_t errors = 0;
  std::optional<double> mean = {};            // over scored records
  std::optional<double> mean_of_all = {};     // over scored and unreadable records, unreadable as 0
  std::optional<double> standard_error = {};  // of mean; clustered if options.cluster is set
  std::optional<std::uint64_t> clusters = {};
  std::optional<double> pass_rate = {};
  std::optional<Interval> pass_interval = {};  // 95%, by Wilson's score
  // Means of the scorer's metrics of these names, where it has them.
  std::optional<double> precision = {};
  std::optional<double> recall = {};
  std::optional<double> f1 = {};
  bool verified = true;  // all files that may hold its scores have a manifest, and are as it says
};

// Reads score files (JSON Lines as ScoreFiles writes them, perhaps compressed), one per model unless
// options.by names the field that tells models apart: the model of runs/gpt-5.scores.jsonl.gz is gpt-5.
// RETURNS: scorers in order of appearance, in each the best model first, equals in order of appearance.
// ERRORS:  Error(kInput) for a file that has no manifest or was cut, doubled or edited, and for files whose
//          manifests differ in scorers, gold, asked ids (unless options.by is set) or options that change
//          scores; Error(kInput) that names the file and the record that is no line of scores, or the field
//          that no line has; Error(kUsage) for two files of one model.
LEAFSCORE_EXPORT std::vector<LeaderboardRow> RankFiles(std::span<const std::string> files,
                                                       const LeaderboardOptions& options = {});

// How a leaderboard is written.
enum class LeaderboardFormat { kTable, kMarkdown, kCsv, kJson };

// Returns the rows as text: a plain or Markdown table for each scorer, one CSV, or one JSON array. Tables
// round to four decimals and leave out columns that no row of the scorer fills; CSV and JSON have all, in
// full.
LEAFSCORE_EXPORT std::string RenderLeaderboard(std::span<const LeaderboardRow> rows,
                                               LeaderboardFormat format);

}  // namespace leafscore

#endif  // LEAFSCORE_LEADERBOARD_H_
