// engine/scorers/scorer.h: what a scorer is.
//
// A Scorer is a configured, immutable way to score. For each worker it makes a ScorerBatch, which scores
// batch after batch in two steps: Match compares what is cheap and appends every string pair whose distance
// is wanted to the list of the batch; Reduce, after one kernel call has answered the pairs of all scorers,
// turns them into scores. Both are pure functions of the batch.
// THREADS: a Scorer may be used by many threads, a ScorerBatch by one at a time.
#ifndef LEAFSCORE_ENGINE_SCORERS_SCORER_H_
#define LEAFSCORE_ENGINE_SCORERS_SCORER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/cell_rows.h"
#include "engine/base/class_report.h"
#include "engine/base/field_outcome.h"
#include "engine/base/limits.h"
#include "engine/base/rating_sums.h"
#include "engine/distance/string_pairs.h"
#include "engine/json/json_reader.h"
#include "engine/match/pair_batch.h"
#include "engine/scorers/details_writer.h"
#include "leafscore/options.h"
#include "leafscore/outcome.h"
#include "leafscore/report.h"
#include "leafscore/runner.h"

namespace leafscore::internal {

class JudgeService;
class PendingAnswer;

// What a worker lends to the scorers of its batches.
struct WorkerTools {
  ShapeTable* shapes;  // of all its tables
  JsonOptions json;
  DetailLevel details;
  const std::atomic<bool>* stop = nullptr;  // becomes true to end the run early
  ParseTexts parse_texts = ParseTexts::kAuto;
  std::size_t max_details_bytes = kMaxDetailsBytes.default_value;  // kept for a record
  JudgeService* judges = nullptr;  // where models that judge are asked; null: in the scorer's own way
};

// Sets why a record has no score. REQUIRES: calls in the order of the records, at most one for each.
void SetUnscored(std::uint32_t record, Outcome outcome, RejectReason reason, std::string message,
                 ScoreColumns& columns);
// The same for what is not the answer's making, and for an answer that cannot be parsed (kInvalidActualJson).
void SetRecordError(std::uint32_t record, RejectReason reason, std::string message, ScoreColumns& columns);
void SetUnreadable(std::uint32_t record, std::string message, ScoreColumns& columns);

// A text, or a list of texts, that a scorer gives beside its score.
struct TextMetric {
  std::string_view name;
  bool is_list;
};

// Makes the judged leaf of two values, which may be absent.
JudgedLeaf MakeJudgedLeaf(std::string_view path, ValueRef expected, ValueRef actual, double similarity,
                          const ShapeTable& shapes);

// Paths that the options of a scorer name, and which of them lead somewhere in the expected values of a
// batch.
struct NamedPaths {
  struct Path {
    std::string_view text;  // as written; the scorer's own
    std::string_view option;
  };
  std::vector<Path> paths;
  std::uint64_t values = 0;          // that the paths were looked for in
  std::vector<std::uint64_t> found;  // by path: in how many of them, or at least that there is one
  ValueRef first;                    // of them
};

class ScorerBatch {
 public:
  virtual ~ScorerBatch() = default;

  // Asks a model what Match will need to know of the records, without waiting, and appends the answers, which
  // are to be held until the records are scored. REQUIRES: as Match, which it takes the place of.
  virtual void Ask(const PairBatch& /*batch*/, std::vector<std::shared_ptr<const PendingAnswer>>& /*asked*/) {
  }

  // Compares what is cheap, and appends the string pairs it needs, record by record. Records that could not
  // be read are skipped. REQUIRES: `batch` stays as it is until the next Match. ERRORS:   kInterrupted when
  // the run was stopped, from a scorer that may take long over a batch.
  virtual void Match(const PairBatch& batch, StringPairs& pairs) = 0;

  // Makes the scores of what Match left and of the distances. Where some of these are not known, it is called
  // twice: with the largest that they can be, then with the least.
  // REQUIRES: the score of the distances as they are is not below the first and not above the second.
  virtual void Reduce(const StringPairs& pairs) = 0;

  // How many records of the batch hold JSON in strings.
  virtual JsonInTexts json_in_texts() const { return {}; }

