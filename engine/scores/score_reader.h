// engine/scores/score_reader.h: reads files of scores for the commands that rank, compare or explain them.
// Lines are parsed on all threads of the caller's arena (engine/threads/parallel.h), and taken on one, in
// order.
#ifndef LEAFSCORE_ENGINE_SCORES_SCORE_READER_H_
#define LEAFSCORE_ENGINE_SCORES_SCORE_READER_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/limits.h"
#include "engine/io/record_batch.h"
#include "engine/json/json_reader.h"
#include "engine/json/json_view.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/scores/manifest.h"
#include "engine/scores/score_line.h"
#include "engine/scores/verified_scores.h"
#include "engine/threads/parallel.h"
#include "leafscore/error.h"

namespace leafscore::internal {

struct ScoreReadOptions {
  bool accept_unverified = false;  // also accept files without a manifest
  std::uint64_t max_ratio = kMaxRatio.default_value;
  const std::atomic<bool>* stop = nullptr;
};

// Reads some lines of a batch with the JSON reader. It reuses its memory. THREADS: one at a time.
class LineParser {
 public:
  // Calls read(i, line) for each of these records of a batch; `read` returns why this is not a line of
  // scores, or "". `first` is the number of the first record in its file. ERRORS: Error(kInput) that names
  // the file and the record.
  void Parse(const RecordBatch& batch, std::span<const RecordSpan> records, std::uint64_t first,
             const std::string& file, const std::function<std::string_view(std::size_t, JsonView)>& read);

 private:
  std::string text_;
  ShapeTable shapes_;
  LeafTable table_;
  JsonReader reader_{&shapes_, kScoreLineJson};
};

// Reads files into lines of the caller's type. A `Line` has a member `ScoreLine score`, and whatever else the
// caller wants from a line. Lines are reused, with their memory.
template <class Line>
class ScoreReader {
 public:
  // Reads a file. Calls parse(view, line) on any thread to fill the members beside line.score, then
  // take(line, record) in the order of the lines, with the number of the record in the file, from 1.
  // RETURNS: as ReadVerifiedScores. ERRORS: as ReadVerifiedScores; Error(kInput) also if the file has no
  // lines, and for its first record that is not a line of scores.
  template <class Parse, class Take>
  std::optional<Manifest> Read(const std::string& file, const ScoreReadOptions& options, const Parse& parse,
                               const Take& take) {
    std::uint64_t record = 1;
    const auto use = [&](const RecordBatch& batch) {
      const std::span<const RecordSpan> records = batch.records;
      const std::size_t chunks = (records.size() + kChunkLines - 1) / kChunkLines;
      while (chunks_.size() < chunks) chunks_.emplace_back();
      ParallelFor(chunks, [&](std::size_t c) {
        const std::size_t begin = c * kChunkLines;
        const std::size_t lines = std::min(kChunkLines, records.size() - begin);
        ParseChunk(batch, records.subspan(begin, lines), record + begin, file, parse, chunks_[c]);
      });
      for (std::size_t c = 0; c < chunks; ++c) {
        Chunk& chunk = chunks_[c];
        if (chunk.fault) throw *chunk.fault;
        for (std::size_t i = 0; i < chunk.count; ++i) take(chunk.lines[i], record++);
      }
    };
    std::optional<Manifest> manifest =
        ReadVerifiedScores(file, options.accept_unverified, use, options.max_ratio, options.stop);
    if (record == 1) throw Error(ErrorCode::kInput, file + " has no scores");
    return manifest;
  }

 private:
  // Lines that one thread parses at a time: few, so that a batch of short lines gives work to every thread.
  static constexpr std::size_t kChunkLines = 256;

  struct Chunk {
    LineParser parser;
    std::vector<Line> lines;  // the first `count` are in use
    std::size_t count = 0;
    std::optional<Error> fault;  // the first fault in these lines
  };

  template <class Parse>
  static void ParseChunk(const RecordBatch& batch, std::span<const RecordSpan> records, std::uint64_t first,
                         const std::string& file, const Parse& parse, Chunk& chunk) {
    if (chunk.lines.size() < records.size()) chunk.lines.resize(records.size());
    chunk.count = records.size();
    chunk.fault.reset();
    try {
      chunk.parser.Parse(batch, records, first, file, [&](std::size_t i, JsonView view) {
        Line& line = chunk.lines[i];
        const std::string_view fault = ReadScoreLine(view, line.score);
        if (fault.empty()) parse(view, line);
        return fault;
      });
    } catch (const Error& fault) {
      chunk.fault = fault;
    }
  }

  std::deque<Chunk> chunks_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORES_SCORE_READER_H_
