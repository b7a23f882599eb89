// leafscore/runner.h: scores pairs, columns of texts and Arrow streams in memory.
//
//   const leafscore::Runner runner(leafscore::Plan({"json_similarity", "exact_match"}));
//   const std::vector<std::int64_t> offsets = {0, 2, 4};
//   const std::uint8_t second_is_null = 0b01;
//   const leafscore::TextColumn expected("1012", offsets);
//   const leafscore::TextColumn actual("1099", offsets, &second_is_null);
//   for (const leafscore::ScoreColumns& scores : runner.ScoreTexts(expected, actual)) {
//     assert(scores.score[0] == 1);
//     assert(scores.outcome[1] == leafscore::Outcome::kUnanswered);
//     assert(scores.ErrorOf(0) == nullptr && scores.ErrorOf(1)->record == 1);
//   }
#ifndef LEAFSCORE_RUNNER_H_
#define LEAFSCORE_RUNNER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leafscore/arrow.h"
#include "leafscore/export.h"
#include "leafscore/options.h"
#include "leafscore/outcome.h"
#include "leafscore/plan.h"
#include "leafscore/report.h"

namespace leafscore {

namespace internal {
class ColumnScorer;
class StreamScorer;
}  // namespace internal

// A column of texts in the layout of Arrow's string arrays (32-bit offsets) and large_string arrays (64-bit).
// Text i is bytes[offsets[i], offsets[i + 1]), and is null if bit i + validity_offset of `validity` is 0.
// Without `validity`, no text is null. The column is a view of memory that the caller owns; it is read in
// place, and never beyond bytes.size().
class TextColumn {
 public:
  TextColumn(std::string_view bytes, std::span<const std::int32_t> offsets,
             const std::uint8_t* validity = nullptr, std::size_t validity_offset = 0)
      : bytes_(bytes), offsets32_(offsets), validity_(validity), validity_offset_(validity_offset) {}
  TextColumn(std::string_view bytes, std::span<const std::int64_t> offsets,
             const std::uint8_t* validity = nullptr, std::size_t validity_offset = 0)
      : bytes_(bytes), offsets64_(offsets), validity_(validity), validity_offset_(validity_offset) {}

  std::size_t size() const { return offset_count() == 0 ? 0 : offset_count() - 1; }
  std::string_view bytes() const { return bytes_; }
  // Returns size() + 1, or 0 for a column without offsets.
  std::size_t offset_count() const { return offsets32_.empty() ? offsets64_.size() : offsets32_.size(); }
  std::int64_t offset(std::size_t i) const { return offsets32_.empty() ? offsets64_[i] : offsets32_[i]; }
  bool is_null(std::size_t i) const {
    const std::size_t bit = validity_offset_ + i;
    return validity_ != nullptr && (validity_[bit / 8] >> (bit % 8) & 1) == 0;
  }

  // Returns `count` texts from `first` on.
  // REQUIRES: first + count <= size().
  TextColumn Slice(std::size_t first, std::size_t count) const {
    const std::size_t bit = validity_offset_ + first;
    if (offsets32_.empty()) return {bytes_, offsets64_.subspan(first, count + 1), validity_, bit};
    return {bytes_, offsets32_.subspan(first, count + 1), validity_, bit};
  }

 private:
  std::string_view bytes_;
  std::span<const std::int32_t> offsets32_;
  std::span<const std::int64_t> offsets64_;
  const std::uint8_t* validity_;
  std::size_t validity_offset_;
};

// The format of the texts of a column.
enum class TextFormat : std::uint8_t {
  kJson,        // each text is a JSON value
  kText,        // each text is the content of a JSON string
  kJsonOrText,  // each text is a JSON value or else the content of a string; for answers of models
};

// The formats of the columns.
struct TextFormats {
  TextFormat expected = TextFormat::kJson;
  TextFormat actual = TextFormat::kJson;
  TextFormat calls = TextFormat::kJson;  // the format of StreamOptions::calls
};

// A named number beside the score, one for each record; NaN if the record has no such number.
struct Metric {
  std::string_view name;  // in snake_case, such as matched_leaves
  std::vector<double> values = {};
};

// The reason why a record has no score.
struct RecordError {
  std::uint32_t record;  // 0-based
  RejectReason reason;
  std::string message = {};
};

// The results of one scorer, in columns with one element per record.
struct LEAFSCORE_EXPORT ScoreColumns {
  std::string scorer = {};  // the name of the scorer in the plan
  std::vector<Outcome> outcome = {};
  std::vector<double> score = {};        // in [0, 1]; NaN for a record without a score
  std::vector<std::int8_t> passed = {};  // 1 or 0; -1 if the scorer gives no verdict on the record
  std::vector<Metric> metrics = {};      // for example matched_leaves and total_leaves
  std::vector<RecordError> errors = {};  // one for each record whose outcome is not kScored, by record

