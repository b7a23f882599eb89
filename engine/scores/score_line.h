// engine/scores/score_line.h: reads one line of scores.
#ifndef LEAFSCORE_ENGINE_SCORES_SCORE_LINE_H_
#define LEAFSCORE_ENGINE_SCORES_SCORE_LINE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/answer_causes.h"
#include "engine/base/limits.h"
#include "engine/json/json_reader.h"
#include "engine/json/json_view.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

// How to read the JSON of a score line, in which the values of a record are nested a few levels deeper than
// in the record.
inline constexpr JsonOptions kScoreLineJson = {.strict = false,
                                               .max_depth = static_cast<std::uint32_t>(kMaxDepth.max) + 8};

struct ScoreLine {
  std::string scorer;
  std::string id;
  std::string id_from;   // empty: the id field; "line": found in a broken record; "record": its number
  bool is_asked = true;  // false: its record answers no question in the gold of its run
  Outcome outcome = Outcome::kScored;
  double score = 0;  // 0 unless it is scored
  std::optional<bool> passed;
  bool nothing_compared = false;  // the score says nothing about the answer
  bool of_other_kind = false;     // the answer is not an object where one is expected, or not an array
  AnswerCauses causes;          // what is wrong with an answer that earned little, as far as it is known here
  double unexpected_share = 0;  // share of the answer's leaves that are not expected anywhere

  bool has_real_id() const { return id_from != "record"; }
  // Returns whether the record could not be read, but its text shows the id.
  bool from_broken() const { return id_from == "line"; }
};

// Reads a line that ResultWriter wrote. RETURNS: "", or a static text that says why it is not a line of
// scores.
std::string_view ReadScoreLine(JsonView line, ScoreLine& result);

// Returns a field of the scored record: a group field of its run, else a member of the line.
JsonView RecordField(JsonView line, std::string_view name);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORES_SCORE_LINE_H_
