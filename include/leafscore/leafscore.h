// leafscore/leafscore.h: the public interface of leafscore.
//
// A Plan holds configured scorers. It scores one pair, two columns of texts in memory (the layout of Arrow
// string arrays, read in place), or files. Results are columns: one value per record and property.
//
//   leafscore::Plan plan({"json_similarity", "levenshtein"});
//   const auto scores = plan.ScorePair(R"({"city": "Oslo"})", R"({"city": "Olso"})");
//   // scores[0].score[0] == 0.5
//
// THREADS: a Plan does not change; any number of threads may score with it at once.
#ifndef LEAFSCORE_LEAFSCORE_H_
#define LEAFSCORE_LEAFSCORE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leafscore/error.h"
#include "leafscore/outcome.h"

namespace leafscore {

namespace internal {
class ScorerSet;
}

// A column of texts in the layout of Arrow's string (32-bit offsets) and large_string arrays (64-bit):
// text i is bytes[offsets[i], offsets[i + 1]), and is null when bit i of `validity` is 0 (no bitmap: none
// is). A view: the caller keeps the memory, which is read in place and never beyond bytes.size().
class TextColumn {
 public:
  TextColumn(std::string_view bytes, std::span<const std::int32_t> offsets,
             const std::uint8_t* validity = nullptr)
      : bytes_(bytes), offsets32_(offsets), validity_(validity) {}
  TextColumn(std::string_view bytes, std::span<const std::int64_t> offsets,
             const std::uint8_t* validity = nullptr)
      : bytes_(bytes), offsets64_(offsets), validity_(validity) {}

  std::size_t size() const {
    const std::size_t offsets = offsets32_.empty() ? offsets64_.size() : offsets32_.size();
    return offsets == 0 ? 0 : offsets - 1;
  }
  std::string_view bytes() const { return bytes_; }
  std::int64_t offset(std::size_t i) const { return offsets32_.empty() ? offsets64_[i] : offsets32_[i]; }
  bool is_null(std::size_t i) const { return validity_ != nullptr && (validity_[i / 8] >> (i % 8) & 1) == 0; }

