// engine/report/run_summary.h: the figures of one run: the totals and, for each scorer, the results of all
// records that were asked for and of each group. Every --group-by field groups the records separately (no
// cross product). For each of its groups, a field has one tally for each scorer. Groups are numbered in order
// of first use, after the two groups that every field has. Owned by the run, whose serial sink makes groups
// in input order. Records may be added in any order, and in parts: all sums are exact.
#ifndef LEAFSCORE_ENGINE_REPORT_RUN_SUMMARY_H_
#define LEAFSCORE_ENGINE_REPORT_RUN_SUMMARY_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/base/rating_sums.h"
#include "engine/base/text_map.h"
#include "engine/distance/pair_offload.h"
#include "engine/report/answers_of_others.h"
#include "engine/report/field_figures.h"
#include "engine/report/join_summary.h"
#include "engine/report/score_statistics.h"
#include "engine/report/scorer_summary.h"
#include "leafscore/outcome.h"
#include "leafscore/report.h"

namespace leafscore::internal {

inline constexpr std::uint32_t kNoneGroup = 0;   // "(none)": records that lack the field
inline constexpr std::uint32_t kOtherGroup = 1;  // "(other)": values beyond the limits
inline constexpr std::size_t kMaxGroupValueBytes = 1024;

// Adds the totals of further records, except the time.
void AddTotals(const RunTotals& more, RunTotals& totals);

class RunSummary {
 public:
  // At most max_groups distinct values of a field get a group of their own. A group takes about 1 KiB per
  // scorer, and up to 66 KiB if many scores spread over all of [0, 1]; for a scorer that compares classes, it
  // takes another 64 bytes or so for each pair of classes that occurs.
  RunSummary(std::vector<std::string> scorer_names, std::vector<std::string> group_fields,
             std::size_t max_groups);

  // Returns the group of a value, which is made on first use; kOtherGroup if there are max_groups already or
  // the value is longer than kMaxGroupValueBytes.
  // REQUIRES: field < group_fields().size().
  // COST: one hash look-up.
  std::uint32_t GroupIndex(std::size_t field, std::string_view value);

  // Return the traits of a scorer. REQUIRES: they are set before the first record is added.
  ScorerTraits& traits(std::size_t scorer) { return scorers_[scorer].traits(); }
  const ScorerTraits& traits(std::size_t scorer) const { return scorers_[scorer].traits(); }

  // Returns the answers that may belong to other records, so that the caller can add more of them. The report
  // has their causes.
  AnswersOfOthers& answers_of_others() { return answers_of_others_; }

  // Updates the final score with the results of all scorers for one record. Call it after Add for each of
  // them. If a scorer ends the record (EndOfRecord), UiPath's rule applies. Each scorer before that one gets
  // an additional 0 for the record, so half of its score counts. A scorer after it counts 0, whatever it
  // scored, and so does a scorer that was not asked.
  void AddWholeRecord(std::span<const RecordScore> scores);

  // RETURNS: the first scorer at which UiPath ends the record, because its criteria are wrong or, with
  // missing_key_ends_record, because a key is missing; scores.size() if there is no such scorer.
  std::size_t EndOfRecord(std::span<const RecordScore> scores) const;

  // Adds the result of a scorer for a record, or for several answers to one id, to the overall figures and,
  // for each field, to the figures of the given group.
  // REQUIRES: scorer < scorer_names().size(); a group for each field, as for Statistics. `fields` has, answer
  // by answer, the outcomes of the fields that the scorer judges; an answer that is an error has no outcomes.
  void Add(std::size_t scorer, std::span<const RecordScore> answers, std::span<const std::uint32_t> groups,
           std::span<const FieldOutcome> fields = {}, const RecordName& name = {});
  void Add(std::size_t scorer, const RecordScore& record, std::span<const std::uint32_t> groups,
           std::span<const FieldOutcome> fields = {}, const RecordName& name = {}) {
    Add(scorer, std::span(&record, 1), groups, fields, name);
  }

  // Adds records to the groups only. AddPart adds them to the other figures.
  void AddToGroups(std::size_t scorer, std::span<const RecordScore> answers,
                   std::span<const std::uint32_t> groups, std::span<const FieldOutcome> fields = {},
                   const RecordName& name = {});

  // Add the values that scorers counted in one row of `cells`. AddCells adds them overall and to the given
  // group of each field, and AddCellsToGroups only to the groups.
  void AddCells(const CellRows& cells, std::size_t row, std::span<const std::uint32_t> groups);
  void AddCellsToGroups(const CellRows& cells, std::size_t row, std::span<const std::uint32_t> groups);

  // Returns an empty summary with the same scorers but without group fields, for some of the records.
  RunSummary Part() const;

  // Adds the records of a part, but neither to groups nor to figures over all records together (the totals,
  // AddJsonInTexts, AddRaters). The order of parts changes no figure.
  void AddPart(const RunSummary& part);

