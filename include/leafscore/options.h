// leafscore/options.h: how records are scored, wherever they come from.
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

// How far a run is. The run keeps it up to date and any thread may read it; the counts are not one snapshot.
struct Progress {
  std::atomic<std::uint64_t> total_bytes{0};  // of all inputs; 0: not known (yet)
  std::atomic<std::uint64_t> bytes{0};  // read so far, as they lie on disk (compressed files: compressed)
  std::atomic<std::uint64_t> records{0};
};

// Whether JSON objects and arrays that records hold in strings, as data frames, logs and the messages of
// models do, are parsed.
enum class ParseTexts : std::uint8_t {
  // Record by record: an answer is where an object or array is expected, whole, behind an answer label or in
  // a fence, and two texts are where the expected one holds one. A text that holds none stays a text.
  kAuto,
  kNever,   // compared as texts
  kAlways,  // parsed on either side
};

// How records are scored and on what. The call that uses a limit checks its range.
struct EngineOptions {
  bool strict_json = false;  // reject what only Python's `json` reads (NaN, lone surrogates, huge numbers)
  std::uint32_t max_depth = 1024;
  DetailLevel details = DetailLevel::kBasic;
  // For scorers that compare structure (json_similarity, strict_json), unless their own option says
  // otherwise.
  ParseTexts parse_texts = ParseTexts::kAuto;
  // The sizes of two strings, multiplied. Beyond it the distance is not computed: the record is an error that
  // tells the range of its score.
  std::uint64_t max_pair_cells = 10'000'000'000;
  // Lists in the details of a record end before they make these longer; the details then say so.
  std::size_t max_details_bytes = 16 << 20;
  unsigned threads = 0;  // 0: as many as the process may use
  // Where edit distances may be computed, which changes no score: "auto", "cpu", "cuda" or "cuda:N".
  std::string device = "auto";
  std::uint64_t gpu_memory_bytes = 768 << 20;
  const std::atomic<bool>* stop = nullptr;  // becomes true to end early: Error(kInterrupted)
  Progress* progress = nullptr;
  // Where models that judge are asked (OpenJudges); null: each scorer asks for itself, and keeps no reply.
  std::shared_ptr<Judges> judges = nullptr;
};

}  // namespace leafscore

#endif  // LEAFSCORE_OPTIONS_H_
