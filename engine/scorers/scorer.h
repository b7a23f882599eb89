// engine/scorers/scorer.h: the interface of scorers.
//
// A Scorer is a configured, immutable way to score. It makes a ScorerBatch for each worker. A ScorerBatch
// scores batch after batch in two steps. First, Match makes the cheap comparisons, and appends every string
// pair whose distance is needed to the list of the batch. Then one kernel call computes the pairs of all
// scorers, and Reduce turns the distances into scores. Both steps are pure functions of the batch.
// THREADS: a Scorer may be used by many threads, a ScorerBatch by one at a time.
#ifndef LEAFSCORE_ENGINE_SCORERS_SCORER_H_
#define LEAFSCORE_ENGINE_SCORERS_SCORER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/answer_causes.h"
#include "engine/base/cell_rows.h"
#include "engine/base/class_report.h"
#include "engine/base/field_outcome.h"
#include "engine/base/limits.h"
#include "engine/base/rating_sums.h"
#include "engine/distance/string_pairs.h"
#include "engine/json/json_reader.h"
#include "engine/match/pair_batch.h"
#include "engine/match/target_path.h"
#include "engine/scorers/details_writer.h"
#include "leafscore/options.h"
#include "leafscore/outcome.h"
#include "leafscore/report.h"
#include "leafscore/runner.h"

namespace leafscore::internal {

class JudgeService;
class PendingAnswer;

// The resources that a worker provides to the scorers of its batches.
struct WorkerTools {
  ShapeTable* shapes;  // for all tables of the worker
  JsonOptions json;
  DetailLevel details;
  const std::atomic<bool>* stop = nullptr;  // becomes true to end the run early
  ParseTexts parse_texts = ParseTexts::kAuto;
  std::size_t max_details_bytes = kMaxDetailsBytes.default_value;  // the most kept for a record
  JudgeService* judges = nullptr;  // asks the models; null: each scorer has its own
  std::uint64_t max_pair_cells = std::numeric_limits<std::uint64_t>::max();  // as in EngineOptions
};

// Sets the outcome of a record without a score, and the reason. REQUIRES: calls in record order, at most one
// for each.
void SetUnscored(std::uint32_t record, Outcome outcome, RejectReason reason, std::string message,
                 ScoreColumns& columns);
// Do the same: SetRecordError for causes other than the answer, SetUnreadable for an answer that cannot be
// parsed (kInvalidActualJson).
void SetRecordError(std::uint32_t record, RejectReason reason, std::string message, ScoreColumns& columns);
void SetUnreadable(std::uint32_t record, std::string message, ScoreColumns& columns);

// A text, or a list of texts, that a scorer gives in addition to its score.
struct TextMetric {
  std::string_view name;
  bool is_list;
};

// Makes the judged leaf for two values, which may be absent.
JudgedLeaf MakeJudgedLeaf(std::string_view path, ValueRef expected, ValueRef actual, double similarity,
                          const ShapeTable& shapes);

// Paths in the options of a scorer, and which of them lead somewhere in the expected values of a batch.
struct NamedPaths {
  struct Path {
    std::string_view text;  // as written; owned by the scorer
    std::string_view option;
  };
  std::vector<Path> paths;
  std::uint64_t values = 0;          // how many values were searched
  std::vector<std::uint64_t> found;  // by path: in how many values it leads somewhere; may be 1 for more
  ValueRef first;                    // the first of these values
};

class ScorerBatch {
 public:
  virtual ~ScorerBatch() = default;

  // Asks models the questions whose answers Match will need, without waiting. Appends the pending answers,
  // which the caller holds until the records are scored. Called instead of Match. REQUIRES: as for Match.
  virtual void Ask(const PairBatch& /*batch*/, std::vector<std::shared_ptr<const PendingAnswer>>& /*asked*/) {
  }

