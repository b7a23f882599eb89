#include "engine/run/sinks.h"

#include <fmt/format.h>

#include <span>

#include "engine/base/suggest.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/resumed_run.h"
#include "engine/run/run_journal.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

void PrepareEntry(const EntryOptions& options, ScoredBatch& scored) {
  if (scored.batch.records.empty()) return;
  if (options.with_lines && scored.lines.size() > options.most_prepared) return;
  const StageScope stage(Stage::kJournal);
  scored.entry = FramedPart(JournalEntry(scored, options.memory_bytes, options.with_lines));
  constexpr std::size_t kSealBytes = 256;  // at most
  scored.entry.reserve(scored.entry.size() + kSealBytes);
}

// Takes the entry of a batch, and appends its seal. RETURNS: an empty text if the batch's last record was cut
// off at the end of its input, because that record will change once the input is whole.
std::string TakeEntry(const Checksum& written, ScoredBatch& scored) {
  if (scored.batch.records.back().reject == RejectReason::kTruncatedInput) return {};
  const StageScope stage(Stage::kJournal);
  return std::exchange(scored.entry, {}) + FramedPart(JournalSeal(written));
}

RecordName NameOf(const ScoredBatch& scored, std::size_t row) {
  return {scored.batch.first_record_in_run + row, scored.ids.TextOf(row)};
}

GoldJoin MakeJoin(const GoldTable& gold, std::span<const std::string> sources, const ResultLayout& layout,
                  std::size_t groups, Repeats repeats) {
  return sources.empty() ? GoldJoin(gold, groups - 1, layout, groups, repeats)
                         : GoldJoin(gold, sources, layout, groups, repeats);
}

}  // namespace

void OutputSink::Write(ScoredBatch& scored) {
  WriteLines(scored.lines, CountAsked(scored.results));
  ids_.Add(scored.ids.ids);
  expected_.Add(scored.ids.expected);
}

void OutputSink::WriteLines(std::string& lines, std::uint64_t count) {
  if (pieces_ == nullptr) return;
  manifest_.lines += count;
  if (passes_) return;
  if (written_.bytes() == 0) {  // with the first lines, so that a killed run leaves no header alone
    std::string header;
    writer_.AppendHeader(header);
    written_.Add(header);
    pieces_->AddLines(header);
  }
  {
    const StageScope stage(Stage::kOutputChecksum);
    written_.Add(lines);
  }
  pieces_->AddLines(lines);
}

void OutputSink::EndManifest(std::uint64_t records_read, const GoldTable* gold, std::size_t sources) {
  manifest_.records_read = records_read;
  manifest_.records_asked = gold != nullptr ? gold->size() * sources : records_read;
  if (gold != nullptr) {
    gold->CheckUnchanged();
    for (std::uint32_t entry = 0; entry < gold->size(); ++entry) {
      expected_.AddPair(ids_.Add(gold->id(entry)), gold->expected_json(entry));
    }
  }
  manifest_.ids = ids_.count();
  manifest_.without_id = gold != nullptr ? 0 : records_read - ids_.count();
  manifest_.ids_checksum = ids_.Text();
  manifest_.expected = expected_.count();
  manifest_.expected_checksum = expected_.Text();
  manifest_.bytes = written_.bytes();
  manifest_.checksum = written_.Text();
}

void JournalSink::Prepare(ScoredBatch& scored) const { PrepareEntry(options_, scored); }

void JournalSink::Begin(ScoredBatch& scored) {
  if (!scored.entry.empty() || has_ended_) return;
  const StageScope stage(Stage::kJournal);
  const std::string entry = JournalEntry(scored, options_.memory_bytes, options_.with_lines);
  has_ended_ = entry.size() > kMaxPartBytes;
  if (!has_ended_) scored.entry = FramedPart(entry);
}

void JournalSink::Write(ScoredBatch& scored) {
  if (!has_ended_) pieces_.AddEntry(TakeEntry(written_, scored));
}

void ShardSink::Prepare(ScoredBatch& scored) const { PrepareEntry(options_, scored); }

void ShardSink::Write(ScoredBatch& scored) {
  lines_ += CountAsked(scored.results);
  AddTotals(scored.totals, totals_);
  if (passes_) return;
  if (scored.entry.empty()) {
    const StageScope stage(Stage::kJournal);
    scored.entry = FramedPart(JournalEntry(scored, options_.memory_bytes, options_.with_lines));
  }
  std::string entry = TakeEntry(Checksum(), scored);
  pieces_.AddLines(entry);
}

