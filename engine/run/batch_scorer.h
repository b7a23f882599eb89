// engine/run/batch_scorer.h: scores one batch at a time: flatten, match, distances, reduce.
// A pure function of its batch, so results depend on neither threads nor batch sizes.
// THREADS: one at a time; each worker owns one, whose memory serves batch after batch.
#ifndef LEAFSCORE_ENGINE_RUN_BATCH_SCORER_H_
#define LEAFSCORE_ENGINE_RUN_BATCH_SCORER_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "engine/distance/string_pairs.h"
#include "engine/io/record_batch.h"
#include "engine/json/json_reader.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/match/field_finder.h"
#include "engine/match/pair_batch.h"
#include "engine/report/join_summary.h"
#include "engine/run/criteria.h"
#include "engine/run/field_presence.h"
#include "engine/run/gold_table.h"
#include "engine/run/line_id.h"
#include "engine/run/scorer_set.h"
#include "leafscore/options.h"
#include "leafscore/runner.h"

namespace leafscore::internal {

class PairOffload;

// The fields of a record that a run looks at (engine/match/field_finder.h).
struct RecordFields {
  std::string id = "id";
  std::string expected = "expected";
  std::string actual = "actual";
  std::string calls = {};  // of the run; empty: those in the actual value
  std::vector<std::string> groups;
  bool has_source = false;  // the last group says who answered: ids are unique by it
  // With gold, the expected value is the gold's for the value of `join`, whatever the record holds.
  std::string join;
  const GoldTable* gold = nullptr;
};

// Where the fields are in FieldPresence::found; the groups come last.
inline constexpr std::size_t kIdField = 0;
inline constexpr std::size_t kExpectedField = 1;
inline constexpr std::size_t kActualField = 2;
inline constexpr std::size_t kJoinField = 3;
inline constexpr std::size_t kCallsField = 4;
inline constexpr std::size_t kFirstGroupField = 5;

// What was found about the records of a batch beside their pairs.
struct RecordColumns {
  std::vector<JsonResult> parsed;  // root kNoNode when rejected; offsets are within the record or text
  std::vector<const char*> side;   // of two columns of texts: which one was rejected; else empty
  std::vector<NodeId> id;          // kNoNode when missing or null
  std::map<std::uint32_t, LineId> line_ids;  // that the texts of rejected records show
  std::vector<NodeId> groups;                // group field g of record r is [r * group fields + g]
  // With gold:
  std::vector<std::uint32_t> gold;  // the entry of the record, or GoldTable::kNone
  ListedIds without_gold;           // of records that could be read
};

// What became of one row under one scorer.
struct RowVerdict {
  Outcome outcome;
  // Why the row is not scored.
  RejectReason reason = RejectReason::kNone;
  std::string_view message = {};
  // Of a row that the reader rejected, and with it every scorer:
  bool rejected = false;
  std::string_view side = {};  // as in RecordColumns
  std::uint32_t offset = 0;    // of the fault in the record or text
};

// Why there is no answer.
inline constexpr char kNobodyAnswered[] = "no record answers this id";

// Why a record has no gold.
inline constexpr char kUnknownId[] = "no gold record has the id of this record";
inline constexpr char kNoId[] = "the record has no id to find its gold by";

class BatchScorer {
 public:
  // `offload`, which may be null, may compute distances. REQUIRES: it, `scorers` and options.stop outlive
  // this.
  BatchScorer(const ScorerSet& scorers, const EngineOptions& options, PairOffload* offload = nullptr);
  BatchScorer(const BatchScorer&) = delete;  // its parts hold pointers to each other
  BatchScorer& operator=(const BatchScorer&) = delete;

  // Sets what ScoreRecords looks at from now on; at first that is RecordFields{}.
  // REQUIRES: the fields' gold outlives its use.
  void SetFields(RecordFields fields);

  // Scores the records of a batch from `first` on: all of them or, when their gold takes much more memory
  // than the batch or their strings do not fit the columns of the kernels, a part. Row r of the results is
  // record first + r.
  // REQUIRES: first < batch.records.size(); `batch` outlives the use of the results.
  // RETURNS:  how many were scored, at least one.
  std::size_t ScoreRecords(const RecordBatch& batch, std::size_t first = 0);

  // Puts the questions of scorers that ask models about these records, which are to be scored later, and
  // appends the answers. REQUIRES, RETURNS: as ScoreRecords, of which it takes the place.
  std::size_t AskRecords(const RecordBatch& batch, std::size_t first,
                         std::vector<std::shared_ptr<const PendingAnswer>>& asked);