  // Makes the cheap comparisons, and appends the string pairs whose distances it needs, record by record.
  // Skips records that could not be read.
  // REQUIRES: `batch` does not change until the next Match.
  // ERRORS: Error(kInterrupted) if the run was stopped; only from a scorer that may take long over a batch.
  virtual void Match(const PairBatch& batch, StringPairs& pairs) = 0;

  // Returns whether the last Match took the calls of the run, from a field of their own, as the actual
  // values.
  virtual bool matched_calls_field() const { return false; }

  // Computes the scores from the results of Match and the distances. If some distances are unknown, Reduce is
  // called twice: first with their upper bounds, then with their lower bounds.
  // REQUIRES: the score for the actual distances is not below the first result and not above the second.
  virtual void Reduce(const StringPairs& pairs) = 0;

  // Returns how many records of the batch have JSON in texts that were parsed, and in texts
  // that were compared as texts.
  virtual JsonInTexts json_in_texts() const { return {}; }

  // Returns how far the models of a panel, and the samples of each model, agree over the records of the
  // batch.
  virtual RaterSums rater_sums() const { return {}; }

  // field_names returns the fields that a scorer judges; they are the same in every batch.
  // AppendFieldOutcomes appends the outcomes of the fields in a record that is not an error.
  virtual std::vector<std::string> field_names() const { return {}; }
  // A scorer that judges classes has two fields, the expected class and the given class. Instead of an
  // outcome, each field has the index of its class (engine/base/class_report.h).
  virtual const ClassReport* class_report() const { return nullptr; }
  virtual void AppendFieldOutcomes(std::uint32_t record, std::vector<FieldOutcome>& outcomes) const;

  // counts_cells returns whether the scorer counts values by field, for fields that it only finds while it
  // scores. AppendCellCounts appends the counts of a record that is not an error. If the record has no
  // answer, all values count as missing. Names are valid until the next batch.
  virtual bool counts_cells() const { return false; }
  // Returns whether the scorer counts faults in the same way, each under its FaultName.
  virtual bool counts_faults() const { return false; }
  virtual void AppendCellCounts(std::uint32_t /*record*/, std::vector<NamedCellCounts>& /*counts*/) const {}

  // Remarks on scored records, which are counted over a run. remark_names returns at most kMaxRemarks names,
  // the same in every batch. RemarksOn returns the remarks on a record as bits; the lowest bit is the first
  // name.
  static constexpr std::size_t kMaxRemarks = 8;
  virtual std::span<const std::string_view> remark_names() const { return {}; }
  virtual std::uint8_t RemarksOn(std::uint32_t /*record*/) const { return 0; }

  // Appends the names of the envelopes that were removed from a record's answer before the comparison, unless
  // the details already contain these names.
  virtual void AppendUnwrapped(std::uint32_t /*record*/, std::vector<std::string_view>& /*envelopes*/) const {
  }

  // Returns the causes that can make an answer wrong for this scorer (engine/causes/cause_finder.h).
  virtual AnswerCauses possible_causes() const { return kCausesOfAnyScorer; }

  // Returns the causes that no longer apply to the answer to a record, because this scorer removed them.
  virtual AnswerCauses RemovedCauses(std::uint32_t /*record*/) const { return {}; }

  // Tells whether a record that lacks the part named by target_output_key fails as a whole in the final
  // score, as the origin of the scorer requires.
  virtual bool missing_key_ends_record() const { return false; }

  // Appends the paths that the options name. Every batch gives rows with the same paths.
  virtual void AppendNamedPaths(std::vector<NamedPaths>& /*rows*/) const {}

  // Returns the scored records, in order, for which nothing was compared: no leaf, key, field or text of the
  // expected value counts, so the score says nothing about the answer.
  std::span<const std::uint32_t> nothing_compared() const { return nothing_compared_; }

  // For scorers that compare structure. read_from_text returns the records whose answer is a text that was
  // read as JSON; of_other_kind, the records where an object or array is expected but the answer is of
  // another kind. Both lists are in record order.
  std::span<const std::uint32_t> read_from_text() const { return read_from_text_; }
  std::span<const std::uint32_t> of_other_kind() const { return of_other_kind_; }