void SummarySink::Write(ScoredBatch& scored) {
  const StageScope stage(Stage::kStatistics);
  if (summary_.repeated_ids()) seen_ids_.Add(scored.ids.each, *summary_.repeated_ids());
  NumberGroups(scored);
  AddTotals(scored.totals, summary_.totals());
  AddSums(scored.results, summary_);
  AddPresence(scored.presence, presence_);
  AddPaths(scored.paths);
  scored.is_to_count = counts_rows_;
  if (!counts_rows_) return;
  const std::size_t width = summary_.group_fields().size();
  const std::lock_guard lock(groups_);
  for (std::uint32_t r = 0; r < scored.batch.records.size(); ++r) {
    const PairHashes& hashes = scored.results.hashes[r];
    if (hashes.expected == 0) {  // most records earn more
      if (hashes.expected_text != 0) {
        summary_.answers_of_others().AddRecord(hashes.expected_text, hashes.answer_text);
      }
      continue;
    }
    AddHashes(scored.results, layout_, {&r, 1},
              std::span<const std::uint32_t>(scored.group_numbers).subspan(r * width, width),
              NameOf(scored, r), summary_);
  }
}

// Finds the numbers that the groups of the records have in the summary. New groups are added to it.
void SummarySink::NumberGroups(ScoredBatch& scored) {
  const std::size_t width = summary_.group_fields().size();
  if (width == 0) return;
  const std::size_t records = scored.batch.records.size();
  scored.group_numbers.assign(records * width, kNoneGroup);
  std::vector<std::uint32_t> numbers;
  numbers.reserve(scored.distinct_groups.values.size());
  std::uint32_t source = kNoneGroup;
  const std::lock_guard lock(groups_);
  kept_.Add([&] {
    for (const BatchGroups::Value& value : scored.distinct_groups.values) {
      numbers.push_back(summary_.GroupIndex(value.field, value.text));
      if (name_source_ && value.field + 1 == record_groups_) name_source_(numbers.back(), value.text);
    }
    if (!sources_.empty()) source = summary_.GroupIndex(record_groups_, sources_[scored.batch.input]);
  });
  for (std::size_t r = 0; r < records; ++r) {
    for (std::size_t f = 0; f < record_groups_; ++f) {
      const std::uint32_t value = scored.distinct_groups.of_records[r * record_groups_ + f];
      if (value != BatchGroups::kNone) scored.group_numbers[r * width + f] = numbers[value];
    }
    if (!sources_.empty()) scored.group_numbers[r * width + record_groups_] = source;
  }
}

// Adds the rows of a batch to the summary. Each thread counts the overall figures in a part of its own. All
// threads share the figures of the groups, because there may be many groups.
void SummarySink::Count(ScoredBatch& scored) {
  const std::size_t records = scored.batch.records.size();
  std::unique_ptr<RunSummary>& counted = counted_.local();
  if (counted == nullptr) counted = std::make_unique<RunSummary>(summary_.Part());
  for (std::size_t r = 0; r < records; ++r) {
    AddRow(scored.results, layout_, r, {}, NameOf(scored, r), *counted);
  }
  const std::size_t width = summary_.group_fields().size();
  if (width == 0) return;
  const std::lock_guard lock(groups_);
  const StageScope stage(times_, Stage::kStatistics, /*is_serial=*/true);
  kept_.Add([&] {
    for (std::size_t r = 0; r < records; ++r) {
      AddRowToGroups(scored.results, layout_, r, std::span(scored.group_numbers).subspan(r * width, width),
                     NameOf(scored, r), summary_);
    }
  });
}

void SummarySink::Finish() {
  if (summary_.repeated_ids()) seen_ids_.End(*summary_.repeated_ids());
  for (const auto& counted : counted_) {
    if (counted != nullptr) summary_.AddPart(*counted);
  }
}

void SummarySink::Report() {
  for (std::size_t f = kFirstGroupField; f < presence_.found.size(); ++f) {
    summary_.lacking().push_back(presence_.records - presence_.found[f]);
  }
}

JoinSink::JoinSink(const ScorerSet& scorers, const FileOptions& options, const MemoryPlan& plan,
                   const GoldTable& gold, const ResultLayout& layout, Targets targets)
    : scorers_(scorers),
      options_(options),
      plan_(plan),
      gold_(gold),
      layout_(layout),
      to_(std::move(targets)),
      join_(
          MakeJoin(gold, to_.figures.sources(), layout, to_.summary.group_fields().size(), options.repeats)) {
  SummarySink::NameSource name_source;
  if (join_.by_field()) {
    name_source = [this](std::uint32_t number, std::string_view name) { NameSource(number, name); };
  }
  to_.figures.LeaveRows(std::move(name_source));
}

