#include "engine/json/shape_table.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>

namespace leafscore::internal {

ShapeTable::ShapeTable(std::uint64_t hash_seed) : hash_seed_(hash_seed) { Clear(); }

void ShapeTable::Clear() {
  // Keep memory for the next shapes, but not what one odd record made huge.
  const auto clear = [](auto& rows) {
    constexpr std::size_t kMaxKeptBytes = 1 << 20;
    if (rows.capacity() * sizeof rows[0] > kMaxKeptBytes) std::decay_t<decltype(rows)>().swap(rows);
    rows.clear();
  };
  clear(predictions_);
  clear(rows_);
  clear(shapes_);
  clear(keys_);
  clear(marks_);
  clear(correspondences_);
  predictions_.resize(kSlots);
  rows_.resize(kCachedKeys);
  rows_end_ = 0;
  starts_.resize(kSlots);
  std::iota(starts_.begin(), starts_.end(), 0);
  cached_keys_.assign(kCachedKeys, {});
  shapes_.push_back({});
  shape_ids_.Clear();
  key_ids_.Clear();
  correspondence_ids_.Clear();
  current_mark_ = 0;
  blocks_.clear();
  block_left_ = 0;
  stored_bytes_ = 0;
}

void ShapeTable::Append(std::string_view key, bool padded, KeyRow* row) {
  const std::uint32_t predicted = predictions_[row->next].key.id;
  // As predicted, but Follow cannot know.
  if (predicted != kNoKey && (!padded || key.size() >= kKeyLookAhead) && keys_[predicted].text == key) {
    return Step(row);
  }
  const std::uint32_t last_key = LastKey(*row);
  if (IsOnTrack(*row)) LeaveTrack(row);
  const QuotedKey found = FindKey(key, padded, last_key);
  AddKey(found.id);
  const std::uint32_t slot = SlotBehind(found.id);
  predictions_[row->next] = {.key = found, .next = slot};
  row->next = slot;
}

// Notes the keys of a row that is on a track, which it then leaves.
void ShapeTable::LeaveTrack(KeyRow* row) {
  const std::uint32_t begin = row->first;
  row->first = rows_end_;
  for (std::uint32_t i = begin; i != row->next; ++i) AddKey(predictions_[i].key.id);
  row->next = row->next == begin ? row->place : SlotBehind(rows_[rows_end_ - 1]);
}

ShapeId ShapeTable::FinishOffTrack(KeyRow row) {
  if (IsOnTrack(row)) LeaveTrack(&row);
  const ShapeId shape = Intern(std::span(rows_).subspan(row.first, rows_end_ - row.first));
  rows_end_ = row.first;
  if (shape == kEmptyShape) return shape;
  constexpr std::uint32_t kOften = 3;
  if (shapes_[shape].track == 0 && ++shapes_[shape].finished == kOften) AddTrack(shape);
  if (shapes_[shape].track != 0) starts_[row.place] = shapes_[shape].track;
  return shape;
}

ShapeId ShapeTable::ShapeOf(std::span<const std::string_view> keys) {
  KeyRow row = Within(Outermost(), /*in_object=*/false);
  for (const std::string_view key : keys) Append(key, /*padded=*/false, &row);
  return Finish(row);
}

ShapeId ShapeTable::Intern(std::span<const std::uint32_t> keys) {
  if (keys.empty()) return kEmptyShape;
  const std::uint64_t hash =
      HashBytes({reinterpret_cast<const char*>(keys.data()), keys.size_bytes()}, hash_seed_);
  const std::uint32_t known = shape_ids_.Find(hash, [&](std::uint32_t id) {
    return shapes_[id].hash == hash && std::ranges::equal(RowOf(id), keys);
  });
  return known != IdTable::kNone ? known : AddShape(keys, hash);
}

ShapeId ShapeTable::AddShape(std::span<const std::uint32_t> keys, std::uint64_t hash) {
  std::uint32_t* const row = StoreRow(keys.size());
  std::ranges::copy(keys, row);
  const auto shape = static_cast<ShapeId>(shapes_.size());
  shapes_.push_back({.hash = hash,
                     .keys = row,
                     .member_count = static_cast<std::uint32_t>(keys.size()),
                     .has_duplicates = HaveDuplicates(keys)});
  shape_ids_.Insert(hash, shape, [&](std::uint32_t id) { return shapes_[id].hash; });
  return shape;
}

void ShapeTable::AddTrack(ShapeId id) {
  Shape& shape = shapes_[id];
  shape.track = static_cast<std::uint32_t>(predictions_.size());
  for (const std::uint32_t key : RowOf(id)) {
    predictions_.push_back({.key = Quote(key), .next = static_cast<std::uint32_t>(predictions_.size()) + 1});
  }
  predictions_.push_back({.key = {}, .ended = id});
}

bool ShapeTable::HaveDuplicates(std::span<const std::uint32_t> keys) {
  std::uint64_t bits = 0;  // bit k % 64 for each key k
  for (const std::uint32_t key : keys) bits |= std::uint64_t{1} << key % 64;
  if (static_cast<std::size_t>(std::popcount(bits)) == keys.size()) return false;
  NewMark();
  return std::ranges::any_of(keys, [&](std::uint32_t key) {
    return std::exchange(marks_[key].shape, current_mark_) == current_mark_;
  });
}

ShapeTable::QuotedKey ShapeTable::Quote(std::uint32_t id) const {
  const std::string_view key = keys_[id].text;
  QuotedKey quoted{.id = id};
  char text[kKeyLookAhead] = {};
  const bool plain = key.find_first_of("\"\\") == std::string_view::npos;
  if (key.size() >= kKeyLookAhead || !plain) return quoted;
  std::memcpy(text, key.data(), key.size());
  text[key.size()] = '"';
  std::memcpy(&quoted.low, text, 8);
  std::memcpy(&quoted.high, text + 8, 8);
  quoted.size = static_cast<std::uint32_t>(key.size()) + 1;
  return quoted;
}

// Returns a key that comes after `last_key`.
ShapeTable::QuotedKey ShapeTable::FindKey(std::string_view key, bool padded, std::uint32_t last_key) {
  // An object with more keys than the cache holds often has those of an earlier one, in the same order.
  if (keys_.size() > kCachedKeys && last_key + 1 < keys_.size() && keys_[last_key + 1].text == key) {
    return Quote(last_key + 1);
  }
  if (!padded || key.size() >= kKeyLookAhead) return Quote(InternKey(key));
  const WordMasks& mask = kMasks[key.size() + 1];
  const std::uint64_t low = LoadWord64(key.data()) & mask.low;
  const std::uint64_t high = LoadWord64(key.data() + 8) & mask.high;
  QuotedKey& cached = cached_keys_[HashMix(low ^ hash_seed_, high ^ 0x9e3779b97f4a7c15u) % kCachedKeys];
  if (((cached.low ^ low) | (cached.high ^ high)) != 0) cached = Quote(InternKey(key));
  return cached;
}

std::uint32_t ShapeTable::InternKey(std::string_view key) {
  const std::uint64_t hash = HashBytes(key, hash_seed_);
  std::uint32_t id = key_ids_.Find(hash, [&](std::uint32_t k) { return keys_[k].text == key; });
  if (id == IdTable::kNone) {
    id = static_cast<std::uint32_t>(keys_.size());
    char* const text = Store(key.size() + kKeyLookAhead);
    std::memcpy(text, key.data(), key.size());
    keys_.push_back({.text = {text, key.size()}, .hash = hash});
    marks_.push_back({});
    key_ids_.Insert(hash, id, [&](std::uint32_t k) { return keys_[k].hash; });
  }
  return id;
}

// Returns memory that stays until Clear.
char* ShapeTable::Store(std::size_t bytes) {
  constexpr std::size_t kBlockBytes = 16 << 10;
  constexpr std::size_t kAlignment = alignof(std::uint32_t);
  bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (bytes > block_left_) {
    block_left_ = std::max(kBlockBytes, bytes);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_left_));
    block_next_ = blocks_.back().get();
  }
  char* const stored = block_next_;
  block_next_ += bytes;
  block_left_ -= bytes;
  stored_bytes_ += bytes;
  return stored;
}

