#include "engine/run/gold_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/run/file_options.h"
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
    : gold_(gold), layout_(layout), group_count_(groups), repeats_(repeats) {
  summary_.gold = gold.counts();
  summary_.all_answers_count = repeats == Repeats::kAll;
  for (const std::string& source : sources) summary_.sources.emplace_back().source = source;
  Begin(states_.emplace_back());
}

GoldJoin::GoldJoin(const GoldTable& gold, std::size_t source_field, const ResultLayout& layout,
                   std::size_t groups, Repeats repeats)
    : GoldJoin(gold, std::span<const std::string>(), layout, groups, repeats) {
  source_field_ = source_field;
  states_.clear();
}

void GoldJoin::Begin(State& state) const {
  state.answered.assign(gold_.size(), false);
  state.entries.clear();
  Resize(repeats_ == Repeats::kAll ? 0 : gold_.size(), state);
}

void GoldJoin::Resize(std::size_t rows, State& state) const {
  state.results.scores.resize(rows * layout_.scorers());
  state.results.fields.resize(rows * layout_.fields());
  state.results.hashes.resize(rows);
  state.groups.resize(rows * group_count_);
}

void GoldJoin::NameSource(std::uint32_t number, std::string_view name) {
  if (!state_of_number_.try_emplace(number, states_.size()).second) return;
  summary_.sources.emplace_back().source = name;
  State& state = states_.emplace_back();
  state.number = number;
  Begin(state);
}

// Returns the position of a source that is a value of a group field. Records without a value get a source of
// their own, which counts as not asked until one of its records answers an id.
std::size_t GoldJoin::StateOf(std::uint32_t number) {
  if (number == kNoneGroup && !state_of_number_.contains(number)) {
    NameSource(number, kNoSource);
    summary_.sources.back().is_asked = false;
  }
  return state_of_number_.at(number);
}

void GoldJoin::Add(std::span<const std::uint32_t> entries, const ListedIds& without_gold,
                   const ResultRows& results, std::span<const std::uint32_t> groups) {
  std::uint64_t matched = 0;
  std::optional<std::pair<std::size_t, std::uint32_t>> refused;  // a source and a gold entry
  for (std::size_t r = 0; r < entries.size(); ++r) {
    const std::uint32_t entry = entries[r];
    if (entry == GoldTable::kNone) continue;
    const std::size_t place = by_field() ? StateOf(groups[r * group_count_ + *source_field_]) : source_;
    SourceCounts& source = summary_.sources[place];
    State& state = by_field() ? states_[place] : states_.front();
    ++matched;
    ++source.records;
    ++source.matched;
    source.is_asked = true;
    const bool repeated = state.answered[entry];
    state.answered[entry] = true;
    if (repeated) {
      AddId(gold_.id(entry), source.duplicates);
      if (repeats_ == Repeats::kFirst) continue;
      if (repeats_ == Repeats::kError && !refused) refused = {place, entry};
    }
    std::size_t row = entry;
    if (repeats_ == Repeats::kAll) {
      row = state.entries.size();
      state.entries.push_back(entry);
      Resize(row + 1, state);
    }
    CopyRow<RecordScore>(results.scores, r, state.results.scores, row, layout_.scorers());
    CopyRow<FieldOutcome>(results.fields, r, state.results.fields, row, layout_.fields());
    state.results.hashes[row] = results.hashes[r];
    state.results.cells.Copy(results.cells, r, row);
    CopyRow(groups, r, state.groups, row, group_count_);
  }
  if (matched < entries.size()) {
    SourceCounts& source = summary_.sources[by_field() ? StateOf(kNoneGroup) : source_];
    source.records += entries.size() - matched;
    source.rejected += entries.size() - matched - without_gold.count;
    AddIds(without_gold, source.without_gold);
  }
  if (!refused) return;
  throw Error(
      ErrorCode::kInput,
      fmt::format("{} answers the id {} more than once; choose which answer counts (--repeats)",
                  summary_.sources[refused->first].source, QuoteForMessage(gold_.id(refused->second))));
}

std::vector<std::uint32_t> GoldJoin::EndSource(RunSummary& summary) {
  State& state = by_field() ? states_[source_] : states_.front();
  SourceCounts& source = summary_.sources[source_++];
  std::vector<std::uint32_t> unanswered;
  if (!source.is_asked) return unanswered;
  for (std::uint32_t entry = 0; entry < state.answered.size(); ++entry) {
    if (!state.answered[entry]) {
      unanswered.push_back(entry);
      AddId(gold_.id(entry), source.unanswered);
    } else if (repeats_ != Repeats::kAll) {
      AddRow(state.results, layout_, entry, GroupsOf(state, entry), NameOf(entry), summary);
      AddHashes(state.results, layout_, {&entry, 1}, GroupsOf(state, entry), NameOf(entry), summary);
    }
  }
  if (repeats_ == Repeats::kAll) AddAllAnswers(state, summary);
  if (by_field()) {
    state = {};
  } else {
    Begin(state);
  }
  return unanswered;
}

// Adds the answers id by id, in the order of the gold. The groups of an id are those of its last answer.
void GoldJoin::AddAllAnswers(State& state, RunSummary& summary) const {
  std::vector<std::uint32_t> rows(state.entries.size());
  std::iota(rows.begin(), rows.end(), 0u);
  std::ranges::stable_sort(rows, {}, [&](std::uint32_t row) { return state.entries[row]; });
  for (std::span<const std::uint32_t> rest = rows; !rest.empty();) {
    const auto end = std::ranges::find_if(
        rest, [&](std::uint32_t row) { return state.entries[row] != state.entries[rest.front()]; });
    const std::span<const std::uint32_t> answers(rest.begin(), end);
    AddRepeatedRows(state.results, layout_, answers, GroupsOf(state, answers.back()),
                    NameOf(state.entries[answers.front()]), summary);
    AddHashes(state.results, layout_, answers, GroupsOf(state, answers.back()),
              NameOf(state.entries[answers.front()]), summary);
    rest = rest.subspan(answers.size());
  }
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
      AddRow(results, layout, row, groups.subspan(row * width, width),
             {part[row] + std::uint64_t{1}, gold.id(part[row])}, summary);
    }
    groups = groups.subspan(part.size() * width);
    if (part_done) part_done(part);
  }
}

}  // namespace leafscore::internal
