// tests/rank/board_testing.h: lines of scores and leaderboards of them.
#ifndef LEAFSCORE_TESTS_RANK_BOARD_TESTING_H_
#define LEAFSCORE_TESTS_RANK_BOARD_TESTING_H_

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "engine/rank/leaderboard.h"
#include "io/io_test_util.h"
#include "leafscore/error.h"

namespace leafscore::internal {

// Returns a line; `id` is JSON, and `more` are additional members, each after a comma.
inline std::string Scored(std::string_view id, double score, std::string_view more = "",
                          std::string_view scorer = "s") {
  return fmt::format("{{\"id\": {}, \"scorer\": \"{}\", \"outcome\": \"scored\", \"score\": {}{}}}\n", id,
                     scorer, score, more);
}

inline std::string Unscored(std::string_view id, std::string_view outcome, std::string_view more = "") {
  return fmt::format("{{\"id\": {}, \"scorer\": \"s\", \"outcome\": \"{}\", \"reason\": \"r\"{}}}\n", id,
                     outcome, more);
}

inline constexpr char kPassed[] = ", \"passed\": true";
inline constexpr char kFailed[] = ", \"passed\": false";
inline constexpr char kRecord[] = ", \"id_from\": \"record\"";

// Returns lines with these scores for the ids 0, 1, 2, ...
inline std::string ScoresFrom0(const std::vector<double>& scores) {
  std::string lines;
  for (std::size_t i = 0; i < scores.size(); ++i) lines += Scored(std::to_string(i), scores[i]);
  return lines;
}

struct ModelFile {
  std::string model;
  std::string lines;
};

class BoardTest : public ::testing::Test {
 protected:
  // Returns the rows of a leaderboard of these files.
  std::vector<LeaderboardRow> Rank(const std::vector<ModelFile>& files,
                                   const LeaderboardOptions& options = {}) {
    return RankAll(files, options).rows;
  }

  Ranking RankAll(const std::vector<ModelFile>& files, const LeaderboardOptions& options = {}) {
    Leaderboard board(options);
    for (const ModelFile& file : files) {
      WriteFile(folder_ / file.model, file.lines);
      board.AddFile(folder_ / file.model, file.model, /*accept_unverified=*/true);
    }
    return board.Rank();
  }

  // Returns the row of the only model.
  LeaderboardRow RowOf(const std::string& lines, const LeaderboardOptions& options = {}) {
    return Rank({{"m", lines}}, options).at(0);
  }

  std::string Refusal(const std::vector<ModelFile>& files, const LeaderboardOptions& options = {}) {
    return ErrorOf(ErrorCode::kInput, [&] { Rank(files, options); });
  }

  TempDir folder_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_RANK_BOARD_TESTING_H_
