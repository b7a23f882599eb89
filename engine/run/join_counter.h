// engine/run/join_counter.h: counts how the answers of a run meet its gold. THREADS: one, the serial sink.
#ifndef LEAFSCORE_ENGINE_RUN_JOIN_COUNTER_H_
#define LEAFSCORE_ENGINE_RUN_JOIN_COUNTER_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/report/join_summary.h"
#include "engine/run/gold_table.h"

namespace leafscore::internal {

// COST: a bit for each id of the gold.
class JoinCounter {
 public:
  // REQUIRES: `gold` outlives this.
  JoinCounter(const GoldTable& gold, std::span<const std::string> sources);

  // Adds the next records, all of one input: the gold entry of each (GoldTable::kNone when it has none), and
  // the ids of those that could be read but have none.
  void Add(std::uint32_t input, std::span<const std::uint32_t> entries, const ListedIds& without_gold);

  // Ends the count. RETURNS: the summary, with the inputs that were not reached.
  JoinSummary Finish();

 private:
  void FinishInput();

  const GoldTable& gold_;
  JoinSummary summary_;
  std::uint32_t input_ = 0;
  std::vector<bool> answered_;  // by gold entry, in this input
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_JOIN_COUNTER_H_
