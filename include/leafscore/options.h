// leafscore/options.h: the options of scoring, for pairs, columns, streams and files alike.
//
//   leafscore::Progress progress;
//   std::atomic<bool> stop = false;  // set it on another thread to end the run early
//   leafscore::FileOptions options;
//   options.inputs = {"pairs.jsonl"};
//   options.details = leafscore::DetailLevel::kLeaves;
//   options.threads = 2;
//   options.progress = &progress;
//   options.stop = &stop;
//   leafscore::ScoreFiles(leafscore::Plan({"json_similarity"}), options);
//   assert(progress.records == 3);
#ifndef LEAFSCORE_OPTIONS_H_
#define LEAFSCORE_OPTIONS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "leafscore/outcome.h"

namespace leafscore {

class Judges;  // leafscore/judges.h

// The progress of a run, which keeps it up to date. THREADS: any thread may read it; the three counts are not
// one snapshot.
struct Progress {
  std::atomic<std::uint64_t> total_bytes{0};  // size of all inputs; 0: unknown, perhaps only for now
  std::atomic<std::uint64_t> bytes{0};        // read so far; for compressed files, compressed bytes
  std::atomic<std::uint64_t> records{0};
};

// Whether strings in records are searched for JSON objects and arrays, which data frames, logs and replies of
// models often hold as strings.
enum class ParseTexts : std::uint8_t {
  // Each record decides. Where an object or array is expected, a string as the answer is searched: the whole
  // string, the text after an answer label, and fences. Where both sides are strings, they are parsed if the
  // expected one holds an object or array. A string without JSON stays a string.
  kAuto,
  kProse,   // as kAuto, and JSON is also found within an answer's prose, as are literals of Python
  kNever,   // strings are compared as strings
  kAlways,  // strings are parsed on both sides
};

// The options of scoring. The call that uses a limit checks its range.
struct EngineOptions {
  bool strict_json = false;  // reject what only Python's `json` reads: NaN, lone surrogates, huge numbers
  std::uint32_t max_depth = 1024;
  DetailLevel details = DetailLevel::kBasic;
  // The default of scorers that compare structure, such as json_similarity. Their own option wins.
  ParseTexts parse_texts = ParseTexts::kAuto;
  // The largest product of the sizes of two strings whose distance is computed. A larger pair makes its
  // record an error, which tells the range of the score.
  std::uint64_t max_pair_cells = 10'000'000'000;
  // The most that the details of a record may take. Longer lists are cut, and the details say so.
  std::size_t max_details_bytes = 16 << 20;
  unsigned threads = 0;  // 0: as many as the process may use
  // The device that computes edit distances: "auto", "cpu", "cuda" or "cuda:N". Scores do not depend on it.
  std::string device = "auto";
  std::uint64_t gpu_memory_bytes = 768 << 20;
  const std::atomic<bool>* stop = nullptr;  // set to true to end early: Error(kInterrupted)
  Progress* progress = nullptr;
  // Asks the models of scorers such as llm_judge (OpenJudges). Null: each scorer asks on its own, without
  // cache and limits.
  std::shared_ptr<Judges> judges = nullptr;
};

}  // namespace leafscore

#endif  // LEAFSCORE_OPTIONS_H_
