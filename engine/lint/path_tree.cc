#include "engine/lint/path_tree.h"

#include <algorithm>
#include <ranges>

#include "engine/base/hash.h"
#include "engine/json/compact_text.h"
#include "engine/match/target_path.h"

namespace leafscore::internal {

std::uint64_t PathTree::HashOf(std::uint32_t parent, std::string_view key) {
  return HashBytes(key, HashMix(HashSeed() ^ parent, 0x9e3779b97f4a7c15u));
}

std::uint32_t PathTree::Find(std::uint32_t parent, bool is_elements, std::string_view key) const {
  if (parent == kNone) return kNone;
  if (is_elements) return places_[parent].elements;
  return children_.Find(HashOf(parent, key), [&](std::uint32_t place) {
    return places_[place].parent == parent && places_[place].key == key;
  });
}

std::uint32_t PathTree::FindOrAdd(std::uint32_t parent, bool is_elements, std::string_view key) {
  const std::uint32_t known = Find(parent, is_elements, key);
  if (known != kNone || parent == kNone || places_.size() == kMaxPlaces) return known;
  const auto place = static_cast<std::uint32_t>(places_.size());
  places_.emplace_back();
  places_[place].parent = parent;
  places_[place].is_elements = is_elements;
  if (is_elements) {
    places_[parent].elements = place;
    return place;
  }
  places_[place].key = key;
  children_.Insert(HashOf(parent, key), place,
                   [this](std::uint32_t id) { return HashOf(places_[id].parent, places_[id].key); });
  return place;
}

// Finds the place of each node. For a value inside another, child_of(place, is_elements, key) returns it.
template <class ChildOf>
void PathTree::Walk(const LeafTable& table, const ShapeTable& shapes, NodeId root,
                    std::vector<std::uint32_t>& found, ChildOf child_of) {
  struct OpenContainer {
    NodeId end;
    std::uint32_t place;
    bool is_array;
    std::vector<std::string_view> keys;
    std::size_t next_key = 0;
  };
  found.assign(table.end(root) - root, kNone);
  found[0] = kRoot;
  std::vector<OpenContainer> open;
  for (NodeId node = root; node != table.end(root); ++node) {
    while (!open.empty() && open.back().end == node) open.pop_back();
    std::uint32_t place = kRoot;
    if (!open.empty()) {
      OpenContainer& container = open.back();
      place = container.is_array ? child_of(container.place, true, std::string_view())
                                 : child_of(container.place, false, container.keys[container.next_key++]);
      found[node - root] = place;
    }
    if (!IsContainer(table.kind(node))) continue;
    const bool is_array = table.kind(node) == ValueKind::kArray;
    open.push_back({table.end(node), place, is_array,
                    is_array ? std::vector<std::string_view>() : shapes.Keys(table.shape(node))});
  }
}

void PathTree::AddGold(const LeafTable& table, const ShapeTable& shapes, NodeId root) {
  ++records_;
  Walk(table, shapes, root, found_, [this](std::uint32_t parent, bool is_elements, std::string_view key) {
    return FindOrAdd(parent, is_elements, key);
  });
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const NodeId node = root + static_cast<NodeId>(i);
    const bool is_leaf = !IsContainer(table.kind(node));
    leaves_ += is_leaf;
    if (found_[i] == kNone) continue;
    Place& place = places_[found_[i]];
    place.records += place.last_record != records_;
    place.last_record = records_;
    ++place.values;
    if (!is_leaf) continue;
    place.numbers += table.kind(node) == ValueKind::kNumber;
    if (place.leaves++ == 0) {
      AppendCompactJson(table, shapes, node, place.leaf);
    } else if (!place.varies) {
      text_.clear();
      AppendCompactJson(table, shapes, node, text_);
      place.varies = text_ != place.leaf;
      if (place.varies) place.leaf = std::string();
    }
  }
}

void PathTree::MarkAnswer(const LeafTable& table, const ShapeTable& shapes, NodeId root) {
  Follow(table, shapes, root, found_);
  for (const std::uint32_t place : found_) {
    if (place != kNone) places_[place].in_answer = true;
  }
}

void PathTree::Follow(const LeafTable& table, const ShapeTable& shapes, NodeId root,
                      std::vector<std::uint32_t>& found) const {
  Walk(table, shapes, root, found, [this](std::uint32_t parent, bool is_elements, std::string_view key) {
    return Find(parent, is_elements, key);
  });
}

std::string PathTree::Text(std::uint32_t place) const {
  if (place == kRoot) return "*";
  std::vector<std::uint32_t> steps;
  for (; place != kRoot; place = places_[place].parent) steps.push_back(place);
  std::string path;
  for (const std::uint32_t step : std::views::reverse(steps)) {
    if (places_[step].is_elements) {
      path += "[*]";
    } else {
      AppendKeyStep(path, places_[step].key);
    }
  }
  return path;
}

}  // namespace leafscore::internal