  // A scored record whose answer has leaves that are not expected anywhere, and the share of these leaves.
  // Listed in record order, for scorers that compare structure.
  struct Unexpected {
    std::uint32_t record;
    double share;  // in (0, 1]
  };
  std::span<const Unexpected> unexpected() const { return unexpected_; }

  const ScoreColumns& columns() const { return columns_; }
  ScoreColumns& columns() { return columns_; }

  // Returns the texts that the scorer gives for each scored record, in a fixed order. The choice of texts
  // depends only on the scorer's settings and the level of details.
  virtual std::span<const TextMetric> text_metrics() const { return {}; }

  // Appends the texts of text_metrics()[metric] for a scored record: any number for a list, otherwise one, or
  // no text if a judge's reply lacks it.
  virtual void AppendTexts(std::uint32_t record, std::size_t metric, std::vector<std::string>& texts) const;

  // Adds the results of a scored record's leaves, in the order of the details, as far as they fit.
  // REQUIRES: the batch was made with DetailLevel::kLeaves.
  virtual void AppendLeaves(std::uint32_t record, LeafList& leaves) const;

  // Writes the members of a scored record's `details` object; by default its metrics, then its texts.
  virtual void WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const;

 protected:
  void WriteMetrics(std::uint32_t record, DetailsWriter& json) const;
  void WriteTextMetrics(std::uint32_t record, DetailsWriter& json) const;

  ScoreColumns columns_;
  std::vector<std::uint32_t> nothing_compared_;
  std::vector<std::uint32_t> read_from_text_;
  std::vector<std::uint32_t> of_other_kind_;
  std::vector<Unexpected> unexpected_;
};

class Scorer {
 public:
  virtual ~Scorer() = default;

  // REQUIRES: the scorer outlives its batches.
  virtual std::unique_ptr<ScorerBatch> NewBatch(WorkerTools tools) const = 0;

  // Tells whether a record needs an expected value to be scored.
  virtual bool needs_expected() const = 0;

  // Tells whether the scorer needs the answers of a base (PairBatch::base), because it compares each answer
  // with the base's answer.
  virtual bool compares_answers() const { return false; }

  // Returns how many bytes of memory the pending questions about `records` records take, beyond eight times
  // the bytes of these records' texts; 0 for a scorer that asks no model (ScorerBatch::Ask).
  virtual std::size_t question_bytes(std::size_t /*records*/) const { return 0; }

  // Returns the paths of the fields that the scorer reads from a record, in addition to its two values.
  virtual std::vector<const TargetPath*> record_fields() const { return {}; }

  // Returns the paths of files on which scores depend in the same way as on options, such as the files of a
  // program that computes scores.
  virtual std::vector<std::string> files() const { return {}; }
};

// A scorer that consists of its settings. Batch is constructed from a pointer to them and the worker's tools.
template <class Batch, class Settings>
class ConfiguredScorer final : public Scorer {
 public:
  explicit ConfiguredScorer(Settings settings) : settings_(std::move(settings)) {}
  std::unique_ptr<ScorerBatch> NewBatch(WorkerTools tools) const override {
    return std::make_unique<Batch>(&settings_, tools);
  }
  bool needs_expected() const override {
    return !settings_.selection.default_expected_json() && Batch::NeedsExpected(settings_);
  }
  bool compares_answers() const override {
    if constexpr (requires { settings_.versus; }) return settings_.versus;
    return false;
  }
  std::size_t question_bytes(std::size_t records) const override {
    if constexpr (requires { settings_.question_bytes; }) return records * settings_.question_bytes;
    return 0;
  }
  std::vector<const TargetPath*> record_fields() const override {
    if constexpr (requires { settings_.record_fields(); }) return settings_.record_fields();
    return {};
  }
  std::vector<std::string> files() const override {
    if constexpr (requires { settings_.files; }) return settings_.files;
    return {};
  }

 private:
  Settings settings_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_SCORER_H_
