// engine/rank/score_sheet.h: the lines of all score files, by scorer and model. Texts are numbered, and a
// line is a row of numbers. Filled by Leaderboard, read by ScorerRanking. THREADS: as vectors.
#ifndef LEAFSCORE_ENGINE_RANK_SCORE_SHEET_H_
#define LEAFSCORE_ENGINE_RANK_SCORE_SHEET_H_

#include <cstdint>
#include <vector>

#include "engine/base/answer_causes.h"
#include "engine/base/id_table.h"
#include "engine/base/name_table.h"
#include "engine/scores/line_details.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

// One line of a model: its score for an id under a scorer.
struct Answer {
  double score = 0;  // 0 unless the answer is scored
  std::uint32_t id = 0;
  Outcome outcome = Outcome::kScored;
  std::int8_t passed = -1;            // 1 or 0; -1 without a verdict
  bool nothing_compared : 1 = false;  // the score says nothing about the answer
  bool of_other_kind : 1 = false;     // the answer is not an object or array where one is expected
  bool is_labelled : 1 = false;       // people have judged the answer
  bool people_pass : 1 = false;
  bool order_flip : 1 = false;    // the judge of two answers chose by place
  bool is_identical : 1 = false;  // the same as the answer of the base
  bool from_broken = false;       // the record could not be read, but its text shows the id
};

// How well a line matches a field of its expected value.
struct MatchedField {
  std::uint32_t line;
  std::uint32_t field;
  double match;
};

// The lines of one model under one scorer, in order. Except in `matches`, element i of each vector belongs to
// line i. A vector may be shorter than `answers`: no later line then has such a value.
struct ModelLines {
  std::uint32_t model;
  std::vector<Answer> answers;
  std::vector<LineMetrics> metrics = {};
  std::vector<FieldTally> fields = {};
  std::vector<double> unexpected_shares = {};  // share of the leaves that are not expected anywhere
  std::vector<AnswerCauses> causes = {};       // what is wrong with answers that earned little
  std::vector<MatchedField> matches = {};      // by line, with options.fields
  std::uint64_t not_asked = 0;                 // lines not kept: their records answer no question in the gold
};

// A field of records whose value depends only on their id.
struct IdField {
  static constexpr std::uint32_t kNone = IdTable::kNone;

  NameTable values;
  std::vector<std::uint32_t> of;  // indexed by id: the number of its value; kNone if no line has a value
};

struct ScoreSheet {
  NameTable models;
  NameTable scorers;
  NameTable fields;
  IdField clusters;
  IdField tasks;
  // The name of a real id begins with kRealId; a record number in place of an id begins with kRecordNumber.
  static constexpr char kRealId = 'i';
  static constexpr char kRecordNumber = 'r';
  NameTable ids;
  std::vector<bool> is_real;                       // indexed by id: whether it is no record number
  std::vector<std::vector<ModelLines>> by_scorer;  // indexed by scorer, in no particular order
};

// The clusters and tasks of ids, numbered in the order of their names. All other numbers, in tables of names
// and for ids, depend on the order of the lines. No figure may depend on those numbers.
struct IdFields {
  std::vector<std::uint32_t>
      cluster;  // indexed by id; ids without the field share the last number; empty without clusters
  std::uint32_t clusters = 0;
  std::vector<std::uint32_t> task;  // the same for tasks
  std::uint32_t tasks = 0;
};

IdFields FieldsOf(const ScoreSheet& sheet);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_SCORE_SHEET_H_
