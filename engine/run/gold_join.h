// engine/run/gold_join.h: joins the answers of a run with its gold, source by source: who answered which id,
// and with which result under each scorer. Results are kept until their source ends, because a later answer
// to an id may replace an earlier one, or count in addition to it. Then the summary gets one result for each
// id.
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

// Either the sources are known in advance, and their answers come one source after another. Or they are the
// values of a group field: then the answers are mixed, and all sources end after the last answer. COST: for
// each id of the gold (for each answer, if all count) 24 bytes of hashes, 40 bytes a scorer, a byte a judged
// field and 4 bytes a group. With a group field, each source has this cost.
class GoldJoin {
 public:
  // `groups` is the number of group fields in the summary. REQUIRES: `gold` outlives this.
  GoldJoin(const GoldTable& gold, std::span<const std::string> sources, const ResultLayout& layout,
           std::size_t groups, Repeats repeats);

  // Uses the values of a group field as sources. REQUIRES: `gold` outlives this.
  GoldJoin(const GoldTable& gold, std::size_t source_field, const ResultLayout& layout, std::size_t groups,
           Repeats repeats);

  bool by_field() const { return source_field_.has_value(); }

  // Names the source that has this number in the groups. Call it before its first record is added.
  void NameSource(std::uint32_t number, std::string_view name);

  // Returns the source that ends next. If sources are known in advance, it is the one whose answers come now.
  // At the end, returns the number of sources.
  std::size_t source() const { return source_; }
  bool ended() const { return source_ == summary_.sources.size(); }
  const std::string& source_name() const { return summary_.sources[source_].source; }
  std::uint32_t source_number() const { return states_[source_].number; }  // for sources from a group field

  // Adds the next records of the source. Row by row, `entries` has the gold entry of a record
  // (GoldTable::kNone without gold), `results` its results, and `groups` its groups. `without_gold` has the
  // ids of the readable records without gold.
  // ERRORS: Error(kInput) for a repeated answer, if the options say so.
  void Add(std::span<const std::uint32_t> entries, const ListedIds& without_gold, const ResultRows& results,
           std::span<const std::uint32_t> groups);

  // Ends the source, and adds the results of the ids that it answered to the summary.
  // RETURNS: the entries that it left unanswered.
  std::vector<std::uint32_t> EndSource(RunSummary& summary);

  // Returns the counts. REQUIRES: all sources have ended.
  const JoinSummary& summary() const { return summary_; }

 private:
  // The data of a source. Its rows belong to gold entries or, if all answers count, to answers. For rows of
  // answers, `entries` has the gold entry of each row; otherwise it is empty.
  struct State {
    std::uint32_t number = 0;    // its number in the groups
    std::vector<bool> answered;  // indexed by gold entry
    ResultRows results;
    std::vector<std::uint32_t> groups;
    std::vector<std::uint32_t> entries;
  };

  std::size_t StateOf(std::uint32_t number);
  void Begin(State& state) const;
  void Resize(std::size_t rows, State& state) const;
  void AddAllAnswers(State& state, RunSummary& summary) const;
  // Returns the name of an id, numbered so that examples come in the order of the gold.
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
  std::deque<State> states_;  // one for each source from a group field; else one, reused by each source
  std::map<std::uint32_t, std::size_t> state_of_number_;
};

// Scores gold ids as unanswered, and adds them to the summary. `groups` has the groups of each entry, entry
// after entry. Ids are scored in parts. part_done is called with the entries of each part, while `scorer`
// still has their results.
void AddUnanswered(const GoldTable& gold, std::span<const std::uint32_t> entries,
                   std::span<const std::uint32_t> groups, BatchScorer& scorer, RunSummary& summary,
                   const std::function<void(std::span<const std::uint32_t> part)>& part_done = {});

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_GOLD_JOIN_H_
