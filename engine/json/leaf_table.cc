#include "engine/json/leaf_table.h"

#include <algorithm>

namespace leafscore::internal {

void LeafTable::Reserve(std::size_t more, std::size_t containers) {
  const auto capacity_for = [](std::size_t needed, std::size_t capacity) {
    return needed <= capacity ? capacity : std::max(needed, capacity + capacity / 2);
  };
  kind_.resize(capacity_for(size_ + more, kind_.size()));
  spans_.resize(kind_.size());
  containers_.resize(capacity_for(container_count_ + containers, containers_.size()));
}

void LeafTable::Append(const LeafTable& other) {
  Reserve(other.size_, other.container_count_);
  for (NodeId node = 0; node < other.size_; ++node) {
    const bool is_container = IsContainer(other.kind_[node]);
    kind_[size_ + node] = other.kind_[node];
    spans_[size_ + node] = other.spans_[node];
    if (is_container) spans_[size_ + node].end += container_count_;
  }
  for (std::uint32_t row = 0; row < other.container_count_; ++row) {
    containers_[container_count_ + row] = other.containers_[row];
    containers_[container_count_ + row].end += size_;
  }
  size_ += other.size_;
  container_count_ += other.container_count_;
}

}  // namespace leafscore::internal
