// engine/compare/score_file_reader.h: reads files of scores (ScoreReader) into tables joined by id.
#ifndef LEAFSCORE_ENGINE_COMPARE_SCORE_FILE_READER_H_
#define LEAFSCORE_ENGINE_COMPARE_SCORE_FILE_READER_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/compare/compared_scores.h"
#include "engine/scores/human_labels.h"
#include "engine/scores/line_details.h"
#include "engine/scores/manifest.h"
#include "engine/scores/score_reader.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

// The source of a side's scores: a file or, with ComparisonOptions::between, only its lines in which the
// field `between` has the value `value`.
struct SideSource {
  std::string file;
  std::optional<std::string> value = {};

  // Returns the name of the side.
  const std::string& Name() const { return value ? *value : file; }
};

struct ComparedLine {
  ScoreLine score;
  std::string group;    // in the form of ComparedNames::groups
  std::string cluster;  // in the same form, for ComparisonOptions::cluster
  std::string side;     // in the same form, for ComparisonOptions::between
  std::vector<LineField> fields;
  std::optional<std::vector<LineFieldCounts>> field_counts;
  double weight = 0;          // sum over the fields
  bool adds_up = false;       // the score is the weighted mean of the matches
  std::optional<bool> label;  // the verdict of people, with ComparisonOptions::labels
};

class ScoreFileReader {
 public:
  // REQUIRES: both arguments outlive this. ERRORS: those of HumanLabels.
  ScoreFileReader(const ComparisonOptions& options, ComparedNames& names);

  // Reads a side. RETURNS: the manifest of its file, or nullopt for a file that is accepted without one.
  // ERRORS: Error(kInput) that names the file and the problem; Error(kInterrupted).
  std::optional<Manifest> Read(const SideSource& source, Side& side);

  // Checks that the scorers and fields in the options exist in some line. `fields` are the group fields in
  // the manifests. ERRORS: Error(kInput) for an option that names a scorer or field that no line has.
  void CheckNames(const std::vector<std::string>& fields) const;

  // Returns HumanLabels::Notes.
  std::vector<std::string> LabelNotes() const {
    return labels_ ? labels_->Notes() : std::vector<std::string>();
  }

 private:
  void Add(const ComparedLine& line, Side& side);
  void Count(const ComparedLine& line, std::uint32_t id, SideScores& scores, Side& side) const;
  void AddFields(const ComparedLine& line, std::uint32_t id, SideScores& scores) const;
  void AddFieldCounts(const ComparedLine& line, std::uint32_t id, SideScores& scores) const;
  void AddToCluster(const std::string& cluster, std::uint32_t id, const std::string& file);
  void CheckRepeats(const Side& side) const;
  void Finish(Side& side) const;

  const ComparisonOptions& options_;
  ComparedNames& names_;
  std::optional<HumanLabels> labels_;
  ScoreReader<ComparedLine> reader_;
  std::set<std::string> left_out_;  // scorers that were not selected
  std::set<std::string> values_;    // values of options_.between on other sides
  bool has_by_ = false;             // some line has the field of options_.by
  bool has_cluster_ = false;
  std::string key_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_SCORE_FILE_READER_H_
