// leafscore/leafscore.h: includes the whole public interface of leafscore.
//
// A Plan says what to score with: scorers and their options. A Runner scores pairs and columns in memory:
//
//   const leafscore::Runner runner(leafscore::Plan({"json_similarity", "levenshtein"}));
//   const auto scores = runner.ScorePair(R"({"city": "Oslo"})", R"({"city": "Olso"})");
//   assert(scores[0].score[0] == 0.5);
//
// ScoreTexts takes two columns of texts in the layout of Arrow arrays, read in place, and ScoreStream a
// stream of Arrow record batches. ScoreFiles scores files and returns a RunReport, which gates can check:
//
//   leafscore::FileOptions options;
//   options.inputs = {"pairs.jsonl"};
//   options.output = "scores.jsonl";
//   const leafscore::RunReport report = leafscore::ScoreFiles(leafscore::Plan({"json_similarity"}), options);
//   leafscore::Gates gates;
//   gates.fail_under = {{.least = 0.9}};
//   for (const std::string& why : leafscore::FailedGates(report, gates)) std::puts(why.c_str());
//
// MergeShards puts together what several runs scored, each a shard (shards.h). RankFiles makes a leaderboard
// of score files (leaderboard.h), CompareFiles tells what changed between runs (compare.h), Evaluate scores
// saved agent runs (evaluate.h), LintGold judges a test before anyone is judged by it (lint.h).
// ImportPlan reads configurations of other tools (import.h), ConvertedScores vouches for scores that another
// tool computed (converted_scores.h).
// LevenshteinDistances and JaroWinklerSimilarities compare columns of texts (distance.h), ExplainScore shows
// how a score came about (explain.h).
//
// What is wrong with a record is data: an Outcome, a RejectReason and a message. What is wrong with a run is
// an exception, Error. The library reads no environment variable but PATH (to find the program of a
// code_judge) and, for scorers that ask models, those that docs/judges.md names, writes nothing but the files
// it was asked for and installs no signal handlers.
#ifndef LEAFSCORE_LEAFSCORE_H_
#define LEAFSCORE_LEAFSCORE_H_

#include "leafscore/compare.h"
#include "leafscore/converted_scores.h"
#include "leafscore/distance.h"
#include "leafscore/error.h"
#include "leafscore/evaluate.h"
#include "leafscore/explain.h"
#include "leafscore/export.h"
#include "leafscore/files.h"
#include "leafscore/import.h"
#include "leafscore/judges.h"
#include "leafscore/leaderboard.h"
#include "leafscore/lint.h"
#include "leafscore/options.h"
#include "leafscore/outcome.h"
#include "leafscore/plan.h"
#include "leafscore/report.h"
#include "leafscore/runner.h"
#include "leafscore/shards.h"
#include "leafscore/version.h"

#endif  // LEAFSCORE_LEAFSCORE_H_