  // Scores two columns of texts, or the first rows of them as above, but for rows that have no gold:
  // `without_gold`, unless empty, says of each row why it has none, or null.
  // REQUIRES: columns of one size with checked offsets; all but the last of the rows span less than 1 GiB on
  //           each side.
  // RETURNS:  how many were scored; at least one, if there is one.
  std::size_t ScoreTexts(const TextColumn& expected, const TextColumn& actual, TextFormats formats,
                         std::span<const char* const> without_gold = {});

  // Scores ids of the gold that nobody answered, a row for each expected value, or the first rows as above.
  // REQUIRES, RETURNS: as ScoreTexts.
  std::size_t ScoreUnanswered(const TextColumn& expected);

  // Returns whether much of the last batch, of so many bytes, is long texts to compare, few of which fit a
  // batch.
  bool HasLongTexts(std::size_t batch_bytes) const;

  const RecordFields& fields() const { return fields_; }
  const PairBatch& pairs() const { return pairs_; }
  const RecordColumns& records() const { return records_; }
  // Which records have which field: id, expected, actual, join, calls, groups (these with what is in the
  // gold).
  const FieldPresence& presence() const { return presence_; }
  // Which of the paths that the scorers' options name lead somewhere in expected values: a row for each of
  // AppendNamedPaths, scorer by scorer.
  std::vector<FieldPresence> PathPresence() const;
  const LeafTable& record_table() const { return expected_table_; }
  const ShapeTable& shapes() const { return shapes_; }
  const ScorerBatch& scorer_batch(std::size_t scorer) const { return *batches_[scorer]; }
  std::size_t scorer_count() const { return batches_.size(); }
  // The option final_weight of a scorer.
  std::optional<double> final_weight(std::size_t scorer) const { return final_weights_[scorer]; }

  // Returns what the gold record of a row has for a group field that its record lacks. `group` is a place in
  // RecordColumns::groups. THREADS: the texts are the gold's.
  GoldGroup GroupOfGold(std::size_t group) const;

  // Returns how many rows the last batch had, and what was read of them.
  RunTotals Totals() const;

  // Returns the verdict on a row of the last batch, which the next batch ends.
  RowVerdict Verdict(std::size_t scorer, std::uint32_t row) const;

 private:
  void BeginBatch(std::size_t records);
  std::size_t ReadRecords(const RecordBatch& batch, std::size_t first, std::size_t count);
  void ReadColumns(const TextColumn& expected, const TextColumn& actual, TextFormats formats,
                   std::span<const char* const> without_gold);
  void ReadUnanswered(const TextColumn& expected);
  void ReadTexts(const TextColumn& column, const char* side, TextFormat format, LeafTable& table,
                 std::vector<NodeId>& roots);
  NodeId FindFields(NodeId record, std::uint32_t r);
  void CountGroups(std::uint32_t r);
  void FindGold(NodeId join, std::uint32_t r);
  void ReadGold();
  void CutTo(std::size_t count);
  template <class Read>
  std::size_t ScoreWhatFits(std::size_t count, Read read);
  const PairBatch& PairsOf(std::size_t scorer);
  bool Match();
  void Score();
  void ReportWorkLimits();

  RecordFields fields_;
  ShapeTable shapes_;
  JsonReader reader_;
  LeafTable expected_table_;  // of records and of expected texts
  LeafTable actual_table_;    // of actual texts
  LeafTable gold_table_;
  std::string gold_text_;  // of the gold values of the batch, a line each, then padding
  PairBatch pairs_;
  bool unanswered_ = false;  // the rows of the last batch are ids that nobody answered
  RecordColumns records_;
  const std::atomic<bool>* stop_;
  std::uint64_t max_pair_cells_;
  PairOffload* offload_;
  StringPairs string_pairs_;
  std::vector<std::unique_ptr<ScorerBatch>> batches_;
  std::vector<std::optional<double>> final_weights_;       // by scorer
  std::vector<std::optional<CriteriaSelector>> criteria_;  // by scorer, of those with a criteria_key
  std::vector<std::uint32_t> end_pair_;                    // of each scorer's pairs in the list of the batch
  std::vector<bool> matched_;  // by scorer; not those for whose one row the columns are too small

  std::optional<FieldFinder> finder_;  // of id, expected, actual, join, calls, groups
  FieldPresence presence_;             // of the same
  NodeId first_readable_ = kNoNode;    // the record whose fields it lists
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_BATCH_SCORER_H_
