// engine/scores/score_reader.h: reads files of scores for the commands that rank, compare or explain them.
// All threads of the caller's arena (engine/threads/parallel.h) parse lines. One thread takes the parsed
// lines in order while the next batch is parsed.
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
#include <utility>
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

// Reads some lines of a batch with the JSON reader, and reuses memory from call to call. THREADS: one at a
// time.
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
    std::uint64_t record = 1;  // the next to be taken
    std::uint64_t parsed = 1;  // the next to be parsed
    Lines* now = &lines_[0];
    Lines* before = &lines_[1];
    now->count = before->count = 0;
    const auto take_all = [&](Lines& lines) {
      for (std::size_t c = 0; c < lines.count; ++c) {
        Chunk& chunk = lines.chunks[c];
        if (chunk.fault) throw *chunk.fault;
        for (std::size_t i = 0; i < chunk.count; ++i) take(chunk.lines[i], record++);
      }
      lines.count = 0;
    };
    const auto use = [&](const RecordBatch& batch) {
      const std::span<const RecordSpan> records = batch.records;
      now->count = (records.size() + kChunkLines - 1) / kChunkLines;
      while (now->chunks.size() < now->count) now->chunks.emplace_back();
      const auto parse_chunk = [&](std::size_t c) {
        const std::size_t begin = c * kChunkLines;
        const std::size_t lines = std::min(kChunkLines, records.size() - begin);
        ParseChunk(batch, records.subspan(begin, lines), parsed + begin, file, parse, now->chunks[c]);
      };
      ParallelFor(now->count, parse_chunk, [&] { take_all(*before); });
      parsed += records.size();
      std::swap(now, before);
      if (before->HasFault()) take_all(*before);
    };
    std::optional<Manifest> manifest =
        ReadVerifiedScores(file, options.accept_unverified, use, options.max_ratio, options.stop);
    take_all(*before);
    if (record == 1) throw Error(ErrorCode::kInput, file + " has no scores");
    return manifest;
  }

 private:
  // The number of lines that one thread parses at a time: few, so that a batch of short lines gives work to
  // every thread.
  static constexpr std::size_t kChunkLines = 256;

  struct Chunk {
    LineParser parser;
    std::vector<Line> lines;  // the first `count` are in use
    std::size_t count = 0;
    std::optional<Error> fault;  // the first fault in these lines
  };

  // The lines of a batch.
  struct Lines {
    std::deque<Chunk> chunks;  // the first `count` are in use
    std::size_t count = 0;

    bool HasFault() const {
      return std::any_of(chunks.begin(), chunks.begin() + static_cast<std::ptrdiff_t>(count),
                         [](const Chunk& chunk) { return chunk.fault.has_value(); });
    }
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

  Lines lines_[2];  // of the batch that is parsed, and of the one before, which is taken meanwhile
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORES_SCORE_READER_H_
