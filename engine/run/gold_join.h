// engine/run/gold_join.h: joins the answers of a run with its gold, source by source: who answered what, and
// what became of it under each scorer. The results are kept until their source ends, since a later answer to
// an id may count in place of an earlier one, or beside it; then the summary gets one result for each id.
// THREADS: one, the serial sink.
#ifndef LEAFSCORE_ENGINE_RUN_GOLD_JOIN_H_
#define LEAFSCORE_ENGINE_RUN_GOLD_JOIN_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/report/join_summary.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/gold_table.h"
#include "engine/run/result_rows.h"
#include "leafscore/files.h"

namespace leafscore::internal {

// COST: for each id of the gold its results (16 bytes a scorer, a byte a judged field) and 4 bytes a group;
// where
//       all answers count, for each answer.
class GoldJoin {
 public:
  // `groups` is the number of group fields of the summary.
  // REQUIRES: `gold` outlives this.
  GoldJoin(const GoldTable& gold, std::span<const std::string> sources, const ResultLayout& layout,
           std::size_t groups, Repeats repeats);

  // The source whose answers come now; at the end, the number of sources.
  std::size_t source() const { return source_; }
  bool ended() const { return source_ == summary_.sources.size(); }

  // Adds the next records of the source: the gold entry of each (GoldTable::kNone when it has none), the ids
  // of those that could be read but have none, their results, and their groups, row by row.
  // ERRORS: Error(kInput) for a repeated answer, when these end the run.
  void Add(std::span<const std::uint32_t> entries, const ListedIds& without_gold, const ResultRows& results,
           std::span<const std::uint32_t> groups);

  // Ends the source: adds the results of the ids that it answered to the summary.
  // RETURNS: the entries that it left unanswered.
  std::vector<std::uint32_t> EndSource(RunSummary& summary);

  // What was counted. REQUIRES: all sources have ended.
  const JoinSummary& summary() const { return summary_; }

 private:
  void Resize(std::size_t rows);
  void AddAllAnswers(RunSummary& summary);
  std::span<const std::uint32_t> Groups(std::size_t row) const {
    return std::span(groups_).subspan(row * group_count_, group_count_);
  }

  const GoldTable& gold_;
  ResultLayout layout_;
  std::size_t group_count_;
  Repeats repeats_;
  JoinSummary summary_;
  std::size_t source_ = 0;
  std::vector<bool> answered_;  // by gold entry, by this source
  // Of this source, by gold entry; where all answers count, by answer, whose entries these are.
  ResultRows results_;
  std::vector<std::uint32_t> groups_;
  std::vector<std::uint32_t> entries_;
};

// Scores ids of the gold as unanswered and adds them to the summary. `groups` are their groups, entry after
// entry. `scorer` is left with the results of a part of them whenever `part_done` is called with their
// entries.
void AddUnanswered(const GoldTable& gold, std::span<const std::uint32_t> entries,
                   std::span<const std::uint32_t> groups, BatchScorer& scorer, RunSummary& summary,
                   const std::function<void(std::span<const std::uint32_t> part)>& part_done = {});

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_GOLD_JOIN_H_
