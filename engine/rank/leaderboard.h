// engine/rank/leaderboard.h: ranks models by the score files of their runs, with a row for each model and
// scorer. Files are read one after another in batches (ScoreReader). For each line, the leaderboard keeps 16
// bytes and the values of the line's fields. THREADS: one.
#ifndef LEAFSCORE_ENGINE_RANK_LEADERBOARD_H_
#define LEAFSCORE_ENGINE_RANK_LEADERBOARD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rank/score_sheet.h"
#include "engine/scores/compare_manifests.h"
#include "engine/scores/human_labels.h"
#include "engine/scores/line_details.h"
#include "engine/scores/manifest.h"
#include "engine/scores/score_line.h"
#include "engine/scores/score_reader.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// A field of the scored record: a group field of its run, else a member of the line.
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
  std::vector<LineField> fields;  // with options.fields
  std::optional<bool> label;      // the verdict of people, with options.labels
};

class Leaderboard {
 public:
  // `several_models`: as for HumanLabels. ERRORS: Error(kUsage) for options that contradict each other; those
  // of HumanLabels.
  explicit Leaderboard(LeaderboardOptions options, bool several_models = true);

  // Adds the lines of a score file (JSON Lines, perhaps compressed). `model` is the model of the lines,
  // unless a field names it.
  // RETURNS: the manifest of the file; nullopt if it has none, which `accept_unverified` allows.
  // ERRORS: Error(kInput) that names the file and the problem: the file is incomplete, or a record is not a
  // line of scores.
  std::optional<Manifest> AddFile(const std::string& path, const std::string& model, bool accept_unverified);

  // Returns whether the last file has answers that were compared with the answers of a base.
  bool has_matches() const { return has_matches_; }

  // Returns the rows and matrices of their means. Rows are sorted by scorer, then from best to worst, then by
  // name. Lines without the field for the model belong to a model "(none)", because unreadable records have
  // no fields. ERRORS: Error(kInput) if no line had a requested field, and for repeated ids if they are
  // refused.
  Ranking Rank(const std::vector<std::string>& group_fields = {}) const;

  // Returns the models, ranked by the matches between them (Ranking::versus). The lines must come from
  // outputs with these manifests, file by file. ERRORS: Error(kInput) for an output with the answers of
  // several models, for two models of one name, and for repeated ids if they are refused.
  std::vector<VersusRow> RankVersus(std::span<const NamedManifest> manifests,
                                    std::vector<std::string>& warnings) const;

  // Finds ids that the first model and other models probably just write differently. Returns a message if
  // there are more such ids than common ids; else an empty text.
  std::string PaddedIdsHint() const;

  // Returns HumanLabels::Notes.
  std::vector<std::string> LabelNotes() const {
    return labels_ ? labels_->Notes() : std::vector<std::string>();
  }

 private:
  struct FieldUse {
    std::string name;    // empty: not requested
    bool found = false;  // some line has the field
  };

  void AddLine(const BoardLine& line, const std::string& model);
  void AddAnswer(const BoardLine& line, std::uint32_t id, ModelLines& lines);
  void AddFields(const BoardLine& line, ModelLines& lines);
  void AddToField(const FieldValue& value, std::uint32_t id, std::string_view kind, FieldUse& use,
                  IdField& field);
  ModelLines& LinesOf(std::uint32_t scorer, std::uint32_t model);

  LeaderboardOptions options_;
  FieldUse by_;
  bool named_none_ = false;  // the field names a model "(none)"
  bool unnamed_ = false;     // some lines lack the field; their model is shown the same way
  FieldUse cluster_;
  FieldUse task_;
  std::optional<HumanLabels> labels_;
  ScoreReader<BoardLine> reader_;
  std::string file_;          // file of the line being added
  std::uint64_t record_ = 0;  // number of the line being added
  bool has_matches_ = false;
  ScoreSheet sheet_;
  std::vector<std::vector<std::uint32_t>> place_;  // by scorer and model: 1 + index in by_scorer, or 0
  std::string key_;
};

struct DescribedObject;

// Returns the figures of a row of RenderLeaderboard as JSON, for docs/schemas/leaderboard.json.
std::vector<DescribedObject> LeaderboardObjects();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_LEADERBOARD_H_