  // Returns a list that the caller sets: the names of group fields. The report has intervals of the mean for
  // the groups of these fields.
  std::vector<std::string>& interval_by() { return interval_by_; }

  // Sets, for each scorer, the paths in its options that no expected value has.
  void SetAbsentPaths(std::vector<std::vector<std::string>> paths) {
    for (std::size_t s = 0; s < paths.size(); ++s) scorers_[s].SetAbsentPaths(std::move(paths[s]));
  }

  void AddJsonInTexts(std::size_t scorer, const JsonInTexts& texts) {
    scorers_[scorer].AddJsonInTexts(texts);
  }
  void AddRaters(std::size_t scorer, const RaterSums& sums) { scorers_[scorer].AddRaters(sums); }

  // REQUIRES: scorer < scorer_names().size(); group is kNoneGroup, kOtherGroup or from GroupIndex.
  const ScoreStatistics& Overall(std::size_t scorer) const { return scorers_[scorer].overall().statistics; }
  const ScoreStatistics& Statistics(std::size_t scorer, std::size_t field, std::uint32_t group) const {
    return GroupTally(scorer, field, group).statistics;
  }

  RunTotals& totals() { return totals_; }
  const RunTotals& totals() const { return totals_; }
  // Set for a run that had a device beside the CPU, or should have had one.
  std::optional<DeviceReport>& device() { return device_; }
  const std::optional<DeviceReport>& device() const { return device_; }
  // Set for a run with models that judge.
  std::optional<JudgeReport>& judges() { return judges_; }
  // Set for a run with gold.
  std::optional<JoinSummary>& join() { return join_; }
  const std::optional<JoinSummary>& join() const { return join_; }
  // Names the group field whose values are the sources; empty if there is no such field. REQUIRES: no record
  // has been added yet.
  void SetSourceField(const std::string& field);
  // Set for a run over files without gold.
  std::optional<RepeatedIds>& repeated_ids() { return repeated_ids_; }
  // Set for a run that compared all answers with the answers of a base, unless gold says what was asked.
  std::optional<ListedIds>& only_in_base() { return only_in_base_; }
  // For each of the first group fields, the number of readable records that lack it.
  std::vector<std::uint64_t>& lacking() { return lacking_; }
  const std::vector<std::string>& scorer_names() const { return scorer_names_; }
  const std::vector<std::string>& group_fields() const { return group_fields_; }
  const std::string& group_name(std::size_t field, std::uint32_t group) const {
    return fields_[field].group_names[group];
  }

  // Returns the field's groups that have records: the largest first, equally large ones by name, then (none)
  // and (other).
  std::vector<std::uint32_t> GroupsToReport(std::size_t field) const;

  // Returns whether no record was lost or counted twice under this scorer. The outcomes of each field's
  // groups must add up to the outcomes overall. These, and the records that the scorer was not asked, must
  // add up to the records read or, after a join, agree with the counts of the join.
  bool CountsAddUp(std::size_t scorer) const;
  bool CountsAddUp() const;

  // Returns the summary as figures. COST: linear in the groups.
  RunReport Report() const;

 private:
  struct Field {
    TextMap<std::string, std::uint32_t> group_of_value;
    std::vector<std::string> group_names;
    std::deque<Tally> tallies;
  };

  std::uint32_t AddGroup(Field& field, std::string_view name);
  const Tally& GroupTally(std::size_t scorer, std::size_t field, std::uint32_t group) const {
    return fields_[field].tallies[group * scorer_names_.size() + scorer];
  }
  // The findings of AnswersOfOthers, by scorer, field and group; the whole run counts as a group, too.
  using CausesOfGroups =
      std::map<std::tuple<std::size_t, std::size_t, std::uint32_t>, std::vector<AnswersOfOthers::Found>>;
  double EffectiveRecords(const ScoreStatistics& statistics, std::size_t sources) const;
  CausesOfGroups LateCauses() const;
  std::optional<FinalScore> FinalOf(const RunReport& report) const;
  bool JoinAddsUp(std::uint64_t asked) const;

  std::vector<std::string> scorer_names_;
  std::vector<std::string> group_fields_;
  std::size_t max_groups_;
  std::vector<std::string> interval_by_;
  RunTotals totals_;
  std::optional<DeviceReport> device_;
  std::optional<JudgeReport> judges_;
  std::optional<JoinSummary> join_;
  std::optional<RepeatedIds> repeated_ids_;
  std::optional<ListedIds> only_in_base_;
  std::string source_field_;
  std::optional<std::size_t> source_place_;  // the field's index among the group fields
  std::vector<std::uint64_t> lacking_;
  std::vector<ScorerSummary> scorers_;  // in the order of their names
  AnswersOfOthers answers_of_others_;
  std::vector<Field> fields_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_RUN_SUMMARY_H_
