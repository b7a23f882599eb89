// engine/compare/compared_scores.h: the scores of several files, joined by id. Texts are numbered in tables
// that all files share, and a score is a row of numbers. Filled by ScoreFileReader, then only read.
#ifndef LEAFSCORE_ENGINE_COMPARE_COMPARED_SCORES_H_
#define LEAFSCORE_ENGINE_COMPARE_COMPARED_SCORES_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/answer_causes.h"
#include "engine/base/id_table.h"
#include "engine/base/name_table.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

// The name of the group of records that lack the field.
inline constexpr std::string_view kNoGroup = "(none)";

// The score of an id under a scorer in one file: from the one line that counts, or summed over several.
struct IdScore {
  double sum = 0;
  std::uint16_t lines = 0;  // number of lines that count; 0 if the file has none for the id
  std::uint16_t passes = 0;
  std::uint16_t choice = 0;            // how often a line replaced all earlier ones
  AnswerCauses causes = {};            // found in any line that counts
  Outcome outcome = Outcome::kScored;  // kScored if any line that counts is scored
  bool has_verdict : 1 = false;
  bool nothing_compared : 1 = false;
  bool is_labelled : 1 = false;  // people judged the answer; only if a single line counts
  bool people_pass : 1 = false;
  bool from_broken : 1 = false;  // the record could not be read, but its text shows the id

  bool is_scored() const { return lines > 0 && outcome == Outcome::kScored; }
  double score() const { return lines == 0 ? 0 : sum / lines; }
  bool passed() const { return 2 * passes > lines; }  // for one line: whether it passed
};

// How well one field of an id matches. Fields whose paths differ only in positions are one field.
struct FieldCell {
  std::uint32_t id;
  std::uint32_t field;
  double match;          // from 0 to 1, weighted
  double contribution;   // share of the score
  std::uint32_t choice;  // IdScore::choice when its line was read
};

// How many values of one field of an id are right, extra or missing, as means over the id's lines. Each list
// that was read also has an entry without a field. This entry tells an empty list from a missing one.
struct FieldCountsOfId {
  std::uint32_t id;
  std::uint32_t field;   // kNone in the entry of a list; `right` is the number of lists
  double right;          // true positives
  double extra;          // false positives
  double missing;        // false negatives
  std::uint32_t choice;  // IdScore::choice when its line was read
};

// The scores of a scorer in one file.
struct SideScores {
  // Returns the sample variance over an id's lines. REQUIRES: Repeats::kAll, and at least two lines.
  double VarianceOf(std::uint32_t id) const;

  std::deque<IdScore> by_id;   // shorter if the last ids have no line
  std::deque<double> squares;  // indexed by id, with Repeats::kAll: sum of the squares of its lines' scores
  std::vector<FieldCell> fields;              // only lines that count; sorted by id and field after reading
  std::vector<FieldCountsOfId> field_counts;  // in the same order
  std::uint64_t errors = 0;                   // ids in error
  std::uint64_t nothing_compared = 0;

  IdScore Of(std::uint32_t id) const { return id < by_id.size() ? by_id[id] : IdScore{}; }

  // Returns the address of Of(id), or null.
  const IdScore* PlaceOf(std::uint32_t id) const { return id < by_id.size() ? &by_id[id] : nullptr; }
};

struct Side {
  std::string file;
  std::vector<SideScores> by_scorer;  // shorter if the file lacks the last scorers
  std::uint64_t repeated = 0;         // lines that another line of the same id replaces
  std::uint64_t not_asked = 0;        // lines of records that answer no question in the gold
};

// The texts of all files.
struct ComparedNames {
  static constexpr std::uint32_t kNone = IdTable::kNone;

  NameTable scorers;
  NameTable groups;  // "" for records without the field; for others, "=" and the value
  NameTable clusters;
  NameTable fields;
  NameTable ids;                         // keys from AppendKey
  std::deque<std::uint32_t> cluster_of;  // indexed by id; kNone if no line has the field

  std::uint32_t GroupOf(std::uint32_t id) const;
  std::string_view GroupName(std::uint32_t group) const;  // as in ComparedRow
  std::string_view KindAndIdOf(std::uint32_t id) const;
  std::string_view IdOf(std::uint32_t id) const { return KindAndIdOf(id).substr(1); }
};

// Appends the key of an id to a buffer. The same id has a different key in each group. If a record has no id,
// its number stands in for one; the key of such a number is never the key of a real id.
void AppendKey(std::uint32_t group, bool is_real, std::string_view id, std::string& key);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_COMPARED_SCORES_H_
