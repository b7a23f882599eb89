// engine/match/row_pairing_task.h: which rows are to be paired, by which rules, and how much work that may
// take.
#ifndef LEAFSCORE_ENGINE_MATCH_ROW_PAIRING_TASK_H_
#define LEAFSCORE_ENGINE_MATCH_ROW_PAIRING_TASK_H_

#include <cstdint>
#include <functional>

#include "engine/match/row_candidates.h"

namespace leafscore::internal {

// If there are at most this many pairs of rows, all of them may be examined.
inline constexpr std::uint64_t kMaxAllRowPairs = std::uint64_t{1} << 22;

// The work allowed for one record. Beyond it, rows are still paired, but without a proof that the pairing is
// best.
struct PairingBudget {
  std::uint64_t inner_steps = std::uint64_t{1}
                              << 26;  // cells examined to weigh pairs of rows that contain rows
  std::uint64_t search_steps = std::uint64_t{1} << 29;  // candidates examined while pairing
};

// The value of a pair of rows. If several pairings match the same number of cells, the cheapest one wins.
struct PairWeight {
  std::uint32_t matched;
  std::uint32_t cost = 0;
};

struct RowPairingRules {
  bool join = false;      // first pair rows by keys
  bool pair_left = true;  // then pair the rows that keys did not join
  bool peel = true;
  // Returns the value of a pair of rows. If two rows always match in all cells that they share, this is null.
  std::function<PairWeight(std::uint32_t expected, std::uint32_t actual)> weigh = nullptr;
  std::uint32_t most_cost = 0;  // no pairing costs more
};

// The two sides and the rules. The caller owns them.
struct RowPairingTask {
  const RowColumns* expected = nullptr;
  const RowColumns* actual = nullptr;
  const RowPairingRules* rules = nullptr;

  // Returns whether keys join an expected row with an actual row.
  bool AreJoined(std::uint32_t expected_row, std::uint32_t actual_row) const {
    return rules->join && expected->key[expected_row] != 0 &&
           expected->key[expected_row] == actual->key[actual_row];
  }
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_ROW_PAIRING_TASK_H_
