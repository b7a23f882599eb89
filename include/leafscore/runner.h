// leafscore/runner.h: scores pairs, columns of texts and Arrow streams in memory.
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

// A column of texts in the layout of Arrow's string (32-bit offsets) and large_string arrays (64-bit):
// text i is bytes[offsets[i], offsets[i + 1]), and is null when bit i + validity_offset of `validity` is 0
// (no bitmap: no nulls). A view: the caller keeps the memory, which is read in place and never beyond
// bytes.size().
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
  // One more than texts, or none.
  std::size_t offset_count() const { return offsets32_.empty() ? offsets64_.size() : offsets32_.size(); }
  std::int64_t offset(std::size_t i) const { return offsets32_.empty() ? offsets64_[i] : offsets32_[i]; }
  bool is_null(std::size_t i) const {
    const std::size_t bit = validity_offset_ + i;
    return validity_ != nullptr && (validity_[bit / 8] >> (bit % 8) & 1) == 0;
  }

  // Returns `count` texts from `first` on. REQUIRES: first + count <= size().
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

// What the texts of a column are.
enum class TextFormat : std::uint8_t {
  kJson,        // each is a JSON value
  kText,        // each is the text of a string value
  kJsonOrText,  // each is a JSON value or, where it is none, the text of a string value, as models answer
};

// What the texts of both columns are.
struct TextFormats {
  TextFormat expected = TextFormat::kJson;
  TextFormat actual = TextFormat::kJson;
};

// A named number that a scorer gives beside its score, one per record; NaN where there is none.
struct Metric {
  std::string_view name;  // in snake_case, as in matched_leaves
  std::vector<double> values = {};
};

// Why one record has no score.
struct RecordError {
  std::uint32_t record;  // 0-based
  RejectReason reason;
  std::string message = {};
};

// The results of one scorer, as columns over the records.
struct LEAFSCORE_EXPORT ScoreColumns {
  std::string scorer = {};  // its name in the plan
  std::vector<Outcome> outcome = {};
  std::vector<double> score = {};        // in [0, 1]; NaN where not scored
  std::vector<std::int8_t> passed = {};  // 1 or 0; -1 without a verdict
  std::vector<Metric> metrics = {};      // for example matched_leaves and total_leaves
  std::vector<RecordError> errors = {};  // of the records whose outcome is not kScored, in their order

  // Returns the error of a record, 0-based, or null if the record has a score. COST: a binary search.
  const RecordError* ErrorOf(std::size_t record) const;
};

// The columns of a stream of record batches. Columns of texts may be string, large_string, string_view or
// dictionaries of them.
struct StreamOptions {
  std::string expected = "expected";  // a column's name
  std::string actual = "actual";
  TextFormats formats = {};
  std::vector<std::string> keep = {};      // columns to pass on unchanged
  std::vector<std::string> group_by = {};  // columns of texts by whose values the report groups
  std::size_t max_groups = 4096;
  // A stream of the expected values, with the columns `id` and `expected`; the input then needs `id` instead
  // of `expected`. ScoreStream reads it to its end and releases it.
  ArrowArrayStream* gold = nullptr;
  std::string id = "id";
};

// What is known of a stream of results. The two may outlive each other and the Runner.
class LEAFSCORE_EXPORT StreamRun {
 public:
  // Returns the report on the batches taken so far.
  // ERRORS:  Error(kResources) when memory ran out, also while the last batch was being counted; taking it
  //          failed then, too.
  // THREADS: not while another thread takes a batch.
  RunReport Report() const;

 private:
  friend class Runner;
  explicit StreamRun(std::shared_ptr<const internal::StreamScorer> stream) : stream_(std::move(stream)) {}
  std::shared_ptr<const internal::StreamScorer> stream_;
};

// Scores with a plan. Memory and device are kept from one call to the next; copies are cheap and share them.
// THREADS: any number may score at once.
class LEAFSCORE_EXPORT Runner {
 public:
  // ERRORS: Error(kUsage) for an option out of its range or an unknown device; here and below
  //         Error(kResources) when memory, threads or processes ran out. Later calls are not affected.
  explicit Runner(Plan plan, EngineOptions options = {});

  const Plan& plan() const;

  // Scores one pair of texts.
  // RETURNS: for each scorer, columns of one record.
  // ERRORS:  as ScoreTexts.
  std::vector<ScoreColumns> ScorePair(std::string_view expected, std::string_view actual,
                                      TextFormats formats = {}) const;

  // Scores record by record; a null text is a missing value. Both columns have the same size.
  // RETURNS:  one ScoreColumns per scorer, in the order of the plan, each with expected.size() records.
  // ERRORS:   Error(kUsage) for columns of different sizes, or offsets that decrease or leave the bytes;
  //           Error(kInterrupted) when stopped. What is wrong with a record is in its outcome.
  std::vector<ScoreColumns> ScoreTexts(const TextColumn& expected, const TextColumn& actual,
                                       TextFormats formats = {}) const;

  // Scores record batches on demand: each batch taken from `output` scores the next one of `input`, row by
  // row. `input` is moved from, and released when `output` ends, fails or is released. Apart from the kept
  // columns, which come first, the schema of `output` depends on plan and options alone: for each scorer a
  // struct with its name, of
  //   outcome: string,
  //   score: double (null when not scored),
  //   passed: bool (null without a verdict),
  //   each metric: double; each text metric: string or list<string>,
  //   reason and message: string (null when scored),
  //   and with DetailLevel::kLeaves also leaves: list<struct<path: string, expected: string, actual: string,
  //   similarity: double>>, where expected and actual are JSON texts, null where there is no value, and
  //   leaves_cut: bool, whether the last leaves are left out (EngineOptions::max_details_bytes).
  // ERRORS: Error(kUsage) for columns that are missing or not texts, and for two columns of `output` with one
  //         name; later errors come through `output`.
  StreamRun ScoreStream(ArrowArrayStream* input, const StreamOptions& options,
                        ArrowArrayStream* output) const;

 private:
  std::shared_ptr<internal::ColumnScorer> scorer_;
};

}  // namespace leafscore

#endif  // LEAFSCORE_RUNNER_H_
