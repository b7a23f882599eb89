// engine/report/scorer_summary.h: what the summary of a run knows of one scorer: what the scorer declares
// about itself, and its figures over all records. Records may be added in any order, and in parts. THREADS:
// one at a time.
#ifndef LEAFSCORE_ENGINE_REPORT_SCORER_SUMMARY_H_
#define LEAFSCORE_ENGINE_REPORT_SCORER_SUMMARY_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/class_report.h"
#include "engine/base/exact_sum.h"
#include "engine/base/rating_sums.h"
#include "engine/report/class_figures.h"
#include "engine/report/failure_causes.h"
#include "engine/report/field_figures.h"
#include "engine/report/score_statistics.h"
#include "leafscore/outcome.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// The results of some records under one scorer.
struct Tally {
  ScoreStatistics statistics;
  std::uint64_t nothing_compared = 0;
  std::uint64_t read_from_text = 0;
  std::uint64_t of_other_kind = 0;
  ExactSum unexpected_share;           // over the scored answers with unexpected leaves
  std::vector<FieldCounts> fields;     // without names; empty until a record has judged fields
  CellTally cells;                     // of fields whose names are found during the run
  std::optional<ClassCounts> classes;  // of a scorer that compares classes, once there is a record
  FailureCauses causes;
  std::vector<std::uint64_t> remarks;   // by remark of the scorer: scored answers with it
  std::optional<std::uint32_t> source;  // for a group: the source of its first record
  bool has_other_sources = false;
};

// Adds the counts of further records.
inline void AddJsonInTexts(const JsonInTexts& more, JsonInTexts& texts) {
  texts.parsed += more.parsed;
  texts.as_texts += more.as_texts;
}

// The traits of a scorer that the figures depend on.
struct ScorerTraits {
  std::vector<std::string> judged_fields;
  std::vector<std::string> remark_names;  // the remarks that it makes on records
  bool counts_faults = false;             // whether the values that it counts are faults
  // Whether it compares whole answers, which can be recognised as answers of other records.
  bool sees_others = false;
  std::optional<ClassReport> class_report;  // of a scorer that compares classes
  std::optional<double> final_weight;       // in the final score
  bool missing_key_ends_record = false;     // true only for UiPath's scorers that compare line by line
};

class ScorerSummary {
 public:
  const ScorerTraits& traits() const { return traits_; }
  ScorerTraits& traits() { return traits_; }
  const Tally& overall() const { return overall_; }
  std::uint64_t not_asked() const { return not_asked_; }

  // Adds the result for a record, or for several answers to one id, to the figures over all records. `fields`
  // has, answer by answer, the outcomes of the judged fields; an answer that is an error has no outcomes.
  void Add(std::span<const RecordScore> answers, std::span<const FieldOutcome> fields,
           const RecordName& name);

  // Adds the same to another tally, such as that of a group.
  void AddTo(std::span<const RecordScore> answers, std::span<const FieldOutcome> fields,
             const RecordName& name, Tally& tally) const;

  void AddCells(const std::string& field, const CellCounts& counts) { overall_.cells.Add(field, counts); }
  void AddJsonInTexts(const JsonInTexts& texts) { internal::AddJsonInTexts(texts, json_in_texts_); }
  void AddRaters(const RaterSums& sums) { raters_ += sums; }

  // Adds the records of a part, but neither JSON in texts nor raters (RunSummary::AddPart).
  void AddPart(const ScorerSummary& part);

  // Returns whether UiPath ends a record at this scorer (RunSummary::AddWholeRecord).
  bool EndsRecord(const RecordScore& score) const;
  // Lowers the scorer's part of the final score: by a score, or by one more record with 0.
  void SubtractFromFinal(double score) { less_.Add(score); }
  void AddZeroToFinal() { ++count_more_; }

  // Sets the paths in its options that no expected value has.
  void SetAbsentPaths(std::vector<std::string> paths) { absent_paths_ = std::move(paths); }

  // Returns the figures of a tally as sure as those of `effective_records` independent records. With `sure`,
  // they include the interval of the mean.
  Figures FiguresOf(const Tally& tally, double effective_records, bool sure) const;
  std::vector<FieldCounts> NamedFields(const Tally& tally) const;

  // Returns the figures over all records, without causes, groups and counts_add_up.
  ScorerReport Report(const std::string& name, double effective_records) const;

  // Returns the scorer's part of the final score; nullopt if no record counts. `report` is from Report.
  std::optional<FinalPart> PartOfFinal(const ScorerReport& report) const;

 private:
  std::vector<ReasonCount> Reasons() const;
  std::vector<RemarkCount> Remarks() const;
  std::vector<FaultCount> Faults() const;
  bool is_versus() const;

  ScorerTraits traits_;
  Tally overall_;
  std::uint64_t not_asked_ = 0;
  std::map<std::pair<Outcome, RejectReason>, std::uint64_t> reasons_;
  JsonInTexts json_in_texts_;
  RaterSums raters_;
  std::vector<std::string> absent_paths_;
  ExactSum less_;                 // scores of records with wrong criteria, to be subtracted
  std::uint64_t count_more_ = 0;  // records with wrong criteria that did not ask the scorer
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_SCORER_SUMMARY_H_
