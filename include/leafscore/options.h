// leafscore/options.h: how records are scored, whatever they come from.
#ifndef LEAFSCORE_OPTIONS_H_
#define LEAFSCORE_OPTIONS_H_

#include <atomic>
#include <cstdint>
#include <string>

#include "leafscore/outcome.h"

namespace leafscore {

// How far a run is, for whoever shows it. The run keeps it up to date, any thread may read; the counts are
// not read together atomically.
struct Progress {
  std::atomic<std::uint64_t> total_bytes{0};  // of all inputs; 0: not known (yet)
  std::atomic<std::uint64_t> bytes{0};        // of files, as they lie on disk (compressed ones: compressed)
  std::atomic<std::uint64_t> records{0};
};

// How records are scored and on what. Each limit is checked where it is used.
struct EngineOptions {
  bool strict_json = false;  // reject what only Python's `json` reads (NaN, lone surrogates, huge numbers)
  std::uint32_t max_depth = 1024;
  DetailLevel details = DetailLevel::kBasic;
  // The sizes of two strings, multiplied: beyond it only a range of the score is told, as an error of the
  // record.
  std::uint64_t max_pair_cells = 10'000'000'000;
  unsigned threads = 0;  // 0: as many as the process may use
  // What computes edit distances beside the CPU, which changes no score: "auto", "cpu", "cuda" or "cuda:N".
  std::string device = "auto";
  std::uint64_t gpu_memory_bytes = 768 << 20;
  const std::atomic<bool>* stop = nullptr;  // becomes true to end early: Error(kInterrupted)
  Progress* progress = nullptr;
};

}  // namespace leafscore

#endif  // LEAFSCORE_OPTIONS_H_
