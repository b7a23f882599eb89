// engine/run/gold_join.h: joins the answers of a run with its gold, source by source: who answered what, and
// what became of it under each scorer. The results are kept until their source ends, since a later answer to
// an id may count in place of an earlier one, or beside it; then the summary gets one result for each id.
// THREADS: one, the serial sink.
#ifndef LEAFSCORE_ENGINE_RUN_GOLD_JOIN_H_
#define LEAFSCORE_ENGINE_RUN_GOLD_JOIN_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/report/join_summary.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/gold_table.h"
#include "engine/run/result_rows.h"
#include "leafscore/files.h"

namespace leafscore::internal {

// Sources are either known beforehand, and their answers come one after the other, or they are values of a
// group field, whose answers come mixed and which end when all answers are there. COST: for each id of the
// gold its results (16 bytes a scorer, a byte a judged field) and 4 bytes a group;
//       where all answers count, for each answer. Of a group field, that for each of its values.
class GoldJoin {
 public:
  // `groups` is the number of group fields of the summary.
  // REQUIRES: `gold` outlives this.
  GoldJoin(const GoldTable& gold, std::span<const std::string> sources, const ResultLayout& layout,
           std::size_t groups, Repeats repeats);

  // Takes the values of a group field for the sources. REQUIRES: `gold` outlives this.
  GoldJoin(const GoldTable& gold, std::size_t source_field, const ResultLayout& layout, std::size_t groups,
           Repeats repeats);

  bool by_field() const { return source_field_.has_value(); }

  // Names the source with this number in the groups, each before its first record is added.
  void NameSource(std::uint32_t number, std::string_view name);

  // The source that is to end next, of known ones that whose answers come now; at the end, how many there
  // are.
  std::size_t source() const { return source_; }
  bool ended() const { return source_ == summary_.sources.size(); }
  const std::string& source_name() const { return summary_.sources[source_].source; }
  std::uint32_t source_number() const { return states_[source_].number; }  // of a group field

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
  // What is kept of a source: by gold entry or, where all answers count, by answer, whose entries these are.
  struct State {
    std::uint32_t number = 0;    // in the groups
    std::vector<bool> answered;  // by gold entry
    ResultRows results;
    std::vector<std::uint32_t> groups;
    std::vector<std::uint32_t> entries;
  };

  std::size_t StateOf(std::uint32_t number);
  void Begin(State& state) const;
  void Resize(std::size_t rows, State& state) const;
  void AddAllAnswers(State& state, RunSummary& summary) const;
  // Returns the name of an id: examples come in the order of the gold.
  RecordName NameOf(std::uint32_t entry) const { return {entry + std::uint64_t{1}, gold_.id(entry)}; }
  std::span<const std::uint32_t> GroupsOf(const State& state, std::size_t row) const {
    return std::span(state.groups).subspan(row * group_count_, group_count_);
  }

  const GoldTable& gold_;
  ResultLayout layout_;
  std::size_t group_count_;
  Repeats repeats_;
  JoinSummary summary_;
  std::optional<std::size_t> source_field_;
  std::size_t source_ = 0;
  std::deque<State> states_;  // one a source of a group field; else one for them all, in turn
  std::map<std::uint32_t, std::size_t> state_of_number_;
};

// Scores ids of the gold as unanswered and adds them to the summary. `groups` are their groups, entry after
// entry. `scorer` is left with the results of a part of them whenever `part_done` is called with their
// entries.
void AddUnanswered(const GoldTable& gold, std::span<const std::uint32_t> entries,
                   std::span<const std::uint32_t> groups, BatchScorer& scorer, RunSummary& summary,
                   const std::function<void(std::span<const std::uint32_t> part)>& part_done = {});

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_GOLD_JOIN_H_