 private:
  std::string_view bytes_;
  std::span<const std::int32_t> offsets32_;
  std::span<const std::int64_t> offsets64_;
  const std::uint8_t* validity_;
};

// What the texts of a column are.
enum class TextFormat {
  kJson,  // each is a JSON value
  kText,  // each is the text of a string value
};

struct BatchOptions {
  TextFormat expected_format = TextFormat::kJson;
  TextFormat actual_format = TextFormat::kJson;
  bool strict_json = false;  // reject what only Python's `json` reads (NaN, lone surrogates, huge numbers)
  unsigned threads = 0;      // 0: as many as the process may use
  std::uint64_t max_pair_cells = 10'000'000'000;
};

// A named number that a scorer gives beside its score, for every record; NaN where there is none.
struct Metric {
  std::string_view name;  // a plain word, as in matched_leaves
  std::vector<double> values;
};

// Why one record has no score.
struct RecordError {
  std::uint32_t record;  // 0-based
  RejectReason reason;
  std::string message;
};

// The results of one scorer, as columns over the records.
struct ScoreColumns {
  std::string scorer;  // its name in the plan
  std::vector<Outcome> outcome;
  std::vector<double> score;        // in [0, 1]; 0 where not scored
  std::vector<std::int8_t> passed;  // 1 or 0; -1 without a verdict
  std::vector<Metric> metrics;      // for example matched_leaves and total_leaves
  std::vector<RecordError> errors;  // of the records whose outcome is not kScored, in their order
};

// A run over files. The values are those of `leafscore score`, and the same limits hold.
struct FileOptions {
  std::vector<std::string> inputs;  // "-" is standard input
  std::string output;               // "-" is standard output; empty: no output but the summary
  std::string id_field = "id";
  std::string expected_field = "expected";
  std::string actual_field = "actual";
  std::vector<std::string> group_by;  // fields of the records
  // A file with the expected values; the inputs then hold answers, each file those of one model. A record and
  // an answer belong together when the join field has one value in both (the id field, when empty). The
  // summary has a group `source` for each input. `strict_gold`: what is wrong in the gold file ends the run.
  std::string gold;
  std::string join_field;
  bool strict_gold = false;
  DetailLevel details = DetailLevel::kBasic;
  bool strict_json = false;
  unsigned threads = 0;                 // 0: as many as the process may use
  std::size_t batch_bytes = 256 << 10;  // input read at a time
  std::size_t max_line_bytes = 64 << 20;
  std::uint32_t max_depth = 1024;
  std::size_t max_groups = 4096;
  std::uint64_t max_pair_cells = 10'000'000'000;
  // What computes edit distances beside the CPU, which changes no score: "auto", "cpu", "cuda" or "cuda:N".
  std::string device = "auto";
  std::uint64_t gpu_memory_bytes = 768 << 20;
  const std::atomic<bool>* stop = nullptr;  // becomes true to end the run early
};

// How one field did over the records of a run, under a scorer that judges fields. A record counts in one of
// the four, but a wrong value is both a false positive and a false negative.
struct FieldCounts {
  std::string field;
  std::uint64_t true_positives = 0;   // a value was expected, and the actual one matches
  std::uint64_t false_positives = 0;  // the actual value is wrong, or none was expected
  std::uint64_t false_negatives = 0;  // a value was expected, and the actual one is wrong or missing
  std::uint64_t true_negatives = 0;   // no value was expected, and there is none
};

// The figures of one scorer over a run.
struct ScorerSummary {
  std::string scorer;
  std::uint64_t records = 0;  // = scored + unreadable + errors
  std::uint64_t scored = 0;
  std::uint64_t unreadable = 0;
  std::uint64_t errors = 0;
  std::optional<double> mean;  // over the scored
  std::optional<double> standard_error;
  std::optional<double> pass_rate;
  std::vector<FieldCounts> fields = {};  // of a scorer that judges fields
};

class Plan {
 public:
  // Takes scorers by type, with their default options.
  // ERRORS: Error(kUsage) for a type that there is not.
  explicit Plan(std::initializer_list<std::string_view> scorer_types);
  explicit Plan(std::span<const std::string> scorer_types);

  // Takes scorers from a configuration, YAML or JSON: {evaluators: [{name, type, options...}]}.
  // ERRORS: Error(kUsage) that names `source_name` and the line.
  static Plan FromConfig(std::string_view config, const std::string& source_name = "config");

  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  // The scorers' names in their order.
  std::vector<std::string> scorer_names() const;

  // Scores record by record. A null text is a missing value.
  // REQUIRES: columns of one size.
  // RETURNS:  one ScoreColumns a scorer, in the order of the plan, each with expected.size() records.
  // ERRORS:   Error(kUsage) for columns of different sizes or offsets that fall or leave the bytes; what is
  //           wrong with a record is in its outcome.
  std::vector<ScoreColumns> ScoreTexts(const TextColumn& expected, const TextColumn& actual,
                                       const BatchOptions& options = {}) const;

  // Scores one pair of JSON texts. RETURNS: columns of one record.
  std::vector<ScoreColumns> ScorePair(std::string_view expected_json, std::string_view actual_json) const;

  // Scores files as `leafscore score` does. A program that writes to pipes should ignore SIGPIPE, so that a
  // reader that went away is an error and not a signal.
  // ERRORS: Error(kInput), Error(kOutput), Error(kInterrupted) when stopped.
  std::vector<ScorerSummary> ScoreFiles(const FileOptions& options) const;

  // For the engine's own use.
  const internal::ScorerSet& scorers() const { return *scorers_; }

 private:
  explicit Plan(std::unique_ptr<internal::ScorerSet> scorers);
  std::unique_ptr<internal::ScorerSet> scorers_;
};

// The version of the library, for example "0.1.0".
std::string_view Version();

}  // namespace leafscore

#endif  // LEAFSCORE_LEAFSCORE_H_
