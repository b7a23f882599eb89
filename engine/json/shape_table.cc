#include "engine/json/shape_table.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

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
  clear(steps_);
  clear(shapes_);
  clear(keys_);
  clear(correspondences_);
  predictions_.resize(2);
  steps_.resize(2);
  shapes_.push_back(Shape{.duplicates = Duplicates::kNone});
  children_.Clear();
  key_ids_.Clear();
  correspondence_ids_.Clear();
  current_mark_ = 0;
  text_blocks_.clear();
  text_left_ = 0;
  stored_bytes_ = 0;
}

std::uint64_t ShapeTable::ChildHash(ShapeId parent, std::uint32_t key) const {
  return HashMix((std::uint64_t{parent} << 32 | key) ^ hash_seed_, 0x9e3779b97f4a7c15u);
}

ShapeId ShapeTable::Extend(Place place, std::string_view key, bool padded) {
  const Steps known = steps_[place];
  // The key that came last time, if it is too long to be predicted.
  if (EndsWith(known.last, key, padded)) return known.last;
  const ShapeId child =
      EndsWith(known.before, key, padded) ? known.before : FindOrAddChild(ShapeAt(place), InternKey(key));
  steps_[place] = {.last = child, .before = known.last};
  predictions_[place] = {keys_[shapes_[child].last_key].quoted, Behind(child)};
  return child;
}

bool ShapeTable::EndsWith(ShapeId shape, std::string_view key, bool padded) const {
  return shape != kEmptyShape && EqualTexts(keys_[shapes_[shape].last_key].text, key, padded);
}

ShapeTable::QuotedKey ShapeTable::Quote(std::string_view key) {
  QuotedKey quoted;
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

ShapeId ShapeTable::FindOrAddChild(ShapeId shape, std::uint32_t key) {
  const std::uint64_t hash = ChildHash(shape, key);
  ShapeId child = children_.Find(
      hash, [&](std::uint32_t id) { return shapes_[id].parent == shape && shapes_[id].last_key == key; });
  if (child == IdTable::kNone) {
    child = static_cast<ShapeId>(shapes_.size());
    const Shape& parent = shapes_[shape];
    const std::uint64_t bit = std::uint64_t{1} << key % 64;
    const bool is_new = parent.duplicates == Duplicates::kNone && (parent.key_bits & bit) == 0;
    shapes_.push_back(Shape{.key_bits = parent.key_bits | bit,
                            .parent = shape,
                            .last_key = key,
                            .member_count = parent.member_count + 1,
                            .duplicates = is_new ? Duplicates::kNone : Duplicates::kUnknown});
    predictions_.resize(2 * shapes_.size());
    steps_.resize(2 * shapes_.size());
    children_.Insert(hash, child,
                     [&](std::uint32_t id) { return ChildHash(shapes_[id].parent, shapes_[id].last_key); });
  }
  return child;
}

std::uint32_t ShapeTable::InternKey(std::string_view key) {
  const std::uint64_t hash = HashBytes(key, hash_seed_);
  std::uint32_t id = key_ids_.Find(hash, [&](std::uint32_t k) { return keys_[k].text == key; });
  if (id == IdTable::kNone) {
    id = static_cast<std::uint32_t>(keys_.size());
    keys_.push_back(Key{.text = StoreText(key), .quoted = Quote(key), .hash = hash});
    key_ids_.Insert(hash, id, [&](std::uint32_t k) { return keys_[k].hash; });
  }
  return id;
}

std::string_view ShapeTable::StoreText(std::string_view text) {
  constexpr std::size_t kBlockBytes = 16 << 10;
  if (text.size() > text_left_ || text_blocks_.empty()) {
    text_left_ = std::max(kBlockBytes, text.size());
    text_blocks_.push_back(std::make_unique<char[]>(text_left_ + kKeyLookAhead));
    text_next_ = text_blocks_.back().get();
  }
  char* stored = text_next_;
  std::memcpy(stored, text.data(), text.size());
  text_next_ += text.size();
  text_left_ -= text.size();
  stored_bytes_ += text.size();
  return {stored, text.size()};
}

void ShapeTable::NewMark() {
  if (++current_mark_ == 0) {  // wrapped around: marks of old walks must not look current
    for (Key& key : keys_) key.mark = 0;
    current_mark_ = 1;
  }
}

bool ShapeTable::CheckDuplicates(ShapeId shape) {
  NewMark();
  bool duplicates = false;
  for (ShapeId s = shape; s != kEmptyShape && !duplicates; s = shapes_[s].parent) {
    Key& key = keys_[shapes_[s].last_key];
    duplicates = key.mark == current_mark_;
    key.mark = current_mark_;
  }
  shapes_[shape].duplicates = duplicates ? Duplicates::kSome : Duplicates::kNone;
  return duplicates;
}

std::vector<std::string_view> ShapeTable::Keys(ShapeId shape) const {
  std::vector<std::string_view> keys(member_count(shape));
  for (ShapeId s = shape; s != kEmptyShape; s = shapes_[s].parent) {
    keys[shapes_[s].member_count - 1] = keys_[shapes_[s].last_key].text;
  }
  return keys;
}

std::uint32_t ShapeTable::FindMember(ShapeId shape, std::string_view key) const {
  for (ShapeId s = shape; s != kEmptyShape; s = shapes_[s].parent) {
    if (keys_[shapes_[s].last_key].text == key) return shapes_[s].member_count - 1;
  }
  return kNoMember;
}

const std::uint32_t* ShapeTable::CorrespondingMembers(ShapeId from, ShapeId to) {
  const auto hash_of = [&](ShapeId f, ShapeId t) {
    return HashMix((std::uint64_t{f} << 32 | t) ^ hash_seed_, 0x9e3779b97f4a7c15u);
  };
  const std::uint64_t hash = hash_of(from, to);
  const std::uint32_t known = correspondence_ids_.Find(hash, [&](std::uint32_t id) {
    return correspondences_[id].from == from && correspondences_[id].to == to;
  });
  if (known != IdTable::kNone) return correspondences_[known].members.get();

  NewMark();
  for (ShapeId s = to; s != kEmptyShape; s = shapes_[s].parent) {
    Key& key = keys_[shapes_[s].last_key];
    key.mark = current_mark_;
    key.position = shapes_[s].member_count - 1;
  }
  auto members = std::make_unique<std::uint32_t[]>(member_count(from));
  for (ShapeId s = from; s != kEmptyShape; s = shapes_[s].parent) {
    const Key& key = keys_[shapes_[s].last_key];
    members[shapes_[s].member_count - 1] = key.mark == current_mark_ ? key.position : kNoMember;
  }
  stored_bytes_ += sizeof(Correspondence) + member_count(from) * sizeof(std::uint32_t);
  const auto id = static_cast<std::uint32_t>(correspondences_.size());
  correspondences_.push_back({from, to, std::move(members)});
  correspondence_ids_.Insert(
      hash, id, [&](std::uint32_t k) { return hash_of(correspondences_[k].from, correspondences_[k].to); });
  return correspondences_[id].members.get();
}

}  // namespace leafscore::internal
