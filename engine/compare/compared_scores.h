// engine/compare/compared_scores.h: the scores of several files, joined by id. Texts are numbered in tables
// that all files share; a score is a row of numbers. Filled by ScoreFileReader, then only read.
#ifndef LEAFSCORE_ENGINE_COMPARE_COMPARED_SCORES_H_
#define LEAFSCORE_ENGINE_COMPARE_COMPARED_SCORES_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/id_table.h"
#include "engine/base/name_table.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

// The name of the group of records that lack the field.
inline constexpr std::string_view kNoGroup = "(none)";

// The score of an id under a scorer in one file: that of the line that counts, or the sum over several lines.
struct IdScore {
  double sum = 0;
  std::uint16_t lines = 0;  // number of lines that count; 0: the file has no line for the id
  std::uint16_t passes = 0;
  std::uint16_t choice = 0;            // how often a line took the place of those before it
  Outcome outcome = Outcome::kScored;  // kScored if any line that counts is
  bool has_verdict : 1 = false;
  bool nothing_compared : 1 = false;
  bool from_broken : 1 = false;  // the record could not be read, but its text shows the id

  bool is_scored() const { return lines > 0 && outcome == Outcome::kScored; }
  double score() const { return lines == 0 ? 0 : sum / lines; }
  bool passed() const { return 2 * passes > lines; }  // of one line: whether it passed
};

// How well one field of an id matches. Fields whose paths differ in positions only are one field.
struct FieldCell {
  std::uint32_t id;
  std::uint32_t field;
  double match;          // from 0 to 1, weighted
  double contribution;   // to the score
  std::uint32_t choice;  // IdScore::choice when its line was read
};

// A scorer in one file.
struct SideScores {
  // Returns the sample variance of an id's lines. REQUIRES: Repeats::kAll, and two lines or more.
  double VarianceOf(std::uint32_t id) const;

  std::deque<IdScore> by_id;      // shorter where the last ids have no line
  std::deque<double> squares;     // by id, with Repeats::kAll: the sum of the squares of its lines' scores
  std::vector<FieldCell> fields;  // by id, then field, once the file is read; of the lines that count
  std::uint64_t errors = 0;       // ids that are in error
  std::uint64_t nothing_compared = 0;

  IdScore Of(std::uint32_t id) const { return id < by_id.size() ? by_id[id] : IdScore{}; }

  // Returns the place of Of(id), or null.
  const IdScore* PlaceOf(std::uint32_t id) const { return id < by_id.size() ? &by_id[id] : nullptr; }
};

struct Side {
  std::string file;
  std::vector<SideScores> by_scorer;  // shorter where the file lacks the last scorers
  std::uint64_t repeated = 0;         // lines that do not count because others of their id do
  std::uint64_t not_asked = 0;        // lines of records that answer nothing in the gold
};

// The texts of all files.
struct ComparedNames {
  static constexpr std::uint32_t kNone = IdTable::kNone;

  NameTable scorers;
  NameTable groups;  // of records without the field "", of others their value behind a "="
  NameTable clusters;
  NameTable fields;
  NameTable ids;                         // made by AppendKey
  std::deque<std::uint32_t> cluster_of;  // by id; kNone where no line has the field

  std::uint32_t GroupOf(std::uint32_t id) const;
  std::string_view GroupName(std::uint32_t group) const;  // as ComparedRow has it
  std::string_view KindAndIdOf(std::uint32_t id) const;
  std::string_view IdOf(std::uint32_t id) const { return KindAndIdOf(id).substr(1); }
};

// Appends the key of an id to a buffer: ids in different groups are different ones, and a record's number
// that stands in for an id is no id.
void AppendKey(std::uint32_t group, bool is_real, std::string_view id, std::string& key);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_COMPARED_SCORES_H_
