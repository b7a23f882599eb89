#include "engine/run/gold_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "engine/base/suggest.h"
#include "engine/run/owned_texts.h"

namespace leafscore::internal {
namespace {

// Unanswered ids are scored in parts of about the size of a batch.
constexpr std::size_t kPartBytes = 256 << 10;
constexpr std::size_t kPartRows = 4096;

// Copies `width` elements of a row to another row.
template <class T>
void CopyRow(std::span<const T> from, std::size_t from_row, std::vector<T>& to, std::size_t to_row,
             std::size_t width) {
  std::ranges::copy(from.subspan(from_row * width, width),
                    to.begin() + static_cast<std::ptrdiff_t>(to_row * width));
}

}  // namespace

GoldJoin::GoldJoin(const GoldTable& gold, std::span<const std::string> sources, const ResultLayout& layout,
                   std::size_t groups, Repeats repeats)
    : gold_(gold), layout_(layout), group_count_(groups), repeats_(repeats), answered_(gold.size()) {
  if (repeats != Repeats::kAll) Resize(gold.size());
  summary_.gold = gold.counts();
  summary_.all_answers_count = repeats == Repeats::kAll;
  for (const std::string& source : sources) summary_.sources.emplace_back().source = source;
}

void GoldJoin::Resize(std::size_t rows) {
  results_.scores.resize(rows * layout_.scorers());
  results_.fields.resize(rows * layout_.fields());
  groups_.resize(rows * group_count_);
}

void GoldJoin::Add(std::span<const std::uint32_t> entries, const ListedIds& without_gold,
                   const ResultRows& results, std::span<const std::uint32_t> groups) {
  SourceCounts& source = summary_.sources[source_];
  std::uint64_t matched = 0;
  std::optional<std::uint32_t> refused;
  for (std::size_t r = 0; r < entries.size(); ++r) {
    const std::uint32_t entry = entries[r];
    if (entry == GoldTable::kNone) continue;
    ++matched;
    const bool repeated = answered_[entry];
    answered_[entry] = true;
    if (repeated) {
      AddId(gold_.id(entry), source.duplicates);
      if (repeats_ == Repeats::kFirst) continue;
      if (repeats_ == Repeats::kError && !refused) refused = entry;
    }
    std::size_t row = entry;
    if (repeats_ == Repeats::kAll) {
      row = entries_.size();
      entries_.push_back(entry);
      Resize(row + 1);
    }
    CopyRow<RecordScore>(results.scores, r, results_.scores, row, layout_.scorers());
    CopyRow<FieldOutcome>(results.fields, r, results_.fields, row, layout_.fields());
    CopyRow(groups, r, groups_, row, group_count_);
  }
  source.records += entries.size();
  source.matched += matched;
  source.rejected += entries.size() - matched - without_gold.count;
  AddIds(without_gold, source.without_gold);
  if (!refused) return;
  throw Error(ErrorCode::kInput,
              fmt::format("{} answers the id {} more than once; say which answer counts (--repeats)",
                          source.source, QuoteForMessage(gold_.id(*refused))));
}

std::vector<std::uint32_t> GoldJoin::EndSource(RunSummary& summary) {
  ListedIds& listed = summary_.sources[source_++].unanswered;
  std::vector<std::uint32_t> unanswered;
  for (std::uint32_t entry = 0; entry < answered_.size(); ++entry) {
    if (!answered_[entry]) {
      unanswered.push_back(entry);
      AddId(gold_.id(entry), listed);
    } else if (repeats_ != Repeats::kAll) {
      AddRow(results_, layout_, entry, Groups(entry), summary);
    }
  }
  if (repeats_ == Repeats::kAll) AddAllAnswers(summary);
  answered_.assign(answered_.size(), false);
  return unanswered;
}

// Adds the answers id by id, in the order of the ids; the groups of an id are those of its last answer.
void GoldJoin::AddAllAnswers(RunSummary& summary) {
  std::vector<std::uint32_t> rows(entries_.size());
  std::iota(rows.begin(), rows.end(), 0u);
  std::ranges::stable_sort(rows, {}, [&](std::uint32_t row) { return entries_[row]; });
  for (std::span<const std::uint32_t> rest = rows; !rest.empty();) {
    const auto end = std::ranges::find_if(
        rest, [&](std::uint32_t row) { return entries_[row] != entries_[rest.front()]; });
    const std::span<const std::uint32_t> answers(rest.begin(), end);
    AddRepeatedRows(results_, layout_, answers, Groups(answers.back()), summary);
    rest = rest.subspan(answers.size());
  }
  entries_.clear();
  Resize(0);
}

void AddUnanswered(const GoldTable& gold, std::span<const std::uint32_t> entries,
                   std::span<const std::uint32_t> groups, BatchScorer& scorer, RunSummary& summary,
                   const std::function<void(std::span<const std::uint32_t> part)>& part_done) {
  const ResultLayout layout = LayoutOf(scorer);
  OwnedTexts expected;
  ResultRows results;
  const std::size_t width = entries.empty() ? 0 : groups.size() / entries.size();
  while (!entries.empty()) {
    expected.Clear();
    while (expected.size() < std::min(entries.size(), kPartRows) && expected.bytes() < kPartBytes) {
      const std::string_view json = gold.expected_json(entries[expected.size()]);
      expected.Add(json.empty() ? std::nullopt : std::optional(json));
    }
    const std::span<const std::uint32_t> part = entries.first(scorer.ScoreUnanswered(expected.column()));
    entries = entries.subspan(part.size());
    results = {};
    AppendResults(scorer, results);
    for (std::size_t row = 0; row < part.size(); ++row) {
      AddRow(results, layout, row, groups.subspan(row * width, width), summary);
    }
    groups = groups.subspan(part.size() * width);
    if (part_done) part_done(part);
  }
}

}  // namespace leafscore::internal