  // How far the models of a panel agree over the records of the batch, and the samples of each model.
  virtual VoiceSums voice_sums() const { return {}; }

  // The fields that a scorer judges, the same ones in every batch; and what became of those of a record that
  // is no error.
  virtual std::vector<std::string> field_names() const { return {}; }
  // Where it judges classes, there are two: what was expected of a record and what was given, in place of an
  // outcome the place of the class (engine/base/class_report.h).
  virtual const ClassReport* class_report() const { return nullptr; }
  virtual void AppendFieldOutcomes(std::uint32_t record, std::vector<FieldOutcome>& outcomes) const;

  // Whether it counts the values at fields that it meets as it goes; and the counts of a record that is no
  // error, which are all missing ones where there is no answer. Names are valid until the next batch.
  virtual bool counts_cells() const { return false; }
  virtual void AppendCellCounts(std::uint32_t /*record*/, std::vector<NamedCellCounts>& /*counts*/) const {}

  // Things worth counting over a run that can be said of a scored record, at most kMaxRemarks, the same ones
  // in every batch; and as bits, the first the lowest, those that hold for a record.
  static constexpr std::size_t kMaxRemarks = 8;
  virtual std::span<const std::string_view> remark_names() const { return {}; }
  virtual std::uint8_t RemarksOn(std::uint32_t /*record*/) const { return 0; }

  // Tells whether a record that lacks what target_output_key names fails as a whole, by its origin's rule for
  // the final score.
  virtual bool missing_key_ends_record() const { return false; }

  // Appends the paths that options name, in rows of the same paths for every batch.
  virtual void AppendNamedPaths(std::vector<NamedPaths>& /*rows*/) const {}

  // The scored records, in order, of which nothing was compared: no leaf, key, field or text of the expected
  // value counts, so that the score says nothing of the answer.
  std::span<const std::uint32_t> nothing_compared() const { return nothing_compared_; }

  // The records, in order, whose answer is a text that was read as the JSON in it, and those whose answer is
  // no object where one is expected, or no array likewise. Of a scorer that compares structure.
  std::span<const std::uint32_t> read_from_text() const { return read_from_text_; }
  std::span<const std::uint32_t> of_other_kind() const { return of_other_kind_; }

  // The scored records, in order, of whose answers some leaves are expected nowhere, and the share of these.
  // Likewise.
  struct Unexpected {
    std::uint32_t record;
    double share;  // in (0, 1]
  };
  std::span<const Unexpected> unexpected() const { return unexpected_; }

  const ScoreColumns& columns() const { return columns_; }
  ScoreColumns& columns() { return columns_; }

  // The texts that it gives for each scored record, in a fixed order. Which ones depends on the scorer's
  // settings and the level of details alone.
  virtual std::span<const TextMetric> text_metrics() const { return {}; }

  // Appends the texts of text_metrics()[metric] of a scored record: one (or none, where a judge's reply has
  // none), or for a list any number.
  virtual void AppendTexts(std::uint32_t record, std::size_t metric, std::vector<std::string>& texts) const;

  // Adds how the leaves of a scored record were judged, in the order of the details, as far as they fit.
  // REQUIRES: the batch was made with DetailLevel::kLeaves.
  virtual void AppendLeaves(std::uint32_t record, LeafList& leaves) const;

  // Writes the members of a scored record's `details` object: by default its metrics, then its texts.
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

  // Tells whether records without an expected value are no use to it, each of them.
  virtual bool needs_expected() const = 0;

  // Returns how many bytes the questions about as many records wait in, beside eight times their texts; 0 of
  // a scorer that asks no model (ScorerBatch::Ask).
  virtual std::size_t question_bytes(std::size_t /*records*/) const { return 0; }

  // Returns the paths of files that scores depend on as they do on options: of a program that gives them.
  virtual std::vector<std::string> files() const { return {}; }
};

// A scorer that is its settings. Batch is made from a pointer to them and the worker's tools.
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
  std::size_t question_bytes(std::size_t records) const override {
    if constexpr (requires { settings_.question_bytes; }) return records * settings_.question_bytes;
    return 0;
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
