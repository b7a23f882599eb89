// engine/run/batch_scorer.h: scores one batch at a time, in four steps: flatten, match, distances, reduce.
// The results are a pure function of the batch, so they depend on neither threads nor batch sizes.
// THREADS: one at a time; each worker owns a batch scorer, which reuses its memory for every batch.
#ifndef LEAFSCORE_ENGINE_RUN_BATCH_SCORER_H_
#define LEAFSCORE_ENGINE_RUN_BATCH_SCORER_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/answer_causes.h"
#include "engine/base/checksum.h"
#include "engine/base/limits.h"
#include "engine/distance/string_pairs.h"
#include "engine/io/record_batch.h"
#include "engine/json/json_reader.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/match/pair_batch.h"
#include "engine/report/answers_of_others.h"
#include "engine/report/join_summary.h"
#include "engine/run/column_texts.h"
#include "engine/run/criteria.h"
#include "engine/run/field_presence.h"
#include "engine/run/gold_table.h"
#include "engine/run/joined_values.h"
#include "engine/run/line_id.h"
#include "engine/run/record_fields.h"
#include "engine/run/row_causes.h"
#include "engine/run/scorer_set.h"
#include "leafscore/options.h"
#include "leafscore/runner.h"

namespace leafscore::internal {

class PairOffload;

// A column in addition to the expected and actual texts: a field that scorers read (Scorer::record_fields),
// or the messages, spans or calls of the runs. A view.
struct FieldTexts {
  std::string_view name;
  TextColumn texts;
  bool are_calls;
};

// The data of the records of a batch, apart from their pairs.
struct RecordColumns {
  std::vector<JsonResult> parsed;  // root kNoNode if rejected; offsets are within the record or text
  std::vector<const char*> side;   // for columns of texts, the side that was rejected; else empty
  std::vector<JsonResult> calls;   // with a column of calls, its parsed texts; else empty
  std::vector<NodeId> id;          // kNoNode if missing or null
  std::map<std::uint32_t, LineId> line_ids;  // ids in the texts of rejected records
  std::vector<NodeId> groups;                // group field g of record r is [r * group fields + g]
  ListedIds without_gold;                    // with gold: records without gold that could be read
};

// The result of one row under one scorer.
struct RowVerdict {
  Outcome outcome;
  // Why the row is not scored.
  RejectReason reason = RejectReason::kNone;
  std::string_view message = {};
  // For a row that the reader rejected for all scorers:
  bool rejected = false;
  std::string_view side = {};  // as in RecordColumns
  std::uint32_t offset = 0;    // where the fault is in the record or text
};

// Why there is no answer.
inline constexpr char kNobodyAnswered[] = "no record answers this id";

// Why a record has no gold.
inline constexpr char kUnknownId[] = "no gold record has the id of this record";
inline constexpr char kNoId[] = "the record has no id for finding its gold";

class BatchScorer {
 public:
  // `offload` can compute distances, or is null. REQUIRES: `offload`, `scorers` and options.stop outlive
  // this.
  BatchScorer(const ScorerSet& scorers, const EngineOptions& options, PairOffload* offload = nullptr);
  BatchScorer(const BatchScorer&) = delete;  // its parts hold pointers to each other
  BatchScorer& operator=(const BatchScorer&) = delete;

  // Sets the fields that ScoreRecords uses from now on; initially RecordFields{}.
  // REQUIRES: the fields' gold outlives its use.
  void SetFields(RecordFields fields);

  // Scores the records of a batch from `first` on. If the gold takes much more memory than the batch, or the
  // strings do not fit the columns of the kernels, it scores only the first few of these records. Row r of
  // the results is record first + r. REQUIRES: first < batch.records.size(); `batch` outlives the use of the
  // results. RETURNS: how many were scored, at least one.
  std::size_t ScoreRecords(const RecordBatch& batch, std::size_t first = 0);

  // Asks models the questions about these records, and appends the pending answers to `asked`. It does not
  // score the records: a later call of ScoreRecords does. REQUIRES, RETURNS: as ScoreRecords.
  std::size_t AskRecords(const RecordBatch& batch, std::size_t first,
                         std::vector<std::shared_ptr<const PendingAnswer>>& asked);

  // Scores columns of texts, or only their first rows if their strings do not fit the columns of the kernels.
  // Rows without gold are skipped: `without_gold`, unless empty, has the reason for each such row, and null
  // for the others.
  // REQUIRES: columns of one size with checked offsets; all rows but the last span less than 1 GiB on each
  // side.
  // RETURNS: how many were scored; at least one, if there are any.
  std::size_t ScoreTexts(const TextColumn& expected, const TextColumn& actual, TextFormats formats,
                         std::span<const char* const> without_gold = {},
                         std::span<const FieldTexts> fields = {});

  // Scores gold ids without an answer: each row has the expected value of an id. Like ScoreTexts, it may
  // score only the first rows.
  // REQUIRES, RETURNS: as ScoreTexts.
  std::size_t ScoreUnanswered(const TextColumn& expected);

