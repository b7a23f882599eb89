#include "engine/run/record_ids.h"

#include <string_view>
#include <utility>

#include "engine/base/hash.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_view.h"
#include "engine/report/join_summary.h"

namespace leafscore::internal {
namespace {

constexpr unsigned kLeastBits = 12;
constexpr std::size_t kAhead = 8;  // ids whose slots are on their way into the cache

}  // namespace

void AppendIds(const BatchScorer& scorer, std::uint64_t number, RecordIds& ids) {
  const LeafTable& table = scorer.record_table();
  const RecordColumns& records = scorer.records();
  std::string number_text;
  for (std::uint32_t r = 0; r < records.id.size(); ++r, ++number) {
    const std::size_t begin = ids.texts.size();
    if (records.id[r] != kNoNode) {
      AppendValueText(table, scorer.shapes(), records.id[r], ids.texts);
    } else if (const auto line_id = records.line_ids.find(r); line_id != records.line_ids.end()) {
      ids.texts += line_id->second.text;
    }
    std::string_view id = std::string_view(ids.texts).substr(begin);
    const bool has_id = records.id[r] != kNoNode || records.line_ids.contains(r);
    if (has_id) ids.each.push_back({ids.ids.Add(id), ids.texts.size()});
    if (records.parsed[r].root == kNoNode) continue;
    if (!has_id) id = number_text = std::to_string(number);
    ids.expected.AddPair(id, JsonView(table, scorer.shapes(), scorer.pairs().expected[r]).Written());
  }
}

// Nobody can prepare ids that meet in a slot, as nobody knows the seed.
std::size_t SeenIds::SlotOf(std::uint64_t hash) const { return hash * (HashSeed() | 1) >> (64 - bits_); }

void SeenIds::Add(const RecordIds& ids, RepeatedIds& repeated) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < ids.each.size(); begin = ids.each[i++].end) {
    if (4 * (size_ + 1) > 3 * slots_.size() && size_ < max_ids_) Grow();
    if (i + kAhead < ids.each.size()) __builtin_prefetch(&slots_[SlotOf(ids.each[i + kAhead].hash)], 1);
    const std::uint64_t hash = ids.each[i].hash == 0 ? 1 : ids.each[i].hash;
    std::size_t slot = SlotOf(hash);
    while (slots_[slot] != 0 && slots_[slot] != hash) slot = slot + 1 == slots_.size() ? 0 : slot + 1;
    if (slots_[slot] == hash) {
      AddId(std::string_view(ids.texts).substr(begin, ids.each[i].end - begin), repeated.ids);
    } else if (size_ < max_ids_) {
      slots_[slot] = hash;
      ++size_;
    } else {
      ++repeated.not_remembered;
    }
  }
}

// Doubles the slots. As upper bits choose the slot, hashes move in about the order of both tables.
void SeenIds::Grow() {
  const std::vector<std::uint64_t> old = std::move(slots_);
  bits_ = old.empty() ? kLeastBits : bits_ + 1;
  slots_.assign(std::size_t{1} << bits_, 0);
  for (const std::uint64_t hash : old) {
    if (hash == 0) continue;
    std::size_t slot = SlotOf(hash);
    while (slots_[slot] != 0) slot = slot + 1 == slots_.size() ? 0 : slot + 1;
    slots_[slot] = hash;
  }
}

}  // namespace leafscore::internal
