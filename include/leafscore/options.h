// leafscore/options.h: the options of scoring that are the same for pairs, columns, streams and files.
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

// The progress of a run. The run updates it.
// THREADS: any thread may read it. The three counts may be from slightly different moments.
struct Progress {
  std::atomic<std::uint64_t> total_bytes{0};  // the size of all inputs; 0: not known, or not yet
  std::atomic<std::uint64_t> bytes{0};        // bytes read so far; for compressed files, compressed bytes
  std::atomic<std::uint64_t> records{0};      // records so far
};

// Whether strings in records are searched for JSON objects and arrays. In data frames, logs and replies of
// models, objects and arrays are often stored as strings.
enum class ParseTexts : std::uint8_t {
  // Each record decides. If an object or array is expected and the answer is a string, three places are
  // searched for JSON: the whole string, the text after an answer label, and fences. If both sides are
  // strings, they are parsed if the expected string contains an object or array. A string without JSON
  // remains a string.
  kAuto,
  kProse,   // as kAuto; JSON and Python literals are also found within the prose of an answer
  kNever,   // strings are compared as strings
  kAlways,  // strings are parsed on both sides
};

// The options of scoring. The call that uses a limit checks its range.
struct EngineOptions {
  bool strict_json = false;  // reject what only Python's `json` reads: NaN, lone surrogates, huge numbers
  std::uint32_t max_depth = 1024;
  DetailLevel details = DetailLevel::kBasic;
  // The default for scorers that compare structure, such as json_similarity. Their own option has priority.
  ParseTexts parse_texts = ParseTexts::kAuto;
  // The largest product of the sizes of two strings whose distance is computed. A record with a larger pair
  // is an error, whose message gives the range of the score.
  std::uint64_t max_pair_cells = 10'000'000'000;
  // The largest size of the details of a record. Longer lists are cut, and the details say so.
  std::size_t max_details_bytes = 16 << 20;
  unsigned threads = 0;  // 0: as many as the process may use
  // The device that computes edit distances: "auto", "cpu", "cuda" or "cuda:N". Scores do not depend on it.
  std::string device = "auto";
  std::uint64_t gpu_memory_bytes = 768 << 20;
  const std::atomic<bool>* stop = nullptr;  // set to true to end early: Error(kInterrupted)
  Progress* progress = nullptr;
  // Asks the models of scorers such as llm_judge (OpenJudges). If it is null, each scorer asks on its own,
  // without a cache and without limits.
  std::shared_ptr<Judges> judges = nullptr;
};

}  // namespace leafscore

#endif  // LEAFSCORE_OPTIONS_H_