  // Returns the error of a record (0-based), or null if the record has a score.
  // COST: a binary search.
  const RecordError* ErrorOf(std::size_t record) const;
};

// The columns of a stream of record batches. A column of texts has the type string, large_string or
// string_view, or is a dictionary of these. The columns in Plan::record_fields are read if the stream has
// them.
struct StreamOptions {
  std::string expected = "expected";  // the column of expected values
  std::string actual = "actual";      // the column of answers
  // The column with the messages, spans or calls of the run, as FileOptions::calls_field; empty: there is no
  // such column.
  std::string calls = {};
  TextFormats formats = {};
  std::vector<std::string> keep = {};      // columns to pass on unchanged
  std::vector<std::string> group_by = {};  // columns of texts whose values are the groups of the report
  std::size_t max_groups = 4096;
  // A stream of expected values. It needs the columns that `id` and `expected` name, and the input needs the
  // column `id` instead of `expected`. ScoreStream reads this stream to its end and releases it.
  ArrowArrayStream* gold = nullptr;
  std::string id = "id";
};

// Reports on a stream of results. The stream, the Runner and this object may be destroyed in any order.
class LEAFSCORE_EXPORT StreamRun {
 public:
  // Returns the report on the batches that were taken so far.
  // ERRORS:  Error(kResources) if memory runs out, or ran out while the last batch was taken.
  // THREADS: not while another thread takes a batch.
  RunReport Report() const;

 private:
  friend class Runner;
  explicit StreamRun(std::shared_ptr<const internal::StreamScorer> stream) : stream_(std::move(stream)) {}
  std::shared_ptr<const internal::StreamScorer> stream_;
};

// Scores with a plan. A Runner keeps its memory and its device from one call to the next. Copies are cheap,
// and share the memory and the device.
// THREADS: any number of threads may score at once.
class LEAFSCORE_EXPORT Runner {
 public:
  // ERRORS: Error(kUsage) for an option out of range or an unknown device. All calls of a Runner throw
  //         Error(kResources) if memory, threads or processes run out; later calls are not affected.
  explicit Runner(Plan plan, EngineOptions options = {});

  const Plan& plan() const;

  // Scores one pair of texts.
  // RETURNS: columns of one record for each scorer.
  // ERRORS:  as ScoreTexts.
  std::vector<ScoreColumns> ScorePair(std::string_view expected, std::string_view actual,
                                      TextFormats formats = {}) const;

  // Scores record by record; a null text is a missing value.
  // REQUIRES: both columns have the same size.
  // RETURNS:  one ScoreColumns per scorer, in the order of the plan, each with expected.size() records.
  // ERRORS:   Error(kUsage) for columns of different sizes and for offsets that decrease or exceed the bytes;
  //           Error(kInterrupted). Problems with a record are in its outcome.
  std::vector<ScoreColumns> ScoreTexts(const TextColumn& expected, const TextColumn& actual,
                                       TextFormats formats = {}) const;

  // Scores record batches on demand: taking a batch from `output` scores the next batch of `input`, row by
  // row. `input` is moved from, and released when `output` ends, fails or is released. The columns of
  // `output` are the kept columns and then, for each scorer, a struct with the name of the scorer. It has
  // these members, which depend only on the plan and the options:
  // - outcome: string
  // - score: double; null if not scored
  // - passed: bool; null without a verdict
  // - each metric: double; each text metric: string or list<string>; null if not scored
  // - reason, message: string; null if scored
  // - causes: list<string>, the names of AnswerCauses; null if there are no causes
  // - with DetailLevel::kLeaves, leaves: list<struct<path: string, expected: string, actual: string,
  //   similarity: double>>, where expected and actual are JSON, and null if there is no value
  // - with DetailLevel::kLeaves, leaves_cut: bool, true if EngineOptions::max_details_bytes cut the leaves
  // ERRORS: Error(kUsage) for columns that are missing or are not texts, for a max_groups out of range, and
  //         if two columns of `output` would have the same name; Error(kInput) for an invalid schema and for
  //         gold that cannot be read. Later errors come through `output`.
  StreamRun ScoreStream(ArrowArrayStream* input, const StreamOptions& options,
                        ArrowArrayStream* output) const;

 private:
  std::shared_ptr<internal::ColumnScorer> scorer_;
};

}  // namespace leafscore

#endif  // LEAFSCORE_RUNNER_H_
