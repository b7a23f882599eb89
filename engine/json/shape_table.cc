#include "engine/json/shape_table.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace leafscore::internal {

ShapeTable::ShapeTable(std::uint64_t hash_seed) : hash_seed_(hash_seed) { Clear(); }

void ShapeTable::Clear() {
  // Keep the memory for the next shapes, unless one odd record made it huge.
  const auto clear = [](auto& rows) {
    constexpr std::size_t kMaxKeptBytes = 1 << 20;
    if (rows.capacity() * sizeof rows[0] > kMaxKeptBytes) std::decay_t<decltype(rows)>().swap(rows);
    rows.clear();
  };
  clear(predictions_);
  clear(steps_);
  clear(shapes_);
  key_blocks_.resize(std::min<std::size_t>(key_blocks_.size(), 1));
  clear(key_texts_);
  clear(correspondences_);
  clear(row_keys_);
  clear(open_keys_);
  open_rows_.clear();
  shapes_.resize(kLastRowShape + 1, Shape{.duplicates = Duplicates::kNone});
  predictions_.resize(2 * shapes_.size());
  steps_.resize(2 * shapes_.size());
  children_.Clear();
  row_ids_.Clear();
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

std::uint64_t ShapeTable::RowHash(ShapeId parent, std::span<const std::uint32_t> keys) const {
  return HashBytes({reinterpret_cast<const char*>(keys.data()), keys.size_bytes()}, hash_seed_ ^ parent);
}

ShapeTable::Place ShapeTable::Extend(Place place, std::string_view key, bool padded) {
  const bool is_quoted = padded && key.size() < kKeyLookAhead;
  const QuotedKey quoted = is_quoted ? QuotedAt(key.data(), key.size()) : Quote(key);
  const ShapeId parent = ShapeAt(place);
  if (IsRowShape(parent)) return InRow(AppendToRow(key, quoted));
  const Steps known = steps_[place];
  // If the prediction could not be used, try the key that it stands for: the one that came next the last
  // time.
  if (!is_quoted && EndsWith(known.last, key, quoted)) return Behind(known.last);
  ShapeId child = known.before;
  if (!EndsWith(child, key, quoted)) {
    const std::uint32_t id = InternKey(key, quoted);
    child = FindChild(parent, id);
    if (child == IdTable::kNone) {
      const ShapeId row = KeyAt(id).row;
      const bool is_predicted =
          row != kEmptyShape && shapes_[row].parent == parent && RowOf(row).front() == id;
      open_rows_.push_back({.parent = parent,
                            .place = place,
                            .first_key = static_cast<std::uint32_t>(open_keys_.size()),
                            .predicted = is_predicted ? row : kEmptyShape});
      open_keys_.push_back(id);
      return InRow(id);
    }
  }
  Predict(place, child);
  return Behind(child);
}

// Appends a key to the innermost object, which has left the tree, and returns its id.
std::uint32_t ShapeTable::AppendToRow(std::string_view key, const QuotedKey& quoted) {
  OpenRow& row = open_rows_.back();
  if (row.predicted != kEmptyShape) {
    const std::span<const std::uint32_t> predicted = RowOf(row.predicted);
    const std::size_t position = open_keys_.size() - row.first_key;
    if (position < predicted.size() && IsKey(predicted[position], key, quoted)) {
      return open_keys_.emplace_back(predicted[position]);
    }
    row.predicted = kEmptyShape;
  }
  return open_keys_.emplace_back(InternKey(key, quoted));
}

void ShapeTable::Predict(Place place, ShapeId child) {
  steps_[place].before = std::exchange(steps_[place].last, child);
  predictions_[place] = {KeyAt(shapes_[child].last_key).quoted, Behind(child)};
}

ShapeId ShapeTable::FindChild(ShapeId parent, std::uint32_t key) const {
  return children_.Find(ChildHash(parent, key), [&](std::uint32_t id) {
    return shapes_[id].parent == parent && shapes_[id].last_key == key;
  });
}

// Returns a new shape, which is in no table.
ShapeId ShapeTable::AddShape(ShapeId parent, std::span<const std::uint32_t> keys) {
  Shape shape = shapes_[parent];
  shape.parent = parent;
  shape.last_key = keys.back();
  shape.row = static_cast<std::uint32_t>(row_keys_.size());
  shape.own_count = static_cast<std::uint32_t>(keys.size());
  shape.member_count += shape.own_count;
  shape.seen = 0;
  for (const std::uint32_t key : keys) {
    const std::uint64_t bit = std::uint64_t{1} << key % 64;
    if ((shape.key_bits & bit) != 0) shape.duplicates = Duplicates::kUnknown;
    shape.key_bits |= bit;
  }
  row_keys_.insert(row_keys_.end(), keys.begin(), keys.end());
  shapes_.push_back(shape);
  return static_cast<ShapeId>(shapes_.size() - 1);
}

// Ends the innermost object, which has left the tree.
ShapeId ShapeTable::FinishRow() {
  constexpr std::uint8_t kOften = 3;
  const OpenRow open = open_rows_.back();
  const std::span<const std::uint32_t> keys = std::span(open_keys_).subspan(open.first_key);
  ShapeId row = open.predicted;
  if (row == kEmptyShape || member_count(row) != member_count(open.parent) + keys.size()) {
    row = FindOrAddRow(open.parent, keys);
  }
  KeyAt(keys.front()).row = row;
  open_keys_.resize(open.first_key);
  open_rows_.pop_back();
  Steps& known = steps_[open.place];
  // The object is probably in an array of objects that are alike.
  const bool is_repeated = known.row == row && known.text == text_;
  known.row = row;
  known.text = text_;
  if (++shapes_[row].seen == kOften || is_repeated) Plant(row);
  return row;
}

ShapeId ShapeTable::FindOrAddRow(ShapeId parent, std::span<const std::uint32_t> keys) {
  const std::uint64_t hash = RowHash(parent, keys);
  ShapeId row = row_ids_.Find(hash, [&](std::uint32_t id) {
    return shapes_[id].parent == parent && std::ranges::equal(RowOf(id), keys);
  });
  if (row == IdTable::kNone) {
    row = AddShape(parent, keys);
    row_ids_.Insert(hash, row, [&](std::uint32_t id) { return RowHash(shapes_[id].parent, RowOf(id)); });
  }
  return row;
}

void ShapeTable::AddToTree(ShapeId shape) {
  const auto hash_of = [&](std::uint32_t id) { return ChildHash(shapes_[id].parent, shapes_[id].last_key); };
  children_.Insert(hash_of(shape), shape, hash_of);
  predictions_.resize(2 * shapes_.size());
  steps_.resize(2 * shapes_.size());
}

// Makes a shape a part of the tree, so that its keys are predicted.
void ShapeTable::Plant(ShapeId row) {
  ShapeId node = shapes_[row].parent;
  std::uint32_t next = shapes_[row].row;
  const std::size_t last = next + RowOf(row).size() - 1;
  for (; next != last; ++next) {
    const std::uint32_t key = row_keys_[next];
    ShapeId child = FindChild(node, key);
    if (child == IdTable::kNone) {
      child = AddShape(node, {&key, 1});
      AddToTree(child);
    }
    Predict(Behind(node), child);
    node = child;
  }
  if (FindChild(node, row_keys_[last]) != IdTable::kNone) return;  // the beginning of a longer row
  shapes_[row].parent = node;
  shapes_[row].row = next;
  shapes_[row].own_count = 1;
  AddToTree(row);
  Predict(Behind(node), row);
}

ShapeTable::QuotedKey ShapeTable::Quote(std::string_view key) {
  if (key.size() >= kKeyLookAhead || key.find_first_of("\"\\") != std::string_view::npos) return {};
  char text[kKeyLookAhead] = {};
  std::memcpy(text, key.data(), key.size());
  text[key.size()] = '"';
  return QuotedAt(text, key.size());
}

std::uint64_t ShapeTable::HashOf(const QuotedKey& quoted, std::string_view key) const {
  return quoted.is_whole() ? HashMix(quoted.low ^ hash_seed_, quoted.high ^ 0x9e3779b97f4a7c15u)
                           : HashBytes(key, hash_seed_);
}

std::uint32_t ShapeTable::InternKey(std::string_view key, const QuotedKey& quoted) {
  const std::uint64_t hash = HashOf(quoted, key);
  std::uint32_t id = key_ids_.Find(hash, [&](std::uint32_t k) { return IsKey(k, key, quoted); });
  if (id == IdTable::kNone) {
    id = static_cast<std::uint32_t>(key_texts_.size());
    key_texts_.push_back(StoreText(key));
    if (id / kKeysInBlock == key_blocks_.size()) key_blocks_.push_back(std::make_unique<Key[]>(kKeysInBlock));
    KeyAt(id) = {.quoted = quoted};
    key_ids_.Insert(hash, id, [&](std::uint32_t k) { return HashOf(KeyAt(k).quoted, key_texts_[k]); });
  }
  return id;
}

std::string_view ShapeTable::StoreText(std::string_view text) {
  constexpr std::size_t kBlockBytes = 16 << 10;
  if (text.size() > text_left_ || text_blocks_.empty()) {
    text_left_ = std::max(kBlockBytes, text.size());
    text_blocks_.push_back(std::make_unique_for_overwrite<char[]>(text_left_ + kKeyLookAhead));
    text_next_ = text_blocks_.back().get();
  }
  char* stored = text_next_;
  std::memcpy(stored, text.data(), text.size());
  text_next_ += text.size();
  text_left_ -= text.size();
  stored_bytes_ += text.size();
  return {stored, text.size()};
}

template <class Visit>
void ShapeTable::VisitKeys(ShapeId shape, Visit visit) const {
  for (; shape != kEmptyShape; shape = shapes_[shape].parent) {
    const Shape& s = shapes_[shape];
    std::uint32_t position = s.member_count - 1;
    if (!visit(s.last_key, position)) return;
    for (std::uint32_t i = s.own_count - 1; i != 0; --i) {
      if (!visit(row_keys_[s.row + i - 1], --position)) return;
    }
  }
}

void ShapeTable::NewMark() {
  if (++current_mark_ == 0) {  // wrapped around: marks of old walks must not look current
    for (std::uint32_t id = 0; id != key_texts_.size(); ++id) KeyAt(id).mark = 0;
    current_mark_ = 1;
  }
}

bool ShapeTable::CheckDuplicates(ShapeId shape) {
  NewMark();
  bool duplicates = false;
  VisitKeys(shape, [&](std::uint32_t key, std::uint32_t) {
    duplicates = std::exchange(KeyAt(key).mark, current_mark_) == current_mark_;
    return !duplicates;
  });
  shapes_[shape].duplicates = duplicates ? Duplicates::kSome : Duplicates::kNone;
  return duplicates;
}

std::vector<std::string_view> ShapeTable::Keys(ShapeId shape) const {
  std::vector<std::string_view> keys(member_count(shape));
  VisitKeys(shape, [&](std::uint32_t key, std::uint32_t position) {
    keys[position] = key_texts_[key];
    return true;
  });
  return keys;
}

// VisitKeys written out, since readers of scores look up members by name in every line.
std::uint32_t ShapeTable::FindMember(ShapeId shape, std::string_view key) const {
  for (; shape != kEmptyShape; shape = shapes_[shape].parent) {
    const Shape& s = shapes_[shape];
    if (key_texts_[s.last_key] == key) return s.member_count - 1;
    if (s.own_count == 1) [[likely]]
      continue;
    for (std::uint32_t i = s.own_count - 1; i != 0; --i) {
      if (key_texts_[row_keys_[s.row + i - 1]] == key) return s.member_count - s.own_count + i - 1;
    }
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
  VisitKeys(to, [&](std::uint32_t key, std::uint32_t position) {
    KeyAt(key).mark = current_mark_;
    KeyAt(key).position = position;
    return true;
  });
  auto members = std::make_unique<std::uint32_t[]>(member_count(from));
  VisitKeys(from, [&](std::uint32_t key, std::uint32_t position) {
    members[position] = KeyAt(key).mark == current_mark_ ? KeyAt(key).position : kNoMember;
    return true;
  });
  stored_bytes_ += sizeof(Correspondence) + member_count(from) * sizeof(std::uint32_t);
  const auto id = static_cast<std::uint32_t>(correspondences_.size());
  correspondences_.push_back({from, to, std::move(members)});
  correspondence_ids_.Insert(
      hash, id, [&](std::uint32_t k) { return hash_of(correspondences_[k].from, correspondences_[k].to); });
  return correspondences_[id].members.get();
}

}  // namespace leafscore::internal