// ERRORS: Error(kInput) for more sources than groups are allowed.
void JoinSink::NameSource(std::uint32_t number, std::string_view name) {
  if (number == kOtherGroup) {
    throw Error(ErrorCode::kInput, fmt::format("the field {} has more than {} values (--max-groups), or a "
                                               "very long one; does it really say who answered?",
                                               QuoteForMessage(options_.source_field), options_.max_groups));
  }
  join_.NameSource(number, name);
}

// If inputs are the sources, their answers come one input after another.
void JoinSink::Begin(ScoredBatch& scored) {
  if (join_.by_field()) return;
  while (join_.source() != scored.batch.input) ScoreUnanswered();
}

void JoinSink::Write(ScoredBatch& scored) {
  to_.figures.kept().Add(
      [&] { join_.Add(scored.gold, scored.without_gold, scored.results, scored.group_numbers); });
}

void JoinSink::EndInputs() {
  while (!join_.ended()) ScoreUnanswered();
}

void JoinSink::Finish() {
  while (!join_.ended()) CountUnanswered();
}

// The ids that a source left unanswered.
struct JoinSink::Unanswered {
  std::size_t source;
  std::string source_name;  // empty if the source is an input
  std::vector<std::uint32_t> entries;
  std::vector<std::uint32_t> groups;  // entry by entry
};

JoinSink::Unanswered JoinSink::EndSource() {
  const std::string name = join_.source_name();
  const bool by_field = join_.by_field();
  const std::uint32_t number = by_field ? join_.source_number() : kNoneGroup;
  Unanswered left{.source = join_.source(), .source_name = by_field ? name : "", .entries = {}, .groups = {}};
  to_.figures.kept().Add([&] { left.entries = join_.EndSource(to_.summary); });
  const std::size_t width = to_.summary.group_fields().size();
  left.groups.assign(left.entries.size() * width, kNoneGroup);
  const std::size_t last = width - 1;
  for (std::size_t i = 0; i < left.entries.size(); ++i) {
    const std::span groups = std::span(left.groups).subspan(i * width, width);
    for (std::size_t f = 0; f < (by_field ? width : last); ++f) {
      const std::string_view value = gold_.group(left.entries[i], f).text;
      if (value.data() != nullptr) groups[f] = to_.summary.GroupIndex(f, value);
    }
    groups[last] = by_field ? number : to_.summary.GroupIndex(last, name);
  }
  return left;
}

// Ends a source. Scores and writes its unanswered ids.
void JoinSink::ScoreUnanswered() {
  const Unanswered left = EndSource();
  const bool done = DoneWithin(plan_.record_memory, [&] {
    BatchScorer scorer(scorers_, options_);
    AddUnanswered(gold_, left.entries, left.groups, scorer, to_.summary,
                  [&](std::span<const std::uint32_t> entries) {
                    to_.figures.AddPaths(scorer.PathPresence());
                    if (!to_.output.has_output()) return;
                    std::string lines;
                    to_.writer.AppendUnanswered(left.source, left.source_name, gold_, entries, scorer, lines);
                    ResultRows results;
                    AppendResults(scorer, results);
                    to_.output.WriteLines(lines, CountAsked(results));
                    to_.lines_done();
                  });
  });
  if (!done) ThrowOverBudget("scoring an id without an answer takes", plan_.record_memory);
}

// Ends a source of a run that ended early. Only counts its unanswered ids.
void JoinSink::CountUnanswered() {
  const Unanswered left = EndSource();
  const std::size_t width = to_.summary.group_fields().size();
  for (std::size_t s = 0; s < layout_.scorers(); ++s) {
    const RecordScore score{.outcome = Outcome::kUnanswered, .reason = RejectReason::kNoAnswer};
    for (std::size_t i = 0; i < left.entries.size(); ++i) {
      to_.summary.Add(s, score, std::span(left.groups).subspan(i * width, width), {},
                      {left.entries[i] + std::uint64_t{1}, gold_.id(left.entries[i])});
    }
  }
}

void BaseSink::Write(ScoredBatch& scored) {
  std::uint32_t entry = GoldTable::kNone;
  for (std::size_t i = 0; i < scored.ids.each.size(); ++i) {
    entry = base_.Find(scored.ids.each.text(i), entry + 1);  // kNone + 1 is the first
    if (entry != GoldTable::kNone) has_record_[entry] = true;
  }
}

void BaseSink::EndInputs() {
  ListedIds& ids = summary_.only_in_base().emplace();
  for (std::uint32_t entry = 0; entry < base_.size(); ++entry) {
    if (!has_record_[entry]) AddId(base_.id(entry), ids);
  }
}

}  // namespace leafscore::internal
