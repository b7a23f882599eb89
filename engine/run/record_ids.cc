#include "engine/run/record_ids.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/hash.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_view.h"
#include "engine/report/join_summary.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kPlacedAtOnce = 1 << 15;
constexpr std::size_t kMaxTextBytes = 4 << 20;  // for ids that wait to be placed
constexpr unsigned kLeastBits = 12;
// At most 25/32 of the table is full. So 2^23 slots are enough for the default limit of ids, and for the ids
// that are placed together with the last of these.
constexpr std::size_t kFullParts = 25;
constexpr std::size_t kAllParts = 32;
constexpr unsigned kPartBits = 8;  // hashes are placed part by part in the table

// Nobody can prepare ids that share a slot, as nobody knows the seed.
std::uint64_t Spread(std::uint64_t hash) {
  static const std::uint64_t factor = HashSeed() | 1;
  return hash * factor;
}

// Returns the hash that identifies an id within the source of its record: another source gives another hash.
std::uint64_t HashBySource(const BatchScorer& scorer, std::uint32_t r, std::uint64_t hash,
                           std::string& text) {
  const NodeId source = scorer.records().groups[(r + 1) * scorer.fields().groups.size() - 1];
  text.clear();
  if (source != kNoNode) AppendValueText(scorer.record_table(), scorer.shapes(), source, text);
  return hash ^ (MultisetHash::HashOf(text) | 1) * 0x9e3779b97f4a7c15;
}

// Appends the ids of the records that `scorer` has just scored. For each record i that could be read and has
// no id, calls without_id(i, expected) with the hash of its expected value.
template <class WithoutId>
void AppendEach(const BatchScorer& scorer, RecordIds& ids, WithoutId without_id) {
  const LeafTable& table = scorer.record_table();
  const RecordColumns& records = scorer.records();
  std::string text;
  std::string source;
  const std::uint64_t rows = ids.each.size() + ids.without.size();  // before these records
  for (std::uint32_t r = 0; r < records.id.size(); ++r) {
    text.clear();
    bool has_id = true;
    if (records.id[r] != kNoNode) {
      AppendValueText(table, scorer.shapes(), records.id[r], text);
    } else if (const auto line_id = records.line_ids.find(r); line_id != records.line_ids.end()) {
      text = line_id->second.text;
    } else {
      has_id = false;
      ids.without.push_back(rows + r);
    }
    std::uint64_t hash = 0;
    if (has_id) {
      hash = ids.ids.Add(text);
      ids.each.Add(text, scorer.fields().has_source ? HashBySource(scorer, r, hash, source) : hash);
    }
    if (records.parsed[r].root == kNoNode) continue;
    if (has_id) {
      ids.expected.AddPair(hash, scorer.HashOfExpected(r));
    } else {
      without_id(r, scorer.HashOfExpected(r));
    }
  }
}

std::uint64_t HashOfNumber(std::uint64_t number) { return MultisetHash::HashOf(std::to_string(number)); }

}  // namespace

std::string_view RecordIds::TextOf(std::uint64_t row) const {
  const auto next = std::ranges::lower_bound(without, row);
  if (next != without.end() && *next == row) return {};
  const std::uint64_t place = row - static_cast<std::uint64_t>(next - without.begin());
  return place < each.size() ? each.text(place) : std::string_view();
}

void AppendIds(const BatchScorer& scorer, std::uint64_t number, RecordIds& ids) {
  AppendEach(scorer, ids, [&](std::uint32_t r, const Hash128& expected) {
    ids.expected.AddPair(HashOfNumber(number + r), expected);
  });
}

void AppendUnnumberedIds(const BatchScorer& scorer, std::uint64_t row, RecordIds& ids) {
  AppendEach(scorer, ids, [&](std::uint32_t r, const Hash128& expected) {
    ids.unnumbered.push_back({row + r, expected});
  });
}

void NumberIds(std::uint64_t first_number, RecordIds& ids) {
  for (const UnnumberedValue& value : ids.unnumbered) {
    ids.expected.AddPair(HashOfNumber(first_number + value.row), value.expected);
  }
}

