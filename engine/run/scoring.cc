#include "engine/run/scoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/checksum.h"
#include "engine/base/memory_account.h"
#include "engine/base/stage_times.h"
#include "engine/json/compact_text.h"
#include "engine/judge/judge_service.h"
#include "engine/run/file_options.h"
#include "engine/run/record_ids.h"
#include "leafscore/error.h"

namespace leafscore::internal {

BatchParts::BatchParts(RecordBatch& batch)
    : batch_(batch), records_(std::exchange(batch.records, {})), all_end_(batch.data_end) {}

void BatchParts::Take(std::size_t count) {
  RestoreBytes();
  const std::size_t end = std::min(first_ + count, records_.size());
  batch_.records.assign(records_.begin() + static_cast<std::ptrdiff_t>(first_),
                        records_.begin() + static_cast<std::ptrdiff_t>(end));
  EndAt(end == records_.size() ? all_end_ : records_[end].begin);
}

void BatchParts::Reject(RejectReason reason) {
  RestoreBytes();
  RecordSpan& record = batch_.records.front();
  record.reject = reason;
  record.end = std::min(record.end, record.begin + static_cast<std::uint32_t>(kRejectHeadBytes));
  EndAt(record.end);
}

void BatchParts::Next() {
  first_ += batch_.records.size();
  batch_.first_record_in_input += batch_.records.size();
  batch_.first_record_in_run += batch_.records.size();
}

void BatchParts::EndAt(std::uint32_t end) {
  batch_.data_end = end;
  const auto begin = batch_.bytes.begin() + end;
  std::copy_n(begin, behind_.size(), behind_.begin());
  std::fill_n(begin, behind_.size(), '\0');
  has_zeros_ = true;
}

void BatchParts::RestoreBytes() {
  if (has_zeros_) std::ranges::copy(behind_, batch_.bytes.begin() + batch_.data_end);
  has_zeros_ = false;
}

Scoring::Scoring(const ScorerSet& scorers, const FileOptions& options, const MemoryPlan& plan,
                 RecordFields fields, const ResultWriter* writer, PairOffload* offload,
                 const std::atomic<bool>& no_use)
    : scorers_(scorers),
      options_(options),
      plan_(plan),
      fields_(std::move(fields)),
      writer_(writer),
      offload_(offload),
      no_use_(no_use) {}

BatchScorer& Scoring::ScorerOf(Worker& worker) const {
  if (worker.scorer == nullptr) {
    worker.scorer = std::make_unique<BatchScorer>(scorers_, options_, offload_);
    worker.scorer->SetFields(fields_);
  }
  return *worker.scorer;
}

void Scoring::Ask(ScoredBatch& scored) {
  scored.asked.clear();
  if (scored.failure || scored.is_dropped || scored.has_rest() || IsTooLarge(scored.batch) || no_use_) return;
  Worker& worker = workers_.local();
  try {
    const bool done = DoneWithin(plan_.batch_memory, [&] {
      BatchScorer& scorer = ScorerOf(worker);
      const MemoryScope tables;
      for (std::size_t first = 0; first != scored.batch.records.size();) {
        first += scorer.AskRecords(scored.batch, first, scored.asked);
      }
      worker.memory += tables.used();
    });
    if (!done) worker = {};
  } catch (const Error&) {
    worker = {};
  } catch (const std::bad_alloc&) {
    worker = {};
  }
}

void Scoring::WaitForAnswers(ScoredBatch& scored) const {
  try {
    for (const auto& answer : scored.asked) answer->Wait(options_.stop, &no_use_);
  } catch (const Error&) {
  } catch (const std::bad_alloc&) {
  }
  if (no_use_) scored.asked.clear();
}

void Scoring::Score(ScoredBatch& scored) {
  scored.in_parts = scored.has_rest() || IsTooLarge(scored.batch) ||
                    !ScoreWithin(plan_.batch_memory, workers_.local(), scored);
}

void Scoring::ScoreInParts(ScoredBatch& scored, const std::function<void()>& part_done) {
  BatchParts parts(scored.batch);
  for (std::size_t count = 1; !parts.done();) {
    parts.Take(count);
    const bool alone = scored.batch.records.size() == 1;
    Worker worker;
    scored.ForgetResults();
    if (!ScoreWithin(alone ? plan_.record_memory : plan_.batch_memory, worker, scored)) {
      count = 1;
      if (!alone) continue;
      parts.Reject(RejectReason::kOverMemoryBudget);
      ScoreWith(worker, scored);
    } else {
      count *= 2;
    }
    worker = {};
    part_done();
    parts.Next();
  }
}

// Scores a batch. RETURNS: false if scoring needs more memory than `limit`; the batch then has no results.
bool Scoring::ScoreWithin(std::size_t limit, Worker& worker, ScoredBatch& scored) {
  const bool done = DoneWithin(limit, [&] { ScoreWith(worker, scored); });
  if (!done) scored.ForgetResults();
  if (!done || worker.memory > static_cast<std::int64_t>(plan_.batch_memory)) worker = {};
  return done;
}

void Scoring::ScoreWith(Worker& worker, ScoredBatch& scored) {
  BatchScorer& scorer = ScorerOf(worker);
  const std::size_t records = scored.batch.records.size();
  scored.lines.clear();
  scored.results = {};
  scored.groups.assign(records * fields_.groups.size(), {});
  scored.group_texts.clear();
  scored.gold.clear();
  scored.without_gold = {};
  scored.ids = {};
  scored.presence = {};
  scored.paths.clear();
  scored.totals = {};
  scored.first_fault.clear();
  for (std::size_t first = 0; first != records;) {
    const MemoryScope tables;
    const std::size_t count = scorer.ScoreRecords(scored.batch, first);
    worker.memory += tables.used();
    TakeResults(scorer, first, scored);
    first += count;
  }
  if (records != 0) has_long_texts_ = scorer.HasLongTexts(scored.batch.data_end);
  FindGroups(fields_.groups.size(), scored);
}

// Copies what the sinks need about the records just scored; they begin at record `first` of the batch.
void Scoring::TakeResults(const BatchScorer& scorer, std::size_t first, ScoredBatch& scored) const {
  if (writer_ != nullptr) {
    const StageScope stage(Stage::kFormat);
    writer_->AppendBatch(scored.batch, scorer, scored.lines, first);
  }
  AppendResults(scorer, scored.results);
  TakeGroups(scorer, first, scored);
  SeparateSources(first, scored);
  AddPresence(scorer.presence(), scored.presence);
  AddPresence(scorer.PathPresence(), scored.paths);
  AddTotals(scorer.Totals(), scored.totals);
  if (scored.first_fault.empty() && scored.totals.rejected != 0) TakeFault(scorer, first, scored);
  const RecordColumns& found = scorer.records();
  if (fields_.gold != nullptr) {
    scored.gold.insert(scored.gold.end(), scorer.gold_entries().begin(), scorer.gold_entries().end());
    AddIds(found.without_gold, scored.without_gold);
  } else if (options_.shard) {
    AppendUnnumberedIds(scorer, first, scored.ids);
  } else {
    AppendIds(scorer, scored.batch.first_record_in_run + first, scored.ids);
  }
}

// Notes why the first rejected record among those just scored was rejected.
void Scoring::TakeFault(const BatchScorer& scorer, std::size_t first, ScoredBatch& scored) const {
  const std::vector<JsonResult>& parsed = scorer.records().parsed;
  const auto fault = std::ranges::find_if(
      parsed, [](const JsonResult& result) { return result.reason != RejectReason::kNone; });
  if (fault == parsed.end()) return;
  const std::size_t record = first + static_cast<std::size_t>(fault - parsed.begin());
  const bool is_python =
      std::string_view(scored.batch.bytes.data() + scored.batch.records[record].begin, 2) == "{'";
  scored.first_fault = fmt::format(
      "record {}, byte {}: {}{}", scored.batch.first_record_in_input + record, fault->offset, fault->message,
      is_python ? " (Python prints values with single quotes; json.dumps writes JSON)" : "");
}

// Changes the hashes of the records from `first` on, so that equal values of different sources get different
// hashes.
void Scoring::SeparateSources(std::size_t first, ScoredBatch& scored) const {
  const std::size_t width = fields_.groups.size();
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  std::uint64_t source = InputsAreSources(options_) ? scored.batch.input * kOdd : 0;
  for (std::size_t r = first; r < scored.results.hashes.size(); ++r) {
    if (fields_.has_source) source = MultisetHash::HashOf(scored.groups[(r + 1) * width - 1]);
    PairHashes& hashes = scored.results.hashes[r];
    for (std::uint64_t* const hash :
         {&hashes.expected_text, &hashes.answer_text, &hashes.expected, &hashes.actual}) {
      if (*hash != 0) *hash = (*hash ^ source) | 1;
    }
  }
}

void Scoring::TakeGroups(const BatchScorer& scorer, std::size_t first, ScoredBatch& scored) const {
  const std::vector<NodeId>& groups = scorer.records().groups;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::string_view& group = scored.groups[first * fields_.groups.size() + g];
    const LeafTable& table = scorer.record_table();
    if (groups[g] == kNoNode) {
      group = scorer.GroupOfGold(g).text;
    } else if (table.kind(groups[g]) == ValueKind::kString) {
      group = table.token(groups[g]);
    } else {
      std::string& text = scored.group_texts.emplace_back();
      AppendValueText(table, scorer.shapes(), groups[g], text);
      group = text;
    }
  }
}

}  // namespace leafscore::internal
