// engine/rank/leaderboard.h: one row a model and scorer, from the score files that runs wrote.
// Files are read one after the other in batches (ScoreReader); kept are 16 bytes of each line, and what else
// it says of fields. THREADS: one.
#ifndef LEAFSCORE_ENGINE_RANK_LEADERBOARD_H_
#define LEAFSCORE_ENGINE_RANK_LEADERBOARD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rank/score_sheet.h"
#include "engine/scores/line_details.h"
#include "engine/scores/manifest.h"
#include "engine/scores/score_line.h"
#include "engine/scores/score_reader.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// A field of the scored record: among the groups of its run, else a member of the line.
struct FieldValue {
  std::optional<std::string> text;  // nullopt: the record lacks it
  bool is_null = false;
};

struct BoardLine {
  ScoreLine score;
  FieldValue by;
  FieldValue cluster;
  FieldValue task;
  LineFigures figures;
};

class Leaderboard {
 public:
  // ERRORS: Error(kUsage) for options that do not go together.
  explicit Leaderboard(LeaderboardOptions options);

  // Adds the lines of a score file (JSON Lines, perhaps compressed). `model` names them unless a field does.
  // RETURNS: its manifest; nothing for a file without one, which `accept_unverified` lets pass.
  // ERRORS:  Error(kInput) that names the file, and what is wrong: it is not whole, or a record is no line
  //          of scores.
  std::optional<Manifest> AddFile(const std::string& path, const std::string& model, bool accept_unverified);

  // Returns the rows, scorers by name, in each the best first, equals by name; and matrices of their means.
  // ERRORS: Error(kInput) when no line had a field that was asked for (lines without it are of a
  //         model "(none)", as records that could not be read have no fields), and for repeated ids if they
  //         are refused.
  Ranking Rank(const std::vector<std::string>& group_fields = {}) const;

  // Returns what to say where ids of several models are probably the same, written differently, and more of
  // them than models have in common; else nothing.
  std::string PaddedIdsHint() const;

 private:
  struct FieldUse {
    std::string name;    // empty: not asked for
    bool found = false;  // in any line
  };

  void AddLine(const BoardLine& line, const std::string& model);
  void AddAnswer(const BoardLine& line, std::uint32_t id, ModelLines& lines);
  void AddToField(const FieldValue& value, std::uint32_t id, std::string_view kind, FieldUse& use,
                  IdField& field);
  ModelLines& LinesOf(std::uint32_t scorer, std::uint32_t model);

  LeaderboardOptions options_;
  FieldUse by_;
  bool named_none_ = false;  // by it, a model "(none)"
  bool unnamed_ = false;     // lines that lack it, whose model is shown so, too
  FieldUse cluster_;
  FieldUse task_;
  ScoreReader<BoardLine> reader_;
  std::string file_;          // of the line being added
  std::uint64_t record_ = 0;  // the number of the line being added
  ScoreSheet sheet_;
  std::vector<std::vector<std::uint32_t>> place_;  // by scorer and model: 1 + its place in by_scorer, or 0
  std::string key_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_LEADERBOARD_H_
