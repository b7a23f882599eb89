#include "engine/run/batch_scorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/base/stage_times.h"
#include "engine/base/utf8.h"
#include "engine/json/json_view.h"
#include "engine/judge/judge_service.h"
#include "engine/match/record_text.h"
#include "engine/render/cells.h"
#include "engine/run/file_options.h"
#include "engine/run/gold_table.h"
#include "engine/run/run_table.h"

namespace leafscore::internal {
namespace {

constexpr char kExpectedSide[] = "expected";
constexpr char kActualSide[] = "actual";
constexpr char kCallsSide[] = "calls";

// A part of a batch ends when its joined values take more bytes than this and more than the batch itself.
constexpr std::size_t kMaxGoldBytes = 1 << 20;

// Return the score rounded down or up to four decimals. If floating-point rounding puts the result on the
// wrong side of the score, they go one step further.
constexpr double kSteps = 1e4;
double RoundedDown(double score) {
  const double steps = std::floor(score * kSteps);
  return (steps / kSteps > score ? steps - 1 : steps) / kSteps;
}
double RoundedUp(double score) {
  const double steps = std::ceil(score * kSteps);
  return (steps / kSteps < score ? steps + 1 : steps) / kSteps;
}

std::string WorkLimitMessage(std::string_view expected, std::string_view actual, double least, double most) {
  return fmt::format(
      "a string pair of {} x {} characters exceeds --max-pair-cells; the score lies between {} and {}",
      WithThousands(CountCodePoints(expected)), WithThousands(CountCodePoints(actual)), RoundedDown(least),
      RoundedUp(most));
}

// Removes the results of a record under a scorer.
void ForgetScore(std::uint32_t record, ScoreColumns& columns) {
  columns.score[record] = 0;
  columns.passed[record] = -1;
  for (Metric& metric : columns.metrics) metric.values[record] = std::nan("");
}

TextColumn FirstRows(const TextColumn& column, std::size_t count) {
  return count == column.size() ? column : column.Slice(0, count);
}

}  // namespace

BatchScorer::BatchScorer(const ScorerSet& scorers, const EngineOptions& options, PairOffload* offload)
    : reader_(&shapes_, JsonOptionsOf(options)),
      stop_(options.stop),
      max_pair_cells_(options.max_pair_cells),
      offload_(offload),
      causes_(&shapes_, JsonOptionsOf(options)) {
  for (const NamedScorer& named : scorers.scorers()) {
    ScorerState& scorer = scorers_.emplace_back();
    scorer.batch = named.scorer->NewBatch({&shapes_, JsonOptionsOf(options), options.details, options.stop,
                                           options.parse_texts, options.max_details_bytes,
                                           options.judges.get(), options.max_pair_cells});
    scorer.batch->columns().scorer = named.name;
    scorer.final_weight = named.final_weight;
    if (named.criteria_key) scorer.criteria.emplace(*named.criteria_key);
  }
  SetFields({});
}

void BatchScorer::SetFields(RecordFields fields) {
  fields_ = std::move(fields);
  finder_.emplace(fields_, &shapes_);
}

void BatchScorer::BeginBatch(std::size_t records) {
  shapes_.ClearIfLarge();
  finder_->Reset();
  pairs_.reject.assign(records, RejectReason::kNone);
  pairs_.expected.assign(records, kNoNode);
  pairs_.actual.assign(records, kNoNode);
  pairs_.calls_field = {};
  pairs_.calls.clear();
  pairs_.records.clear();
  pairs_.fields.clear();
  pairs_.base.assign(records, kNoNode);
  pairs_.base_table = &base_.table();
  pairs_.actual_unreadable.assign(records, false);
  records_.parsed.assign(records, {});
  records_.side.assign(records, "");
  records_.calls.clear();
  unanswered_ = false;
}

// Makes room for the calls of the records; `table` will contain them.
void BatchScorer::BeginCalls(std::string_view field, const LeafTable& table, std::size_t records) {
  pairs_.calls_field = field;
  pairs_.calls_table = &table;
  pairs_.calls.assign(records, kNoNode);
  pairs_.calls_unreadable.assign(records, false);
}

// Reads up to `count` rows with read(count), and scores them. Scores fewer rows if their strings do not fit.
// RETURNS: how many were scored.
template <class Read>
std::size_t BatchScorer::ScoreWhatFits(std::size_t count, Read read) {
  for (;;) {
    count = read(count);
    if (Match()) break;
    count = (count + 1) / 2;
  }
  Score();
  return count;
}

std::size_t BatchScorer::ScoreRecords(const RecordBatch& batch, std::size_t first) {
  return ScoreWhatFits(batch.records.size() - first,
                       [&](std::size_t count) { return ReadRecords(batch, first, count); });
}

std::size_t BatchScorer::AskRecords(const RecordBatch& batch, std::size_t first,
                                    std::vector<std::shared_ptr<const PendingAnswer>>& asked) {
  const std::size_t count = ReadRecords(batch, first, batch.records.size() - first);
  for (ScorerState& scorer : scorers_) scorer.batch->Ask(PairsOf(scorer), asked);
  return count;
}

// Reads at most `count` records. RETURNS: how many were read.
std::size_t BatchScorer::ReadRecords(const RecordBatch& batch, std::size_t first, std::size_t count) {
  const StageScope stage(Stage::kFlatten);
  BeginBatch(count);
  pairs_.expected_table = fields_.gold == nullptr ? &expected_.table : &gold_.table();
  pairs_.actual_table = &expected_.table;
  if (!fields_.calls.empty()) BeginCalls(fields_.calls, expected_.table, count);
  pairs_.records.assign(count, kNoNode);
  records_.id.assign(count, kNoNode);
  records_.line_ids.clear();
  records_.groups.assign(count * fields_.groups.size(), kNoNode);
  finder_->Begin();
  records_.without_gold = {};
  gold_.Begin(fields_.gold, count);
  base_.Begin(fields_.base, count);
  RecordText text(batch, first, reader_, expected_.table);
  for (std::uint32_t r = 0; r < count; ++r) {
    JsonResult& parsed = records_.parsed[r];
    parsed = text.Read(first + r);
    pairs_.records[r] = parsed.root;
    if (parsed.root != kNoNode) {
      const NodeId join = FindFields(parsed.root, r);
      if (fields_.gold != nullptr || fields_.base != nullptr) {
        const std::optional<std::string> id = JsonView(expected_.table, shapes_, join).Text();
        if (fields_.gold != nullptr) FindGold(id, r);
        if (fields_.base != nullptr) base_.Find(id, r);
      }
      CountGroups(r);
    } else if (auto id = FindLineId(batch.Text(batch.records[first + r]), fields_.id, parsed.offset)) {
      records_.line_ids.emplace(r, *std::move(id));
    }
    pairs_.reject[r] = parsed.reason;
    const std::size_t joined = gold_.bytes() + base_.bytes();
    if (joined > std::max<std::size_t>(kMaxGoldBytes, batch.data_end)) count = r + 1;
  }
  finder_->End(expected_.table);
  if (count != pairs_.reject.size()) CutTo(count);
  if (fields_.gold != nullptr) gold_.Read(count, reader_, records_.parsed, pairs_.expected);
  if (fields_.base != nullptr) base_.Read(count, reader_, records_.parsed, pairs_.base);
  return count;
}

// Finds the gold of one record; rejects a record without gold.
void BatchScorer::FindGold(const std::optional<std::string>& id, std::uint32_t r) {
  pairs_.expected[r] = kNoNode;
  if (gold_.Find(id, r) != GoldTable::kNone) {
    // If the gold has this group field, the record's own value does not count: an answer must not choose its
    // group.
    const std::size_t groups = fields_.gold->group_fields();
    for (std::size_t g = 0; g < groups; ++g) {
      if (fields_.gold->HasGroups(g)) records_.groups[r * groups + g] = kNoNode;
    }
    return;
  }
  JsonResult& parsed = records_.parsed[r];
  parsed.reason = RejectReason::kNoGold;
  AddId(id, records_.without_gold);
  parsed.message = id ? kUnknownId : kNoId;
  parsed.root = kNoNode;
}

// Drops the rows from `count` on.
void BatchScorer::CutTo(std::size_t count) {
  pairs_.reject.resize(count);
  pairs_.expected.resize(count);
  pairs_.actual.resize(count);
  pairs_.records.resize(count);
  pairs_.base.resize(count);
  if (!fields_.calls.empty()) {
    pairs_.calls.resize(count);
    pairs_.calls_unreadable.resize(count);
  }
  pairs_.actual_unreadable.resize(count);
  records_.parsed.resize(count);
  records_.side.resize(count);
  records_.id.resize(count);
  records_.groups.resize(count * fields_.groups.size());
}

// Finds the fields of one record that the run uses. RETURNS: the field to join by.
NodeId BatchScorer::FindFields(NodeId record, std::uint32_t r) {
  const std::vector<NodeId>& found = finder_->Find(expected_.table, record);
  const NodeId id = found[kIdField];
  records_.id[r] = id != kNoNode && expected_.table.kind(id) == ValueKind::kNull ? kNoNode : id;
  pairs_.expected[r] = found[kExpectedField];
  pairs_.actual[r] = found[kActualField];
  if (!fields_.calls.empty()) pairs_.calls[r] = found[kCallsField];
  std::copy(found.begin() + kFirstGroupField, found.end(),
            records_.groups.begin() + r * fields_.groups.size());
  return found[kJoinField];
}

void BatchScorer::CountGroups(std::uint32_t r) {
  const std::size_t first = r * fields_.groups.size();
  for (std::size_t g = 0; g < fields_.groups.size(); ++g) {
    const bool has = records_.groups[first + g] != kNoNode || GroupOfGold(first + g).json.data() != nullptr;
    if (has) finder_->CountGroup(g);
  }
}

std::vector<FieldPresence> BatchScorer::PathPresence() const {
  std::vector<FieldPresence> presence;
  std::vector<NamedPaths> rows;
  for (const ScorerState& scorer : scorers_) scorer.batch->AppendNamedPaths(rows);
  for (NamedPaths& row : rows) {
    FieldPresence& of_row = presence.emplace_back();
    of_row.records = row.values;
    if (row.values == 0) continue;
    if (std::ranges::find(row.found, 0u) != row.found.end()) {
      of_row.there = ListFields(*row.first.table, shapes_, row.first.node);
    }
    of_row.found = std::move(row.found);
  }
  return presence;
}

std::size_t BatchScorer::ScoreTexts(const TextColumn& expected, const TextColumn& actual, TextFormats formats,
                                    std::span<const char* const> without_gold,
                                    std::span<const FieldTexts> fields) {
  std::vector<FieldTexts> first_fields(fields.begin(), fields.end());
  return ScoreWhatFits(expected.size(), [&](std::size_t count) {
    for (FieldTexts& field : first_fields) field.texts = FirstRows(field.texts, count);
    ReadColumns(FirstRows(expected, count), FirstRows(actual, count), formats,
                without_gold.first(std::min(count, without_gold.size())), first_fields);
    return count;
  });
}

void BatchScorer::ReadColumns(const TextColumn& expected, const TextColumn& actual, TextFormats formats,
                              std::span<const char* const> without_gold, std::span<const FieldTexts> fields) {
  BeginBatch(expected.size());
  pairs_.expected_table = &expected_.table;
  pairs_.actual_table = &actual_.table;
  for (std::size_t r = 0; r < without_gold.size(); ++r) {
    if (without_gold[r] == nullptr) continue;
    records_.parsed[r].reason = RejectReason::kNoGold;
    records_.parsed[r].message = without_gold[r];
  }
  std::vector<JsonResult>& parsed = records_.parsed;
  for (const std::uint32_t r :
       ReadTexts(expected, formats.expected, reader_, expected_, pairs_.expected, parsed)) {
    records_.side[r] = kExpectedSide;
  }
  for (std::size_t r = 0; r < expected.size(); ++r) pairs_.reject[r] = parsed[r].reason;
  for (const std::uint32_t r : ReadTexts(actual, formats.actual, reader_, actual_, pairs_.actual, parsed)) {
    records_.side[r] = kActualSide;
    pairs_.actual_unreadable[r] = true;
  }
  while (columns_.size() < fields.size()) columns_.emplace_back();
  for (std::size_t f = 0; f < fields.size(); ++f) ReadField(fields[f], formats, columns_[f]);
}

void BatchScorer::ReadField(const FieldTexts& field, TextFormats formats, ColumnValues& column) {
  const std::size_t records = field.texts.size();
  if (!field.are_calls) {
    std::vector<JsonResult> parsed(records);
    std::vector<NodeId>& values =
        pairs_.fields
            .emplace_back(FieldColumn{field.name, &column.table, std::vector<NodeId>(records, kNoNode)})
            .values;
    ReadTexts(field.texts, TextFormat::kJsonOrText, reader_, column, values, parsed);
    return;
  }
  BeginCalls(field.name, column.table, records);
  records_.calls.assign(records, {});
  for (const std::uint32_t r :
       ReadTexts(field.texts, formats.calls, reader_, column, pairs_.calls, records_.calls)) {
    pairs_.calls_unreadable[r] = true;
  }
}

std::size_t BatchScorer::ScoreUnanswered(const TextColumn& expected) {
  return ScoreWhatFits(expected.size(), [&](std::size_t count) {
    ReadUnanswered(FirstRows(expected, count));
    return count;
  });
}

void BatchScorer::ReadUnanswered(const TextColumn& expected) {
  BeginBatch(expected.size());
  unanswered_ = true;
  pairs_.expected_table = &expected_.table;
  pairs_.actual_table = &actual_.table;
  for (const std::uint32_t r :
       ReadTexts(expected, TextFormat::kJson, reader_, expected_, pairs_.expected, records_.parsed)) {
    records_.side[r] = kExpectedSide;
    pairs_.reject[r] = records_.parsed[r].reason;
  }
}

RowVerdict BatchScorer::Verdict(std::size_t scorer, std::uint32_t row) const {
  const ScoreColumns& columns = scorers_[scorer].batch->columns();
  RowVerdict verdict{.outcome = columns.outcome[row]};
  if (verdict.outcome == Outcome::kScored) return verdict;
  const bool of_calls =
      !records_.calls.empty() && pairs_.readable(row) && scorers_[scorer].batch->matched_calls_field();
  const JsonResult& parsed = of_calls ? records_.calls[row] : records_.parsed[row];
  verdict.rejected = parsed.reason != RejectReason::kNone;
  if (verdict.rejected) {
    verdict.reason = parsed.reason;
    verdict.message = parsed.message;
    verdict.side = of_calls ? kCallsSide : records_.side[row];
    verdict.offset = parsed.offset;
  } else {
    const auto error = std::ranges::lower_bound(columns.errors, row, {}, &RecordError::record);
    verdict.reason = error->reason;
    verdict.message = error->message;
    if (unanswered_ && verdict.reason == RejectReason::kMissingActual) {
      verdict.reason = RejectReason::kNoAnswer;
      verdict.message = kNobodyAnswered;
    }
  }
  return verdict;
}

GoldGroup BatchScorer::GroupOfGold(std::size_t group) const {
  if (fields_.gold == nullptr) return {};
  const std::uint32_t entry = gold_.entries()[group / fields_.groups.size()];
  if (entry == GoldTable::kNone) return {};
  if (fields_.gold->group_fields() == 0) return {};
  return fields_.gold->group(entry, group % fields_.groups.size());
}

RunTotals BatchScorer::Totals() const {
  RunTotals totals{.records_read = pairs_.size()};
  for (std::uint32_t r = 0; r < pairs_.size(); ++r) {
    if (!pairs_.readable(r)) {
      ++totals.rejected;
    } else {
      totals.nonstandard +=
          records_.parsed[r].nonstandard || (!records_.calls.empty() && records_.calls[r].nonstandard);
      totals.duplicate_keys += records_.parsed[r].duplicate_keys;
      if (!records_.calls.empty()) totals.duplicate_keys += records_.calls[r].duplicate_keys;
    }
  }
  return totals;
}

// Returns the pairs as the scorer should see them.
const PairBatch& BatchScorer::PairsOf(ScorerState& scorer) {
  return scorer.criteria ? scorer.criteria->Select(pairs_, shapes_) : pairs_;
}

// RETURNS: false if the batch has several rows and their strings do not fit the columns. If a single row does
// not fit, it becomes an error.
bool BatchScorer::Match() {
  const StageScope stage(Stage::kMatch);
  string_pairs_.Clear();
  for (ScorerState& scorer : scorers_) {
    const std::uint32_t first_pair = string_pairs_.size();
    scorer.matched = true;
    try {
      scorer.batch->Match(PairsOf(scorer), string_pairs_);
      if (scorer.criteria) scorer.criteria->Finish(scorer.batch->columns());
    } catch (const ColumnIsFull&) {
      if (pairs_.size() > 1) return false;
      string_pairs_.Truncate(first_pair);
      scorer.matched = false;
      ScoreColumns& columns = scorer.batch->columns();
      columns.errors.clear();
      SetRecordError(0, RejectReason::kWorkLimit, "the strings to compare in the record take more than 4 GiB",
                     columns);
      ForgetScore(0, columns);
    }
    scorer.end_pair = string_pairs_.size();
  }
  return true;
}

bool BatchScorer::HasLongTexts(std::size_t batch_bytes) const {
  constexpr std::size_t kLongPair = 256;  // bytes; shorter pairs fill the kernels' lanes in any batch
  const std::size_t bytes = string_pairs_.bytes();
  return bytes >= batch_bytes / 8 && bytes >= kLongPair * string_pairs_.size();
}

void BatchScorer::Score() {
  {
    const StageScope stage(Stage::kDistances);
    string_pairs_.ComputeDistances(
        max_pair_cells_, [&](LevenshteinTable& table) { RunTable(table, stop_); }, offload_);
  }
  const StageScope stage(Stage::kReduce);
  for (const ScorerState& scorer : scorers_) {
    if (scorer.matched) scorer.batch->Reduce(string_pairs_);
  }
  if (!string_pairs_.inexact().empty()) ReportWorkLimits();
  causes_.Begin(pairs_);
}

bool BatchScorer::EarnedLittle(std::size_t scorer, std::uint32_t row) const {
  const ScoreColumns& columns = scorers_[scorer].batch->columns();
  if (columns.outcome[row] == Outcome::kScored) return columns.score[row] < 0.5;
  return columns.outcome[row] == Outcome::kUnreadable && pairs_.actual_value(row).present();
}

AnswerCauses BatchScorer::CausesOf(std::size_t scorer, std::uint32_t row) const {
  if (!EarnedLittle(scorer, row)) return {};
  const bool has_records = pairs_.actual_table == &expected_.table;
  const ValueRef record = has_records ? ValueRef{&expected_.table, records_.parsed[row].root} : ValueRef{};
  const ScorerBatch& batch = *scorers_[scorer].batch;
  const AnswerCauses causes = (causes_.Of(row, record) & PossibleCauses(scorer)) - batch.RemovedCauses(row);
  const bool was_read = std::ranges::binary_search(batch.read_from_text(), row);
  return was_read ? causes - kCausesOfReading : causes;
}

AnswerCauses BatchScorer::PossibleCauses(std::size_t scorer) const {
  const AnswerCauses causes = scorers_[scorer].batch->possible_causes();
  return scorers_[scorer].criteria ? causes & kCausesOfAnyScorer : causes;
}

void BatchScorer::AppendHashes(std::vector<PairHashes>& hashes) const {
  bool wanted = false;
  for (std::size_t s = 0; s < scorers_.size(); ++s) wanted |= !(PossibleCauses(s) & kCausesOfRuns).empty();
  causes_.AppendHashes(wanted, hashes);
}

// Turns each score that needs an unknown distance into an error with the range of the score. The lowest score
// is already computed, from the largest possible distances; the highest comes from the smallest.
void BatchScorer::ReportWorkLimits() {
  struct OpenScore {
    ScorerBatch* batch;
    std::uint32_t record;
    std::uint32_t pair;
    double least;
  };
  std::vector<OpenScore> open;
  std::vector<ScorerBatch*> batches;
  for (std::size_t s = 0; const std::uint32_t pair : string_pairs_.inexact()) {
    while (pair >= scorers_[s].end_pair) ++s;
    ScorerBatch* const batch = scorers_[s].batch.get();
    const std::uint32_t record = string_pairs_.record(pair);
    if (batches.empty() || batches.back() != batch) batches.push_back(batch);
    if (!open.empty() && open.back().batch == batch && open.back().record == record) continue;
    if (batch->columns().outcome[record] != Outcome::kScored) continue;
    open.push_back({batch, record, pair, batch->columns().score[record]});
  }
  string_pairs_.TakeLeastDistances();
  for (ScorerBatch* const batch : batches) batch->Reduce(string_pairs_);
  for (const OpenScore& score : open) {
    ScoreColumns& columns = score.batch->columns();
    SetRecordError(score.record, RejectReason::kWorkLimit,
                   WorkLimitMessage(string_pairs_.expected(score.pair), string_pairs_.actual(score.pair),
                                    score.least, columns.score[score.record]),
                   columns);
    ForgetScore(score.record, columns);
  }
  for (ScorerBatch* const batch : batches) {
    std::ranges::sort(batch->columns().errors, {}, &RecordError::record);
  }
}

}  // namespace leafscore::internal
