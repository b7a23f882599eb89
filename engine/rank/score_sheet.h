// engine/rank/score_sheet.h: the lines of all score files, by scorer and model. Texts are numbered; a line is
// a row of numbers. Filled by Leaderboard, read by ScorerRanking. THREADS: as vectors.
#ifndef LEAFSCORE_ENGINE_RANK_SCORE_SHEET_H_
#define LEAFSCORE_ENGINE_RANK_SCORE_SHEET_H_

#include <cstdint>
#include <vector>

#include "engine/base/id_table.h"
#include "engine/base/name_table.h"
#include "engine/scores/line_details.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

// One line of a model: its score for an id under a scorer.
struct Answer {
  double score = 0;  // 0 unless it is scored
  std::uint32_t id = 0;
  Outcome outcome = Outcome::kScored;
  std::int8_t passed = -1;            // 1 or 0; -1 without a verdict
  bool nothing_compared : 1 = false;  // its score says nothing of the answer
  bool of_other_kind : 1 = false;     // the answer is no object where one is expected, or no array
  bool from_broken = false;           // the record could not be read, but its text shows the id
};

// The lines of one model under one scorer, in their order. Element i of each vector is about the same line;
// vectors end where no later line has such a value.
struct ModelLines {
  std::uint32_t model;
  std::vector<Answer> answers;
  std::vector<LineMetrics> metrics = {};
  std::vector<FieldTally> fields = {};
  std::vector<double> unexpected_shares = {};  // share of the leaves that are expected nowhere
  std::uint64_t not_asked = 0;                 // further lines, of records that answer nothing in the gold
};

// A field of records whose value depends on their id alone.
struct IdField {
  static constexpr std::uint32_t kNone = IdTable::kNone;

  NameTable values;
  std::vector<std::uint32_t> of;  // by id: the number of its value; kNone where no line has one
};

struct ScoreSheet {
  NameTable models;
  NameTable scorers;
  IdField clusters;
  IdField tasks;
  // A text begins with kRealId, a record's number that stands in for an id with kRecordNumber.
  static constexpr char kRealId = 'i';
  static constexpr char kRecordNumber = 'r';
  NameTable ids;
  std::vector<bool> is_real;                       // by id: it is no record's number
  std::vector<std::vector<ModelLines>> by_scorer;  // by scorer, in no order
};

// The clusters and tasks of ids, numbered by their names. The numbers in the tables of names, and those of
// ids, follow from the order of the lines instead, and no figure may depend on that.
struct IdFields {
  std::vector<std::uint32_t>
      cluster;  // by id; ids without the field share the last number; empty: no clusters
  std::uint32_t clusters = 0;
  std::vector<std::uint32_t> task;  // the same for tasks
  std::uint32_t tasks = 0;
};

IdFields FieldsOf(const ScoreSheet& sheet);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_SCORE_SHEET_H_
