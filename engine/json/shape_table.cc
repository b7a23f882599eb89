#include "engine/json/shape_table.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace leafscore::internal {

ShapeTable::ShapeTable(std::uint64_t hash_seed) : hash_seed_(hash_seed) { Clear(); }

void ShapeTable::Clear() {
  // New vectors rather than cleared ones, as one odd record may have made them huge.
  predictions_ = std::vector<Predictions>(1);
  first_predictions_ = std::vector<Predictions>(1);
  shapes_ = std::vector<Shape>(1, Shape{.duplicates = Duplicates::kNone});
  keys_ = std::vector<Key>();
  correspondences_ = std::vector<Correspondence>();
  children_.Clear();
  key_ids_.Clear();
  correspondence_ids_.Clear();
  current_mark_ = 0;
  text_blocks_.clear();
  text_left_ = 0;
  stored_bytes_ = 0;
}

std::uint64_t ShapeTable::ChildHash(ShapeId parent, std::uint64_t key_hash) const {
  return HashMix(key_hash ^ parent, hash_seed_ | 1);
}

ShapeId ShapeTable::Extend(OpenObject object, std::string_view key) {
  for (Prediction Predictions::*const known : {&Predictions::last, &Predictions::before}) {
    const ShapeId child = (PredictionsFor(object).*known).child;
    if (child == kEmptyShape || keys_[shapes_[child].last_key].text != key) continue;
    if (known == &Predictions::before) std::swap(PredictionsFor(object).last, PredictionsFor(object).before);
    return child;
  }
  const ShapeId child = FindOrAddChild(object.shape, key);
  Predictions& next = PredictionsFor(object);
  next.before = next.last;
  next.last = Predict(key, child);
  return child;
}

ShapeTable::Prediction ShapeTable::Predict(std::string_view key, ShapeId child) {
  Prediction prediction;
  prediction.child = child;
  char text[kKeyLookAhead] = {};
  char mask[kKeyLookAhead] = {};
  const bool plain = key.find_first_of("\"\\") == std::string_view::npos;
  if (key.size() >= kKeyLookAhead || !plain) return prediction;
  std::memcpy(text, key.data(), key.size());
  text[key.size()] = '"';
  std::memset(mask, 0xff, key.size() + 1);
  std::memcpy(&prediction.low, text, 8);
  std::memcpy(&prediction.high, text + 8, 8);
  std::memcpy(&prediction.low_mask, mask, 8);
  std::memcpy(&prediction.high_mask, mask + 8, 8);
  return prediction;
}

ShapeId ShapeTable::FindOrAddChild(ShapeId shape, std::string_view key) {
  const std::uint64_t key_hash = HashBytes(key, hash_seed_);
  const std::uint64_t hash = ChildHash(shape, key_hash);
  ShapeId child = children_.Find(hash, [&](std::uint32_t id) {
    return shapes_[id].parent == shape && keys_[shapes_[id].last_key].text == key;
  });
  if (child == IdTable::kNone) {
    child = static_cast<ShapeId>(shapes_.size());
    shapes_.push_back(Shape{.parent = shape,
                            .last_key = InternKey(key, key_hash),
                            .member_count = shapes_[shape].member_count + 1});
    predictions_.emplace_back();
    first_predictions_.emplace_back();
    children_.Insert(hash, child, [&](std::uint32_t id) {
      return ChildHash(shapes_[id].parent, keys_[shapes_[id].last_key].hash);
    });
  }
  return child;
}

std::uint32_t ShapeTable::InternKey(std::string_view key, std::uint64_t hash) {
  std::uint32_t id = key_ids_.Find(hash, [&](std::uint32_t k) { return keys_[k].text == key; });
  if (id == IdTable::kNone) {
    id = static_cast<std::uint32_t>(keys_.size());
    keys_.push_back(Key{.text = StoreText(key), .hash = hash});
    key_ids_.Insert(hash, id, [&](std::uint32_t k) { return keys_[k].hash; });
  }
  return id;
}

std::string_view ShapeTable::StoreText(std::string_view text) {
  constexpr std::size_t kBlockBytes = 16 << 10;
  if (text.size() > text_left_ || text_blocks_.empty()) {
    text_left_ = std::max(kBlockBytes, text.size());
    text_blocks_.push_back(std::make_unique<char[]>(text_left_));
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