void SeenIds::Add(const IdList& ids, RepeatedIds& repeated) {
  if (ids.size() == 0) return;
  if (rising_ && ids.rise && (kept_.empty() || IdList::IsGreater(ids.text(0), last_))) {
    const std::size_t count = std::min(ids.size(), max_ids_ - kept_.size());
    kept_.insert(kept_.end(), ids.hashes.begin(), ids.hashes.begin() + static_cast<std::ptrdiff_t>(count));
    not_kept_ += ids.size() - count;
    last_ = ids.text(ids.size() - 1);
    return;
  }
  std::size_t i = 0;
  for (; rising_ && i < ids.size(); ++i) {
    const bool is_first = kept_.empty() && i == 0;
    rising_ = is_first || IdList::IsGreater(ids.text(i), i == 0 ? last_ : ids.text(i - 1));
    if (!rising_) break;
    if (kept_.size() < max_ids_) {
      kept_.push_back(ids.hashes[i]);
    } else {
      ++not_kept_;
    }
  }
  if (rising_) {
    if (ids.size() > 0) last_ = ids.text(ids.size() - 1);
    return;
  }
  StopKeeping(repeated);
  for (; i < ids.size(); ++i) {
    next_.Add(ids.text(i), ids.hashes[i]);
    if (next_.size() == std::min(kPlacedAtOnce, max_ids_) || next_.texts.size() >= kMaxTextBytes) {
      PlaceNext(repeated);
    }
  }
}

void SeenIds::End(RepeatedIds& repeated) { PlaceNext(repeated); }

// Places the hashes that were kept, which are all different.
void SeenIds::StopKeeping(RepeatedIds& repeated) {
  if (kept_.empty()) return;
  Reserve(kept_.size());
  std::vector<std::uint32_t> none;
  for (std::span<const std::uint64_t> rest = kept_; !rest.empty();) {
    const std::size_t count = std::min(rest.size(), kPlacedAtOnce);
    Place(rest.first(count), none, repeated.not_remembered);
    rest = rest.subspan(count);
  }
  kept_ = std::vector<std::uint64_t>();
  repeated.not_remembered += std::exchange(not_kept_, 0);
}

void SeenIds::PlaceNext(RepeatedIds& repeated) {
  std::vector<std::uint32_t> again;
  Place(next_.hashes, again, repeated.not_remembered);
  std::ranges::sort(again);
  for (const std::uint32_t i : again) AddId(next_.text(i), repeated.ids);
  next_.Clear();
}

std::size_t SeenIds::SlotOf(std::uint64_t hash) const { return Spread(hash) >> (64 - bits_); }

// Makes room for `ids` more hashes. The upper bits of a hash choose its slot, so hashes keep their order when
// the table grows.
void SeenIds::Reserve(std::size_t ids) {
  const auto is_enough = [&](std::size_t slots) { return kFullParts * slots >= kAllParts * (size_ + ids); };
  if (is_enough(slots_.size())) return;
  const std::vector<std::uint64_t> old = std::move(slots_);
  bits_ = std::max(bits_, kLeastBits);
  while (!is_enough(std::size_t{1} << bits_)) ++bits_;
  slots_.assign(std::size_t{1} << bits_, 0);
  for (const std::uint64_t hash : old) {
    if (hash == 0) continue;
    std::size_t slot = SlotOf(hash);
    while (slots_[slot] != 0) slot = slot + 1 == slots_.size() ? 0 : slot + 1;
    slots_[slot] = hash;
  }
}

// Places hashes in the table. If a hash is already there, its index goes to `repeated`.
void SeenIds::Place(std::span<const std::uint64_t> hashes, std::vector<std::uint32_t>& repeated,
                    std::uint64_t& not_remembered) {
  const bool remembers = size_ < max_ids_;  // even if only the first of them fits
  Reserve(remembers ? hashes.size() : 0);
  // Sort by part of the table; equal hashes keep their order.
  std::array<std::uint32_t, (1 << kPartBits) + 1> begin{};
  const auto part_of = [](std::uint64_t hash) { return Spread(hash) >> (64 - kPartBits); };
  for (const std::uint64_t hash : hashes) ++begin[part_of(hash) + 1];
  for (std::size_t part = 1; part < begin.size(); ++part) begin[part] += begin[part - 1];
  std::vector<std::uint32_t> order(hashes.size());
  for (std::uint32_t i = 0; i < hashes.size(); ++i) order[begin[part_of(hashes[i])]++] = i;

  constexpr std::size_t kAhead = 16;
  for (std::size_t o = 0; o < order.size(); ++o) {
    if (o + kAhead < order.size()) __builtin_prefetch(&slots_[SlotOf(hashes[order[o + kAhead]])], 1);
    const std::uint64_t hash = std::max<std::uint64_t>(hashes[order[o]], 1);
    std::size_t slot = SlotOf(hash);
    while (slots_[slot] != 0 && slots_[slot] != hash) slot = slot + 1 == slots_.size() ? 0 : slot + 1;
    if (slots_[slot] == hash) {
      repeated.push_back(order[o]);
    } else if (remembers) {
      slots_[slot] = hash;
      ++size_;
    } else {
      ++not_remembered;
    }
  }
}

}  // namespace leafscore::internal
