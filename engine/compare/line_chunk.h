// engine/compare/line_chunk.h: some lines of scores, parsed: what can be done to them on any thread, before
// their names are numbered. Keeps its memory from use to use. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_COMPARE_LINE_CHUNK_H_
#define LEAFSCORE_ENGINE_COMPARE_LINE_CHUNK_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/record_batch.h"
#include "engine/json/json_reader.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/scores/score_line.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

// A field that a line lists; those whose paths differ in positions only are one.
struct LineField {
  std::string path;  // with [*] for positions
  double matched = 0;
  double weight = 0;
};

struct ParsedLine {
  ScoreLine line;
  std::string group;    // as ComparedNames has it
  std::string cluster;  // likewise
  std::string side;     // likewise, of ComparisonOptions::between
  // Which of the chunk's fields it lists, by path, and the weight of them all.
  std::size_t fields_begin = 0;
  std::size_t fields_end = 0;
  double weight = 0;
  bool adds_up = false;  // its score is the weighted mean of the matches
};

class LineChunk {
 public:
  // Names the fields whose values are groups, clusters and sides; empty: none.
  void SetFields(const ComparisonOptions& options) {
    by_ = options.by;
    cluster_ = options.cluster;
    between_ = options.between;
  }

  // Parses these records of a batch. `first` is the number of the first one in its file.
  // ERRORS: Error(kInput), that names the record.
  void Parse(const RecordBatch& batch, std::span<const RecordSpan> records, std::uint64_t first,
             const std::string& file);

  std::span<const ParsedLine> lines() const { return std::span(lines_).first(count_); }
  std::span<const LineField> FieldsOf(const ParsedLine& line) const {
    return std::span(fields_).subspan(line.fields_begin, line.fields_end - line.fields_begin);
  }

 private:
  void AddFields(JsonView details, ParsedLine& line);
  std::string ValueOf(JsonView line, std::string_view field) const;

  std::string by_;
  std::string cluster_;
  std::string between_;
  std::string text_;
  ShapeTable shapes_;
  LeafTable table_;
  JsonReader reader_{&shapes_, kScoreLineJson};
  std::vector<ParsedLine> lines_;  // of which `count_` are in use
  std::size_t count_ = 0;
  std::vector<LineField> fields_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_LINE_CHUNK_H_
