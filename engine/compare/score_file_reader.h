// engine/compare/score_file_reader.h: reads files of scores into tables that are joined by id. Lines are
// parsed on all threads of the caller's arena (engine/threads/parallel.h) and numbered in one.
#ifndef LEAFSCORE_ENGINE_COMPARE_SCORE_FILE_READER_H_
#define LEAFSCORE_ENGINE_COMPARE_SCORE_FILE_READER_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "engine/compare/compared_scores.h"
#include "engine/compare/line_chunk.h"
#include "engine/scores/manifest.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

// Where the scores of a side are: a file or, with ComparisonOptions::between, the lines of one value in it.
struct SideSource {
  std::string file;
  std::optional<std::string> value = {};

  // What the side is called.
  const std::string& Name() const { return value ? *value : file; }
};

class ScoreFileReader {
 public:
  // REQUIRES: both outlive this.
  ScoreFileReader(const ComparisonOptions& options, ComparedNames& names);

  // Reads a side. RETURNS: its file's manifest; nothing for a file without one, where that is accepted.
  // ERRORS: Error(kInput) that names the file, and what is wrong with it, and Error(kInterrupted).
  std::optional<Manifest> Read(const SideSource& source, Side& side);

  // `fields` are the group fields that the manifests name.
  // ERRORS: Error(kInput) for an option that names a scorer or field that no line has.
  void CheckNames(const std::vector<std::string>& fields) const;

 private:
  void Add(const ParsedLine& line, std::span<const LineField> fields, Side& side);
  void AddFields(const ParsedLine& line, std::span<const LineField> fields, std::uint32_t id,
                 std::uint32_t number, SideScores& scores);
  void AddToCluster(const std::string& cluster, std::uint32_t id, const std::string& file);
  void Finish(Side& side) const;

  const ComparisonOptions& options_;
  ComparedNames& names_;
  std::deque<LineChunk> chunks_;
  std::set<std::string> left_out_;  // scorers that were not asked for
  std::set<std::string> values_;    // of options_.between, of other sides
  bool has_by_ = false;             // any line has the field
  bool has_cluster_ = false;
  std::string key_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_SCORE_FILE_READER_H_
