#include "engine/run/gold_join.h"

#include <algorithm>

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
                   std::size_t groups)
    : gold_(gold),
      layout_(layout),
      group_count_(groups),
      answered_(gold.size()),
      groups_(gold.size() * groups) {
  results_.scores.resize(gold.size() * layout.scorers());
  results_.fields.resize(gold.size() * layout.fields());
  summary_.gold = gold.counts();
  for (const std::string& source : sources) summary_.sources.emplace_back().source = source;
}

void GoldJoin::Add(std::span<const std::uint32_t> entries, const ListedIds& without_gold,
                   const ResultRows& results, std::span<const std::uint32_t> groups) {
  SourceCounts& source = summary_.sources[source_];
  std::uint64_t matched = 0;
  for (std::size_t r = 0; r < entries.size(); ++r) {
    const std::uint32_t entry = entries[r];
    if (entry == GoldTable::kNone) continue;
    ++matched;
    if (answered_[entry]) AddId(gold_.id(entry), source.duplicates);
    answered_[entry] = true;
    CopyRow<RecordScore>(results.scores, r, results_.scores, entry, layout_.scorers());
    CopyRow<FieldOutcome>(results.fields, r, results_.fields, entry, layout_.fields());
    CopyRow(groups, r, groups_, entry, group_count_);
  }
  source.records += entries.size();
  source.matched += matched;
  source.rejected += entries.size() - matched - without_gold.count;
  AddIds(without_gold, source.without_gold);
}

std::vector<std::uint32_t> GoldJoin::EndSource(RunSummary& summary) {
  ListedIds& listed = summary_.sources[source_++].unanswered;
  std::vector<std::uint32_t> unanswered;
  for (std::uint32_t entry = 0; entry < answered_.size(); ++entry) {
    if (answered_[entry]) {
      AddRow(results_, layout_, entry, std::span(groups_).subspan(entry * group_count_, group_count_),
             summary);
    } else {
      unanswered.push_back(entry);
      AddId(gold_.id(entry), listed);
    }
  }
  answered_.assign(answered_.size(), false);
  return unanswered;
}

void AddUnanswered(const GoldTable& gold, std::span<const std::uint32_t> entries,
                   std::span<const std::uint32_t> groups, BatchScorer& scorer, RunSummary& summary,
                   const std::function<void(std::span<const std::uint32_t> part)>& part_done) {
  const ResultLayout layout = LayoutOf(scorer);
  OwnedTexts expected;
  ResultRows results;
  while (!entries.empty()) {
    expected.Clear();
    while (expected.size() < std::min(entries.size(), kPartRows) && expected.bytes() < kPartBytes) {
      const std::string_view json = gold.expected_json(entries[expected.size()]);
      expected.Add(json.empty() ? std::nullopt : std::optional(json));
    }
    const std::span<const std::uint32_t> part = entries.first(expected.size());
    entries = entries.subspan(expected.size());
    scorer.ScoreUnanswered(expected.column());
    results = {};
    AppendResults(scorer, results);
    for (std::size_t row = 0; row < part.size(); ++row) AddRow(results, layout, row, groups, summary);
    if (part_done) part_done(part);
  }
}

}  // namespace leafscore::internal
