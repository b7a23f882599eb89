// engine/rank/leaderboard.h: one row a model and scorer, from the score files that runs wrote. Files are read
// one by one, in batches, and only figures are kept: those of each row and, with clusters, a sum for each.
// THREADS: one.
#ifndef LEAFSCORE_ENGINE_RANK_LEADERBOARD_H_
#define LEAFSCORE_ENGINE_RANK_LEADERBOARD_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/json/json_reader.h"
#include "engine/json/json_view.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/report/counts.h"
#include "engine/report/manifest.h"
#include "engine/report/score_statistics.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// Returns the 95% interval of a share by E. B. Wilson, "Probable inference, the law of succession, and
// statistical inference", J. Amer. Statist. Assoc. 22, 1927. REQUIRES: passed <= records, records > 0.
Interval WilsonInterval(std::uint64_t passed, std::uint64_t records);

class Leaderboard {
 public:
  explicit Leaderboard(const LeaderboardOptions& options);

  // Adds the lines of a score file (JSON Lines, perhaps compressed). `model` names them unless a field does.
  // RETURNS: its manifest; nothing for a file without one, which `accept_unverified` lets pass.
  // ERRORS:  Error(kInput) that names the file, and what is wrong: it is not whole, or a record is no line
  //          of scores.
  std::optional<Manifest> AddFile(const std::string& path, const std::string& model, bool accept_unverified);

  // Returns the rows: scorers in order of appearance, in each the best first, equals in order of appearance.
  // ERRORS: Error(kInput) when no line had a field that was asked for; lines without it are "(none)", as
  //         records that could not be read have no fields.
  std::vector<LeaderboardRow> Rows() const;

 private:
  static constexpr std::array<std::string_view, 3> kFigures = {"precision", "recall", "f1"};

  struct FieldUse {
    std::string name;    // empty: not asked for
    bool found = false;  // in any line
  };
  struct Entry {
    std::string model;
    std::string scorer;
    ScoreStatistics statistics;
    std::array<CountedSum, kFigures.size()> figures;
    std::map<std::string, CountedSum> clusters;
  };

  void AddLine(JsonView line, const std::string& model);
  [[noreturn]] void Refuse(std::string_view why) const;
  static std::string Field(JsonView line, FieldUse& field);
  Entry& FindOrAdd(const std::string& model, const std::string& scorer);
  std::optional<double> ClusteredError(const Entry& entry) const;

  FieldUse by_;
  FieldUse cluster_;
  ShapeTable shapes_;
  LeafTable table_;
  JsonReader reader_;
  std::string file_;  // of the line being added
  std::uint64_t record_ = 0;
  std::vector<Entry> entries_;
  std::map<std::pair<std::string, std::string>, std::size_t> entry_of_;  // by scorer and model
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_LEADERBOARD_H_
