// leafscore/leafscore.h: scores the structured answers of AI systems. This header includes the whole public
// interface, and it is the manual: each section shows one thing that the library does. A test compiles and
// runs every example. The header that a section names has the details.
//
// -----------------------------------------------------------------------------------------------------------
// PAIRS (plan.h, runner.h)
//
// A Plan consists of scorers and their options. A Runner scores with a plan.
//
//   const leafscore::Runner runner(leafscore::Plan({"json_similarity"}));
//   const auto scores = runner.ScorePair(R"({"city": "Oslo", "temp": 20})",   // expected
//                                        R"({"city": "Olso", "temp": 20})");  // the answer
//   assert(scores[0].score[0] == 0.75);
//
// There is one ScoreColumns for each scorer of the plan, here with one record in it. docs/scorers.md
// describes all scorers. A configuration gives them options:
//
//   const leafscore::Plan plan = leafscore::Plan::FromConfig(R"(
//     evaluators:
//       - {name: fields, type: json_similarity, number_tolerance: 0.01}
//       - {name: label, type: exact_match, target_output_key: label}
//   )");
//   const auto scores = leafscore::Runner(plan).ScorePair(R"({"label": "a", "x": 100})",
//                                                         R"({"label": "a", "x": 100.5})");
//   assert(scores[0].scorer == "fields" && scores[0].score[0] == 1);
//   assert(scores[1].scorer == "label" && scores[1].passed[0] == 1);
//
// Answers of models are seldom plain JSON. With TextFormat::kJsonOrText, an answer that is not JSON is read
// as a text. Scorers that compare structure find the JSON in such a text, after a label or in a fence:
//
//   const leafscore::Runner runner(leafscore::Plan({"json_similarity"}));
//   const leafscore::TextFormats formats = {.actual = leafscore::TextFormat::kJsonOrText};
//   const auto scores = runner.ScorePair(R"({"n": 1})", "Here it is:\n```json\n{\"n\": 1}\n```", formats);
//   assert(scores[0].score[0] == 1);
//
// -----------------------------------------------------------------------------------------------------------
// COLUMNS (runner.h, arrow.h)
//
// ScoreTexts scores two columns of texts, row by row. The columns have the layout of Arrow string arrays: all
// texts one after the other, and the offset at which each text begins. They are read in place.
//
//   const std::vector<std::int32_t> offsets = {0, 7, 14};
//   const leafscore::TextColumn expected(R"({"n":1}{"n":2})", offsets);
//   const leafscore::TextColumn actual(R"({"n":1}{"n":2 )", offsets);
//   const auto scores = leafscore::Runner(leafscore::Plan({"exact_match"})).ScoreTexts(expected, actual);
//   assert(scores[0].score[0] == 1);
//   assert(std::isnan(scores[0].score[1]));  // the second answer cannot be read
//   assert(scores[0].ErrorOf(1)->reason == leafscore::RejectReason::kInvalidJson);
//
// Runner::ScoreStream scores a stream of Arrow record batches. LevenshteinDistances and
// JaroWinklerSimilarities (distance.h) compare two columns and need no plan.
//
// -----------------------------------------------------------------------------------------------------------
// FILES (files.h, report.h)
//
// ScoreFiles scores JSON Lines of any size in bounded memory, as `leafscore score` does, and returns a
// report.
//
//   leafscore::FileOptions options;
//   options.inputs = {"pairs.jsonl"};  // {"id": "p1", "expected": ..., "actual": ...}
//   options.output = "scores.jsonl";
//   const leafscore::RunReport report = leafscore::ScoreFiles(leafscore::Plan({"json_similarity"}), options);
//   const leafscore::Figures& figures = report.scorers[0].figures;
//   assert(figures.asked == 3 && figures.scored == 3);
//   std::fputs(report.ToTable().c_str(), stdout);
//
// A record without a score counts as 0 in `over_all`, and is left out in `over_scored`. Gates hold a report
// to figures:
//
//   leafscore::FileOptions options;
//   options.inputs = {"pairs.jsonl"};
//   const leafscore::RunReport report = leafscore::ScoreFiles(leafscore::Plan({"json_similarity"}), options);
//   leafscore::Gates gates;
//   gates.fail_under = {{.least = 0.9}};
//   for (const std::string& why : leafscore::FailedGates(report, gates)) std::puts(why.c_str());
//
// MergeShards (shards.h) merges the results of several machines.
//
// -----------------------------------------------------------------------------------------------------------
// GOLD (files.h)
//
// The expected values can be in a separate file. Every input is asked every id in that file, so a missing
// answer counts as 0. The report has a group for each input.
//
//   leafscore::FileOptions options;
//   options.gold = "gold.jsonl";                      // {"id": "q1", "expected": ...}
//   options.inputs = {"large.jsonl", "small.jsonl"};  // {"id": "q1", "actual": ...}
//   const leafscore::RunReport report = leafscore::ScoreFiles(leafscore::Plan({"exact_match"}), options);
//   const leafscore::GroupFigures& small = report.scorers[0].groups[1];
//   assert(small.value == "small" && small.figures.over_all.mean == 0.5);
//
// LintGold (lint.h) checks the gold itself before answers are judged by it.
//
// -----------------------------------------------------------------------------------------------------------
// LEADERBOARDS AND COMPARISONS (leaderboard.h, compare.h)
//
// Both read the score files that ScoreFiles wrote, and refuse a file that was cut or edited. RankFiles ranks
// models; models that chance cannot tell apart are `tied_with` each other.
//
//   const std::vector<std::string> files = {"large.scores.jsonl", "small.scores.jsonl"};
//   const std::vector<leafscore::LeaderboardRow> rows = leafscore::RankFiles(files);
//   assert(rows[0].model == "large" && rows[0].rank == 1u);
//   std::fputs(leafscore::RenderLeaderboard(rows, leafscore::LeaderboardFormat::kMarkdown).c_str(), stdout);
//
// CompareFiles compares two runs record by record and decides whether the new one got worse. CheckComparison
// holds the comparison to gates.
//
//   leafscore::ComparisonOptions options;
//   options.base = "large.scores.jsonl";
//   options.news = {"small.scores.jsonl"};
//   const leafscore::Comparison comparison = leafscore::CompareFiles(options);
//   assert(comparison.verdict == leafscore::ComparisonVerdict::kRegressed);
//
// -----------------------------------------------------------------------------------------------------------
// MORE
//
// Evaluate (evaluate.h) scores saved agent runs. ExplainScore (explain.h) shows how a score came about.
// OpenJudges (judges.h) limits what models that judge may cost. ImportPlan (import.h) reads configurations of
// other tools, and ConvertedScores (converted_scores.h) makes manifests for scores of other tools.
//
// -----------------------------------------------------------------------------------------------------------
// ERRORS (error.h, outcome.h)
//
// A problem with a record is data: an Outcome, a RejectReason and a message, as in ScoreColumns::errors. A
// problem with the call is an exception, Error, whose text names the problem and says what to do.
//
//   std::string why;
//   try {
//     leafscore::Plan({"json_similarty"});
//   } catch (const leafscore::Error& error) {
//     assert(error.code() == leafscore::ErrorCode::kUsage);
//     why = error.what();
//   }
//   assert(why.find(R"(did you mean "json_similarity"?)") != std::string::npos);
//
// -----------------------------------------------------------------------------------------------------------
// THREADS AND SURROUNDINGS
//
// Any number of threads may use a Plan or a Runner at once. Results are bit-identical for any number of
// threads and on every processor. The library writes only the files that it was asked for, and installs no
// signal handlers. It reads the environment variable PATH, to find the program of a code_judge, and the
// environment variables named in docs/judges.md, for scorers that ask models.
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