void ShapeTable::NewMark() {
  if (++current_mark_ == 0) {  // wrapped around: marks of old walks must not look current
    std::ranges::fill(marks_, Mark{});
    current_mark_ = 1;
  }
}

std::vector<std::string_view> ShapeTable::Keys(ShapeId shape) const {
  std::vector<std::string_view> keys;
  for (const std::uint32_t key : RowOf(shape)) keys.push_back(keys_[key].text);
  return keys;
}

std::uint32_t ShapeTable::FindMember(ShapeId shape, std::string_view key) const {
  const std::span<const std::uint32_t> row = RowOf(shape);
  const auto found = std::ranges::find(row, key, [&](std::uint32_t k) { return keys_[k].text; });
  return found == row.end() ? kNoMember : static_cast<std::uint32_t>(found - row.begin());
}

const std::uint32_t* ShapeTable::CorrespondingMembers(ShapeId from, ShapeId to) {
  const auto hash_of = [&](ShapeId f, ShapeId t) {
    return HashMix((std::uint64_t{f} << 32 | t) ^ hash_seed_, 0x9e3779b97f4a7c15u);
  };
  const std::uint64_t hash = hash_of(from, to);
  const std::uint32_t known = correspondence_ids_.Find(hash, [&](std::uint32_t id) {
    return correspondences_[id].from == from && correspondences_[id].to == to;
  });
  if (known != IdTable::kNone) return correspondences_[known].members;

  NewMark();
  for (std::uint32_t position = 0; const std::uint32_t key : RowOf(to)) {
    marks_[key] = {current_mark_, position++};
  }
  std::uint32_t* const members = StoreRow(member_count(from));
  std::ranges::transform(RowOf(from), members, [&](std::uint32_t key) {
    return marks_[key].shape == current_mark_ ? marks_[key].position : kNoMember;
  });
  const auto id = static_cast<std::uint32_t>(correspondences_.size());
  correspondences_.push_back({from, to, members});
  correspondence_ids_.Insert(
      hash, id, [&](std::uint32_t k) { return hash_of(correspondences_[k].from, correspondences_[k].to); });
  return members;
}

}  // namespace leafscore::internal