  // Returns whether the last batch, which had `batch_bytes` bytes, was mostly long texts. A batch of that
  // size holds only few long texts, so the next batches should be larger.
  bool HasLongTexts(std::size_t batch_bytes) const;

  const RecordFields& fields() const { return fields_; }
  const PairBatch& pairs() const { return pairs_; }
  const RecordColumns& records() const { return records_; }
  // With gold, returns the gold entry of each record, or GoldTable::kNone.
  const std::vector<std::uint32_t>& gold_entries() const { return gold_.entries(); }
  // Returns how many records have each field: id, expected, actual, join, calls, and the groups, including
  // groups from the gold.
  const FieldPresence& presence() const { return finder_->presence(); }
  // For each path in the options of the scorers, returns the number of expected values in which the path
  // leads somewhere: an element for each row of ScorerBatch::AppendNamedPaths, scorer by scorer.
  std::vector<FieldPresence> PathPresence() const;
  const LeafTable& record_table() const { return expected_.table; }
  const ShapeTable& shapes() const { return shapes_; }
  const ScorerBatch& scorer_batch(std::size_t scorer) const { return *scorers_[scorer].batch; }
  std::size_t scorer_count() const { return scorers_.size(); }
  // Returns the option final_weight of a scorer.
  std::optional<double> final_weight(std::size_t scorer) const { return scorers_[scorer].final_weight; }

  // Returns the value of a group field in the gold of a record; absent if the record has no gold, or the gold
  // no such field. `group` is an index into RecordColumns::groups. THREADS: the texts belong to the gold.
  GoldGroup GroupOfGold(std::size_t group) const;

  // Returns the totals of the last batch: its rows, its rejected rows, its rows with nonstandard JSON, and
  // its duplicate keys.
  RunTotals Totals() const;

  // Returns the result of a row in the last batch; valid until the next batch.
  RowVerdict Verdict(std::size_t scorer, std::uint32_t row) const;

  // Returns what is wrong with the answer of a row in the last batch. Empty unless the answer was scored
  // below 0.5 or could not be read.
  AnswerCauses CausesOf(std::size_t scorer, std::uint32_t row) const;

  // Returns the causes that a scorer can have.
  AnswerCauses PossibleCauses(std::size_t scorer) const;

  // Returns the hash of the expected value, as written, of a row in the last batch. It is computed once.
  const Hash128& HashOfExpected(std::uint32_t row) const { return causes_.HashOfExpected(row); }

  // Appends the hashes of each row in the last batch. They do not depend on the source of the row. All are 0
  // if no scorer can have the causes that need hashes. REQUIRES: CausesOf was called for each scorer.
  void AppendHashes(std::vector<PairHashes>& hashes) const;

 private:
  // A scorer and its part of the batch.
  struct ScorerState {
    std::unique_ptr<ScorerBatch> batch;
    std::optional<double> final_weight;
    std::optional<CriteriaSelector> criteria;  // nullopt without a criteria_key
    std::uint32_t end_pair = 0;                // end of its pairs in the list of the batch
    bool matched = false;                      // false if the batch has one row, whose strings do not fit
  };

  void BeginBatch(std::size_t records);
  std::size_t ReadRecords(const RecordBatch& batch, std::size_t first, std::size_t count);
  void ReadColumns(const TextColumn& expected, const TextColumn& actual, TextFormats formats,
                   std::span<const char* const> without_gold, std::span<const FieldTexts> fields);
  void ReadField(const FieldTexts& field, TextFormats formats, ColumnValues& column);
  void ReadUnanswered(const TextColumn& expected);
  void BeginCalls(std::string_view field, const LeafTable& table, std::size_t records);
  NodeId FindFields(NodeId record, std::uint32_t r);
  void CountGroups(std::uint32_t r);
  void FindGold(const std::optional<std::string>& id, std::uint32_t r);
  void CutTo(std::size_t count);
  template <class Read>
  std::size_t ScoreWhatFits(std::size_t count, Read read);
  const PairBatch& PairsOf(ScorerState& scorer);
  bool Match();
  void Score();
  void ReportWorkLimits();
  bool EarnedLittle(std::size_t scorer, std::uint32_t row) const;

  RecordFields fields_;
  ShapeTable shapes_;
  JsonReader reader_;
  ColumnValues expected_;             // records, or expected texts
  ColumnValues actual_;               // actual texts
  std::deque<ColumnValues> columns_;  // texts of further columns
  std::optional<RecordFieldFinder> finder_;
  JoinedValues gold_;
  JoinedValues base_;
  PairBatch pairs_;
  bool unanswered_ = false;  // the rows of the last batch are ids without an answer
  RecordColumns records_;
  const std::atomic<bool>* stop_;
  std::uint64_t max_pair_cells_;
  PairOffload* offload_;
  StringPairs string_pairs_;
  std::vector<ScorerState> scorers_;
  mutable RowCauses causes_;  // before they are restricted to those of a scorer
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_BATCH_SCORER_H_
